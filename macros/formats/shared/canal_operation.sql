{#
  Prints an expression: the operation of a message of Canal, null for an unknown type.

  * A statement about rows without its rows is `other`. Its type is QUERY, INSERT, UPDATE or DELETE, and
    `isDdl` is false.
  * Older servers also set `isDdl` to false for a statement about a database. Its words decide.

  Requires: the variable `canal`, the parsed message.
#}
{% macro canal_operation() -%}
    {%- set changes_database -%}
    coalesce(canal.sql rlike r'(?is)^(?:\s++|/\*.*?\*/)*+(?:create|alter|drop)\s++(?:database|schema)\b', false)
    {%- endset -%}

    {%- set has_no_rows -%}
    canal.type in ('INSERT', 'UPDATE', 'DELETE') and canal.sql <> '' and coalesce(size(canal.data), 0) < 1
    {%- endset -%}

    {%- set operations = dict(
        kafka_cdc.get_canal_operations(),
        INIT='snapshot',
        DDL='ddl',
        INIT_DDL='ddl',
        GTID='transaction',
        XACOMMIT='transaction',
        XAROLLBACK='transaction',
        MHEARTBEAT='heartbeat',
    ) -%}

    if(
        canal.isDdl = 'false' and (canal.type = 'QUERY' and not {{ changes_database }} or {{ has_no_rows }}),
        'other',
        {{ kafka_cdc.map_operation('canal.type', operations) }}
    )
{%- endmacro %}

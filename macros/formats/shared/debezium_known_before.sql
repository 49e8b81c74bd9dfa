{#
  Prints an expression: the columns of the row before a change that the source database logged.

  PostgreSQL logs the replica identity only. Outside it, Debezium writes null, or the default of the
  column or of its type ('' or 0) if the column is not null. No message shows which values are such.
  So only the key is read, unless the setting `replica_identity` of the topic is `full`. The result
  is null if the row has no column of the key. If no key is known, only nulls are left out.

  SQL Server logs null for large values that an update did not change, and for text, ntext and image
  also in a deleted row. No message shows the types. So a null is no value.

  Arguments:
    row (string): SQL of the row, map<string, string>.
    connector (string): SQL of the connector's name.
    key (string): SQL of the key in the Kafka key, map<string, string>.
#}
{% macro debezium_known_before(row, connector, key) -%}
    {%- set names = 'coalesce(map_keys(' ~ key ~ '), settings.key)' -%}
    {%- set logged_columns -%}
    map_filter({{ row }}, (name, text) -> text is not null and coalesce(array_contains({{ names }}, name), true))
    {%- endset -%}
    case
        when {{ connector }} = 'postgresql' and coalesce(settings.replica_identity, 'default') <> 'full'
            then {{ kafka_cdc.sql_let(
                {'logged_columns': logged_columns},
                'if(size(logged_columns) > 0, logged_columns, null)'
            ) | indent(12) }}
        when {{ connector }} = 'sqlserver' then map_filter({{ row }}, (name, text) -> text is not null)
        else {{ row }}
    end
{%- endmacro %}

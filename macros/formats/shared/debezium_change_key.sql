{#
  Prints an expression: the key columns in the Kafka key of a change, a map.

  Flink CDC adds `TableId` to the key. It is a column only if the row has it.

  Requires: the column `kafka_key`, and the format variable `change`.
#}
{% macro debezium_change_key() -%}
    {%- set columns -%}
    if(
        change.source.connector is null
        and map_contains_key(key_members, 'TableId')
        and not coalesce(map_contains_key(coalesce(change.after, change.before), 'TableId'), false),
        map_filter(key_members, (name, text) -> name <> 'TableId'),
        key_members
    )
    {%- endset -%}
    {{ kafka_cdc.sql_let({'key_members': kafka_cdc.debezium_key()}, columns) }}
{%- endmacro %}

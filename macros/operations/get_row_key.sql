{#
  Returns SQL for the row_key of a key, a mapping of its columns to their values; stops dbt where it is none.
  table: for the message.
#}
{% macro get_row_key(table, key) %}
    {%- if key is not mapping or not key -%}
        {{ kafka_cdc.raise_error('key is ' ~ tojson(key), "write the row's key columns with their values: --args '{table: " ~ table ~ ", key: {id: 1001}}'") }}
    {%- endif -%}
    {%- set columns, values = key.keys() | sort, [] -%}
    {%- for column in columns %}{% do values.append(key[column] | string) %}{% endfor -%}
    {{ return('to_json(map_from_arrays(' ~ kafka_cdc.sql_literal(columns) | trim ~ ', ' ~ kafka_cdc.sql_literal(values) | trim ~ '))') }}
{% endmacro %}

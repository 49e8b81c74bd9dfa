{#
  Returns SQL of the row_key that a key has, a string; raises an error if it is no mapping.

  Arguments:
    table (string): path of the table, for the error message.
    key (dict[string, any]): key column to value.
#}
{% macro get_row_key(table, key) %}
    {%- if key is not mapping or not key -%}
        {{ kafka_cdc.raise_error(
            'key is ' ~ tojson(key),
            "write the row's key columns with their values: --args '{table: " ~ table ~ ", key: {id: 1001}}'"
        ) }}
    {%- endif -%}

    {%- set columns, values = key.keys() | sort, [] -%}
    {%- for column in columns -%}
        {%- do values.append(key[column] | string) -%}
    {%- endfor -%}
    {%- set row_map -%}
        map_from_arrays({{ kafka_cdc.sql_literal(columns) }}, {{ kafka_cdc.sql_literal(values) }})
    {%- endset -%}
    {{ return('to_json(' ~ row_map ~ ')') }}
{% endmacro %}

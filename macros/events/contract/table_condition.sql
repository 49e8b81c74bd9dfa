{#
  Prints a condition: a row belongs to one source table.

  Arguments:
    parts (dict[string, string]): the value of each column of get_table_columns.

  Requires: the columns of get_table_columns.
#}
{% macro table_condition(parts) -%}
    {%- for column in kafka_cdc.get_table_columns() %}
        {{- 'and ' if not loop.first }}{{ column }} = {{ kafka_cdc.sql_literal(parts[column]) }}
        {{- ' ' if not loop.last }}
    {%- endfor %}
{%- endmacro %}

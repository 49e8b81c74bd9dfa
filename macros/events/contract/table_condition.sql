{# Prints a SQL condition: that the columns which name a source table have the values of `parts`, a mapping. #}
{% macro table_condition(parts) -%}
    {%- for column in kafka_cdc.get_table_columns() %}
        {{- 'and ' if not loop.first }}{{ column }} = {{ kafka_cdc.sql_literal(parts[column]) | trim }}{{ ' ' if not loop.last }}
    {%- endfor %}
{%- endmacro %}

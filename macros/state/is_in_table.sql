{# Prints a SQL condition: that the columns which name a source table have the values of `parts`, a mapping. #}
{% macro is_in_table(parts) -%}
    {%- for column in get_table_columns() %}
        {{- 'and ' if not loop.first }}{{ column }} = {{ sql_text(parts[column]) | trim }}{{ ' ' if not loop.last }}
    {%- endfor %}
{%- endmacro %}

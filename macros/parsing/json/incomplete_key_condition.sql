{#
  Prints a condition: a row lacks a value for one of its key columns.

  A key column that is missing and one that is null are treated alike.

  Arguments:
    row_map (string): SQL of the row, map<string, string>.
    key_columns (string): SQL of the key columns, array<string>.
#}
{% macro incomplete_key_condition(row_map, key_columns) -%}
    exists({{ key_columns }}, name -> {{ row_map }}[name] is null)
{%- endmacro %}

{#
  Prints a condition: a map that was read from a JSON object contains a key twice.

  For a null map the condition is null or false.

  Arguments:
    row_map (string): SQL of a map<string, string>.
#}
{% macro duplicate_keys_condition(row_map) -%}
    size(array_distinct(map_keys({{ row_map }}))) < size({{ row_map }})
{%- endmacro %}

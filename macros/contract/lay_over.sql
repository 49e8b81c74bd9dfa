{#
  Prints SQL for a row with another row's columns laid over it: what the second says counts, also where it says null. Neither
  may be null; a column that is there twice counts once, in either.
#}
{% macro lay_over(row_map, columns_over) -%}
    {{ let(
        {'whole': last_wins(row_map), 'changed': last_wins(columns_over)},
        'map_concat(map_filter(whole, (name, text) -> not map_contains_key(changed, name)), changed)'
    ) }}
{%- endmacro %}

{#
  Prints an expression: a map from an array of names and an array of texts of the same length.

  map_from_arrays and map_from_entries fail for a duplicate or null name, and one message would
  fail the whole run. Here the first of duplicate names wins, and null names are left out. A name
  without a text has null.

  Arguments:
    names (string): SQL of the names, array<string>.
    texts (string): SQL of the texts, an array.
#}
{% macro safe_map_from_arrays(names, texts) -%}
    {#- Names without nulls and duplicates need no search. array_except leaves out both. -#}
    if(
        size(array_except({{ names }}, array(cast(null as string)))) = size({{ names }})
        and size({{ texts }}) = size({{ names }}),
        map_from_arrays({{ names }}, {{ texts }}),
        map_from_arrays(
            array_compact(array_distinct({{ names }})),
            transform(
                array_compact(array_distinct({{ names }})),
                name -> get({{ texts }}, cast(array_position({{ names }}, name) as int) - 1)
            )
        )
    )
{%- endmacro %}

{#
  Prints SQL for a map from two arrays of one length; of a name that is there twice the first one counts, a null name none.
  (map_from_arrays and map_from_entries throw there, and the run would fail for one message.)
#}
{% macro safe_map_from_arrays(names, texts) -%}
    map_from_arrays(
        array_compact(array_distinct({{ names }})),
        transform(array_compact(array_distinct({{ names }})), name -> {{ texts }}[cast(array_position({{ names }}, name) as int) - 1])
    )
{%- endmacro %}

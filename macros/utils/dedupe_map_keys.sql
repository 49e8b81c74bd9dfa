{#
  Prints SQL for a map without repeated keys: where a JSON object has a key twice, the last one wins, in every format.
  (from_json keeps both in a map, and most functions then read the first.)
#}
{% macro dedupe_map_keys(row_map) -%}
    if(
        {{ kafka_cdc.duplicate_keys_condition(row_map) }},
        map_from_entries(transform(
            array_distinct(map_keys({{ row_map }})),
            name -> element_at(filter(map_entries({{ row_map }}), entry -> entry.key = name), -1)
        )),
        {{ row_map }}
    )
{%- endmacro %}

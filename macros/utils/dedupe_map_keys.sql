{#
  Prints an expression: a map without duplicate keys.

  A JSON object may contain a member twice. Then the last one wins, in every format.
  from_json keeps both in a map, and most functions would read the first one.

  Arguments:
    row_map (string): SQL of a map<string, string>. It may be null.
#}
{% macro dedupe_map_keys(row_map) -%}
    if(
        {{ kafka_cdc.duplicate_keys_condition(row_map) }},
        map_from_entries(transform(array_distinct(map_keys({{ row_map }})), name ->
            element_at(filter(map_entries({{ row_map }}), entry -> entry.key = name), -1)
        )),
        {{ row_map }}
    )
{%- endmacro %}

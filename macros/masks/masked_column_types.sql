{#
  Prints an expression: the column types of an event with the masks of its table applied.

  A hashed or shortened column has the type `masked`, and a dropped one has none. The entry `*` has
  the fingerprint of the masks, which shows later that masks have changed (select_remasked_tables).

  Arguments:
    column_types (string): SQL of the types in the message, map<string, string>. It may be null.

  Requires: the columns `mask_line`, `required_image` and `reject`, and those of get_table_columns.
#}
{% macro masked_column_types(column_types) -%}
    {%- if kafka_cdc.has_masks() -%}
    {%- set results = {'hash': "'masked'", 'last4': "'masked'"} -%}
    case
        when mask_line is null or required_image is null or reject is not null then {{ column_types }}
        {%- for line in kafka_cdc.get_mask_rules() %}
        when mask_line = {{ loop.index0 }} then map_concat(
            coalesce(
                transform_values(
                    map_filter(
                        {{ column_types | indent(24) }},
                        (name, type) -> name <> '*' and {{ kafka_cdc.mask_case(line.rules, {'drop': 'false'}, 'true') | indent(24) }}
                    ),
                    (name, type) -> {{ kafka_cdc.mask_case(line.rules, results, 'type') | indent(20) }}
                ),
                cast(map() as map<string, string>)
            ),
            map('*', '{{ line.stamp }}')
        )
        {%- endfor %}
    end
    {%- else -%}
    {{ column_types }}
    {%- endif -%}
{%- endmacro %}

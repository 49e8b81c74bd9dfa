{#
  Prints a condition: a key column has a mask that is not hash. Rows would be merged.

  Arguments:
    key_columns (string): SQL of the key columns, array<string>.

  Requires: the column `mask_line`. The parts of the table's name are fields of `parsed`.
#}
{% macro masked_key_condition(key_columns) -%}
    {%- set results = {'null': 'true', 'last4': 'true', 'drop': 'true'} -%}
    case mask_line
    {%- for line in kafka_cdc.get_mask_rules() %}
        when {{ loop.index0 }} then exists(
            {{ key_columns }},
            name -> {{ kafka_cdc.mask_case(line.rules, results, 'false', prefix='parsed.') | indent(12) }}
        )
    {%- endfor %}
        else false
    end
{%- endmacro %}

{#
  Prints an expression: a row image with the masks of its table applied.

  Without masks in the setting `tables` it is the row image itself.

  Arguments:
    row_map (string): SQL of the row image, map<string, string>. It may be null.

  Requires: the column `mask_line`, and the columns of get_table_columns.
#}
{% macro masked_row(row_map) -%}
    {%- if kafka_cdc.has_masks() -%}
    case
        when mask_line is null then {{ row_map }}
        {%- for line in kafka_cdc.get_mask_rules() %}
        when mask_line = {{ loop.index0 }} then {{ kafka_cdc.masked_text(row_map, line.rules) | indent(12) }}
        {%- endfor %}
    end
    {%- else -%}
    {{ row_map }}
    {%- endif -%}
{%- endmacro %}

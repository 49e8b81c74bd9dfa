{#
  Prints an expression: the labels of a set, separated by commas, from its number.

  Each bit of the number stands for a label. Labels stay as they are, and so does the empty text of a
  set without labels. The result is null for any other text. If no labels are known, the text stays
  as it is.

  Arguments:
    text (string): SQL of the text.
    labels (list[string]): the labels of the type in order, empty if unknown.
#}
{% macro decode_set(text, labels) -%}
    {%- if labels -%}
    {%- set all_labels = kafka_cdc.sql_literal(labels) -%}
    {%- set largest = 2 ** (labels | length) - 1 -%}
    case
        when {{ text }} rlike r'^[0-9]+\z' and try_cast({{ text }} as decimal(20, 0)) between 0 and {{ largest }}BD
            then array_join(
                filter(
                    {{ all_labels }},
                    (label, label_index) -> substring(reverse(conv({{ text }}, 10, 2)), label_index + 1, 1) = '1'
                ),
                ','
            )
        when {{ text }} = '' or size(array_except(split({{ text }}, ','), {{ all_labels }})) = 0 then {{ text }}
    end
    {%- else -%}
    {{ text }}
    {%- endif -%}
{%- endmacro %}

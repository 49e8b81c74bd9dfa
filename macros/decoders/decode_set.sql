{#
  Prints SQL for the labels of a set, with commas between, from its number, a bit for each label; labels stay so; null for any other
  text. Without labels the text stays as it is.
#}
{% macro decode_set(text, labels) -%}
    {%- if labels -%}
    {%- set all_labels = kafka_cdc.sql_literal(labels) -%}
    case
        when {{ text }} rlike r'^[0-9]+\z' and try_cast({{ text }} as decimal(20, 0)) between 0 and {{ 2 ** (labels | length) - 1 }}BD then array_join(
            filter({{ all_labels }}, (label, place) -> substring(reverse(conv({{ text }}, 10, 2)), place + 1, 1) = '1'), ','
        )
        when size(array_except(split({{ text }}, ','), {{ all_labels }})) = 0 then {{ text }}
    end
    {%- else -%}
    {{ text }}
    {%- endif -%}
{%- endmacro %}

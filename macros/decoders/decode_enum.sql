{#
  Prints SQL for the label of an enum from its number, 0 being the empty label of a value that the enum does not have; a label stays
  one; null for any other text. Without labels the text stays as it is.
#}
{% macro decode_enum(text, labels) -%}
    {%- if labels -%}
    coalesce(get({{ kafka_cdc.sql_literal([''] + labels) }}, {{ kafka_cdc.decode_integer(text, 'int') }}), if(array_contains({{ kafka_cdc.sql_literal(labels) }}, {{ text }}), {{ text }}, null))
    {%- else -%}
    {{ text }}
    {%- endif -%}
{%- endmacro %}

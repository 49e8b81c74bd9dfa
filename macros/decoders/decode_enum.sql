{#
  Prints an expression: the label of an enum from its number.

  The number 0 is the empty label, which MySQL stores for an invalid value. A label stays as it is, and
  so does the empty one. The result is null for any other text. Without labels the text stays as it is.

  Arguments:
    text (string): SQL of the text.
    labels (list[string]): the labels of the type in order, empty if unknown.
#}
{% macro decode_enum(text, labels) -%}
    {%- if labels -%}
    coalesce(
        get({{ kafka_cdc.sql_literal([''] + labels) }}, {{ kafka_cdc.decode_integer(text, 'int') }}),
        if(array_contains({{ kafka_cdc.sql_literal([''] + labels) }}, {{ text }}), {{ text }}, null)
    )
    {%- else -%}
    {{ text }}
    {%- endif -%}
{%- endmacro %}

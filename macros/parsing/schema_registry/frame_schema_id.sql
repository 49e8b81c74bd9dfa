{#
  Prints an expression: the schema id in framed bytes.

  Arguments:
    frame (string): SQL of the bytes, see framed_bytes.
#}
{% macro frame_schema_id(frame) -%}
    cast(conv(hex(substring({{ frame }}, 2, 4)), 16, 10) as int)
{%- endmacro %}

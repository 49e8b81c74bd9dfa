{#
  Prints an expression: a whole number, null if the text is not one or does not fit the type.

  Arguments:
    text (string): SQL of the text.
    type (string): `tinyint`, `smallint`, `int` or `bigint`.
#}
{% macro decode_integer(text, type) -%}
    if({{ text }} rlike r'^[+-]?[0-9]+\z', try_cast({{ text }} as {{ type }}), null)
{%- endmacro %}

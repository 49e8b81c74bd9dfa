{#
  Prints an expression: a decimal from a number, plain (-1.50, .5) or with an exponent (1.5E+3).

  The result is null if the text is not a number or has too many digits before the point. It is
  also null if the number would have to be rounded, as Spark's own cast does.

  Arguments:
    text (string): SQL of the text.
    precision (integer): precision of the decimal.
    scale (integer): scale of the decimal.
#}
{% macro decode_decimal(text, precision, scale) -%}
    {#- Decimals of the number without trailing zeros, if it has an exponent. -#}
    {%- set digits_after_point -%}
    length(regexp_extract({{ text }}, '[.]([0-9]*)', 1))
            - try_cast(regexp_extract({{ text }}, r'[eE]([+-]?[0-9]{1,4})\z', 1) as int)
            - length(regexp_extract(replace({{ text }}, '.', ''), '(?<!0)(0*+)[eE]', 1))
    {%- endset -%}
    if(
        {{ text }} rlike r'^[+-]?(?:[0-9]*(?:[.][0-9]{0,{{ scale }}}0*)?|[0.]+(?:[eE][+-]?[0-9]+)?)\z'
        or {{ digits_after_point }} <= {{ scale }},
        try_cast({{ text }} as decimal({{ precision }}, {{ scale }})),
        null
    )
{%- endmacro %}

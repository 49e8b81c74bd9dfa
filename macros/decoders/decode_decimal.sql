{#
  Prints SQL for a decimal(precision, scale) from a number, plain (-1.50, .5) or with an exponent (1.5E+3); null where the text is none,
  has too many digits before the point, or would have to be rounded, which Spark alone would do.
#}
{% macro decode_decimal(text, precision, scale) -%}
    if(
        {{ text }} rlike r'^[+-]?(?:[0-9]*(?:[.][0-9]{0,{{ scale }}}0*)?|[0.]+(?:[eE][+-]?[0-9]+)?)\z'
        or length(regexp_extract({{ text }}, '[.]([0-9]*)', 1)) - try_cast(regexp_extract({{ text }}, r'[eE]([+-]?[0-9]{1,4})\z', 1) as int)
            - length(regexp_extract(replace({{ text }}, '.', ''), '(0*)[eE]', 1)) <= {{ scale }},
        try_cast({{ text }} as decimal({{ precision }}, {{ scale }})),
        null
    )
{%- endmacro %}

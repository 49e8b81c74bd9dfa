{#
  Prints an expression: the microseconds (bigint) of a count in any unit.

  The count may have a fraction. The result is null if the text is not a number, is more precise
  than microseconds, or does not fit.

  Arguments:
    text (string): SQL of the text.
    unit (string): `s`, `ms`, `us` or `ns`.
#}
{% macro epoch_micros(text, unit) -%}
    {%- set pattern, exponent = {
        's': ('-?[0-9]+(?:[.][0-9]{1,6}0*)?', 'E6'),
        'ms': ('-?[0-9]+(?:[.][0-9]{1,3}0*)?', 'E3'),
        'us': ('-?[0-9]+(?:[.]0+)?', 'E0'),
        'ns': ('-?[0-9]*000|0', 'E-3'),
    }[unit] -%}
    try_cast(
        try_cast(
            concat(regexp_extract({{ text }}, r'^(?:{{ pattern }})\z', 0), '{{ exponent }}') as decimal(20, 0)
        ) as bigint
    )
{%- endmacro %}

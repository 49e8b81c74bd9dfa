{#
  Prints SQL for the microseconds, bigint, of a count of seconds (s), milliseconds (ms), microseconds (us) or nanoseconds (ns), with or
  without a fraction; null where the text is no number, says more than whole microseconds, or does not fit.
#}
{% macro epoch_micros(text, unit) -%}
    {%- set pattern, exponent = {
        's': ('-?[0-9]+(?:[.][0-9]{1,6}0*)?', 'E6'), 'ms': ('-?[0-9]+(?:[.][0-9]{1,3}0*)?', 'E3'),
        'us': ('-?[0-9]+(?:[.]0+)?', 'E0'), 'ns': ('-?[0-9]*000|0', 'E-3'),
    }[unit] -%}
    try_cast(try_cast(concat(regexp_extract({{ text }}, r'^(?:{{ pattern }})\z', 0), '{{ exponent }}') as decimal(20, 0)) as bigint)
{%- endmacro %}

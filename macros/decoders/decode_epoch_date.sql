{#
  Prints an expression: a date from the number of days since 1970-01-01.

  The result is null if the text is not a whole number or if the year is outside 1 to 9999.

  Arguments:
    text (string): SQL of the text.
#}
{% macro decode_epoch_date(text) -%}
    if(
        {{ kafka_cdc.decode_integer(text, 'int') }} between -719162 and 2932896,
        date_from_unix_date(try_cast({{ text }} as int)),
        null
    )
{%- endmacro %}

{#
  Prints an expression: a date from yyyy-MM-dd, alone or with the time 00:00:00.

  The result is null for any other text: zero dates, infinity, days that no calendar has, years
  before 1 or after 9999.

  Arguments:
    text (string): SQL of the text.
#}
{% macro decode_date(text) -%}
    if(
        {{ text }} rlike r'^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T]00:00:00(?:[.]0+)?)?Z?\z',
        try_cast(substring({{ text }}, 1, 10) as date),
        null
    )
{%- endmacro %}

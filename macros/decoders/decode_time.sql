{#
  Prints an expression: a time of day or a duration, as text HH:mm:ss[.f] without trailing zeros.

  Spark has no type for tables that holds MySQL's 838:59:59 and PostgreSQL's 24:00:00. The result
  is null if the text is not a time.

  Arguments:
    text (string): SQL of the text.
#}
{% macro decode_time(text) -%}
    if(
        {{ text }} rlike r'^-?[0-9]{2,3}:[0-5][0-9]:[0-5][0-9](?:[.][0-9]+)?Z?\z',
        regexp_replace({{ text }}, '(?:([.][0-9]*[1-9])0*|[.]0+)?Z?$', '$1'),
        null
    )
{%- endmacro %}

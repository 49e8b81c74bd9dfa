{#
  Prints a condition: a text is a timestamp, yyyy-MM-dd HH:mm:ss, followed by a time zone.

  Between date and time there is a space or a T. A fraction of up to nine digits may follow.

  Arguments:
    text (string): SQL of the text.
    zone (string): the regular expression of the time zone. By default Z, an offset or nothing.
#}
{% macro timestamp_text_condition(text, zone='(?:Z| ?[+-][0-9]{2}:[0-9]{2})?') -%}
    {{ text }} rlike r'^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,9})?{{ zone }}\z'
{%- endmacro %}

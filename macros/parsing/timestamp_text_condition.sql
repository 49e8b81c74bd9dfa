{#
  Prints SQL: true where a text is yyyy-MM-dd HH:mm:ss, with a space or T, with or without a fraction, and then what `zone`, a
  regular expression, says; by default Z, an offset or nothing.
#}
{% macro timestamp_text_condition(text, zone='(?:Z| ?[+-][0-9]{2}:[0-9]{2})?') -%}
    {{ text }} rlike r'^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,9})?{{ zone }}\z'
{%- endmacro %}

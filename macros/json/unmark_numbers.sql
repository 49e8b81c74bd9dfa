{#
  Prints SQL for a value's own text again, from a document that quote_numbers prepared: the mark goes, and inside nested
  objects and arrays the quotes go with it.
#}
{% macro unmark_numbers(text, number_mark) -%}
    replace(replace(replace({{ text }}, concat('"', {{ number_mark }}), ''), concat({{ number_mark }}, '"'), ''), {{ number_mark }}, '')
{%- endmacro %}

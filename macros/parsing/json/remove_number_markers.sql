{#
  Prints SQL for a value's own text again, from a document that quote_numbers prepared: the mark goes, and inside nested
  objects and arrays the quotes go with it.
#}
{% macro remove_number_markers(text, number_marker) -%}
    replace(replace(replace({{ text }}, concat('"', {{ number_marker }}), ''), concat({{ number_marker }}, '"'), ''), {{ number_marker }}, '')
{%- endmacro %}

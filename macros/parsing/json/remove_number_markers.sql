{#
  Prints an expression: a value's original text, from a document that quote_numbers prepared.

  The markers go. Inside nested objects and arrays the quotes go with them.

  Arguments:
    text (string): SQL of the value's text.
    number_marker (string): SQL of the document's marker.
#}
{% macro remove_number_markers(text, number_marker) -%}
    replace(
        replace(
            replace({{ text }}, concat('"', {{ number_marker }}), ''),
            concat({{ number_marker }}, '"'), ''
        ),
        {{ number_marker }}, ''
    )
{%- endmacro %}

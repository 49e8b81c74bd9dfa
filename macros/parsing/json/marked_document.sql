{#
  Prints an expression: the text of a document with markers, so that from_json keeps each value exact.

  Spark removes the quotes of texts. Each text that is a value therefore starts with a text marker.
  Fractions, exponents and negative zeros are quoted with number markers (quote_numbers). Parsed
  values show by their markers what they were. unmarked_text removes the markers.

  Arguments:
    json_text (string): SQL of the document.
    text_marker (string): SQL of a text that the document does not contain.
    number_marker (string): SQL of the marker of the document, from number_marker. It may be null.
#}
{% macro marked_document(json_text, text_marker, number_marker) -%}
    {%- set marked = kafka_cdc._mark_texts(json_text, text_marker) -%}
    if({{ number_marker }} is null, {{ marked }}, {{ kafka_cdc.quote_numbers(marked, number_marker) }})
{%- endmacro %}

{# Prints an expression: a JSON text in which each string that is a value starts with the marker. #}
{% macro _mark_texts(json_text, text_marker) -%}
    regexp_replace(
        {{ json_text }},
        r'\G((?:[^"]++|"(?:[^"\\]++|\\.)*+"(?=\s*+:))*+)"((?:[^"\\]++|\\.)*+")',
        concat('$1"', {{ text_marker }}, '$2')
    )
{%- endmacro %}

{#
  Prints an expression: a text of a document from marked_document, without the markers.

  Arguments:
    json_text (string): SQL of the text: a number, a literal, an object or an array.
    text_marker (string): SQL of the text marker of the document.
    number_marker (string): SQL of the number marker of the document. It may be null.
#}
{% macro unmarked_text(json_text, text_marker, number_marker) -%}
    {%- set text = 'replace(' ~ json_text ~ ", concat('\"', " ~ text_marker ~ "), '\"')" -%}
    if({{ number_marker }} is null, {{ text }}, {{ kafka_cdc.remove_number_markers(text, number_marker) }})
{%- endmacro %}

{#
  Prints an expression: an array of three documents, a JSON text between two sentinels.

  A sentinel is {"_sentinel": …} with the hash of the text. Spark stops at the end of a document
  and ignores everything after it. Between the sentinels nothing can hide. Trailing text, a second
  document or a bracket that closes the array early changes the count or loses a sentinel.
  Check what from_json returns with sentinels_intact_condition.

  Arguments:
    json_text (string): SQL of the text.
    sentinel (string): SQL of its sentinel, see json_sentinel.
#}
{% macro json_between_sentinels(json_text, sentinel) -%}
    concat(
        '{"documents":[{"_sentinel":"', {{ sentinel }}, '"},',
        {{ json_text }},
        ',{"_sentinel":"', {{ sentinel }}, '"}]}'
    )
{%- endmacro %}

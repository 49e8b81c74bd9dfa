{#
  Prints SQL for a JSON text inside an array between two seals, {"_sentinel": …}, that hold the text's own hash. Spark reads only as far
  as a document goes and ignores what follows; between the seals, trailing text, a second document or a bracket that closes the
  array early changes the count or loses a sentinel. Read it with sentinels_intact_condition.
#}
{% macro json_between_sentinels(json_text, sentinel) -%}
    concat('{"documents":[{"_sentinel":"', {{ sentinel }}, '"},', {{ json_text }}, ',{"_sentinel":"', {{ sentinel }}, '"}]}')
{%- endmacro %}

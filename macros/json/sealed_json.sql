{#
  Prints SQL for a JSON text inside an array between two seals, {"_seal": …}, that hold the text's own hash. Spark reads only as far
  as a document goes and ignores what follows; between the seals, trailing text, a second document or a bracket that closes the
  array early changes the count or loses a seal. Read it with is_sealed.
#}
{% macro sealed_json(json_text, seal) -%}
    concat('{"documents":[{"_seal":"', {{ seal }}, '"},', {{ json_text }}, ',{"_seal":"', {{ seal }}, '"}]}')
{%- endmacro %}

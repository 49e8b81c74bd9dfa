{#
  Prints a condition: documents are one JSON object between its two sentinels.

  Arguments:
    documents (string): SQL of the documents that from_json has read from json_between_sentinels.
    sentinel (string): SQL of the sentinel.
#}
{% macro sentinels_intact_condition(documents, sentinel) -%}
    size({{ documents }}) = 3
    and {{ documents }}[0]._sentinel = {{ sentinel }}
    and {{ documents }}[1] is not null
    and {{ documents }}[2]._sentinel = {{ sentinel }}
{%- endmacro %}

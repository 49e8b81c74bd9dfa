{#
  Prints a condition: a text is exactly one strict JSON object, with any fields.

  Arguments:
    guarded_text (string): SQL of a text that json_between_sentinels has made.
    sentinel (string): SQL of its sentinel.
#}
{% macro json_object_condition(guarded_text, sentinel) -%}
    {{ kafka_cdc.read_json_object(guarded_text, sentinel, '') }} is not null
{%- endmacro %}

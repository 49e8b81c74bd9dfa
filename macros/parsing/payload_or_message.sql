{#
  Prints SQL for the message of a format that may come in the JSON converter's envelope (schema, payload) or without: a struct of the same
  fields either way. slug: the parsed object. fields: the message's fields, as read beside `payload` and inside it.
#}
{% macro payload_or_message(slug, fields) -%}
    coalesce({{ slug }}.payload, struct({{ slug }}.{{ fields.keys() | join(', ' ~ slug ~ '.') }}))
{%- endmacro %}

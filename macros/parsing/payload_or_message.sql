{#
  Prints an expression: a message with or without the envelope of Kafka Connect's JSON converter.

  The envelope is {"schema": …, "payload": …}. The struct has the same fields either way.

  Arguments:
    slug (string): the format's slug, which is the name of the parsed object.
    fields (dict[string, any]): the message's fields. The object has them next to `payload` and in it.
#}
{% macro payload_or_message(slug, fields) -%}
    coalesce({{ slug }}.payload, struct({{ slug }}.{{ fields.keys() | join(', ' ~ slug ~ '.') }}))
{%- endmacro %}

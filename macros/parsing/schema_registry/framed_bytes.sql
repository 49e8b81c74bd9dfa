{#
  Prints an expression: the bytes of a value or key that a schema registry's serializer has framed.

  A frame is a zero byte, the schema id in four bytes, and the payload. The result is null for
  everything else. Ids start at 1 and stay below 2^24, so a frame starts with two zero bytes, but
  never with five.

  Binary topics land in base64. The text of a frame starts with AA and one of A to D, because the
  third byte is the id's second byte. AAAAAA and one of A to D are five zero bytes: no frame.

  If the topic is mapped to a format that reads bytes itself, the message has no frame. The frames of
  unpacked_message are others.

  Arguments:
    column (string): value or key.

  Requires: the columns `settings`, `unpacked`, `value` or `key`.
#}
{% macro framed_bytes(column) -%}
    {%- set binary_formats = [] -%}
    {%- set mapped_formats = kafka_cdc.get_topic_settings() | map(attribute='format') | reject('none') | unique -%}
    {%- for slug in mapped_formats if kafka_cdc.get_format(slug).read and not kafka_cdc.get_format(slug).reads_json -%}
        {%- do binary_formats.append("'" ~ slug ~ "'") -%}
    {%- endfor -%}

    case
        when unpacked is not null then null
        {%- if binary_formats %}
        when settings.format in ({{ binary_formats | join(', ') }}) then null
        {%- endif %}
        when startswith({{ column }}, '\0\0')
            and octet_length({{ column }}) > 5
            and not startswith({{ column }}, '\0\0\0\0\0')
            then cast({{ column }} as binary)
        {%- if column == 'value' %}
        when startswith(value, 'AA') and value rlike '^(?!AAAAAA[A-D])AA[A-D][A-Za-z0-9+/]{5}'
            then try_to_binary(value, 'base64')
        {%- endif %}
    end
{%- endmacro %}

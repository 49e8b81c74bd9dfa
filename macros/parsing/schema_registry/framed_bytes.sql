{#
  Prints SQL for the bytes of a message that a schema registry's serializer has framed, null for all others: byte 0, the schema's id in four
  bytes, a payload. Ids are counted from 1 and stay below 2^24: what begins with one zero byte, or with five, is something else.
  column: value or key of raw; a value may be base64, as binary topics land. Reads settings: a format that reads bytes has no frames.
#}
{% macro framed_bytes(column) -%}
    {%- set binary_formats = [] -%}
    {%- for slug in kafka_cdc.get_topic_settings() | map(attribute='format') | reject('none') | unique if kafka_cdc.get_format(slug).read -%}
        {%- do binary_formats.append("'" ~ slug ~ "'") -%}
    {%- endfor -%}
    case
        {%- if binary_formats %}
        when settings.format in ({{ binary_formats | join(', ') }}) then null
        {%- endif %}
        when startswith({{ column }}, '\0\0') and octet_length({{ column }}) > 5 and not startswith({{ column }}, '\0\0\0\0\0') then cast({{ column }} as binary)
        {%- if column == 'value' %}
        when startswith(value, 'AA') and value rlike '^(?!AAAAAA[A-D])AA[A-D][A-Za-z0-9+/]{5}' then try_to_binary(value, 'base64')
        {%- endif %}
    end
{%- endmacro %}

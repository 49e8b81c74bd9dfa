{#
  Prints an expression: a message with JSON inside binary frames or a text, null if it has none.

  The result is a struct of `text`, the JSON, and `problem`, why the frames cannot be read. One of
  them is null.

  A topic that the setting `topics` maps to a format with the entry `frames` may have such messages.
  A message of a topic without a mapping may have them if the entry's condition is true. If `unpacked`
  of the entry is null, the message is read as it landed.

  Arguments:
    formats (optional[list[string]]): the formats that the messages may have, or none for all.

  Requires: the columns `settings`, `key`, `value`.
#}
{% macro unpacked_message(formats=none) -%}
    {%- set framed = [] -%}
    {%- for slug in kafka_cdc.get_formats() if formats is none or slug in formats -%}
        {%- if kafka_cdc.get_format(slug).frames -%}
            {%- do framed.append(slug) -%}
        {%- endif -%}
    {%- endfor -%}

    {%- if not framed -%}
    cast(null as struct<text: string, problem: string>)
    {%- else -%}
    case
        {%- for slug in framed %}
        {%- set frames = kafka_cdc.get_format(slug).frames %}
        when settings.format = '{{ slug }}' or settings.format is null and {{ frames.condition | indent(8) }}
            then {{ frames.unpacked | indent(12) }}
        {%- endfor %}
    end
    {%- endif -%}
{%- endmacro %}

{#
  Prints an expression: a message of binary frames as JSON text, null if it has none.

  The result is a struct of `text`, the JSON, and `problem`, why the frames cannot be read. One of
  them is null.

  A topic that the setting `topics` maps to a format with the entry `frames` has such messages only.
  A message of a topic without a mapping has them if the entry's condition is true.

  Requires: the columns `settings`, `key`, `value`.
#}
{% macro unpacked_message() -%}
    {%- set formats = [] -%}
    {%- for slug in kafka_cdc.get_formats() if kafka_cdc.get_format(slug).frames -%}
        {%- do formats.append(slug) -%}
    {%- endfor -%}

    {%- if not formats -%}
    cast(null as struct<text: string, problem: string>)
    {%- else -%}
    case
        {%- for slug in formats %}
        {%- set frames = kafka_cdc.get_format(slug).frames %}
        when settings.format = '{{ slug }}' or settings.format is null and {{ frames.condition | indent(8) }}
            then {{ frames.unpacked | indent(12) }}
        {%- endfor %}
    end
    {%- endif -%}
{%- endmacro %}

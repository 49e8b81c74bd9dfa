{# Prints SQL for a source_sequence from texts of whole numbers; one that cannot be read becomes null and rejects the message. #}
{% macro sequence_array(texts) -%}
    array({% for text in texts %}try_cast({{ text }} as bigint){{ ', ' if not loop.last }}{% endfor %})
{%- endmacro %}

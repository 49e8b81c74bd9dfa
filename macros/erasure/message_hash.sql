{# Prints SQL for the hash by which a message that erase_row rewrites is on the list. Reads the coordinates of an event. #}
{% macro message_hash() -%}
    sha2(to_json(struct({{ kafka_cdc.get_message_coordinates() | join(', ') }})), 256)
{%- endmacro %}

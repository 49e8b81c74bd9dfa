{#
  Prints an expression: the hash of a message that erase_row rewrites in the table erased_rows.

  Requires: the columns of get_message_coordinates.
#}
{% macro message_hash() -%}
    sha2(to_json(struct({{ kafka_cdc.get_message_coordinates() | join(', ') }})), 256)
{%- endmacro %}

{#
  Prints an expression: the hash of a rejected message in the table erased_rows.

  erase_messages records it. It differs from message_hash, because erase_row also rewrites messages
  with a rejected change, which stays in quarantine.

  Requires: the columns of get_message_coordinates.
#}
{% macro reject_hash() -%}
    sha2(to_json(struct({{ kafka_cdc.get_message_coordinates() | join(', ') }}, 'rejected' as event_kind)), 256)
{%- endmacro %}

{#
  Returns the operations of Debezium's `op`, which the formats of Debezium share.

  Returns: dict[string, string], the code in the message to the operation of get_operations.
#}
{% macro get_debezium_operations() %}
    {{ return({
        'c': 'insert',
        'u': 'update',
        'd': 'delete',
        'r': 'snapshot',
    }) }}
{% endmacro %}

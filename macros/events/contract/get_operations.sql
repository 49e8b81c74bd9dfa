{#
  Returns the operations that a format can map its vendor's codes to.

  A format calls map_operation. A code that is not mapped gives null, and the message is rejected.
  With `ddl` the first words of the statement decide the operation, see ddl_operation.

  Returns: a dictionary, operation to a list of the event kind and the value of the column
    `operation`.
#}
{% macro get_operations() %}
    {%- set operations = {} -%}

    {%- for name in ['insert', 'update', 'update_before', 'delete', 'snapshot', 'truncate'] -%}
        {%- do operations.update({name: ['change', name]}) -%}
    {%- endfor -%}
    {%- for name in ['create', 'alter', 'drop', 'rename', 'index', 'ddl'] -%}
        {%- do operations.update({name: ['ddl', name]}) -%}
    {%- endfor -%}
    {%- for name in ['heartbeat', 'transaction', 'tombstone', 'other'] -%}
        {%- do operations.update({name: [name, none]}) -%}
    {%- endfor -%}

    {{ return(operations) }}
{% endmacro %}

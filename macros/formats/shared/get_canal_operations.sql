{#
  Returns the operations of Canal's event types, which the formats related to Canal share.

  Returns: dict[string, string], the code in the message to the operation of get_operations.
#}
{% macro get_canal_operations() %}
    {{ return({
        'INSERT': 'insert',
        'UPDATE': 'update',
        'DELETE': 'delete',
        'TRUNCATE': 'truncate',
        'CREATE': 'create',
        'ALTER': 'alter',
        'ERASE': 'drop',
        'RENAME': 'rename',
        'CINDEX': 'index',
        'DINDEX': 'index',
        'QUERY': 'ddl',
    }) }}
{% endmacro %}

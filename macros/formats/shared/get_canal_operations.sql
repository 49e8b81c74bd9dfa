{# Returns the words of canal's EventType for rows and statements, which its relatives share → operations. #}
{% macro get_canal_operations() %}
    {{ return({
        'INSERT': 'insert', 'UPDATE': 'update', 'DELETE': 'delete', 'TRUNCATE': 'truncate', 'CREATE': 'create', 'ALTER': 'alter',
        'ERASE': 'drop', 'RENAME': 'rename', 'CINDEX': 'index', 'DINDEX': 'index', 'QUERY': 'ddl',
    }) }}
{% endmacro %}

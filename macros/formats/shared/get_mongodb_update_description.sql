{# Returns the fields of updateDescription, also as Debezium passes it on. #}
{% macro get_mongodb_update_description() %}
    {{ return({'updatedFields': 'string', 'removedFields': 'array<string>', 'truncatedArrays': 'array<struct<field: string>>'}) }}
{% endmacro %}

{# Returns whether a line of the setting `tables` masks columns, a boolean. Without masks no SQL changes. #}
{% macro has_masks() %}
    {{ return(kafka_cdc.get_table_settings() | selectattr('columns') | list | length > 0) }}
{% endmacro %}

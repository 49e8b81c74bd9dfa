{# Returns whether a line of the setting tables says one of the values under a name. #}
{% macro has_table_setting(name, values) %}
    {{ return(kafka_cdc.get_table_settings() | selectattr(name, 'in', values) | list | length > 0) }}
{% endmacro %}

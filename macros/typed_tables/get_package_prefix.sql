{# Returns what stands before a macro's or a test's name in a generated model: nothing in this project, its name and a point where it is installed. #}
{% macro get_package_prefix() %}
    {{ return('' if project_name == 'kafka_cdc' else 'kafka_cdc.') }}
{% endmacro %}

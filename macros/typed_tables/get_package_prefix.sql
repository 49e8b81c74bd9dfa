{#
  Returns what precedes the name of a macro or test of this package in a generated model.

  Returns: a string, empty in this project and `kafka_cdc.` in a project that installs it.
#}
{% macro get_package_prefix() %}
    {{ return('' if project_name == 'kafka_cdc' else 'kafka_cdc.') }}
{% endmacro %}

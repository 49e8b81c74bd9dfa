{# Stops dbt with one line that names the setting, its value, what is valid, and a hint. #}
{% macro raise_setting_error(setting, value, valid, hint) %}
    {{ kafka_cdc.raise_error('the setting ' ~ setting ~ ' is ' ~ tojson(value) ~ '; valid: ' ~ valid, hint) }}
{% endmacro %}

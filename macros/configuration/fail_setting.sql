{# Stops dbt with one line that names the setting, its value, what is valid, and a hint. #}
{% macro fail_setting(setting, value, valid, hint) %}
    {{ fail('the setting ' ~ setting ~ ' is ' ~ tojson(value) ~ '; valid: ' ~ valid, hint) }}
{% endmacro %}

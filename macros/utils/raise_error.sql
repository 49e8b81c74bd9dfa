{# Stops dbt with one line: what is wrong, and what is valid or helps. #}
{% macro raise_error(problem, hint) %}
    {{ exceptions.raise_compiler_error('kafka_cdc: ' ~ problem ~ '. Hint: ' ~ hint) }}
{% endmacro %}

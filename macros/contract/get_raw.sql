{# Returns the relation of the landed messages. #}
{% macro get_raw() %}
    {{ return(source('raw', 'kafka_messages')) }}
{% endmacro %}

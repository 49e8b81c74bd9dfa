{# Returns the relation of the landed messages: raw itself, or mapped_messages where another tool writes it (setting raw_columns). #}
{% macro get_raw() %}
    {{ return(ref('mapped_messages') if get_raw_columns() else source('raw', 'kafka_messages')) }}
{% endmacro %}

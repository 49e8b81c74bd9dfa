{# Returns the relation of the landed messages: raw itself, or mapped_messages where another tool writes it (setting raw_column_mapping). #}
{% macro get_raw_relation() %}
    {{ return(ref('mapped_messages') if kafka_cdc.get_raw_column_mapping() else source('raw', 'kafka_messages')) }}
{% endmacro %}

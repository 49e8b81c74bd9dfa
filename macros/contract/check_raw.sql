{# Stops a run before the first landing, once for all models, with the command that lands messages. #}
{% macro check_raw() %}
    {%- set raw = source('raw', 'kafka_messages') -%}
    {%- if execute and flags.WHICH in ['run', 'build'] and load_relation(raw) is none -%}
        {{ fail(raw ~ ' does not exist', 'land messages first: kafka-cdc land files DIR' if not get_raw_columns() else 'name the table that holds the messages: raw_schema, raw_table') }}
    {%- endif -%}
{% endmacro %}

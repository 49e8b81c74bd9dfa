{# Returns the relation of the landed messages; a run before the first landing stops with the command that lands them. #}
{% macro get_raw() %}
    {%- set raw = source('raw', 'kafka_messages') -%}
    {%- if execute and flags.WHICH in ['run', 'build'] and load_relation(raw) is none -%}
        {{ fail(raw ~ ' does not exist', 'land messages first: python -m landing files DIR') }}
    {%- endif -%}
    {{ return(raw) }}
{% endmacro %}

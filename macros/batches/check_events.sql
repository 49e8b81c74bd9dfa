{#
  Raises an error with the command that builds the model events if it does not exist.

  Operations on rows call it. They may run before the first build.
#}
{% macro check_events() %}
    {%- set events = ref('kafka_cdc', 'events') -%}
    {%- if execute and load_relation(events) is none -%}
        {{ kafka_cdc.raise_error(events ~ ' does not exist', 'land messages and run dbt build first') }}
    {%- endif -%}
{% endmacro %}

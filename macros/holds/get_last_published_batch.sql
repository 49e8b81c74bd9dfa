{#
  Returns the highest number of a published landing batch (integer); none if nothing is published.

  Arguments:
    events (relation): the model events.
#}
{% macro get_last_published_batch(events) %}
    {%- set exists = execute and load_relation(events) is not none -%}
    {%- set published = kafka_cdc.get_published_version(events) if exists else none -%}
    {%- if published is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set batches = kafka_cdc.get_table_format_macro('batch_files')(events, published) -%}
    {{ return(run_query('select max(landing_batch) from (' ~ batches ~ ') as published').rows[0][0]) }}
{% endmacro %}

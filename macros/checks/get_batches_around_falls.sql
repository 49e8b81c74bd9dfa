{#
  Returns the landing batches that decide about unchecked falls of sequences, list[integer], sorted.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro get_batches_around_falls(batch_stats) %}
    {%- set unchecked = kafka_cdc.get_unchecked_falls_condition(batch_stats) -%}
    {%- set query = kafka_cdc.select_batches_around_sequence_resets(batch_stats, unchecked) -%}
    {{ return(kafka_cdc.get_selected_batches(batch_stats, query)) }}
{% endmacro %}

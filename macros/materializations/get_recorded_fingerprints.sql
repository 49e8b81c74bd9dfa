{#
  Returns what earlier runs created or checked, a mapping of name -> fingerprint. A run asks once.

  It is empty before the view changelog exists. What a killed run has begun to change has an empty
  fingerprint, so that this run creates it again.
#}
{% macro get_recorded_fingerprints() %}
    {%- set memory = kafka_cdc.get_run_memory() -%}
    {%- if 'recorded_fingerprints' not in memory -%}
        {%- set view = kafka_cdc.get_model_relation('changelog') -%}
        {%- set exists = view is not none and kafka_cdc.had_view_at_start(view) -%}
        {%- do memory.update({'recorded_fingerprints': kafka_cdc.read_fingerprints(view) if exists else {}}) -%}
    {%- endif -%}
    {{ return(memory['recorded_fingerprints']) }}
{% endmacro %}

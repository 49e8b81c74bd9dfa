{#
  Returns whether something is as a run has recorded it (record_fingerprint), a boolean.

  What this run has begun to change counts only with the fingerprint that this run has recorded.

  Arguments:
    name (string): what was created or checked, such as the name of a view.
    fingerprint (string): its fingerprint in this run.
#}
{% macro is_recorded_fingerprint(name, fingerprint) %}
    {%- set memory = kafka_cdc.get_run_memory() -%}
    {%- if name in memory.get('changed_names', []) -%}
        {{ return(memory.get('new_fingerprints', {}).get(name) == fingerprint) }}
    {%- endif -%}
    {{ return(kafka_cdc.get_recorded_fingerprints().get(name) == fingerprint) }}
{% endmacro %}

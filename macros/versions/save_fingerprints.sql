{#
  On-run-end hook: keeps the fingerprints of this run (record_fingerprint) for the next one.

  They are a property of the view sequence_resets, because a view has no versions that it could
  change. Of two runs at once the last one wins: a lost record costs only time.
#}
{% macro save_fingerprints() %}
    {%- set recorded = kafka_cdc.get_run_memory().get('new_fingerprints', {}) if execute else {} -%}
    {%- set view = kafka_cdc.get_model_relation('sequence_resets') -%}
    {%- set known = kafka_cdc.get_recorded_fingerprints() if recorded else {} -%}
    {%- set fingerprints = dict(known, **recorded) -%}
    {%- if fingerprints != known and view is not none and kafka_cdc.has_view(view) -%}
        {%- set property = "'kafka_cdc.fingerprints' = '" ~ tojson(fingerprints, sort_keys=true) ~ "'" -%}
        {%- do run_query('alter view ' ~ view ~ ' set tblproperties (' ~ property ~ ')') -%}
    {%- endif -%}
{% endmacro %}

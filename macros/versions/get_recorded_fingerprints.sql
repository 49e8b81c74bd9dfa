{#
  Returns the fingerprints that the last runs have recorded (record_fingerprint), asked once in a run.

  Returns: a mapping, name -> fingerprint.
#}
{% macro get_recorded_fingerprints() %}
    {%- set memory = kafka_cdc.get_run_memory() -%}
    {%- set view = kafka_cdc.get_model_relation('sequence_resets') -%}
    {%- if 'recorded_fingerprints' not in memory -%}
        {%- set text = '{}' -%}
        {%- if view is not none and kafka_cdc.had_view_at_start(view) -%}
            {%- set text = run_query('show tblproperties ' ~ view ~ " ('kafka_cdc.fingerprints')").rows[0][1] -%}
        {%- endif -%}
        {%- do memory.update({'recorded_fingerprints': fromjson(text, {})}) -%}
    {%- endif -%}
    {{ return(memory['recorded_fingerprints']) }}
{% endmacro %}

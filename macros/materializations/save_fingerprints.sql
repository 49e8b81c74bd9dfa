{#
  On-run-end hook: saves the fingerprints of what this run has changed (record_fingerprint).

  If another run has recorded the same name meanwhile, one of them may have replaced what the other
  one created. The record is empty then, so that the next run creates it again.
#}
{% macro save_fingerprints() %}
    {%- set new = kafka_cdc.get_run_memory().get('new_fingerprints', {}) if execute else {} -%}
    {%- set view = kafka_cdc.get_model_relation('changelog') -%}
    {%- if new and kafka_cdc.has_built_view('changelog') -%}
        {%- set recorded, present = kafka_cdc.get_recorded_fingerprints(), kafka_cdc.read_fingerprints(view) -%}
        {%- set saved = {} -%}
        {%- for name, fingerprint in new.items() -%}
            {%- set is_alone = present.get(name) == ('' if name in recorded else none) -%}
            {%- do saved.update({name: fingerprint if is_alone else ''}) -%}
        {%- endfor -%}
        {%- do kafka_cdc.write_fingerprints(view, saved) -%}
    {%- endif -%}
{% endmacro %}

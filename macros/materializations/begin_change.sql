{#
  Announces that this run changes something that may have a recorded fingerprint.

  Its record becomes empty first. If the run is killed before it saves the new one
  (save_fingerprints), no later run relies on the old one.

  Arguments:
    name (string): what is changed, such as the name of a view.
#}
{% macro begin_change(name) %}
    {%- set changed_names = kafka_cdc.get_run_memory().setdefault('changed_names', []) -%}
    {%- if name not in changed_names -%}
        {%- do changed_names.append(name) -%}
        {%- if kafka_cdc.get_recorded_fingerprints().get(name) -%}
            {%- do kafka_cdc.write_fingerprints(kafka_cdc.get_model_relation('changelog'), {name: ''}) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}

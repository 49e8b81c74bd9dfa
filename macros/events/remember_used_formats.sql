{#
  Asks which formats the lake has (get_used_formats) if a run builds staging views.

  It is the hook of the view that all of them read. Otherwise several staging views ask at the same
  time. It prints nothing.
#}
{% macro remember_used_formats() %}
    {%- if execute and flags.WHICH in ['run', 'build'] -%}
        {%- set staging = namespace(is_built=false) -%}
        {%- for id in selected_resources if id.startswith('model.kafka_cdc.stg_') -%}
            {%- set staging.is_built = true -%}
        {%- endfor -%}
        {%- do kafka_cdc.get_used_formats() if staging.is_built else none -%}
    {%- endif -%}
{% endmacro %}

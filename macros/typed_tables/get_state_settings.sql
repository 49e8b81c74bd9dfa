{#
  Returns the settings that decide rows and types, a list. If they change, typed tables are written again.

  Settings of topics are missing, because they act when messages are parsed: a replay rewrites the
  events. References are missing, because no model reads them.
#}
{% macro get_state_settings() %}
    {%- set lines = [] -%}
    {%- for line in kafka_cdc.get_table_settings() -%}
        {%- set kept = {} -%}
        {#- Without masks a line is as it was before there were masks. -#}
        {%- set ignored = ['hold', 'check_chains', 'references'] + (['columns'] if not line.columns else []) -%}
        {%- for name, value in line.items() if name not in ignored -%}
            {%- do kept.update({name: value}) -%}
        {%- endfor -%}
        {#- A line with references only is as if it did not exist. -#}
        {%- set has_others = kept.items() | rejectattr(0, 'in', ['table', 'source']) | selectattr(1) | list -%}
        {%- if has_others or line.references is none -%}
            {%- do lines.append(kept) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return([lines, kafka_cdc.get_setting('sequence_resets')]) }}
{% endmacro %}

{#
  Prints SQL for what `tables` says of a source table under one name (key, order_by, on_truncate …), the first line that
  matches and says it, else the default. Reads source_name, source_database, source_schema and source_table, the parts
  of a struct where `of` names one ('said.').
#}
{% macro table_setting(name, default='null', of='') -%}
    {%- set lines = [] -%}
    {%- for setting in get_table_settings() if setting[name] is not none %}{% do lines.append(setting) %}{% endfor -%}
    {%- if lines -%}
    case
    {%- for setting in lines %}
        when {{ matches_globs(table_path(of), [setting.table]) }}
            {%- if setting.source is not none %} and source_name = {{ sql_text(setting.source) | trim }}{% endif %} then {{ sql_text(setting[name]) | trim }}
    {%- endfor %}
        else {{ default }}
    end
    {%- else -%}
    {{ default }}
    {%- endif -%}
{%- endmacro %}

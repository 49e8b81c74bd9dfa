{#
  Prints SQL for what `tables` says of a source table under one name (key, order_by, on_truncate …), the first line that
  matches and says it, else the default. Reads source_name, source_database, source_schema and source_table, the parts
  of a struct where `of` names one ('said.').
#}
{% macro table_setting(name, default='null', of='') -%}
    {%- set lines = [] -%}
    {%- for setting in kafka_cdc.get_table_settings() if setting[name] is not none %}{% do lines.append(setting) %}{% endfor -%}
    {%- if lines -%}
    case
    {%- for setting in lines %}
        when {{ kafka_cdc.globs_condition(kafka_cdc.table_path(of), [setting.table]) }}
            {%- if setting.source is not none %} and source_name = {{ kafka_cdc.sql_literal(setting.source) | trim }}{% endif %} then {{ kafka_cdc.sql_literal(setting[name]) | trim }}
    {%- endfor %}
        else {{ default }}
    end
    {%- else -%}
    {{ default }}
    {%- endif -%}
{%- endmacro %}

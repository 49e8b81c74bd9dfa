{#
  Prints an expression: the value of one key of the setting `tables` for a source table.

  The first line that matches the table and has the key counts.

  Arguments:
    name (string): the key, such as key, order_by or on_truncate.
    default (string): SQL of the value if no line counts.
    prefix (string): what precedes the parts of the table's name, such as 'parsed.'.

  Requires: the columns `source_name`, `source_database`, `source_schema`, `source_table`. With a
    prefix all but `source_name` are fields of that struct.
#}
{% macro table_setting(name, default='null', prefix='') -%}
    {%- set lines = [] -%}
    {%- for line in kafka_cdc.get_table_settings() if line[name] is not none -%}
        {%- do lines.append(line) -%}
    {%- endfor -%}

    {%- if lines -%}
    case
    {%- for line in lines %}
        when {{ kafka_cdc.globs_condition(kafka_cdc.table_path(prefix), [line.table]) }}
            {%- if line.source is not none %} and source_name = {{ kafka_cdc.sql_literal(line.source) }}{% endif %}
            then {{ kafka_cdc.sql_literal(line[name]) }}
    {%- endfor %}
        else {{ default }}
    end
    {%- else -%}
    {{ default }}
    {%- endif -%}
{%- endmacro %}

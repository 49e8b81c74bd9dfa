{#
  Prints an expression: the number of the first entry of get_mask_rules that matches a source table.

  It is null if the table has no masks.

  Arguments:
    prefix (string): what precedes the parts of the table's name, such as 'parsed.'.

  Requires: the columns that table_setting requires.
#}
{% macro mask_line(prefix='') -%}
    case
    {%- for line in kafka_cdc.get_mask_rules() %}
        when {{ kafka_cdc.globs_condition(kafka_cdc.table_path(prefix), [line.table]) }}
            {%- if line.source is not none %} and source_name = {{ kafka_cdc.sql_literal(line.source) }}{% endif %}
            then {{ loop.index0 }}
    {%- endfor %}
    end
{%- endmacro %}

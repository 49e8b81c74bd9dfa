{#
  Returns the mask of one column of a source table: hash, null, last4, drop, or none without a mask.

  Arguments:
    table (string): database[.schema].table.
    source (string): the stream.
    column (string): the column.
#}
{% macro get_column_mask(table, source, column) %}
    {%- for line in kafka_cdc.get_table_settings() if line.columns and line.source in [none, source] -%}
        {%- if kafka_cdc.has_glob_match(table, line.table) -%}
            {%- for rule in line.columns if kafka_cdc.has_glob_match(column | lower, rule.column) -%}
                {{ return(rule.mask) }}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(none) }}
{% endmacro %}

{#
  Returns the mask of one column of a source table: hash, null, last4, drop, or none without a mask.
  A part of a document, such as address.city, has the mask of its column (mask_case).

  Arguments:
    table (string): database[.schema].table.
    source (string): the stream.
    column (string): the column.
#}
{% macro get_column_mask(table, source, column) %}
    {%- for line in kafka_cdc.get_table_settings() if line.columns and line.source in [none, source] -%}
        {%- if kafka_cdc.has_glob_match(table, line.table) -%}
            {%- for rule in line.columns -%}
                {%- set first = (column | lower).split('.')[0] -%}
                {%- if kafka_cdc.has_glob_match(column | lower, rule.column)
                        or '.' not in rule.column and kafka_cdc.has_glob_match(first, rule.column) -%}
                    {{ return(rule.mask) }}
                {%- endif -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(none) }}
{% endmacro %}

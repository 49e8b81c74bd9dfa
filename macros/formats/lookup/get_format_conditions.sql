{#
  Returns the conditions under which an entry of the formats applies to a change, list[string].

  The entry of a format is 'true', or SQL of the changes to which it applies. While dbt parses the
  project, nothing reads the conditions, and each format would be read again: the list is empty then.

  Arguments:
    entry (string): the name of the entry, such as deletes_first.

  Requires: the columns of the model events that name the format, such as `source_format`.
#}
{% macro get_format_conditions(entry) %}
    {%- set always, sometimes = [], [] -%}
    {%- for slug in (kafka_cdc.get_formats() if execute else []) -%}
        {%- set condition = kafka_cdc.get_format(slug)[entry] -%}
        {%- if condition == 'true' -%}
            {%- do always.append(kafka_cdc.sql_literal(slug)) -%}
        {%- elif condition -%}
            {%- do sometimes.append('source_format = ' ~ kafka_cdc.sql_literal(slug) ~ ' and ' ~ condition) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return((['source_format in (' ~ always | join(', ') ~ ')'] if always else []) + sometimes) }}
{% endmacro %}

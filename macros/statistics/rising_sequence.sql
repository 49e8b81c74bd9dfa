{#
  Prints an expression: the sequence of a change if it must rise within its table, null for other
  events.

  The position of some formats orders the changes of one row, and not those of different rows. Their
  entry `orders_rows_only` is true, or the condition for such changes.

  Requires: columns `event_kind`, `operation`, `source_format`, `source_database_type`,
  `source_sequence`.
#}
{% macro rising_sequence() -%}
    {%- set always, sometimes = [], [] -%}
    {%- for slug in kafka_cdc.get_formats() -%}
        {%- set condition = kafka_cdc.get_format(slug).orders_rows_only -%}
        {%- if condition is string -%}
            {%- do sometimes.append('source_format = ' ~ kafka_cdc.sql_literal(slug) ~ ' and ' ~ condition) -%}
        {%- elif condition -%}
            {%- do always.append(kafka_cdc.sql_literal(slug)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set conditions = (['source_format in (' ~ always | join(', ') ~ ')'] if always else []) + sometimes -%}
    {%- set sequence = kafka_cdc.ordering_sequence() -%}

    {{ 'if(' ~ conditions | join(' or ') ~ ', null, ' ~ sequence ~ ')' if conditions else sequence }}
{%- endmacro %}

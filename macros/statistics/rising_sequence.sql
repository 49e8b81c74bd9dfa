{#
  Prints an expression: the sequence of a change if it must rise within its table, null for other
  events.

  The position of some formats orders the changes of one row, and not those of different rows.

  Requires: columns `event_kind`, `operation`, `source_format`, `source_sequence`.
#}
{% macro rising_sequence() -%}
    {%- set row_ordered = [] -%}
    {%- for slug in kafka_cdc.get_formats() if kafka_cdc.get_format(slug).orders_rows_only -%}
        {%- do row_ordered.append(kafka_cdc.sql_literal(slug)) -%}
    {%- endfor -%}
    {%- set sequence = kafka_cdc.ordering_sequence() -%}

    {{ 'if(source_format in (' ~ row_ordered | join(', ') ~ '), null, ' ~ sequence ~ ')' if row_ordered else sequence }}
{%- endmacro %}

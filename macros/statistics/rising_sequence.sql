{#
  Prints an expression: the sequence of a change if it must rise within its table, null for other
  events.

  The position of some formats orders the changes of one row, and not those of different rows. Their
  entry `orders_rows_only` has the condition for such changes.

  Requires: columns `event_kind`, `operation`, `source_format`, `source_database_type`,
  `source_sequence`.
#}
{% macro rising_sequence() -%}
    {%- set conditions = kafka_cdc.get_format_conditions('orders_rows_only') -%}
    {%- set sequence = kafka_cdc.ordering_sequence() -%}

    {{ 'if(' ~ conditions | join(' or ') ~ ', null, ' ~ sequence ~ ')' if conditions else sequence }}
{%- endmacro %}

{#
  Prints a relation: the published version of a table.

  event_batch_stats, table_holds, events and merged_rows are published together after their
  tests passed. All public views therefore change at once, and stay unchanged if a test fails.

  Arguments:
    relation (relation): the table.
#}
{% macro published_relation(relation) -%}
    {{ kafka_cdc.get_table_format_macro('published_relation')(relation) }}
{%- endmacro %}

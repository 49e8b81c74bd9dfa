{#
  Prints the CTEs up to `table_resets`: what emptied tables by its order, see table_resets_cte.

  Only the landing batches with a TRUNCATE or DROP are read.

  Arguments:
    events (string): SQL of the model events, at the version to read.
    batch_stats (string): SQL of the model event_batch_stats, at the version to read.
    batches (list[integer]): the landing batches, from get_reset_batches.
#}
{% macro merged_resets_ctes(events, batch_stats, batches) -%}
{%- set statements = '(select * from ' ~ events ~ ' where ' ~ kafka_cdc.in_batches_condition(batches) ~ ')' -%}
{{ kafka_cdc.source_tables_cte(batch_stats) }},

{{ kafka_cdc.table_resets_cte(statements, {'truncates': 1, 'drops': 1}, has_renames=false, holds=[]) }}
{%- endmacro %}

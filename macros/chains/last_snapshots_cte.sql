{#
  Prints the CTE `last_snapshots`: the last landing batch with rows of a source snapshot, per table.

  A snapshot that lands after a break replaces what the break left wrong.

  Columns: those that name the source table, and last_snapshot_batch.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro last_snapshots_cte(batch_stats) -%}
last_snapshots as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        max(landing_batch) as last_snapshot_batch
    from {{ batch_stats }}
    where snapshot_rows > 0
    group by {{ kafka_cdc.get_table_columns() | join(', ') }}
)
{%- endmacro %}

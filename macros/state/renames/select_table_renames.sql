{#
  Prints a SELECT: the configured renames (on_rename: apply), one row per stream.

  Columns: source_name, source_tenant, and `renames`, an array of structs with row_order, position,
  old and new.

  Arguments:
    events (relation): the model events.
    batch_stats (relation): the model event_batch_stats.
#}
{% macro select_table_renames(events, batch_stats) -%}
with {{ kafka_cdc.source_tables_cte(batch_stats) }},

{{ kafka_cdc.table_renames_cte(events) }}

select *
from configured_renames
{%- endmacro %}

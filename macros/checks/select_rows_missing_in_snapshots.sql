{#
  Prints a SELECT: a finding for each source table with live rows that its newest source snapshot does not contain.

  Arguments:
    stale_rows (relation): the model stale_rows.
#}
{% macro select_rows_missing_in_snapshots(stale_rows) -%}
select concat(
    'table ', {{ kafka_cdc.table_path() }}, ' of source ', source_name, ' has ', count(*),
    ' rows that are not in its newest snapshot and have not changed since, for example ', min(row_key),
    '. If the snapshot was complete, they were deleted. Add to tables: - {table: ', {{ kafka_cdc.table_path() }},
    ', source: ', source_name, ', on_snapshot: replace}'
) as finding
from {{ stale_rows }}
group by {{ kafka_cdc.get_table_columns() | join(', ') }}
{%- endmacro %}

{#
  Warns of source tables with live rows that their newest source snapshot does not contain.

  Arguments:
    model (relation): the model stale_rows.
#}
{% test snapshots_leave_no_stale_rows(model) %}
{{ config(severity='warn') }}
select concat(
    'table ', {{ kafka_cdc.table_path() }}, ' of source ', source_name, ' has ', count(*),
    ' rows that are not in its newest snapshot and have not changed since, for example ', min(row_key),
    '. If the snapshot was complete, they were deleted. Add to tables: - {table: ', {{ kafka_cdc.table_path() }},
    ', source: ', source_name, ', on_snapshot: replace}'
) as finding
from {{ model }}
group by {{ kafka_cdc.get_table_columns() | join(', ') }}
{% endtest %}

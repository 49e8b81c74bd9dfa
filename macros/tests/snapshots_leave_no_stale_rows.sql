{# Warns of source tables with live rows that their newest snapshot no longer has. model: stale_rows. #}
{% test snapshots_leave_no_stale_rows(model) %}
{{ config(severity='warn') }}
select concat(
    'table ', {{ kafka_cdc.table_path() }}, ' of source ', source_name, ': ', count(*), ' rows are not in its newest snapshot and were not changed since, for example ', min(row_key),
    '; if the snapshot was whole they are gone: in tables: - {table: ', {{ kafka_cdc.table_path() }}, ', source: ', source_name, ', on_snapshot: replace}'
) as finding
from {{ model }}
group by {{ kafka_cdc.get_table_columns() | join(', ') }}
{% endtest %}

{#
  Prints a SELECT: a finding for each source table that has no key, neither in its messages nor in the settings.

  Its changes are in changelog but not in current_state. If only some changes of a table have a key,
  it is held instead, see select_missing_keys.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro select_tables_without_keys(batch_stats) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') %}
select concat(
    'table ', {{ kafka_cdc.table_path() }}, ' of source ', source_name, ' has ', sum(keyless_changes),
    ' changes without a key, so it is not in the state. '
    'Add to tables: - {table: ', {{ kafka_cdc.table_path() }}, ', source: ', source_name, ', key: [its key columns]}'
) as finding
from {{ batch_stats }}
group by {{ table }}
having sum(keyless_changes) > 0 and sum(keyless_changes) = sum(changes)
{%- endmacro %}

{#
  Warns of source tables that have no key, neither in their messages nor in the settings.

  Their changes are in changelog but not in current_state. If only some changes of a table have a key,
  it is held instead, see select_missing_keys.

  Arguments:
    model (relation): the model event_batch_stats.
#}
{% test tables_have_keys(model) %}
{{ config(severity='warn') }}
{%- set table = kafka_cdc.get_table_columns() | join(', ') %}
select concat(
    'table ', {{ kafka_cdc.table_path() }}, ' of source ', source_name, ' has ', sum(keyless_changes),
    ' changes without a key, so it is not in the state. '
    'Add to tables: - {table: ', {{ kafka_cdc.table_path() }}, ', source: ', source_name, ', key: [its key columns]}'
) as finding
from {{ model }}
group by {{ table }}
having sum(keyless_changes) > 0 and sum(keyless_changes) = sum(changes)
{% endtest %}

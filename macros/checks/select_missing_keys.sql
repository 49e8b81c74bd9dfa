{#
  Prints a SELECT: the source tables with changes that have a key and changes that have none.

  Their state would lack the changes without a key. A table that never had a key has no state, so
  that nothing is wrong with it (select_tables_without_keys). Columns: see select_findings.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro select_missing_keys(batch_stats) -%}
{%- set table = kafka_cdc.get_table_columns() -%}
select
    {{ table | join(',\n    ') }},
    'missing_key' as check_name,
    concat(
        'table ', {{ kafka_cdc.table_path() | indent(8) }}, ' of source ', source_name, ' has ',
        sum(keyless_changes), ' changes without a key and ', sum(changes - keyless_changes), ' with one'
    ) as finding,
    concat(
        'Add to tables: - {table: ', {{ kafka_cdc.table_path() | indent(8) }}, ', source: ', source_name,
        ', key: [its key columns]}, then run dbt build --vars \'{replay: ["',
        array_join(array_sort(collect_set(kafka_topic)), '", "'), '"]}\''
    ) as remedy
from {{ batch_stats }}
group by {{ table | join(', ') }}
having sum(keyless_changes) > 0 and sum(changes - keyless_changes) > 0
{%- endmacro %}

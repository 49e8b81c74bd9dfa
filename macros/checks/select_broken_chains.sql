{#
  Prints a SELECT: the source tables with broken chains that are to be held (check_chains: hold).

  A snapshot of the table that lands later resolves the break. Columns: see select_findings.

  Arguments:
    chain_breaks (relation): the model chain_breaks.
    batch_stats (relation): the model event_batch_stats.
#}
{% macro select_broken_chains(chain_breaks, batch_stats) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
select
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    'broken_chain' as check_name,
    concat(
        'the before images of ', sum(changes), ' changes of table ', {{ kafka_cdc.table_path() | indent(8) }},
        ' of source ', source_name, ' are not the rows before them, first at topic ', min(first_change).kafka_topic,
        ', partition ', min(first_change).kafka_partition, ', offset ', min(first_change).kafka_offset
    ) as finding,
    concat(
        'Take a new snapshot of the table, or accept the break in tables: - {table: ',
        {{ kafka_cdc.table_path() | indent(8) }}, ', source: ', source_name, ', check_chains: warn}'
    ) as remedy
from (
    {{ kafka_cdc.select_known_breaks(chain_breaks, batch_stats) | indent(4) }}
) as known_breaks
where
    is_alarm
    and not is_resolved
    and {{ kafka_cdc.check_chains() | indent(4) }} = 'hold'
group by {{ table }}
{%- endmacro %}

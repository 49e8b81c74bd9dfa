{#
  Prints the SELECT of replaced_snapshots_cte' moments: for each table whose setting on_snapshot is replace, the vendor's positions (also where
  something else orders the table; without a position each place is a moment) at which rows were copied or marks came, with how many rows,
  which marks, and where the epoch of the table begins. What erase_row has blanked keeps its place among them.
#}
{% macro select_snapshot_positions(events) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set of_snapshot = "(operation <=> 'snapshot' or snapshot_mark is not null)" %}
select
    {{ table }},
    sequence_generation,
    source_sequence as sequence,
    count(distinct if(operation = 'snapshot', row_key, null))
    + if(bool_or(operation = 'snapshot' and operation_code = 'erased'), 1, 0) as copied_rows,
    bool_or(snapshot_mark <=> 'start') as starts,
    bool_or(snapshot_mark <=> 'complete') as completes,
    min(row_order) filter (where {{ of_snapshot }}) as first_place,
    min(happened_at) filter (where {{ of_snapshot }}) as happened_at,
    min(min(row_order)) over (partition by {{ table }}, sequence_generation) as epoch_begins
from (
    select
        *,
        if(source_sequence is null, row_order, null) as moment
    from (
        {{ kafka_cdc.select_ordered_events(events, "event_kind = 'change' or snapshot_mark is not null or operation_code = 'erased'") | indent(8) }}
    ) as ordered
    where
        {{ kafka_cdc.table_setting('on_snapshot', "'upsert'") | indent(8) }} = 'replace'
        and (sequence_generation > 0 or {{ of_snapshot }})
) as copied
group by {{ table }}, sequence_generation, source_sequence, moment
{% endmacro %}

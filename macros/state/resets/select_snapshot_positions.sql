{#
  Prints a SELECT: the positions of source snapshots, one row per table and position.

  A position is a value of the vendor's sequence at which a snapshot copied rows or sent markers.
  The setting order_by does not matter here. Copied rows often share one position.
  An event without a sequence is a position of its own.
  Only tables with the setting on_snapshot: replace are covered.

  Columns in addition to the table, `sequence_generation` and `sequence`:
    copied_rows       number of different rows that the snapshot copied here
    starts            whether the marker that starts a snapshot is here
    completes         whether the marker that completes a snapshot is here
    first_position    sort key of the first snapshot event here (null if there is none)
    happened_at       its time
    generation_start  sort key of the first event of the table in this sequence generation

  An event that erase_row has redacted still counts as a copied row. Otherwise an erasure could
  change which snapshots count as complete.

  Arguments:
    events (relation): a relation with the columns of the model events.
    holds (list[dict[string, any]]): the held tables, from get_holds.
#}
{% macro select_snapshot_positions(events, holds) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set is_snapshot_event = "(operation <=> 'snapshot' or snapshot_mark is not null)" -%}
{%- set condition = "event_kind = 'change' or snapshot_mark is not null or operation_code = 'erased'" %}
{%- if holds -%}
{%- set condition = '(' ~ condition ~ ')\nand not ' ~ kafka_cdc.withheld_condition(holds) -%}
{%- endif -%}
select
    {{ table }},
    sequence_generation,
    source_sequence as sequence,
    count(distinct if(operation = 'snapshot', row_key, null))
    + if(bool_or(operation = 'snapshot' and operation_code = 'erased'), 1, 0) as copied_rows,
    bool_or(snapshot_mark <=> 'start') as starts,
    bool_or(snapshot_mark <=> 'complete') as completes,
    min(row_order) filter (where {{ is_snapshot_event }}) as first_position,
    min(happened_at) filter (where {{ is_snapshot_event }}) as happened_at,
    min(min(row_order)) over (partition by {{ table }}, sequence_generation) as generation_start
from (
    select
        *,
        if(source_sequence is null, row_order, null) as unsequenced_position
    from (
        {{ kafka_cdc.select_ordered_events(events, condition) | indent(8) }}
    ) as ordered
    where
        {{ kafka_cdc.table_setting('on_snapshot', "'upsert'") | indent(8) }} = 'replace'
        and (sequence_generation > 0 or {{ is_snapshot_event }})
) as copied
group by {{ table }}, sequence_generation, source_sequence, unsequenced_position
{% endmacro %}

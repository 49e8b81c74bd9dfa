{#
  Prints the CTE `table_resets`: the resets of each source table, an ordered array.

  A table reset is what empties a table: a TRUNCATE, a DROP, or a source snapshot that replaces it.
  Nothing that precedes a reset remains, regardless of when it arrives.

  Example for table t, five events in the order of arrival:
    source_sequence  event               row 1 afterwards
    [10]             insert row 1        exists
    [30]             TRUNCATE t          deleted: [10] precedes the reset [30]
    [20]             update row 1, late  deleted: [20] precedes the reset as well
    [40]             insert row 1        exists
    [35]             delete row 1, late  exists: [35] precedes the insert
  table_resets then has one row for t, whose array `resets` has one element with row_order [30].

  Elements of `resets`: row_order, happened_at, operation (truncate, drop, snapshot) and is_by_time
  (compare times at the source, policy apply_by_time). With has_renames also `name`, the name of
  the table to which the reset applies.

  Arguments:
    events (relation): a relation with the columns of the model events.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.
    has_renames (boolean): whether renames are applied.
    holds (list[dict[string, any]]): the held tables, from get_holds.

  Requires: the CTE `source_tables`; with has_renames also `table_renames` and `name_changes`.
#}
{% macro table_resets_cte(events, facts, has_renames, holds) -%}
{%- set causes = [] -%}

{%- if facts.truncates or facts.drops -%}
{%- do causes.append('truncated_tables') -%}
{{ kafka_cdc.truncated_tables_cte(events, has_renames, holds) }},

{% endif -%}
{%- if kafka_cdc.has_table_setting('on_snapshot', ['replace']) -%}
{%- do causes.append('replaced_snapshots') -%}
{{ kafka_cdc._replaced_snapshots_cte(events, holds) }},

{% endif -%}
reset_causes as (
    {%- for cause in causes %}
    {{ 'union all' if not loop.first }}
    select *
    from {{ cause }}
    {%- endfor %}
),

table_resets as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        array_sort(
            collect_list(
                struct(
                    row_order,
                    happened_at,
                    operation,
                    policy = 'apply_by_time' as is_by_time
                    {{- ',\n                    original_name as name' if has_renames }}
                )
            )
        ) as resets
    from (
        {{ kafka_cdc.select_renamed_rows('reset_causes') | indent(8) if has_renames else 'select * from reset_causes' }}
    ) as causes
    where policy in ('apply', 'apply_by_time')
    group by {{ kafka_cdc.get_table_columns() | join(', ') }}
)
{%- endmacro %}

{#
  Prints the CTE `replaced_snapshots`: where each complete snapshot that replaces its table begins.

  It covers tables with the setting on_snapshot: replace. Each such snapshot is a table reset:
  a row that precedes it and is not in it no longer exists in the source.

  A snapshot is complete if its last message has the marker (snapshot_mark: complete), or if a line
  of the setting sequence_resets begins with it. All events at one position of the vendor's
  sequence count together, regardless of their partitions and of redeliveries.
  A marker `start` begins a new snapshot, and so does the first position after a marker `complete`.

  Example, the positions of one table in order:
    sequence  copied_rows  marker    snapshot_number  result
    [10]      500          start     1                -
    [11]      0            complete  1                snapshot 1 is complete: reset at [10]
    [40]      300          start     3                - (the connector stopped here: never complete)
    [60]      500          start     4                -
    [61]      0            complete  4                snapshot 4 is complete: reset at [60]
  Rows that exist after [60] are the 500 rows of snapshot 4 and those that changed later.
  snapshot_number only distinguishes snapshots, and may skip numbers.

  Arguments:
    events (relation): a relation with the columns of the model events.
    holds (list[dict[string, any]]): the held tables, from get_holds.
#}
{% macro _replaced_snapshots_cte(events, holds) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set order_of_table = 'partition by ' ~ table ~ ', sequence_generation order by first_position' -%}
replaced_snapshots as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        'snapshot' as operation,
        'apply' as policy,
        min(first_position) as row_order,
        min(happened_at) as happened_at
    from (
        select
            *,
            -- how many snapshots have started, plus how many have ended before
            count_if(starts or is_single_position) over (
                {{ order_of_table }}
            )
            + count_if(completes) over (
                {{ order_of_table }} rows between unbounded preceding and 1 preceding
            ) as snapshot_number
        from (
            select
                *,
                -- A complete snapshot at a single position, without a start marker, that follows an interrupted one
                -- at an earlier position. The interrupted one has several rows at its start: this source gives all
                -- rows of a snapshot one position, so that the rows here are not the rest of the interrupted one.
                completes
                and copied_rows > 0
                and sequence is not null
                and coalesce(
                    last_value(if(starts, copied_rows, null), true) over (
                        {{ order_of_table }} rows between unbounded preceding and 1 preceding
                    ) > 1,
                    false
                ) as is_single_position
            from (
                {{ kafka_cdc._select_snapshot_positions(events, holds) | indent(16) }}
            ) as positions
            where first_position is not null
        ) as positions_with_starts
    ) as positions_of_snapshots
    group by {{ table }}, sequence_generation, snapshot_number
    having
        bool_or(completes) and (bool_or(starts) or sum(copied_rows) > 0)
        -- a configured reset of the sequence that begins with a snapshot
        or sequence_generation > 0 and min(first_position) = min(generation_start)
)
{%- endmacro %}

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
{% macro _select_snapshot_positions(events, holds) -%}
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

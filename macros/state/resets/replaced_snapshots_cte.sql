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
{% macro replaced_snapshots_cte(events, holds) -%}
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
                {{ kafka_cdc.select_snapshot_positions(events, holds) | indent(16) }}
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

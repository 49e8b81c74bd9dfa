{#
  Prints the CTE replaced: where on_snapshot is replace, the first place of each snapshot of a table that is whole. What comes before
  and is not in it is no longer in the source. A snapshot is whole when its last message says so (snapshot_mark), or when a line of
  the setting sequence_resets begins with it. What shares a place in the vendor's order is one moment, in whatever partition and however often it
  comes; the marks of moments in order tell snapshots apart.
#}
{% macro replaced_snapshots_cte(events) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
replaced as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        'snapshot' as operation,
        'apply' as policy,
        min(first_place) as row_order,
        min(happened_at) as happened_at
    from (
        select
            *,
            count_if(starts or is_alone) over (partition by {{ table }}, sequence_generation order by first_place)
            + count_if(completes) over (partition by {{ table }}, sequence_generation order by first_place rows between unbounded preceding and 1 preceding) as snapshot
        from (
            select
                *,
                -- a whole snapshot in one moment without a start, behind one that filled its moment and was broken off
                completes and copied_rows > 0 and sequence is not null and coalesce(last_value(if(starts, copied_rows, null), true) over (
                    partition by {{ table }}, sequence_generation order by first_place rows between unbounded preceding and 1 preceding
                ) > 1, false) as is_alone
            from ({{ kafka_cdc.select_snapshot_positions(events) | indent(12) }}) as moments
            where first_place is not null
        ) as moments_alone
    ) as moments_of_snapshots
    group by {{ table }}, sequence_generation, snapshot
    having
        bool_or(completes) and (bool_or(starts) or sum(copied_rows) > 0)
        or sequence_generation > 0 and min(first_place) = min(epoch_begins)
)
{%- endmacro %}

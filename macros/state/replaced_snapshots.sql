{#
  Prints the CTE replaced: where on_snapshot is replace, the first place of each snapshot of a table that is whole. What comes before
  and is not in it is no longer in the source. A snapshot is whole when its last message says so (snapshot_mark), or when the setting
  epochs begins with it.
#}
{% macro replaced_snapshots(events) -%}
{%- set table = get_table_columns() | join(', ') -%}
replaced as (
    select
        {{ get_table_columns() | join(',\n        ') }},
        'snapshot' as operation,
        'apply' as policy,
        min(row_order) as row_order,
        min(happened_at) as happened_at
    from (
        select
            *,
            count_if(snapshot_mark = 'start') over (partition by {{ table }}, epoch order by row_order)
            + count_if(snapshot_mark = 'complete') over (
                partition by {{ table }}, epoch order by row_order rows between unbounded preceding and 1 preceding
            ) as snapshot
        from (
            {{ in_order(events, "operation = 'snapshot' or snapshot_mark is not null") | indent(12) }}
        ) as rows
        where {{ table_setting('on_snapshot', "'upsert'") | indent(8) }} = 'replace'
    ) as snapshots
    group by {{ table }}, epoch, snapshot
    having count_if(snapshot_mark = 'complete') > 0 or epoch > 0
)
{%- endmacro %}

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
{{ kafka_cdc.replaced_snapshots_cte(events, holds) }},

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

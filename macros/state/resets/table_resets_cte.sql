{#
  Prints the CTE boundaries: for each source table what emptied it, an array in the order of its rows; of what came before a boundary
  nothing is left. facts: of get_stream_facts. renames: whether there is a CTE renames.
#}
{% macro table_resets_cte(events, facts, renames) -%}
{%- set causes = [] -%}
{%- if facts.truncates or facts.drops -%}
{%- do causes.append('emptied') -%}
{{ kafka_cdc.truncated_tables_cte(events, renames) }},

{% endif -%}
{%- if kafka_cdc.has_table_setting('on_snapshot', ['replace']) -%}
{%- do causes.append('replaced') -%}
{{ kafka_cdc.replaced_snapshots_cte(events) }},

{% endif -%}
boundaries as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        array_sort(collect_list(struct(row_order, happened_at, operation, policy = 'apply_by_time' as is_by_time{{ ', said_name as name' if renames }}))) as boundaries
    from (
        {%- for cause in causes %}
        {{ 'union all' if not loop.first }}
        {{ kafka_cdc.select_renamed_rows(cause) | indent(8) if renames else 'select * from ' ~ cause }}
        {%- endfor %}
    ) as causes
    where policy in ('apply', 'apply_by_time')
    group by {{ kafka_cdc.get_table_columns() | join(', ') }}
)
{%- endmacro %}

{#
  Prints a SELECT: the new content of merged_rows, with a fingerprint per batch and per reset table.

  It reads the present content and the pending batches. If the coverage is not valid, it reads all
  events instead. Of a table whose hold has ended it reads all events, too.

  Arguments:
    relations (dict[string, relation]): the models events and batch_stats.
    merged (optional[string]): SQL of merged_rows at the version of the coverage; none if it has none.
    coverage (dict[string, any]): from get_merge_coverage.
#}
{% macro select_merged_rows(relations, merged, coverage) -%}
{%- set columns = kafka_cdc.get_merged_row_columns() -%}
{%- set events = relations.events ~ ' version as of ' ~ coverage.version -%}
{%- set batch_stats = kafka_cdc.get_versioned_relation(relations.batch_stats) -%}
{%- set is_merged = 'true' if not coverage.unmerged_condition else 'not (' ~ coverage.unmerged_condition ~ ')' -%}
{%- set is_pending = 'true' -%}
{%- if coverage.is_valid -%}
    {%- set is_pending = kafka_cdc.in_batches_condition(coverage.pending_batches) -%}
    {%- if coverage.released_tables -%}
        {%- set is_pending = '(' ~ is_pending ~ ' or ' ~ kafka_cdc.tables_condition(coverage.released_tables) ~ ')' -%}
    {%- endif -%}
{%- endif -%}
{%- set facts = kafka_cdc.get_stream_facts(relations.batch_stats) -%}
{%- set reset_batches = kafka_cdc.get_reset_batches(batch_stats, facts) -%}
{%- set table_resets = kafka_cdc.merged_resets_ctes(events, batch_stats, reset_batches) if reset_batches -%}
with {{ kafka_cdc.merging_ctes(
    changes='(select * from ' ~ events ~ ' where ' ~ is_pending ~ ' and ' ~ is_merged ~ ')',
    merged='(select * from ' ~ merged ~ " where row_kind in ('live', 'deleted') and " ~ is_merged ~ ')'
        if coverage.is_valid,
    facts=facts,
    table_resets=table_resets,
    reset_tables=kafka_cdc.get_reset_tables(merged, table_resets) if coverage.is_valid else [],
    has_few_keys=kafka_cdc.has_few_keys(coverage)
) }},

markers as (
    select
        'batch' as row_kind,
        {%- for column in kafka_cdc.get_table_columns() %}
        cast(null as string) as {{ column }},
        {%- endfor %}
        landing_batch,
        merged_version
    from (
        {{ kafka_cdc.select_batch_fingerprints(relations.events, coverage.version) | indent(8) }}
    ) as merged_batches
    {%- if table_resets %}
    union all
    select
        'reset',
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        null,
        merged_version
    from (
        {{ kafka_cdc.select_reset_fingerprints(table_resets) | indent(8) }}
    ) as resets
    {%- endif %}
    {%- for held_table in coverage.held_tables %}
    union all
    select
        'left_out',
        {%- for column in kafka_cdc.get_table_columns() %}
        {{ kafka_cdc.sql_literal(held_table[column]) }},
        {%- endfor %}
        null,
        null
    {%- endfor %}
)

select {{ columns.keys() | join(', ') }}
from (
    -- by table and key, so that a query about a table or a row reads little
    select {{ '/*+ repartition_by_range(row_kind, ' ~ kafka_cdc.get_table_columns() | join(', ') ~ ', row_key) */'
        if coverage.all_events > 1000000 else '/*+ rebalance */' }} *
    from (
        select {{ columns.keys() | join(', ') }}
        from finished_rows
        {%- if coverage.is_valid %}
        union all
        select {{ columns.keys() | join(', ') }}
        from untouched_rows
        {%- endif %}
        union all
        select
            {%- for column, type in columns.items() %}
            {%- if column in kafka_cdc.get_table_columns() + ['row_kind', 'landing_batch', 'merged_version'] %}
            {{ column }}
            {%- else %}
            cast(null as {{ type }})
            {%- endif -%}
            {{ ',' if not loop.last }}
            {%- endfor %}
        from markers
    ) as all_rows
) as distributed_rows
sort by row_kind, {{ kafka_cdc.get_table_columns() | join(', ') }}, row_key
{%- endmacro %}

{#
  Prints a SELECT: the rows of current_rows, from the published versions of the tables.

  Most rows are read from merged_rows as they are. The rows of keys with a change in a landing batch
  that is not merged yet are merged when they are read. Rows of tables that are not merged come from
  all events of their table. So do all rows if merged_rows does not match events.

  Arguments:
    relations (dict[string, relation]): the models events, batch_stats and merged_rows.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.
    holds (list[dict[string, any]]): the held tables, from get_holds.
#}
{% macro select_published_rows(relations, facts, holds) -%}
{%- set events = kafka_cdc.published_relation(relations.events) -%}
{%- set batch_stats = kafka_cdc.published_relation(relations.batch_stats) -%}
{%- set merged = kafka_cdc.get_versioned_relation(relations.merged_rows, is_published=true) -%}
{%- set coverage = kafka_cdc.get_merge_coverage(relations.events, merged, holds, is_published=true) -%}
{%- if not coverage.is_valid -%}
{{ kafka_cdc.select_current_rows(events, batch_stats, facts, holds) }}
{%- else -%}
{%- set columns = kafka_cdc.get_table_columns() + ['row_key', 'row_values', 'column_types', 'last_operation']
    + kafka_cdc.get_change_detail_columns(is_public=true) -%}
{%- set state_columns %}
    {{ columns | join(',\n    ') }},
    row_kind = 'deleted' as is_deleted,
    incomplete_columns
{%- endset -%}
{%- set unmerged = [coverage.unmerged_condition] | select | list -%}
{%- if coverage.released_tables -%}
    {%- do unmerged.append(kafka_cdc.tables_condition(coverage.released_tables)) -%}
{%- endif -%}
{%- set is_unmerged = unmerged | join(' or ') or none -%}
{%- set and_not_unmerged = ' and not (' ~ is_unmerged ~ ')' if is_unmerged else '' -%}
{#- The next merge may add rows of these tables, and publish them before this view is replaced. -#}
{%- set is_merged = " where row_kind in ('live', 'deleted')" ~ and_not_unmerged -%}
{%- set merged_rows = kafka_cdc.published_relation(relations.merged_rows) -%}
{%- set reset_batches = kafka_cdc.get_reset_batches(
    kafka_cdc.get_versioned_relation(relations.batch_stats, is_published=true),
    facts
) -%}
{%- set table_resets = kafka_cdc.merged_resets_ctes(events, batch_stats, reset_batches) if reset_batches -%}
{%- set reset_tables = kafka_cdc.get_reset_tables(merged, table_resets) -%}
{%- if coverage.pending_batches or reset_tables -%}
{%- set is_pending = ' where ' ~ kafka_cdc.in_batches_condition(coverage.pending_batches) ~ and_not_unmerged -%}
with {{ kafka_cdc.merging_ctes(
    changes='(select * from ' ~ events ~ is_pending ~ ')',
    merged='(select * from ' ~ merged_rows ~ is_merged ~ ')',
    facts=facts,
    table_resets=table_resets,
    reset_tables=reset_tables,
    has_few_keys=kafka_cdc.has_few_keys(coverage)
) }}

select
    {{- state_columns }}
from untouched_rows
union all
select
    {{- state_columns }}
from finished_rows
{%- else -%}
select
    {{- state_columns }}
from {{ merged_rows ~ is_merged }}
{%- endif %}
{%- if is_unmerged %}
union all
select
    {{ columns | join(',\n    ') }},
    is_deleted,
    incomplete_columns
from (
    {{ kafka_cdc.select_current_rows(
        '(select * from ' ~ events ~ " where event_kind <> 'change' or operation = 'truncate' or "
            ~ is_unmerged ~ ')',
        batch_stats,
        facts,
        holds
    ) | indent(4) }}
) as unmerged_rows
where {{ is_unmerged }}
{%- endif %}
{%- endif %}
{%- endmacro %}

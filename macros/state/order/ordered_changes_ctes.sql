{#
  Prints the CTEs up to `effective_row_effects`, from which current_rows and row_history start.

  The CTEs in order. Those that the stream or the settings do not need are left out.
    source_tables           the tables with changes (with renames or resets)
    table_renames, name_changes
                            the renames to apply (on_rename: apply)
    events_with_deletes     the events, and tombstones as deletes (on_tombstone: delete)
    changes                 the row changes with their sort key `row_order`
    renamed_changes         the changes under the current names of their tables
    table_resets            what emptied tables: TRUNCATE, DROP, snapshots that replace
    row_effects             what each change does to each row that it affects
    effective_row_effects   the same, and the table reset that removed the effect, if any

  Arguments:
    events (relation): a relation with the columns of the model events.
    batch_stats (relation): the model event_batch_stats.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.
    holds (list[dict[string, any]]): the held tables, from get_holds. Their withheld events do not
      count.

  Prints: also the CTEs that these require.
#}
{% macro ordered_changes_ctes(events, batch_stats, facts, holds) -%}
{%- set has_renames = facts.renames and kafka_cdc.has_table_setting('on_rename', ['apply']) -%}
{%- set has_resets = facts.truncates or facts.drops or kafka_cdc.has_table_setting('on_snapshot', ['replace']) -%}
{%- set has_deletes = facts.tombstones and kafka_cdc.has_table_setting('on_tombstone', ['delete']) -%}
{%- set row_changes = "event_kind = 'change' and row_key is not null and operation <> 'truncate'" -%}
{%- if holds -%}
{%- set row_changes = row_changes ~ '\nand not ' ~ kafka_cdc.withheld_condition(holds) -%}
{%- endif -%}

{%- if has_renames or has_resets -%}
{{ kafka_cdc.source_tables_cte(batch_stats, holds) }},

{% endif -%}
{%- if has_renames -%}
{{ kafka_cdc.table_renames_cte(events, holds) }},

{{ kafka_cdc.name_changes_cte() }},

{% endif -%}
{%- if has_deletes -%}
events_with_deletes as (
    select {{ kafka_cdc.get_event_columns().keys() | join(', ') }}
    from {{ events }}
    union all
    {{ kafka_cdc.select_tombstone_deletes(events, batch_stats, holds) | indent(4) }}
),

{% endif -%}
changes as (
    {{ kafka_cdc.select_ordered_events('events_with_deletes' if has_deletes else events, row_changes) | indent(4) }}
),
{%- if has_renames %}

renamed_changes as (
    {{ kafka_cdc.select_renamed_rows('changes') | indent(4) }}
),
{%- endif %}
{%- if has_resets %}

{{ kafka_cdc.table_resets_cte(events, facts, has_renames, holds) }},
{%- endif %}

{{ kafka_cdc.row_effects_cte('renamed_changes' if has_renames else 'changes', facts) }},

{{ kafka_cdc.effective_row_effects_cte(has_resets, has_renames) }}
{%- endmacro %}

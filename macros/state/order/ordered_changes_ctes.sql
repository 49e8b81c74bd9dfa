{#
  Prints the CTEs that select_current_rows and select_row_versions begin with: the row changes in the order of their table, and what each does to a row.
  events: a relation with the columns of events. facts: of get_stream_facts; what the stream does not hold leaves no SQL.
#}
{% macro ordered_changes_ctes(events, profiles, facts) -%}
{%- set renames = facts.renames and kafka_cdc.has_table_setting('on_rename', ['apply']) -%}
{%- set empties = facts.truncates or facts.drops or kafka_cdc.has_table_setting('on_snapshot', ['replace']) -%}
{%- set deletes = facts.tombstones and kafka_cdc.has_table_setting('on_tombstone', ['delete']) -%}
{%- if renames or empties -%}
{{ kafka_cdc.source_tables_cte(profiles) }},

{% endif -%}
{%- if renames -%}
{{ kafka_cdc.table_renames_cte(events) }},

{{ kafka_cdc.name_changes_cte() }},

{% endif -%}
{%- if deletes -%}
events_with_deletes as (
    select {{ kafka_cdc.get_event_columns().keys() | join(', ') }}
    from {{ events }}
    union all
    {{ kafka_cdc.select_tombstone_deletes(events, profiles) | indent(4) }}
),

{% endif -%}
changes as (
    {{ kafka_cdc.select_ordered_events('events_with_deletes' if deletes else events, "event_kind = 'change' and row_key is not null and operation <> 'truncate'") | indent(4) }}
),
{%- if renames %}

changes_of_tables as (
    {{ kafka_cdc.select_renamed_rows('changes') | indent(4) }}
),
{%- endif %}
{%- if empties %}

{{ kafka_cdc.table_resets_cte(events, facts, renames) }},
{%- endif %}

{{ kafka_cdc.row_effects_cte('changes_of_tables' if renames else 'changes', facts) }},

{{ kafka_cdc.effective_row_effects_cte(empties, renames) }}
{%- endmacro %}

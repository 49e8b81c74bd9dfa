{#
  Prints the CTEs that fold_rows and row_versions begin with: the row changes in the order of their table, and what each does to a row.
  events: a relation with the columns of events. facts: of get_stream_facts; what the stream does not hold leaves no SQL.
#}
{% macro ordered_changes(events, profiles, facts) -%}
{%- set renames = facts.renames and is_any_table_setting('on_rename', ['apply']) -%}
{%- set empties = facts.truncates or facts.drops or is_any_table_setting('on_snapshot', ['replace']) -%}
{%- set deletes = facts.tombstones and is_any_table_setting('on_tombstone', ['delete']) -%}
{%- if renames or empties -%}
{{ known_tables(profiles) }},

{% endif -%}
{%- if renames -%}
{{ table_renames(events) }},

{{ name_changes() }},

{% endif -%}
{%- if deletes -%}
events_with_deletes as (
    select {{ get_event_columns().keys() | join(', ') }}
    from {{ events }}
    union all
    {{ deletes_by_tombstone(events, profiles) | indent(4) }}
),

{% endif -%}
changes as (
    {{ in_order('events_with_deletes' if deletes else events, "event_kind = 'change' and row_key is not null and operation <> 'truncate'") | indent(4) }}
),
{%- if renames %}

changes_of_tables as (
    {{ renamed_tables('changes') | indent(4) }}
),
{%- endif %}
{%- if empties %}

{{ table_boundaries(events, facts, renames) }},
{%- endif %}

{{ row_actions('changes_of_tables' if renames else 'changes', facts) }},

{{ standing_actions(empties, renames) }}
{%- endmacro %}

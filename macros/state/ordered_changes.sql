{#
  Prints the CTEs that fold_rows and row_versions begin with: changes, the row changes with their place in the order of their table
  (row_order) and when they happened, and what empties tables (macro table_boundaries).
  events: a relation with the columns of events. facts: of get_stream_facts; what the stream does not hold leaves no SQL.
#}
{% macro ordered_changes(events, profiles, facts) -%}
{%- set renames = facts.renames and is_any_table_setting('on_rename', ['apply']) -%}
{%- set empties = facts.truncates or facts.drops or is_any_table_setting('on_snapshot', ['replace']) -%}
{%- if renames or empties -%}
{{ known_tables(profiles) }},

{% endif -%}
{%- if renames -%}
{{ table_renames(events) }},

{% endif -%}
changes as (
    {{ in_order(events, "event_kind = 'change' and row_key is not null and operation <> 'truncate'") | indent(4) }}
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

actions as (
    select
        acts.*,
    {%- if empties %}
        boundaries,
        coalesce(size(filter(
            boundaries,
            boundary -> if(boundary.is_by_time, boundary.happened_at <= acts.happened_at, boundary.row_order <= acts.row_order)
        )), 0) as period,
        coalesce(size(boundaries), 0) as last_period
    from acts
    left join boundaries using ({{ get_table_columns() | join(', ') }})
    {%- else %}
        cast(null as array<struct<operation: string, happened_at: timestamp>>) as boundaries,
        0 as period,
        0 as last_period
    from acts
    {%- endif %}
)
{%- endmacro %}

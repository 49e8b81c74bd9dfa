{#
  Prints a SELECT: the events that can still affect a row, regardless of what arrives later.

  The result gives the same rows as the input. It can be compacted again together with new events.
  Both hold because a change is only left out if a later whole image of its row exists. Regardless of what
  arrives later, that image or something after it decides the row.

  A narrow pass finds the superseded changes. Each becomes a marker: a row with the same
  coordinates. Events and markers are then sorted together, and an event next to a marker is
  left out. So the wide rows are shuffled once and joined with nothing.

  Arguments:
    events (string): name of a CTE, or a relation, with the columns of the model events.
    full_history_condition (optional[string]): from get_full_history_condition.
    holds (list[dict[string, any]]): the held tables, from get_holds.
    in_ranges (boolean): whether the events come in ranges of tables and row keys. Spark then reads
      them twice. It is worth it if they fill many files. A query about one row then reads
      few.
#}
{% macro select_retained_events(events, full_history_condition, holds, in_ranges) -%}
{%- set columns = kafka_cdc.get_event_columns() -%}
{%- set identity_columns = kafka_cdc.get_table_columns() + ['row_key'] + kafka_cdc.get_coordinates() -%}
with {{ kafka_cdc.superseded_changes_cte(events, full_history_condition, holds) }},

events_and_markers as (
    select
        {{ columns.keys() | join(',\n        ') }},
        false as is_marker
    from {{ events }}
    where
        {{ kafka_cdc.affects_state_condition(full_history_condition) | indent(8) }}
    union all
    select
        {%- for column in columns %}
        {%- if column in identity_columns %}
        {{ column }},
        {%- elif column == 'event_kind' %}
        'change',
        {%- else %}
        null,
        {%- endif %}
        {%- endfor %}
        true as is_marker
    from superseded_changes
)

select {{ columns.keys() | join(', ') }}
from (
    select
        *,
        max(is_marker) over (partition by event_kind, {{ identity_columns | join(', ') }}) as is_superseded
    {%- if in_ranges %}
    from (
        select /*+ repartition_by_range(event_kind, {{ identity_columns | join(', ') }}) */ *
        from events_and_markers
    ) as in_ranges
    {%- else %}
    from events_and_markers
    {%- endif %}
) as marked_events
where not is_superseded
-- by table and key, so that a query about a table or a row reads little of a file
sort by event_kind, {{ identity_columns | join(', ') }}
{%- endmacro %}

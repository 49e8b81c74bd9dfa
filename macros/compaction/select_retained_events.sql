{#
  Prints the SELECT of those events (a relation or CTE with their columns) that the state can still come from, whatever comes later. What is left
  folds into the same rows, and may be reduced again together with new events. keeps_all: of get_full_history_condition.
  A narrow pass finds the changes to drop; these are marks beside the events when both are sorted, so that wide rows are moved once and joined
  with nothing. in_ranges: whether they come in ranges of tables and row keys, for which Spark reads them twice: worth it where they fill many
  files, of which a question about a row then reads few.
#}
{% macro select_retained_events(events, keeps_all, in_ranges) -%}
{%- set columns, named = kafka_cdc.get_event_columns(), kafka_cdc.get_table_columns() + ['row_key'] + kafka_cdc.get_coordinates() -%}
with {{ kafka_cdc.superseded_changes_cte(events, keeps_all) }},

events_and_marks as (
    select
        {{ columns.keys() | join(',\n        ') }},
        false as is_mark
    from {{ events }}
    where
        {{ kafka_cdc.affects_state_condition(keeps_all) | indent(8) }}
    union all
    select
        {%- for column in columns %}
        {{ column if column in named else "'change'" if column == 'event_kind' else 'null' }},
        {%- endfor %}
        true as is_mark
    from superseded_changes
)

select {{ columns.keys() | join(', ') }}
from (
    select
        *,
        max(is_mark) over (partition by event_kind, {{ named | join(', ') }}) as is_dropped
    {%- if in_ranges %}
    from (select /*+ repartition_by_range(event_kind, {{ named | join(', ') }}) */ * from events_and_marks) as in_ranges
    {%- else %}
    from events_and_marks
    {%- endif %}
) as marked_events
where not is_dropped
-- by table and key, so that a question about a table or a row reads little of a file
sort by event_kind, {{ named | join(', ') }}
{%- endmacro %}

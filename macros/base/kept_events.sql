{#
  Prints the SELECT of those events (a relation or CTE with their columns) that the state can still come from, whatever comes later. Of a row
  these are its last whole image or deletion and what came after it in the order of its table, and the last change that says types; of a
  table what empties or renames it. What is left folds into the same rows, and may be reduced again together with new events.
#}
{% macro kept_events(events) -%}
{%- set columns = get_event_columns().keys() | join(', ') -%}
{%- set coordinates = get_coordinates() | join(', ') -%}
{%- set row = get_table_columns() | join(', ') ~ ', row_key' -%}
{%- set is_row_change = "event_kind = 'change' and operation <> 'truncate'" -%}
{%- set keeps_all = keeps_all_changes() -%}
with changes as (
    {{ in_order(events, is_row_change ~ ' and row_key is not null' ~ (' and not (' ~ keeps_all ~ ')' if keeps_all else '')) | indent(4) }}
),

{{ row_actions('changes', {}) }},

kept_changes as (
    select distinct {{ coordinates }}
    from (
        select
            {{ coordinates }},
            place,
            max(if(is_whole, place, null)) over (partition by {{ row }}) as last_whole,
            max(if(column_types is null, null, place)) over (partition by {{ row }}) as last_typed
        from acts
    ) as acts_of_rows
    where coalesce(place >= last_whole, true) or place = last_typed
)

select {{ columns }}
from {{ events }}
left semi join kept_changes using ({{ coordinates }})
union all
select {{ columns }}
from {{ events }}
where
    event_kind = 'ddl'
    or operation = 'truncate'
    {%- if is_any_table_setting('on_tombstone', ['delete']) %}
    or event_kind = 'tombstone'
    {%- endif %}
    {%- if is_any_table_setting('on_snapshot', ['replace']) %}
    or event_kind <> 'change' and (snapshot_mark is not null or operation_code = 'forgotten')
    {%- endif %}
    {%- if keeps_all %}
    or {{ is_row_change }} and ({{ keeps_all | indent(4) }})
    {%- endif %}
{%- endmacro %}

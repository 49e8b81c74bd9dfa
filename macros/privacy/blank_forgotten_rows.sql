{#
  Prints the SELECT of events without what they say of forgotten rows: such a change is a control event with its coordinates and
  nothing else, or the deletion of the key that it leaves. Their operation_code ends with `forgotten`, also where only the key before goes.
  A copied row still says that it was one: snapshots are told apart by their rows.
  events: a relation with the columns of events. forgotten: the list.
#}
{% macro blank_forgotten_rows(events, forgotten) -%}
{%- set leaves = 'is_forgotten and previous_row_key is not null and not was_forgotten' -%}
{%- set blank = {
    'event_kind': "if(is_forgotten and not (" ~ leaves ~ "), 'other', event_kind)",
    'operation': "case when " ~ leaves ~ " then 'delete' when not is_forgotten or operation = 'snapshot' then operation end",
    'operation_code': "case when is_forgotten then 'forgotten' when was_forgotten then concat_ws(' ', operation_code, 'forgotten') else operation_code end",
    'row_key': 'case when ' ~ leaves ~ ' then previous_row_key when not is_forgotten then row_key end',
    'previous_row_key': 'if(is_forgotten or was_forgotten, null, previous_row_key)',
    'before_row': 'if(is_forgotten or was_forgotten, null, before_row)',
} -%}
{%- set hashes = '(select distinct row_hash from ' ~ forgotten ~ ')' -%}
{%- for column in ['after_row', 'image', 'removed_columns'] %}{% do blank.update({column: 'if(is_forgotten, null, ' ~ column ~ ')'}) %}{% endfor -%}
select
    {%- for column in get_event_columns() %}
    {{ blank[column] ~ ' as ' if column in blank }}{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
from (
    select
        events.*,
        forgotten.row_hash is not null as is_forgotten,
        forgotten_before.row_hash is not null as was_forgotten
    from {{ events }} as events
    left join {{ hashes }} as forgotten
        on forgotten.row_hash = if(events.event_kind = 'tombstone', {{ key_hash('events.kafka_topic', 'events.row_key') }}, {{ row_hash('events.row_key') }})
    left join {{ hashes }} as forgotten_before on forgotten_before.row_hash = {{ row_hash('events.previous_row_key') }}
) as remembered
{%- endmacro %}

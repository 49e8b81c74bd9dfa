{#
  Prints the SELECT of events without what they say of erased rows: such a change is a control event with its coordinates and
  nothing else, or the deletion of the key that it leaves. Their operation_code ends with `erased`, also where only the key before goes.
  A copied row still says that it was one: snapshots are told apart by their rows.
  events: a relation with the columns of events. erased: the list.
#}
{% macro select_redacted_events(events, erased) -%}
{%- set leaves = 'is_erased and previous_row_key is not null and not was_erased' -%}
{%- set blank = {
    'event_kind': "if(is_erased and not (" ~ leaves ~ "), 'other', event_kind)",
    'operation': "case when " ~ leaves ~ " then 'delete' when not is_erased or operation = 'snapshot' then operation end",
    'operation_code': "case when is_erased then 'erased' when was_erased then concat_ws(' ', operation_code, 'erased') else operation_code end",
    'row_key': 'case when ' ~ leaves ~ ' then previous_row_key when not is_erased then row_key end',
    'previous_row_key': 'if(is_erased or was_erased, null, previous_row_key)',
    'before_row': 'if(is_erased or was_erased, null, before_row)',
} -%}
{%- set hashes = '(select distinct row_hash from ' ~ erased ~ ')' -%}
{%- for column in ['after_row', 'image', 'removed_columns'] %}{% do blank.update({column: 'if(is_erased, null, ' ~ column ~ ')'}) %}{% endfor -%}
select
    {%- for column in kafka_cdc.get_event_columns() %}
    {{ blank[column] ~ ' as ' if column in blank }}{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
from (
    select
        events.*,
        erased.row_hash is not null as is_erased,
        erased_before.row_hash is not null as was_erased
    from {{ events }} as events
    left join {{ hashes }} as erased
        on erased.row_hash = if(events.event_kind = 'tombstone', {{ kafka_cdc.key_hash('events.kafka_topic', 'events.row_key') }}, {{ kafka_cdc.row_hash('events.row_key') }})
    left join {{ hashes }} as erased_before on erased_before.row_hash = {{ kafka_cdc.row_hash('events.previous_row_key') }}
) as remembered
{%- endmacro %}

{#
  Prints the query of explain_row: the changes of one row in order, each with what it did to the row.
  parts: the columns of get_table_columns() with their values. row_key: SQL.
#}
{% macro row_explanation(parts, row_key) -%}
{%- set profiles = ref('stream_profiles') -%}
{%- set facts = get_stream_facts(profiles) -%}
{%- set of_the_row -%}
row_key = {{ row_key }}
        {%- for column in get_table_columns() %}
        and {{ column }} = {{ sql_text(parts[column]) }}
        {%- endfor %}
{%- endset -%}
with {{ ordered_changes(published_events(), profiles, facts) }},

acts_of_row as (
    select
        *,
        max(if(is_whole and period = last_period, place, null)) over () as whole_place
    from actions
    where {{ of_the_row }}
),

halves_of_row as (
    select *
    from {{ 'changes_of_tables' if facts.renames and is_any_table_setting('on_rename', ['apply']) else 'changes' }}
    where operation = 'update_before' and {{ of_the_row }}
),

explained as (
    select
        row_key,
        row_order,
        place,
        {{ _origin() }} as origin,
        concat(if(has_left, 'the row leaves this key: ', if(is_inherited, 'under its old key: ', '')), operation, ' (', coalesce(operation_code, ''), ')') as what,
        case
            when period < last_period then concat('is undone by a later ', upper(get(boundaries, period).operation))
            when place < whole_place then 'stands no more: a later change says the whole row'
            when is_gone then 'takes the row away'
            when place = whole_place then 'is the last to say the whole row: this is the row'
            else 'lies over the row, with the columns that it says'
        end as effect,
        if(is_gone, null, to_json(said_row)) as says
    from acts_of_row
    union all
    select
        row_key,
        row_order,
        {{ 'array(struct(row_order as at, true as is_own))' if facts.partial_moves else 'row_order' }} as place,
        {{ _origin() }} as origin,
        concat('the row before a split update (', coalesce(operation_code, ''), ')') as what,
        'changes nothing by itself' as effect,
        to_json(before_row) as says
    from halves_of_row
)

select
    explained.row_key,
    origin,
    what,
    effect,
    says,
    to_json(explained.row_order) as row_order,
    is_deleted,
    to_json(row_values) as row_values
from explained
cross join (select is_deleted, row_values from {{ ref('current_rows') }} where {{ of_the_row }}) as held
order by explained.place
{%- endmacro %}

{# Prints SQL for where a change came from, in words. #}
{% macro _origin() -%}
    concat('topic ', kafka_topic, if(topic_incarnation > 0, concat(' (incarnation ', topic_incarnation, ')'), ''), ', partition ', kafka_partition,
        ', offset ', kafka_offset, ', row ', row_index, coalesce(concat(', at ', happened_at), ''))
{%- endmacro %}

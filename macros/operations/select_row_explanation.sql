{#
  Prints the query of explain_row: the changes of one row in order, each with what it did to the row.
  parts: the columns of get_table_columns() with their values. row_key: SQL.
#}
{% macro select_row_explanation(parts, row_key) -%}
{%- set profiles = ref('event_batch_stats') -%}
{%- set facts = kafka_cdc.get_stream_facts(profiles) -%}
{%- set said_where = 'row_key, row_order, ' ~ kafka_cdc._origin() ~ ' as origin' -%}
{%- set place = 'array(struct(row_order as at, true as is_own))' if facts.partial_moves else 'row_order' -%}
{%- set of_the_row = row_key ~ ' = row_key and ' ~ kafka_cdc.table_condition(parts) -%}
with {{ kafka_cdc.ordered_changes_ctes(kafka_cdc.published_relation(ref('events')), kafka_cdc.published_relation(profiles), facts) }},

acts_of_row as (
    select
        *,
        max(if(is_whole and wiped_by is null, place, null)) over () as whole_place
    from actions
    where {{ of_the_row }}
),

halves_of_row as (
    select *
    from {{ 'changes_of_tables' if facts.renames and kafka_cdc.has_table_setting('on_rename', ['apply']) else 'changes' }}
    where operation = 'update_before' and {{ of_the_row }}
),

explained as (
    select
        {{ said_where }},
        place,
        concat(if(has_left, 'the row leaves this key: ', if(is_inherited, 'under its old key: ', '')), operation, ' (', coalesce(operation_code, ''), ')') as what,
        case
            when wiped_by is not null then concat('is undone by a later ', upper(wiped_by.operation))
            when place < whole_place then 'stands no more: a later change says the whole row'
            when is_gone then 'takes the row away'
            when place = whole_place then 'is the last to say the whole row: this is the row'
            else 'lies over the row, with the columns that it says'
        end as effect,
        if(is_gone, null, to_json(said_row)) as says
    from acts_of_row
    union all
    select
        {{ said_where }},
        {{ place }} as place,
        concat('the row before a split update (', coalesce(operation_code, ''), ')') as what,
        'changes nothing by itself' as effect,
        to_json(before_row) as says
    from halves_of_row
)

select
    explained.* except (place, row_order),
    to_json(row_order) as row_order,
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

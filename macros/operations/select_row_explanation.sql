{#
  Prints a SELECT: the changes of one row in order, each with its effect on the row.

  Arguments:
    table_parts (dict[string, string]): the columns of get_table_columns with their values.
    row_key (string): SQL of the row's key, from get_row_key.
#}
{% macro select_row_explanation(table_parts, row_key) -%}
{%- set events, batch_stats = ref('kafka_cdc', 'events'), ref('kafka_cdc', 'event_batch_stats') -%}
{%- set facts = kafka_cdc.get_stream_facts(batch_stats) -%}
{%- set has_renames = facts.renames and kafka_cdc.has_table_setting('on_rename', ['apply']) -%}
{%- set own_sort_key = 'row_order' -%}
{%- if facts.partial_moves -%}
    {%- set own_sort_key = 'array(struct(row_order as position, true as is_own))' -%}
{%- endif -%}
{%- set is_the_row = row_key ~ ' = row_key and ' ~ kafka_cdc.table_condition(table_parts) -%}
{%- set ordered_changes = kafka_cdc.ordered_changes_ctes(
    kafka_cdc.published_relation(events),
    kafka_cdc.published_relation(batch_stats),
    facts,
    kafka_cdc.get_holds(ref('kafka_cdc', 'table_holds'), is_published=true)
) -%}
with {{ ordered_changes }},

effects_of_row as (
    select
        *,
        max(if(is_whole and reset_by is null, sort_key, null)) over () as last_whole
    from effective_row_effects
    where {{ is_the_row }}
),

before_events_of_row as (
    select *
    from {{ 'renamed_changes' if has_renames else 'changes' }}
    where operation = 'update_before' and {{ is_the_row }}
),

explained as (
    select
        row_key,
        row_order,
        {{ kafka_cdc._origin() | indent(8) }} as origin,
        sort_key,
        concat(
            if(
                is_old_key,
                'primary-key update that leaves this key: ',
                if(is_inherited, 'change under the old key: ', '')
            ),
            operation,
            ' (',
            coalesce(operation_code, ''),
            ')'
        ) as what,
        case
            when reset_by is not null then concat('none: a later ', upper(reset_by.operation), ' emptied the table')
            when sort_key < last_whole then 'superseded by a later change that contains the whole row'
            when is_delete then 'deletes the row'
            when sort_key = last_whole then 'sets the whole row: the current values start from here'
            {%- if facts.path_updates %}
            when paths is not null then concat('changes parts of documents: ', array_join(paths.name, ', '))
            {%- endif %}
            else 'overrides the columns that it contains'
        end as effect,
        if(is_delete, null, to_json(row_image)) as row_image
    from effects_of_row
    union all
    select
        row_key,
        row_order,
        {{ kafka_cdc._origin() | indent(8) }} as origin,
        {{ own_sort_key }} as sort_key,
        concat('before event of a split update (', coalesce(operation_code, ''), ')') as what,
        'none: a before event changes nothing by itself' as effect,
        to_json(before_row) as row_image
    from before_events_of_row
)

select
    explained.* except (sort_key, row_order),
    to_json(row_order) as row_order,
    is_deleted,
    to_json(row_values) as row_values
from explained
cross join (
    select is_deleted, row_values
    from {{ ref('kafka_cdc', 'current_rows') }}
    where {{ is_the_row }}
) as current_row
order by explained.sort_key
{%- endmacro %}

{# Prints an expression: where a change came from, in words. #}
{% macro _origin() -%}
    concat(
        'topic ',
        kafka_topic,
        if(topic_incarnation > 0, concat(' (incarnation ', topic_incarnation, ')'), ''),
        ', partition ',
        kafka_partition,
        ', offset ',
        kafka_offset,
        ', row ',
        row_index,
        coalesce(concat(', at ', happened_at), '')
    )
{%- endmacro %}

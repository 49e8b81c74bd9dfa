{#
  Prints the CTE acts: from changes (a CTE of ordered_changes_ctes), one action for each row that a change reaches, the row that it
  writes or deletes, and the key that a moving row leaves, with its place among the actions of its row_key. A partial image is laid
  over what its before image says; one of the key alone begins the row anew, as what else the row holds may have changed.
  facts: of get_stream_facts.
#}
{% macro row_effects_cte(changes, facts) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set halves = facts.before_events or facts.partial_moves -%}
{%- if halves -%}
{{ kafka_cdc.before_events_cte(changes) }},

{% endif -%}
{{ 'own_acts' if facts.partial_moves else 'acts' }} as (
    select
        moving.* except (row_key, previous_row_key, after_row, before_row),
        has_left,
        has_left or operation = 'delete' as is_gone,
        has_left or operation in ('insert', 'snapshot', 'delete') and not (left_key is not null and image = 'partial') or image in ('full', 'key') as is_whole,
        if(
            image = 'partial' and before_row is not null,
            map_concat(
                map_filter(before_row, (name, text) ->
                    not map_contains_key(after_row, name) and not coalesce(array_contains(removed_columns, name), false)),
                after_row
            ),
            after_row
        ) as said_row,
        act.row_key,
        {{ 'array(struct(row_order as at, true as is_own))' if facts.partial_moves else 'row_order' }} as place,
        false as is_inherited
    from (
        select
            {{ changes }}.*,
            {%- if halves %}
            coalesce(
                previous_row_key,
                if(
                    before_row is null and before_key <> row_key and (operation = 'update' or operation = 'insert' and image = 'partial'),
                    before_key,
                    null
                )
            ) as left_key
        from {{ changes }}
        left join befores using ({{ table }}, sequence_generation, source_sequence, operation)
            {%- else %}
            previous_row_key as left_key
        from {{ changes }}
            {%- endif %}
        where operation <> 'update_before'
    ) as moving
    lateral view inline(
        if(
            left_key is null,
            array(struct(row_key as key, false as has_left)),
            array(struct(row_key as key, false as has_left), struct(left_key as key, true as has_left))
        )
    ) act as row_key, has_left
)
{%- if facts.partial_moves %},

{{ kafka_cdc.inherited_effects_cte() }}
{%- endif %}
{%- endmacro %}

{#
  Prints the CTE `row_effects`: what each change does to each row that it affects.

  Most changes have one effect, on the row that they write or delete. A primary-key update has two:
  it writes the row under the new key and deletes the row under the old key.

  Columns of an effect in addition to those of the change:
    row_key       the affected row
    sort_key      position among the effects on this row: row_order, or an array (see below); the
                  effect on an old key may precede others (deletes_first_condition)
    old_key       the key that a primary-key update leaves, else null
    is_old_key    whether this is the effect on the old key
    is_delete     whether the row is gone afterwards
    is_whole      whether the effect decides the whole row, regardless of what precedes it
    row_image     the columns that the effect sets
    before_row    the before image of the change, unchanged
    is_inherited  whether it was copied from the old key (select_with_inherited_effects)

  A partial image is merged into its own before image, so that it sets more columns. Its paths change
  the documents of the before image. An image of
  the key alone is whole: the other columns may have changed, so their old values no longer count.

  Example, five changes of one table:
    row_order  operation  row_key  previous_row_key  image    after_row
    1          insert     {id:1}   -                 full     {id:1, a:x, b:p}
    2          update     {id:1}   -                 partial  {id:1, a:y}
    3          update     {id:2}   {id:1}            full     {id:2, a:y, b:p}
    4          update     {id:2}   -                 key      {id:2}
    5          delete     {id:2}   -                 -        -
  row_effects:
    sort_key  row_key  is_old_key  is_delete  is_whole  row_image
    1         {id:1}   false       false      true      {id:1, a:x, b:p}
    2         {id:1}   false       false      false     {id:1, a:y}: overrides a, keeps b
    3         {id:2}   false       false      true      {id:2, a:y, b:p}
    3         {id:1}   true        true       true      the old key is deleted
    4         {id:2}   false       false      true      {id:2}: a and b are unknown from here
    5         {id:2}   false       true       true      -

  If primary-key updates have partial images (facts.partial_moves), sort_key is an array of structs,
  so that inherited effects fit directly before the update (see select_with_inherited_effects).

  Arguments:
    changes (string): name of a CTE with the row changes, such as `changes` of ordered_changes_ctes.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.

  Prints: also the CTEs that it requires, such as `before_events` and `own_row_effects`.
#}
{% macro row_effects_cte(changes, facts) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set has_before_events = facts.before_events or facts.partial_moves -%}
{%- set removed_columns = 'filter(removed_columns, name -> not ' ~ kafka_cdc.path_condition('name', 'paths') ~ ')' -%}
{%- set row_image = kafka_cdc.apply_partial_row(
    'before_row',
    row_image='after_row',
    removed_columns='removed_columns',
    paths='paths' if facts.path_updates else none,
    is_complete='true'
) -%}
{%- set position -%}
if(
    is_old_key
    and row_order.sequence = source_sequence
    and {{ kafka_cdc.deletes_first_condition() | indent(4) }},
    struct(
        row_order.sequence_generation,
        row_order.sequence,
        false as is_after,
        row_order.topic_incarnation,
        row_order.kafka_offset,
        row_order.row_index,
        row_order.kafka_topic,
        row_order.kafka_partition
    ),
    row_order
)
{%- endset -%}

{%- if has_before_events -%}
{{ kafka_cdc.before_events_cte(changes) }},

{% endif -%}
{{ 'own_row_effects' if facts.partial_moves else 'row_effects' }} as (
    select
        changes_with_old_keys.* except (
            row_key, previous_row_key, after_row{{ ', removed_columns, paths' if facts.path_updates }}
        ),
        is_old_key,
        is_old_key or operation = 'delete' as is_delete,

        -- a partial image that moves a row is not whole: what it lacks comes from the old key
        is_old_key
        or {{ kafka_cdc.whole_image_condition('old_key') | indent(8) }} as is_whole,

        if(
            image = 'partial' and before_row is not null,
            {{ row_image | indent(12) }},
            after_row
        ) as row_image,
        {%- if facts.path_updates %}
        if(before_row is null, removed_columns, {{ removed_columns }}) as removed_columns,
        if(before_row is null, paths, null) as paths,
        {%- endif %}
        effect.row_key,
        {% if facts.partial_moves -%}
        array(struct({{ position | indent(8) }} as position, true as is_own)) as sort_key,
        {%- else -%}
        {{ position | indent(8) }} as sort_key,
        {%- endif %}
        false as is_inherited
    from (
        select
            {{ changes }}.*,
            {%- if has_before_events %}
            coalesce(
                previous_row_key,
                if(
                    before_row is null
                    and before_key <> row_key
                    and (operation = 'update' or operation = 'insert' and image = 'partial'),
                    before_key,
                    null
                )
            ) as old_key
        from {{ changes }}
        left join before_events using ({{ table }}, sequence_generation, source_sequence, operation)
            {%- else %}
            previous_row_key as old_key
        from {{ changes }}
            {%- endif %}
        where operation <> 'update_before'
    ) as changes_with_old_keys
    lateral view inline(
        if(
            old_key is null,
            array(struct(row_key as key, false as is_old_key)),
            array(struct(row_key as key, false as is_old_key), struct(old_key as key, true as is_old_key))
        )
    ) effect as row_key, is_old_key
)
{%- if facts.partial_moves %},

{{ kafka_cdc.key_change_paths_cte() }},

row_effects as (
    {{ kafka_cdc.select_with_inherited_effects() | indent(4) }}
)
{%- endif %}
{%- endmacro %}

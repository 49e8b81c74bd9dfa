{#
  Prints the CTE `inherited_effects`: effects on an old key, copied to the new key of the row.

  It serves primary-key updates that have partial images. A partial image does not contain all
  columns of the row. The missing values come from the row under its old key, as of the position of
  the primary-key update. So the effects on the old key up to that position are copied to the new
  key. This also works if they arrive later than the update. The copies follow a row over two
  primary-key updates. Over more, the columns may be listed as incomplete.

  sort_key is an array, and arrays compare element by element. The first element of a copy is
  (position of the primary-key update, false), which sorts directly before the update's own
  (position, true). The second element is the sort key that the effect had on the old key.

  Example: own_row_effects of one table. The update at 3 changes the key from 1 to 2:
    sort_key    row_key  old_key  is_whole  effect
    [(0,true)]  {id:2}   -        true      {id:2, a:v, c:w}, an older row with key 2
    [(1,true)]  {id:1}   -        true      {id:1, a:x, b:p}
    [(2,true)]  {id:1}   -        false     {b:q}
    [(3,true)]  {id:2}   {id:1}   false     {id:2, a:y}, the primary-key update
    [(3,true)]  {id:1}   {id:1}   true      delete (is_old_key)
  inherited_effects has three copies for key 2:
    [(3,false)]             {id:2}  true   delete: nothing remains of the older row with key 2
    [(3,false), (1,true)]   {id:2}  true   {id:1, a:x, b:p}
    [(3,false), (2,true)]   {id:2}  false  {b:q}
  Row 2 is therefore {id:2, a:y, b:q}. It has b from its old key, and no c from the older row.

  Prints: also the CTEs that it requires, `key_changes` and `key_change_paths`.

  Requires: the CTE `own_row_effects` of row_effects_cte.
#}
{% macro inherited_effects_cte() -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
key_changes as (
    select
        {{ table }},
        old_key,
        row_key as new_key,
        row_order as changed_at,
        source_sequence as changed_with
    from own_row_effects
    where old_key is not null and not is_old_key and image = 'partial'
),

-- One key change, or two in succession. `path` has their positions, the last one first.
key_change_paths as (
    select
        {{ table }},
        old_key,
        new_key,
        changed_with,
        array(changed_at) as path
    from key_changes
    union all
    select
        {{ table }},
        earlier.old_key,
        key_changes.new_key,
        earlier.changed_with,
        array(key_changes.changed_at, earlier.changed_at) as path
    from key_changes
    inner join key_changes as earlier using ({{ table }})
    where earlier.new_key = key_changes.old_key and earlier.changed_at < key_changes.changed_at
),

inherited_effects as (
    select
        own_row_effects.* except (row_key, sort_key, is_inherited),
        key_change_paths.new_key as row_key,
        concat(
            transform(path, changed_at -> struct(changed_at as position, false as is_own)),
            if(own_row_effects.row_order = element_at(path, -1), array(), sort_key)
        ) as sort_key,
        true as is_inherited
    from own_row_effects
    inner join key_change_paths using ({{ table }})
    where
        own_row_effects.row_key = key_change_paths.old_key
        and own_row_effects.row_order <= element_at(path, -1)
        -- The key change itself deletes the old key. A delete at the same position of the vendor's sequence is the
        -- other event of the same update, and is not inherited: it would remove what the new row is to inherit.
        and (
            own_row_effects.row_order = element_at(path, -1)
            or not coalesce(is_delete and own_row_effects.source_sequence = changed_with, false)
        )
)
{%- endmacro %}

{#
  Prints a SELECT: the row effects, and copies of those on an old key for the new key of the row.

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
  The SELECT adds three copies for key 2:
    [(3,false)]             {id:2}  true   delete: nothing remains of the older row with key 2
    [(3,false), (1,true)]   {id:2}  true   {id:1, a:x, b:p}
    [(3,false), (2,true)]   {id:2}  false  {b:q}
  Row 2 is therefore {id:2, a:y, b:q}. It has b from its old key, and no c from the older row.

  Requires: the CTEs `own_row_effects` of row_effects_cte, and `key_change_paths`.
#}
{% macro select_with_inherited_effects() -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
select
    own_row_effects.* except (row_key, sort_key, is_inherited),
    effects.*
from own_row_effects
left join key_change_paths using ({{ table }}, row_key)
lateral view inline(
    concat(
        array(struct(row_key, sort_key, false as is_inherited)),
        transform(
            filter(
                coalesce(key_paths, array()),
                change ->
                    own_row_effects.row_order = element_at(change.path, -1)
                    -- The key change itself deletes the old key. A delete at the same position of the vendor's sequence
                    -- is the other event of the same update, and is not inherited: it would remove what the new row is
                    -- to inherit.
                    or own_row_effects.row_order < element_at(change.path, -1)
                    and not coalesce(is_delete and source_sequence = change.changed_with, false)
            ),
            change -> struct(
                change.new_key as row_key,
                concat(
                    transform(change.path, changed_at -> struct(changed_at as position, false as is_own)),
                    if(own_row_effects.row_order = element_at(change.path, -1), array(), sort_key)
                ) as sort_key,
                true as is_inherited
            )
        )
    )
) effects as row_key, sort_key, is_inherited
{%- endmacro %}

{#
  Prints the CTE `key_change_paths`: per old key the keys to which its row moved, an array.

  It serves primary-key updates that have partial images (select_with_inherited_effects). A path is
  one key change, or two in succession. Elements of the array `key_paths`:
    new_key       the key after the last change
    changed_with  source_sequence of the first change
    path          positions of the changes, the last one first

  Example: the key changes 1 -> 2 at 3 and 2 -> 3 at 5.
    row_key  key_paths
    {id:1}   (new_key {id:2}, path [3]), (new_key {id:3}, path [5, 3])
    {id:2}   (new_key {id:3}, path [5])

  Changes in succession meet under the key between them. A join of the changes with themselves
  would refer to own_row_effects twice, and Spark plans a CTE at each of its references.

  Prints: also the CTE that it requires, `key_changes`.

  Requires: the CTE `own_row_effects` of row_effects_cte.
#}
{% macro key_change_paths_cte() -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
-- The changes from a key and the changes to it.
key_changes as (
    select
        {{ table }},
        collect_list(change) filter (where key = change.old_key) as later_changes,
        collect_list(change) filter (where key = change.new_key) as earlier_changes
    from (
        select
            {{ table }},
            struct(
                old_key,
                row_key as new_key,
                row_order as changed_at,
                source_sequence as changed_with
            ) as change
        from own_row_effects
        where old_key is not null and not is_old_key and image = 'partial'
    ) as changes_of_keys
    lateral view explode(array_distinct(array(change.old_key, change.new_key))) exploded as key
    group by {{ table }}, key
),

key_change_paths as (
    select
        {{ table }},
        old_key as row_key,
        collect_list(struct(new_key, changed_with, path)) as key_paths
    from key_changes
    lateral view explode(later_changes) exploded as later
    lateral view inline(
        concat(
            array(struct(later.old_key, later.new_key, later.changed_with, array(later.changed_at))),
            transform(
                filter(earlier_changes, earlier -> earlier.changed_at < later.changed_at),
                earlier -> struct(
                    earlier.old_key,
                    later.new_key,
                    earlier.changed_with,
                    array(later.changed_at, earlier.changed_at)
                )
            )
        )
    ) paths as old_key, new_key, changed_with, path
    group by {{ table }}, old_key
)
{%- endmacro %}

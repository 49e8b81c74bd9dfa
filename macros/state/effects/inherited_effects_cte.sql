{#
  Prints the CTE acts where rows move with partial images: own_acts, and for each such move what the row was under its old key until
  then (over two moves), at the move's own place. So what a moved row does not say comes from its old key, whenever that was said,
  and not from another row that had the new key before.
  place: the orders of the moves on the way, then the action's own.
#}
{% macro inherited_effects_cte() -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
moves as (
    select
        {{ table }},
        left_key,
        row_key as new_key,
        row_order as moved_at,
        source_sequence as moved_with
    from own_acts
    where left_key is not null and not has_left and image = 'partial'
),

ways as (
    select
        {{ table }},
        left_key,
        new_key,
        moved_with,
        array(moved_at) as way
    from moves
    union all
    select
        {{ table }},
        earlier.left_key,
        moves.new_key,
        earlier.moved_with,
        array(moves.moved_at, earlier.moved_at) as way
    from moves
    inner join moves as earlier using ({{ table }})
    where earlier.new_key = moves.left_key and earlier.moved_at < moves.moved_at
),

acts as (
    select *
    from own_acts
    union all
    select
        own_acts.* except (row_key, place, is_inherited),
        ways.new_key as row_key,
        concat(
            transform(way, moved_at -> struct(moved_at as at, false as is_own)),
            if(own_acts.row_order = element_at(way, -1), array(), place)
        ) as place,
        true as is_inherited
    from own_acts
    inner join ways using ({{ table }})
    where
        own_acts.row_key = ways.left_key
        and own_acts.row_order <= element_at(way, -1)
        -- the old key goes with the move itself, not before it: not by the deletion that is its other half, not by the move that came before
        and (own_acts.row_order = element_at(way, -1) or not coalesce(is_gone and own_acts.source_sequence = moved_with, false))
)
{%- endmacro %}

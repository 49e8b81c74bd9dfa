{#
  Prints the CTE dropped_changes: the changes of rows (table, row_key, coordinates) that no row can come from any more, whatever comes later. Of a
  row its last whole image or deletion stays, what came after it in the order of its table, and the last change that says types. A change that
  moves a row acts on two, and goes only where both have newer ones. With it the CTEs that it reads. keeps_all: of keeps_all_changes.
#}
{% macro dropped_changes(events, keeps_all) -%}
{%- set row = get_table_columns() | join(', ') ~ ', row_key' -%}
{%- set own_row = get_table_columns() | join(', ') ~ ', own_row_key' -%}
{%- set is_judged = is_row_change() ~ (' and not (' ~ keeps_all ~ ')' if keeps_all else '') -%}
changes as (
    {{ in_order('(select *, row_key as own_row_key from ' ~ events ~ ')', is_judged) | indent(4) }}
),

{{ row_actions('changes', {}) }},

dropped_changes as (
    select {{ own_row }} as row_key, {{ get_coordinates() | join(', ') }}
    from (
        select
            *,
            max(if(is_whole, place, null)) over (partition by {{ row }}) as last_whole,
            max(if(column_types is null, null, place)) over (partition by {{ row }}) as last_typed
        from acts
    ) as acts_of_rows
    where place < last_whole and not place <=> last_typed
    group by {{ own_row }}, {{ get_coordinates() | join(', ') }}, left_key
    having bool_or(not has_left) and (left_key is null or bool_or(has_left))
)
{%- endmacro %}

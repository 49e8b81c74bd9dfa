{#
  Prints the CTE superseded_changes: the changes of rows (table, row_key, coordinates) that no row can come from any more, whatever comes later. Of a
  row its last whole image or deletion stays, what came after it in the order of its table, and the last change that says types. A change that
  moves a row acts on two, and goes only where both have newer ones. With it the CTEs that it reads. keeps_all: of get_full_history_condition.
#}
{% macro superseded_changes_cte(events, keeps_all) -%}
{%- set row = kafka_cdc.get_table_columns() | join(', ') ~ ', row_key' -%}
{%- set own_row = kafka_cdc.get_table_columns() | join(', ') ~ ', own_row_key' -%}
{%- set is_judged = kafka_cdc.row_change_condition() ~ (' and not (' ~ keeps_all ~ ')' if keeps_all else '') -%}
changes as (
    {{ kafka_cdc.select_ordered_events('(select *, row_key as own_row_key from ' ~ events ~ ')', is_judged) | indent(4) }}
),

{{ kafka_cdc.row_effects_cte('changes', {}) }},

superseded_changes as (
    select {{ own_row }} as row_key, {{ kafka_cdc.get_coordinates() | join(', ') }}
    from (
        select
            *,
            max(if(is_whole, place, null)) over (partition by {{ row }}) as last_whole,
            max(if(column_types is null, null, place)) over (partition by {{ row }}) as last_typed
        from acts
    ) as acts_of_rows
    where place < last_whole and not place <=> last_typed
    group by {{ own_row }}, {{ kafka_cdc.get_coordinates() | join(', ') }}, left_key
    having bool_or(not has_left) and (left_key is null or bool_or(has_left))
)
{%- endmacro %}

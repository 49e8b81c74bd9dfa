{#
  Prints the CTE `superseded_changes`: changes that can no longer affect any row.

  That holds regardless of what arrives later.
  Of each row, its last whole image or delete is retained, and everything after that in the order
  of the table. The last change with column types is retained too. A primary-key update affects two
  rows, and is superseded only if both have a later whole image.

  Example, one row:
    row_order  change                      retained
    1          insert                      no
    2          partial update              no
    3          full image                  yes: the last whole image
    4          partial update              yes: it comes after the last whole image
  If a change with row_order 2.5 arrives later, it is superseded by 3. One with 3.5 is applied on
  top of 3.

  Columns: the columns that name the table, `row_key` and the coordinates.

  Arguments:
    events (string): name of a CTE, or a relation, with the columns of the model events.
    full_history_condition (optional[string]): from get_full_history_condition. Changes of these
      tables are never superseded.
    holds (list[dict[string, any]]): the held tables, from get_holds. Their withheld changes neither
      supersede others nor are superseded, so that the published state of these tables stays.

  Prints: also the CTEs that it requires, `changes` and `row_effects`.
#}
{% macro superseded_changes_cte(events, full_history_condition, holds=[]) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set change = table ~ ', change_row_key' -%}
{%- set coordinates = kafka_cdc.get_coordinates() | join(', ') -%}
{%- set condition = kafka_cdc.row_change_condition() -%}
{%- if full_history_condition -%}
    {%- set condition = condition ~ ' and not (' ~ full_history_condition ~ ')' -%}
{%- endif -%}
{%- if holds -%}
    {%- set condition = condition ~ ' and not ' ~ kafka_cdc.withheld_condition(holds) -%}
{%- endif -%}
{%- set events_with_keys = '(select *, row_key as change_row_key from ' ~ events ~ ')' -%}
changes as (
    {{ kafka_cdc.select_ordered_events(events_with_keys, condition) | indent(4) }}
),

{{ kafka_cdc.row_effects_cte('changes', {}) }},

superseded_changes as (
    select
        {{ change }} as row_key,
        {{ coordinates }}
    from (
        select
            *,
            max(if(is_whole, sort_key, null)) over (partition by {{ table }}, row_key) as last_whole,
            max(if(column_types is null, null, sort_key)) over (partition by {{ table }}, row_key) as last_typed
        from row_effects
    ) as effects_of_rows
    where sort_key < last_whole and not sort_key <=> last_typed
    group by {{ change }}, {{ coordinates }}, old_key
    having bool_or(not is_old_key) and (old_key is null or bool_or(is_old_key))
)
{%- endmacro %}

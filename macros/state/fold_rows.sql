{#
  Prints the SELECT that folds changes into rows: one row per source table and row_key, what it holds after the last of its
  changes in the order of row_order. A fold by maxima, so that the order of arrival, duplicates and batching cannot matter:
  * the last change decides whether the row is there; deleted rows stay, so that late events do not bring them back;
  * the last whole image is the row, and every later partial image lies over it, column by column, in order;
  * a change that moves a row deletes the old key; the before half of a split update does so only with its other half;
  * a truncate that shares an order with the rows deletes what comes before it.
  changes: a relation with the columns of changelog.
#}
{% macro fold_rows(changes) -%}
{%- set table = get_table_columns() | join(', ') -%}
with changes as (
    select *, {{ row_order() | indent(4) }} as row_order
    from (select *, {{ row_epoch() | indent(4) }} as epoch from {{ changes }}) as changes
),

{{ row_actions() }},

{{ truncates() }},

{{ folded_rows() }},

rows as (
    select
        *,
        aggregate(later_parts, coalesce(base.said_row, cast(map() as map<string, string>)), (row_values, part) -> map_concat(
            map_filter(row_values, (name, text) ->
                not map_contains_key(part.said_row, name) and not coalesce(array_contains(part.removed_columns, name), false)),
            part.said_row
        )) as row_values,
        last_change.is_gone or is_truncated as is_deleted
    from standing
)

select
    {{ table }},
    row_key,
    if(is_deleted, cast(null as map<string, string>), row_values) as row_values,
    column_types,
    if(is_truncated, 'truncate', last_change.operation) as last_operation,
    last_change.occurred_at,
    last_change.epoch,
    last_change.source_sequence,
    {%- for coordinate in get_coordinates() %}
    last_change.{{ coordinate }},
    {%- endfor %}
    is_deleted,
    case
        when is_deleted or base.image = 'full' then null
        when column_types is null then array('*')
        else nullif(array_sort(array_except(map_keys(column_types), map_keys(row_values))), cast(array() as array<string>))
    end as incomplete_columns
from rows
{%- endmacro %}

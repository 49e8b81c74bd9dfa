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
{%- set coordinates = 'kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index' -%}
with changes as (
    select *, {{ row_order() | indent(4) }} as row_order
    from (select *, {{ row_epoch() | indent(4) }} as epoch from {{ changes }}) as changes
),

-- The other halves of updates that came as two messages.
befores as (
    select {{ table }}, source_sequence, max(row_key) as before_key
    from changes
    where operation = 'update_before' and source_sequence is not null
    group by {{ table }}, source_sequence
    having count(distinct row_key) = 1
),

actions as (
    select
        changes.* except (row_key, previous_row_key, after_row),
        action.*,
        if(
            image = 'partial' and before_row is not null,
            map_concat(map_filter(before_row, (name, text) -> not map_contains_key(after_row, name)), after_row),
            after_row
        ) as said_row
    from (
        select
            changes.*,
            coalesce(previous_row_key, if(before_row is null and before_key <> row_key, before_key, null)) as left_key
        from changes
        left join befores using ({{ table }}, source_sequence)
        where row_key is not null and operation not in ('update_before', 'truncate')
    ) as changes
    lateral view inline(
        if(
            left_key is null,
            array(struct(row_key as key, false as has_left)),
            array(struct(row_key as key, false as has_left), struct(left_key as key, true as has_left))
        )
    ) action as row_key, has_left
),

-- A truncate's table is the message's, or those of its statement where the message names none.
truncates as (
    select {{ table }}, max(row_order) as truncated_at
    from (
        select changes.* except (source_database, source_schema, source_table), named.*
        from changes
        lateral view inline(
            if(
                source_table = '' and size(ddl_tables) > 0,
                transform(ddl_tables, named -> struct(named.database, named.schema, named.table)),
                array(struct(source_database as database, source_schema as schema, source_table as table))
            )
        ) named as source_database, source_schema, source_table
        where operation = 'truncate'
    ) as truncated
    where {{ truncate_policy() }} = 'apply'
    group by {{ table }}
),

folded as (
    select
        {{ table }},
        row_key,
        max_by(struct(
            row_order, has_left or operation = 'delete' as is_gone, operation, occurred_at, epoch, source_sequence, {{ coordinates }}
        ), row_order) as last_change,
        max_by(struct(row_order, has_left or operation = 'delete' as is_gone, said_row, image), row_order) filter (
            where has_left or operation in ('insert', 'snapshot', 'delete') or image = 'full'
        ) as whole,
        array_sort(
            collect_list(struct(row_order, said_row, removed_columns)) filter (where not has_left and image = 'partial'),
            (one, other) -> case when one.row_order < other.row_order then -1 when one.row_order > other.row_order then 1 else 0 end
        ) as parts,
        max_by(column_types, row_order) filter (where column_types is not null) as column_types
    from actions
    group by {{ table }}, row_key
),

standing as (
    select
        folded.*,
        coalesce(last_change.row_order < truncated_at, false) as is_truncated,
        if(whole.is_gone or whole.row_order < truncated_at, null, whole) as base,
        filter(
            parts,
            part -> coalesce(part.row_order > whole.row_order, true) and coalesce(part.row_order > truncated_at, true)
        ) as later_parts
    from folded
    left join truncates using ({{ table }})
),

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
    {%- for coordinate in coordinates.split(', ') %}
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

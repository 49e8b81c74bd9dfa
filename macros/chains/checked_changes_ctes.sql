{#
  Prints the CTEs up to `checked_changes`: the changes of some landing batches, each next to its predecessor.

  The predecessor is the effect just before the change in the order of its row, in the same sequence
  generation and after the last table reset. A redelivery of the predecessor is no change.

  Columns in addition to those of an effect:
    previous           the predecessor: its coordinates, times, and the row after it in row_values;
                       null if the row was never seen
    following          the next effect on the row, if any
    before_image       the before image of the change, with that of a split update; null if there is
                       none for this key
    is_sequenced       whether the vendor's sequence orders the two
    different_columns  columns of the before image that differ from the row, sorted

  Arguments:
    batch_stats (relation): the model event_batch_stats.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.
    batches (optional[dict[integer, integer]]): the landing batches; none for all.

  Prints: also the CTEs that it requires.

  Requires: the CTE `candidate_events`.
#}
{% macro checked_changes_ctes(batch_stats, facts, batches) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set row = table ~ ', row_key, sequence_generation, reset_by' -%}
{%- set step -%}
struct(
    row_values,
    is_delete,
    operation,
    source_sequence,
    happened_at,
    occurred_at,
    column_types,
    landing_batch,
    {{ kafka_cdc.get_coordinates() | join(',\n    ') }},
    before_image
)
{%- endset -%}
{{ kafka_cdc.ordered_changes_ctes('candidate_events', batch_stats, facts, []) }},

{{ kafka_cdc.row_images_cte() }},

split_before_rows as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        sequence_generation,
        source_sequence,
        row_key,
        -- Two updates of a row at one position: it is unknown which before event belongs to which.
        if(
            count(distinct array_sort(map_entries(before_row))) = 1,
            any_value(before_row),
            null
        ) as split_before_row
    from changes
    where operation = 'update_before'{{ ' and false' if not facts.before_events }}
    group by {{ table }}, sequence_generation, source_sequence, row_key
),

-- The before image describes the row under the key before the change.
images as (
    select
        row_images.*,
        if(is_old_key or old_key is null, coalesce(before_row, split_before_row), null) as before_image,
        source_sequence is not null
        and {{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(8) }} = 'sequence' as is_sequenced
    from row_images
    left join split_before_rows using ({{ table }}, sequence_generation, source_sequence, row_key)
    where not is_inherited
),

deliveries as (
    select
        *,
        row_number() over (
            partition by
                {{ row }},
                if(is_sequenced, source_sequence, null),
                operation,
                is_old_key,
                row_index,
                occurred_at,
                array_sort(map_entries(row_image)),
                array_sort(map_entries(before_image)),
                if(is_sequenced, null, sort_key)
            order by sort_key
        ) as delivery,
        lag(struct(row_values)) over (partition by {{ row }} order by sort_key) as delivered_before
    from images
),

steps as (
    select
        *,
        lag({{ step | indent(8) }}) over (partition by {{ row }} order by sort_key) as previous,
        lead({{ step | indent(8) }}) over (partition by {{ row }} order by sort_key) as following
    from deliveries
    where delivery = 1
),

checked_changes as (
    select
        *,
        array_sort(
            filter(
                map_keys(before_image),
                name -> map_contains_key(previous.row_values, name)
                    and not before_image[name] <=> previous.row_values[name]
                    -- What looks like a redelivery can be a change back, within a transaction at one position.
                    and not before_image[name] <=> delivered_before.row_values[name]
                    and coalesce(previous.column_types[name] = column_types[name], true)
            )
        ) as different_columns
    from steps
    {%- if batches is not none %}
    where {{ kafka_cdc.in_batches_condition(batches.keys() | list) }}
    {%- endif %}
)
{%- endmacro %}

{#
  Prints the CTEs up to `checked_changes`: the changes of some landing batches, each next to its predecessor.

  The predecessor is the effect just before the change in the order of its row, in the same sequence
  generation. Rows have the names of their messages here: renames, TRUNCATEs and tombstones do not
  move or delete them. Instead, a change after a statement on its table is not checked against rows
  before it.

  Columns in addition to those of an effect:
    previous           the predecessor: its coordinates, times, and the row after it in row_values;
                       known_since is the time of the oldest change with values of that row; null
                       if the row was never seen
    following          the next effect on the row, if any
    before_image       the before image of the change, with that of a split update; null if there is
                       none for this key
    is_sequenced       whether the vendor's sequence orders the two
    different_columns  columns of the before image that differ from the row, sorted

  Arguments:
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.
    batches (optional[list[integer]]): the landing batches; none for all.

  Prints: also the CTEs that it requires.

  Requires: the CTE `candidate_events`.
#}
{% macro checked_changes_ctes(facts, batches) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set row = table ~ ', row_key, reset_by' -%}
{%- set step -%}
struct(
    row_values,
    is_delete,
    operation,
    sequence_generation,
    source_sequence,
    happened_at,
    known_since,
    occurred_at,
    column_types,
    landed_at,
    landing_batch,
    {{ kafka_cdc.get_coordinates() | join(',\n    ') }},
    before_image
)
{%- endset -%}
changes as (
    {{ kafka_cdc.select_ordered_events('candidate_events', "event_kind = 'change'") | indent(4) }}
),

{{ kafka_cdc.row_effects_cte('changes', {'path_updates': facts.path_updates}) }},

-- What the partial image of a moved row lacks is unknown, because it comes from the row under its old key.
effective_row_effects as (
    select
        * except (is_whole),
        is_whole or old_key is not null as is_whole,
        cast(null as struct<operation: string, happened_at: timestamp>) as reset_by
    from row_effects
),

{{ kafka_cdc.row_images_cte(facts) }},

{% if facts.before_events -%}
-- If two updates of a row share a position, it is unknown which before event belongs to which.
split_before_rows as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        sequence_generation,
        source_sequence,
        row_key,
        any_value(before_row) as split_before_row
    from changes
    where operation = 'update_before'
    group by {{ table }}, sequence_generation, source_sequence, row_key
    having count(distinct array_sort(map_entries(before_row))) = 1
),

{% endif -%}
-- The before image describes the row under the key before the change.
images as (
    select
        row_images.*,
        first_value(happened_at) over (
            partition by {{ row }}, segment order by sort_key
        ) as known_since,
        if(
            is_old_key or old_key is null,
            {{ 'coalesce(before_row, split_before_row)' if facts.before_events else 'before_row' }},
            null
        ) as before_image,
        source_sequence is not null
        and {{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(8) }} = 'sequence' as is_sequenced
    from row_images
    {%- if facts.before_events %}
    left join split_before_rows using ({{ table }}, sequence_generation, source_sequence, row_key)
    {%- endif %}
),

steps as (
    select
        *,
        lag({{ step | indent(8) }}) over (partition by {{ row }} order by sort_key) as preceding,
        lead({{ step | indent(8) }}) over (partition by {{ row }} order by sort_key) as following
    from images
),

checked_changes as (
    select
        *,
        array_sort(
            filter(
                map_keys(before_image),
                name -> map_contains_key(previous.row_values, name)
                    and not before_image[name] <=> previous.row_values[name]
                    and coalesce(previous.column_types[name] = column_types[name], true)
            )
        ) as different_columns
    from (
        select
            * except (preceding),
            if(preceding.sequence_generation = sequence_generation, preceding, null) as previous
        from steps
        {%- if batches is not none %}
        where {{ kafka_cdc.in_batches_condition(batches) }}
        {%- endif %}
    ) as steps_of_batches
)
{%- endmacro %}

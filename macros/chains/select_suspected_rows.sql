{#
  Prints a SELECT: the rows of source tables whose chains may be broken in some landing batches.

  It finds every row that select_chain_breaks has a break of, and perhaps others. It is cheaper,
  because it only compares each before image with the change before it. If it finds none, no chain
  is broken. A row is suspected if one of its changes
  * inserts it although it exists, or updates or deletes it although it does not,
  * has a before image that differs from the image of the change before it,
  * has a before image, and the change before it has no whole image,
  * changes the primary key.

  Example, one row:
    offset  change                        suspected
    10      insert {id:1, a:x}            no: nothing precedes it
    11      update {a:x} -> {a:y}         no
    13      update {a:z} -> {a:w}         yes: a is y

  Keys are joined by their hashes, because hashes are short. If two keys have one hash, a row is read
  in vain. Columns: those that name the source table, and row_key.

  Arguments:
    relations (dict[string, any]): SQL of the models events and event_batch_stats.
    batches (optional[list[integer]]): the landing batches; none for all.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.
    merged (optional[string]): SQL of merged_rows; none if it has no version.
    coverage (dict[string, any]): from get_merge_coverage.
    has_few_keys (boolean): whether Spark is to send the changed keys to each task.
#}
{% macro select_suspected_rows(relations, batches, facts, merged, coverage, has_few_keys) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set key_hash = 'xxhash64(' ~ table ~ ', changed_key)' -%}
with {{ kafka_cdc.earlier_events_cte(
    events=relations.events,
    merged=merged,
    coverage=coverage
) }},

changed_keys as (
    select {{ key_hash }} as key_hash
    from {{ relations.events }}
    lateral view explode(array_compact(array(row_key, previous_row_key))) keys as changed_key
    where
        event_kind = 'change'
        {%- if batches is not none %}
        and {{ kafka_cdc.in_batches_condition(batches) }}
        {%- else %}
    group by {{ key_hash }}
    -- A row with one change needs no check, if that change begins it.
    having count(*) > 1 or bool_or(operation not in ('insert', 'snapshot'))
        {%- endif %}
),

-- Spark leaves out most changes before it copies them.
near_events as (
    select *
    from earlier_events
    where
        xxhash64({{ table }}, row_key) in (
            select key_hash
            from changed_keys
        )
        or previous_row_key is not null
),

-- A change of the primary key is a step of two rows.
changes_of_keys as (
    select
        near_events.* except (row_key),
        key.row_key,
        key.is_old_key
    from near_events
    lateral view inline(
        if(
            previous_row_key is null,
            array(struct(row_key as key, false as is_old_key)),
            array(struct(row_key as key, false as is_old_key), struct(previous_row_key as key, true as is_old_key))
        )
    ) key as row_key, is_old_key
    where key.row_key is not null
),

candidate_events as (
    select {{ '/*+ broadcast(changed_keys) */ ' if has_few_keys }}changes_of_keys.*
    from changes_of_keys
    left semi join changed_keys on xxhash64({{ table }}, row_key) = key_hash
),

changes as (
    {{ kafka_cdc.select_ordered_events('candidate_events', "event_kind = 'change'") | indent(4) }}
),
{% if facts.before_events %}
images as (
    select
        *,
        coalesce(
            before_row,
            first_value(if(operation = 'update_before', before_row, null), true) over (
                partition by {{ table }}, row_key, sequence_generation, source_sequence
                order by row_order
                rows between unbounded preceding and unbounded following
            )
        ) as before_image
    from changes
),
{% endif %}
steps as (
    select
        *,
        lag(
            struct(
                sequence_generation,
                is_old_key or operation = 'delete' as is_delete,
                coalesce(image in ('full', 'key'), false) as is_whole,
                if(is_old_key or operation = 'delete', null, after_row) as row_image
            )
        ) over (partition by {{ table }}, row_key order by row_order) as preceding
    from {{ 'images' if facts.before_events else 'changes' }}
    {%- if facts.before_events %}
    where operation <> 'update_before'
    {%- endif %}
),

checked_steps as (
    select
        * except (preceding),
        if(preceding.sequence_generation = sequence_generation, preceding, null) as previous
        {%- if not facts.before_events %},
        before_row as before_image
        {%- endif %}
    from steps
    where
        operation <> 'snapshot'
        and {{ kafka_cdc.check_chains() | indent(8) }} <> 'off'
        {%- if batches is not none %}
        and {{ kafka_cdc.in_batches_condition(batches) }}
        {%- endif %}
)

select distinct
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    row_key
from checked_steps
where
    case
        when previous_row_key is not null then true
        when operation = 'insert' then not previous.is_delete
        when previous is null or previous.is_delete then true
        when before_image is null then false
        when not previous.is_whole then true
        -- Most before images are the whole image before them.
        when map_entries(before_image) = map_entries(previous.row_image) then false
        else exists(
            map_keys(before_image),
            name -> map_contains_key(previous.row_image, name)
                and not before_image[name] <=> previous.row_image[name]
        )
    end
{%- endmacro %}

{#
  Prints a SELECT: the rows of chain_breaks, the breaks in the chains of rows in some landing batches.

  Each change of a row continues its chain: the before image equals the row that the changes before
  it left. A break is a proof that something between them is lost or damaged.

  Example, one row in the order of its table:
    offset  change                        result
    10      insert {id:1, a:x}            the chain begins
    11      update {a:x} -> {a:y}         intact
    13      update {a:z} -> {a:w}         before_image_differs in a: nobody saw a become z

  Kinds of breaks:
    before_image_differs   the before image is not the row: an alarm, unless all numbers are equal
    insert_of_live_row     an insert of a row that exists
    change_of_unseen_row   an update or delete of a row that was never seen
    change_of_deleted_row  an update or delete of a row that is deleted
    repeated_change        any of these, except of an unseen row, by a change at the position of the
                           row before it, at no later time, or no later than the source snapshot
                           that copied the row: a redelivery

  A change is not checked in these cases:
  * Its predecessor may still be missing. Offsets between the two are missing, or the sequence fell
    between them. Or a later change of the row landed before. Or the row came through another
    partition that has not reached the time of the change.
  * DDL or a TRUNCATE of the table came after the oldest change that the row before it consists of,
    because it may explain a difference.
  * The messages do not have the rows: MongoDB looks documents up after an update, and PostgreSQL's
    default replica identity has defaults in a deleted row.

  Of a row that a source snapshot copied, only values with one way to write them are compared.

  Arguments:
    relations (dict[string, any]): SQL of the models events and event_batch_stats.
    batches (optional[list[integer]]): the landing batches; none for all.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.
    merged (optional[string]): SQL of merged_rows; none if it has no version.
    coverage (dict[string, any]): from get_merge_coverage.
    has_few_keys (boolean): whether Spark is to send the changed keys to each task.
    suspected_rows (optional[list[dict[string, string]]]): from get_suspected_rows; none for all.
#}
{% macro select_chain_breaks(
    relations,
    batches,
    facts,
    merged,
    coverage,
    has_few_keys,
    suspected_rows=none
) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set single_spelling = kafka_cdc.single_spelling_condition('before_image[name]', 'previous.row_values[name]') -%}
{%- set cause = kafka_cdc.break_cause('before_image[name]', 'previous.row_values[name]') -%}
{%- set has_scattered_rows = kafka_cdc.get_table_facts(relations.event_batch_stats).several_partitions -%}
with {{ kafka_cdc.chain_candidates_ctes(
    events=relations.events,
    merged=merged,
    coverage=coverage,
    batches=batches,
    has_few_keys=has_few_keys,
    suspected_rows=none if has_scattered_rows else suspected_rows
) }},

{{ kafka_cdc.checked_changes_ctes(facts, batches) }},

{{ kafka_cdc.settled_partitions_ctes(relations.event_batch_stats) }},

-- The changes of one row go through several partitions of these tables.
scattered_tables as (
    select distinct
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        true as is_scattered
    from (
        select {{ table }}
        from candidate_events
        where
            row_key is not null
            {%- if not has_scattered_rows %}
            -- Every table has one partition.
            and false
            {%- endif %}
        group by {{ table }}, row_key, kafka_topic, topic_incarnation
        having min(kafka_partition) <> max(kafka_partition)
    ) as scattered_rows
),

{{ kafka_cdc.statement_times_cte(relations.events, relations.event_batch_stats) }},

row_breaks as (
    select
        *,
        case
            when is_insert and not previous.is_delete then 'insert_of_live_row'
            when not is_insert and previous is null then 'change_of_unseen_row'
            when not is_insert and previous.is_delete then 'change_of_deleted_row'
            when not is_insert and size(compared_columns) > 0 then 'before_image_differs'
        end as break_kind
    from (
        select
            *,
            operation = 'insert' and not is_old_key as is_insert,
            case
                when {{ kafka_cdc._unknown_image_condition() | indent(16) }} then array()
                when previous.operation = 'snapshot' then filter(
                    different_columns,
                    name -> {{ single_spelling | indent(20) }}
                )
                else different_columns
            end as compared_columns
        from checked_changes
        where
            operation <> 'snapshot'
            and not {{ kafka_cdc.landed_earlier_condition('following.', '') }}
            and not coalesce(
                struct(kafka_topic, topic_incarnation, kafka_partition)
                = struct(previous.kafka_topic, previous.topic_incarnation, previous.kafka_partition)
                and kafka_offset < previous.kafka_offset,
                false
            )
            and not coalesce(
                struct(kafka_topic, topic_incarnation, kafka_partition)
                = struct(following.kafka_topic, following.topic_incarnation, following.kafka_partition)
                and kafka_offset > following.kafka_offset,
                false
            )
            and {{ kafka_cdc.check_chains() | indent(12) }} <> 'off'
    ) as compared
),

settled_breaks as (
    select row_breaks.*
    from row_breaks
    left join settled_tables using ({{ table }})
    left join scattered_tables using ({{ table }})
    left anti join missing_offsets
        on
            row_breaks.kafka_topic = missing_offsets.kafka_topic
            and row_breaks.topic_incarnation = missing_offsets.topic_incarnation
            and row_breaks.kafka_partition = missing_offsets.kafka_partition
            and row_breaks.kafka_offset >= missing_offsets.first_offset
            and coalesce(row_breaks.previous.kafka_offset, -1) <= missing_offsets.last_offset
    left anti join statement_times
        on
            {%- for column in kafka_cdc.get_table_columns() %}
            row_breaks.{{ column }} = statement_times.{{ column }} and
            {%- endfor %}
            statement_times.happened_at between row_breaks.previous.known_since and row_breaks.happened_at
    where
        break_kind is not null
        and (
            partitions = 1
            or not coalesce(is_scattered, false)
            and row_breaks.kafka_topic = row_breaks.previous.kafka_topic
            and row_breaks.topic_incarnation = row_breaks.previous.topic_incarnation
            and row_breaks.kafka_partition = row_breaks.previous.kafka_partition
            or has_no_gaps
            and kafka_timestamp <= reached_at
        )
),

explained as (
    select
        *,
        if(break_kind = 'before_image_differs', compared_columns, array()) as reported_columns,
        case
            when break_kind = 'insert_of_live_row' then 'lost_delete'
            when break_kind = 'change_of_unseen_row' then 'lost_insert'
            when break_kind = 'change_of_deleted_row' then 'lost_insert'
            when break_kind = 'repeated_change' then 'repeated_range'
            when following.occurred_at < occurred_at and is_next_before then 'swapped_changes'
            when
                array_sort(transform(compared_columns, name -> before_image[name]))
                = array_sort(transform(compared_columns, name -> previous.row_values[name]))
                and size(compared_columns) > 1
                then 'shifted_columns'
            when size(causes) = 1 and causes[0] <> 'other_value' then causes[0]
            else 'lost_change'
        end as row_cause
    from (
        select
            * except (break_kind),
            if(
                break_kind <> 'change_of_unseen_row'
                and (
                    not is_sequenced and occurred_at <= previous.occurred_at
                    or is_sequenced and previous.source_sequence = source_sequence
                    -- The copy of the table may have the change already.
                    or previous.operation = 'snapshot' and happened_at <= previous.happened_at
                ),
                'repeated_change',
                break_kind
            ) as break_kind,
            array_distinct(transform(compared_columns, name -> {{ cause | indent(16) }})) as causes,
            forall(
                map_keys(following.before_image),
                name -> not map_contains_key(previous.row_values, name)
                    or following.before_image[name] <=> previous.row_values[name]
            ) as is_next_before
        from settled_breaks
    ) as causes_of_rows
)

select
    landing_batch,
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    break_kind,
    reported_columns as different_columns,
    if(row_cause = 'lost_change' and count(distinct row_key) > 1, 'lost_range', row_cause) as proposed_cause,
    break_kind = 'before_image_differs' and row_cause <> 'number_format' as is_alarm,
    count(*) as changes,
    min(struct({{ kafka_cdc.get_coordinates() | join(', ') }})) as first_change,
    max(struct({{ kafka_cdc.get_coordinates() | join(', ') }})) as last_change,
    min(row_key) as example_row_key,
    min_by(to_json(before_image), row_key) as example_before,
    min_by(to_json(previous.row_values), row_key) as example_state
from explained
group by landing_batch, {{ table }}, break_kind, reported_columns, row_cause
{%- endmacro %}

{#
  Prints a condition: the before image, or the row before it, is not what the row was.

  MongoDB looks a document up after its update. It may contain later changes. The before image of a
  row that PostgreSQL has deleted may have defaults in columns that are not null, unless the replica
  identity is full.
#}
{% macro _unknown_image_condition() -%}
source_database_type <=> 'mongodb' and previous.operation = 'update'
or source_database_type <=> 'postgresql' and operation = 'delete'
    and not coalesce({{ kafka_cdc.topic_settings('kafka_topic') | indent(4) }}.replica_identity, 'default') = 'full'
{%- endmacro %}

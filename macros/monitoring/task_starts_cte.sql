{#
  Prints the CTE `task_starts`: where the new task begins, for each fall of a sequence.

  A connector task that is recreated may first copy tables, and copied rows are no changes that
  fall. The task therefore begins before the fall. It begins with the first row after the last change of
  the old task, in the partition or in the table of the fall.

  Example, one partition:
    offset  change
    7       update, sequence 900    the last change of the old task
    8       copied row              `begin` is 8: the line to add to the setting names this offset
    9       copied row
    10      insert, sequence 15     the fall

  Columns: those of the partition and table, `position` (of the fall) and `begin`, structs of
  topic_incarnation and kafka_offset.

  Arguments:
    events (relation): the model events.
    batches (list[integer]): the landing batches that may contain these rows.

  Prints: also the CTE that it requires, `partition_rows`.

  Requires: the CTE `falls` of the model sequence_resets.
#}
{% macro task_starts_cte(events, batches) -%}
{%- set partition = (['kafka_topic', 'kafka_partition'] + kafka_cdc.get_table_columns()) | join(', ') -%}
{%- set is_of_old_task = 'row_sequence > source_sequence' -%}
partition_rows as (
    select
        kafka_topic,
        kafka_partition,
        struct({{ kafka_cdc.get_table_columns() | join(', ') }}) as row_table,
        struct(topic_incarnation, kafka_offset) as row_position,
        {{ kafka_cdc.ordering_sequence() }} as row_sequence
    from {{ events }}
    where {{ kafka_cdc.in_batches_condition(batches) }} and event_kind = 'change'
),

task_starts as (
    select
        {{ partition }},
        position,
        min(
            if(
                row_position > last_old_change
                or is_own_table and row_position > last_old_change_of_table,
                row_position,
                null
            )
        ) as begin
    from (
        select
            *,
            max(if({{ is_of_old_task }}, row_position, null)) over (
                partition by {{ partition }}, position
            ) as last_old_change,
            max(if({{ is_of_old_task }} and is_own_table, row_position, null)) over (
                partition by {{ partition }}, position
            ) as last_old_change_of_table
        from (
            select
                falls.*,
                row_position,
                row_sequence,
                row_table = struct({{ kafka_cdc.get_table_columns() | join(', ') }}) as is_own_table
            from falls
            inner join partition_rows using (kafka_topic, kafka_partition)
            where
                row_position >= struct(previous.topic_incarnation, previous.kafka_offset)
                and row_position <= position
        ) as rows_until_falls
    ) as rows_of_tasks
    group by {{ partition }}, position
)
{%- endmacro %}

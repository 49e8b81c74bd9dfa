{#
  Prints the CTE task_starts: for each fall of a vendor's sequence (CTE falls of sequence_resets) where the new task begins, a struct of topic
  incarnation and offset. A task may copy tables first, and copied rows are no changes that fall: it begins with the first row behind the
  old task's last change in the partition, or in the table. events: their relation. batches: those that may hold these rows.
#}
{% macro task_starts_cte(events, batches) -%}
{%- set partition = (['kafka_topic', 'kafka_partition'] + kafka_cdc.get_table_columns()) | join(', ') -%}
partition_rows as (
    select
        kafka_topic,
        kafka_partition,
        struct({{ kafka_cdc.get_table_columns() | join(', ') }}) as row_table,
        struct(topic_incarnation, kafka_offset) as row_place,
        {{ kafka_cdc.ordering_sequence() }} as row_sequence
    from {{ events }}
    where {{ kafka_cdc.in_batches_condition(batches) }} and event_kind = 'change'
),

task_starts as (
    select
        {{ partition }},
        place,
        min(if(row_place > old_change or is_own and row_place > old_own_change, row_place, null)) as begin
    from (
        select
            *,
            max(if(row_sequence > source_sequence, row_place, null)) over (partition by {{ partition }}, place) as old_change,
            max(if(row_sequence > source_sequence and is_own, row_place, null)) over (partition by {{ partition }}, place) as old_own_change
        from (
            select
                falls.*,
                row_place,
                row_sequence,
                row_table = struct({{ kafka_cdc.get_table_columns() | join(', ') }}) as is_own
            from falls
            inner join partition_rows using (kafka_topic, kafka_partition)
            where row_place >= struct(previous.topic_incarnation, previous.kafka_offset) and row_place <= place
        ) as rows_until_falls
    ) as rows_of_tasks
    group by {{ partition }}, place
)
{%- endmacro %}

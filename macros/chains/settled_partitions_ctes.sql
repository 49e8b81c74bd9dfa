{#
  Prints the CTEs `missing_offsets` and `settled_tables`: where an earlier change may still be missing.

  missing_offsets: one row per gap in the landed offsets of a partition.
  settled_tables: one row per source table, with
    partitions   number of partitions with changes of the table
    has_no_gaps  whether all offsets of these partitions have landed
    reached_at   the Kafka timestamp that all of these partitions have reached

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro settled_partitions_ctes(batch_stats) -%}
{%- set partition = 'kafka_topic, topic_incarnation, kafka_partition' -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
missing_offsets as (
    select
        kafka_topic,
        topic_incarnation,
        kafka_partition,
        first_offset - missing_before as first_offset,
        if(missing_inside > 0, last_offset, first_offset - 1) as last_offset
    from (
        {{ kafka_cdc.select_offset_gaps(batch_stats) | indent(8) }}
    ) as gaps_of_partitions
),

settled_tables as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        count(*) as partitions,
        bool_and(gaps.kafka_topic is null) as has_no_gaps,
        min(reached_at) as reached_at
    from (
        select distinct
            {{ table }},
            {{ partition }}
        from {{ batch_stats }}
        where changes > 0
    ) as tables_of_partitions
    inner join (
        select
            {{ partition }},
            max(last_kafka_timestamp) as reached_at
        from {{ batch_stats }}
        group by {{ partition }}
    ) as partitions using ({{ partition }})
    left join (
        select distinct {{ partition }}
        from missing_offsets
    ) as gaps using ({{ partition }})
    group by {{ table }}
)
{%- endmacro %}

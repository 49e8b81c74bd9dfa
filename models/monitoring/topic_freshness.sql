-- One row per topic (kafka_topic): its latest times, and the latency of its messages from the source to the lake.
select
    kafka_topic,
    sum(messages) as messages,
    sum(rejected_messages) as rejected_messages,
    count(distinct topic_incarnation, kafka_partition) as partitions,
    max(landed_at) as last_landed_at,
    max(last_kafka_timestamp) as last_kafka_timestamp,
    max(last_emitted_at) as last_emitted_at,
    max(last_occurred_at) as last_occurred_at,
    timestampdiff(second, max(last_occurred_at), max(last_kafka_timestamp)) as seconds_to_kafka,
    timestampdiff(second, max(last_kafka_timestamp), max(landed_at)) as seconds_to_lake
from {{ ref('kafka_cdc', 'event_batch_stats') }}
group by kafka_topic

-- One row per row change (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index). A truncate is a change.
-- Its pre-hook publishes the tables together. Changes of held tables are left out since their hold began.
{{ config(
    meta={'shared_settings': kafka_cdc.get_shared_settings()},
    pre_hook="{{ kafka_cdc.publish_tested_versions([
        ref('kafka_cdc', 'event_batch_stats'),
        ref('kafka_cdc', 'table_holds'),
        ref('kafka_cdc', 'events'),
        ref('kafka_cdc', 'merged_rows'),
    ]) }}",
    post_hook='{{ kafka_cdc.complete_publication(has_published=true) }}',
) }}
-- depends_on: {{ ref('kafka_cdc', 'event_batch_stats') }}
-- depends_on: {{ ref('kafka_cdc', 'merged_rows') }}
{{ kafka_cdc.select_published_changes(
    ref('kafka_cdc', 'events'),
    kafka_cdc.get_holds(ref('kafka_cdc', 'table_holds'))
) }}

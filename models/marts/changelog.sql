-- One row per row change (kafka_topic, topic_incarnation, kafka_partition, kafka_offset, row_index). A truncate is a change.
-- Its pre-hook publishes the tables together. Changes of held tables are left out since their hold began.
{{ config(
    meta={'shared_settings': kafka_cdc.get_shared_settings()},
    pre_hook="{{ kafka_cdc.publish_tested_versions([
        ref('event_batch_stats'),
        ref('table_holds'),
        ref('events'),
        ref('merged_rows'),
    ]) }}",
    post_hook='{{ kafka_cdc.complete_publication(has_published=true) }}',
) }}
-- depends_on: {{ ref('event_batch_stats') }}
-- depends_on: {{ ref('merged_rows') }}
{{ kafka_cdc.select_published_changes(ref('events'), kafka_cdc.get_holds(ref('table_holds'))) }}

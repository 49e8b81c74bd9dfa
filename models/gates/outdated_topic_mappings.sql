-- One row per topic, format and source of events that the present setting topics would not produce
-- (kafka_topic, source_format, source_name).
select
    kafka_topic,
    source_format,
    source_name,
    any_value(settings.format) as mapped_format,
    any_value(settings.source) as mapped_source,
    sum(messages) as messages,
    any_value(topic_changes) as topic_changes,
    concat(
        'topic ', kafka_topic, ': ', sum(messages), ' messages were read as ', coalesce(source_format, 'no format'),
        ' of source ', coalesce(source_name, 'none'), ', but topics now sets format ',
        coalesce(any_value(settings.format), 'auto'), ' and source ', coalesce(any_value(settings.source), 'none')
    ) as finding,
    concat(
        'To read the topic again: dbt build --vars \'{replay: ["', kafka_topic, '"]}\''
    ) as remedy
from (
    select
        *,
        {{ kafka_cdc.topic_settings('kafka_topic') | indent(8) }} as settings,
        sum(changes) over (partition by kafka_topic) as topic_changes
    from {{ ref('kafka_cdc', 'event_batch_stats') }}
) as batch_stats
where {{ kafka_cdc.outdated_mapping_condition() | indent(4) }}
group by kafka_topic, source_format, source_name

-- One row per topic, format and source of events that the present setting topics would not produce
-- (kafka_topic, source_format, source_name).
{% set unrecognized, unnamed = [], [] -%}
{%- for slug in kafka_cdc.get_formats() -%}
{%- set format = kafka_cdc.get_format(slug) -%}
{%- if format.recognized_by.condition == 'false' -%}
{%- do unrecognized.append(slug) -%}
{%- endif -%}
{%- if format.columns.source_name == 'null' -%}
{%- do unnamed.append(slug) -%}
{%- endif -%}
{%- endfor -%}
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
    from {{ ref('event_batch_stats') }}
) as batch_stats
where
    settings.format is not null and not settings.format <=> source_format
    or settings.source is not null and not settings.source <=> source_name
    -- auto never recognizes these formats
    or settings.format is null
    and source_format in (
        '{{ unrecognized | join("',\n        '") }}'
    )
    -- no message of these formats names its source
    or settings.source is null
    and source_name <> source_format
    and source_format in (
        '{{ unnamed | join("',\n        '") }}'
    )
group by kafka_topic, source_format, source_name

-- One row per topic, format and source of events that the setting topics, as it is now, would not make
-- (kafka_topic, source_format, source_name).
{% set unrecognised, unnamed = [], [] -%}
{%- for slug in kafka_cdc.get_formats() if kafka_cdc.get_format(slug).recognized_by.condition == 'false' %}{% do unrecognised.append(slug) %}{% endfor -%}
{%- for slug in kafka_cdc.get_formats() if kafka_cdc.get_format(slug).columns.source_name == 'null' %}{% do unnamed.append(slug) %}{% endfor -%}
select
    kafka_topic,
    source_format,
    source_name,
    any_value(settings.format) as mapped_format,
    any_value(settings.source) as mapped_source,
    sum(messages) as messages
from (
    select
        *,
        {{ kafka_cdc.topic_settings('kafka_topic') | indent(8) }} as settings
    from {{ ref('event_batch_stats') }}
) as profiles
where
    settings.format is not null and not settings.format <=> source_format
    or settings.source is not null and not settings.source <=> source_name
    -- auto never recognizes these formats
    or settings.format is null and source_format in ('{{ unrecognised | join("', '") }}')
    -- no message of these formats names its source
    or settings.source is null
    and source_name <> source_format
    and source_format in (
        '{{ unnamed | join("',\n        '") }}'
    )
group by kafka_topic, source_format, source_name

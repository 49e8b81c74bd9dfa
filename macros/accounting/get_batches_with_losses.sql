{#
  Returns the landing batches, among those named (none: all), of which events holds messages that raw no longer does:
  to read them again would lose what only events still knows.
#}
{% macro get_batches_with_losses(events, batches=none) %}
    {%- set query -%}
        select distinct processed.landing_batch
        from {{ events }} as processed
        left anti join {{ source('raw', 'kafka_messages') }} as landed
            on landed.landing_batch = processed.landing_batch
            and landed.topic = processed.kafka_topic
            and landed.topic_incarnation = processed.topic_incarnation
            and landed.`partition` = processed.kafka_partition
            and landed.`offset` = processed.kafka_offset
        where processed.row_index = 0{% if batches is not none %} and processed.{{ is_in_batches(batches) }}{% endif %}
    {%- endset -%}
    {{ return([] if batches == [] else run_query(query).columns[0].values() | list) }}
{% endmacro %}

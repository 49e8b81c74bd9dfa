{#
  Returns the landing batches, among those named (none: all), of which events holds messages that raw no longer does, batch → which: to
  read them again would lose what only events still knows. A message that landed again has another batch, and is not lost.
#}
{% macro get_batches_missing_in_raw(events, batches=none) %}
    {%- if batches == [] %}{{ return({}) }}{% endif -%}
    {%- set query -%}
        select
            landing_batch,
            concat(
                'batch ', landing_batch, ', ',
                array_join(collect_list(concat('topic ', kafka_topic, ', partition ', kafka_partition, ', offsets ', first_lost, ' to ', last_lost)), ', ')
            )
        from (
            select
                processed.landing_batch,
                processed.kafka_topic,
                processed.kafka_partition,
                min(processed.kafka_offset) as first_lost,
                max(processed.kafka_offset) as last_lost
            from {{ events }} as processed
            left anti join {{ kafka_cdc.get_raw_relation() }} as landed on {{ kafka_cdc.same_message_condition('landed', 'processed') }}
            where processed.row_index = 0{% if batches is not none %} and processed.{{ kafka_cdc.in_batches_condition(batches) }}{% endif %}
            group by processed.landing_batch, processed.kafka_topic, processed.kafka_partition
        ) as lost
        group by landing_batch
        order by landing_batch
    {%- endset -%}
    {%- set lost = {} -%}
    {%- for batch, which in run_query(query).rows %}{% do lost.update({batch: which}) %}{% endfor -%}
    {{ return(lost) }}
{% endmacro %}

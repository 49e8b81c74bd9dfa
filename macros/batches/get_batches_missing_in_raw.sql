{#
  Returns the landing batches with messages that events has and raw no longer has.

  Reading such a batch again would lose those messages, because only events still has them.
  A message that landed again is in another batch, and is not missing.

  Arguments:
    events (relation): the model events.
    batches (optional[list[integer]]): the landing batches to look at, or none for all of them.

  Returns: a dictionary, landing batch to a text that names the missing offsets.
#}
{% macro get_batches_missing_in_raw(events, batches=none) %}
    {%- if batches == [] -%}
        {{ return({}) }}
    {%- endif -%}

    {%- set query -%}
        select
            landing_batch,
            concat(
                'batch ', landing_batch, ', ',
                array_join(collect_list(concat(
                    'topic ', kafka_topic, ', partition ', kafka_partition,
                    ', offsets ', first_missing, ' to ', last_missing
                )), ', ')
            )
        from (
            select
                processed.landing_batch,
                processed.kafka_topic,
                processed.kafka_partition,
                min(processed.kafka_offset) as first_missing,
                max(processed.kafka_offset) as last_missing
            from {{ events }} as processed
            left anti join {{ kafka_cdc.get_raw_relation() }} as landed
                on {{ kafka_cdc.same_message_condition('landed', 'processed') }}
            where processed.row_index = 0
            {%- if batches is not none %} and processed.{{ kafka_cdc.in_batches_condition(batches) }}{% endif %}
            group by processed.landing_batch, processed.kafka_topic, processed.kafka_partition
        ) as missing
        group by landing_batch
        order by landing_batch
    {%- endset -%}

    {%- set missing = {} -%}
    {%- for batch, offsets in run_query(query).rows -%}
        {%- do missing.update({batch: offsets}) -%}
    {%- endfor -%}

    {{ return(missing) }}
{% endmacro %}

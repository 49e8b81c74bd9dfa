{#
  Fails for messages that are in two landing batches, because the changelog would have them twice.

  This can happen if another tool writes the raw table (setting raw_column_mapping) at least once.
  The test reads coordinates only.

  Arguments:
    model (relation): the model events.
#}
{% test messages_are_in_one_batch(model) %}
{%- set identity = kafka_cdc.get_message_coordinates() | join(', ') %}
select concat(
    'topic ', kafka_topic, ', partition ', kafka_partition, ', offset ', kafka_offset, ' is in the landing batches ',
    array_join(sort_array(collect_set(landing_batch)), ', '),
    '. Set raw_column_mapping.landing_batch to a value that depends on the message alone, ',
    'such as the hour of its Kafka timestamp. If the topic was recreated, set raw_column_mapping.topic_incarnation. ',
    'Then run dbt build --vars "{replay: all}"'
) as finding
from {{ model }}
where row_index = 0{% if not kafka_cdc.get_raw_column_mapping() %} and false{% endif %}
group by {{ identity }}
having count(distinct landing_batch) > 1
limit 100
{% endtest %}

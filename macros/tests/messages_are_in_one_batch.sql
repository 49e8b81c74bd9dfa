{#
  Fails for messages that stand in two landing batches, as a raw table that another tool writes at least once can have them (setting
  raw_column_mapping): the changelog would say them twice. model: events, of which it reads coordinates alone.
#}
{% test messages_are_in_one_batch(model) %}
{%- set place = kafka_cdc.get_message_coordinates() | join(', ') %}
select concat(
    'topic ', kafka_topic, ', partition ', kafka_partition, ', offset ', kafka_offset, ' is in the landing batches ', array_join(sort_array(collect_set(landing_batch)), ', '),
    ': let raw_column_mapping.landing_batch say what the message alone decides, such as the hour of its Kafka timestamp (of a topic that was made anew: raw_column_mapping.topic_incarnation), and then dbt build --vars "{replay: all}"'
) as finding
from {{ model }}
where row_index = 0{% if not kafka_cdc.get_raw_column_mapping() %} and false{% endif %}
group by {{ place }}
having count(distinct landing_batch) > 1
limit 100
{% endtest %}

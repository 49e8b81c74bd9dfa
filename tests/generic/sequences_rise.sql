{#
  Fails for every place where a vendor's sequence starts anew and no setting says so: what comes after it would lose against what came
  before. The finding is the line to add. model: sequence_resets.
#}
{% test sequences_rise(model) %}
select concat(
    'topic ', kafka_topic, ', partition ', kafka_partition, ', offset ', kafka_offset, ': the sequence of table ', {{ table_path() }}, ' of source ',
    source_name, ' falls from ', to_json(previous_sequence), ' to ', to_json(source_sequence), '; if it starts anew, add to ', remedy
) as finding
from {{ model }}
order by kafka_topic, kafka_partition, topic_incarnation, kafka_offset
{% endtest %}

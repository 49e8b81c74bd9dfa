{#
  Warns of topics with tombstones that follow no delete of their key.

  Unless the setting on_tombstone is `delete`, the rows that they delete stay in the state.

  Arguments:
    model (relation): the model orphan_tombstones.
#}
{% test tombstones_follow_deletes(model) %}
{{ config(severity='warn') }}
select concat(
    'topic ', kafka_topic, ' has ', count(*), ' tombstones without a delete of their key before them, ',
    'for example partition ', min_by(kafka_partition, kafka_offset), ', offset ', min(kafka_offset),
    '. If a tombstone deletes a row, add to the line of its table in tables: on_tombstone: delete'
) as finding
from {{ model }}
group by kafka_topic
{% endtest %}

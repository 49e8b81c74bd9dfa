{# Warns of topics with tombstones before which no deletion of their key came: what they delete stays in the state. model: orphan_tombstones. #}
{% test tombstones_follow_deletes(model) %}
{{ config(severity='warn') }}
select concat(
    'topic ', kafka_topic, ': ', count(*), ' tombstones have no deletion of their key before them, for example partition ',
    min_by(kafka_partition, kafka_offset), ', offset ', min(kafka_offset), '; a tombstone alone names no row'
) as finding
from {{ model }}
group by kafka_topic
{% endtest %}

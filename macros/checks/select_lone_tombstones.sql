{#
  Prints a SELECT: a finding for each topic with tombstones that follow no delete of their key.

  Unless the setting on_tombstone is `delete`, the rows that they delete stay in the state.

  Arguments:
    orphan_tombstones (relation): the model orphan_tombstones.
#}
{% macro select_lone_tombstones(orphan_tombstones) -%}
select concat(
    'topic ', kafka_topic, ' has ', count(*), ' tombstones without a delete of their key before them, ',
    'for example partition ', min_by(kafka_partition, kafka_offset), ', offset ', min(kafka_offset),
    '. If a tombstone deletes a row, add to the line of its table in tables: on_tombstone: delete'
) as finding
from {{ orphan_tombstones }}
group by kafka_topic
{%- endmacro %}

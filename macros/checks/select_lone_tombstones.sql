{#
  Prints a SELECT: a finding for each topic with tombstones that follow no delete of their key and delete no row.

  With the setting on_tombstone: delete, a tombstone deletes the row, if its key can be read and its topic
  has one source table. Otherwise the row stays in the state.

  Arguments:
    orphan_tombstones (relation): the model orphan_tombstones.
#}
{% macro select_lone_tombstones(orphan_tombstones) -%}
select concat(
    'topic ', kafka_topic, ' has ', count(*), ' tombstones without a delete of their key before them, ',
    'for example partition ', min_by(kafka_partition, kafka_offset), ', offset ', min(kafka_offset),
    '. If a tombstone deletes a row, add to the line of its table in tables: on_tombstone: delete. ',
    'Its topic may have this table only'
) as finding
from {{ orphan_tombstones }}
where not deletes_row
group by kafka_topic
{%- endmacro %}

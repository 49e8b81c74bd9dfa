{#
  Warns of source tables with before events of updates whose after events never arrived.

  Such a before event deletes nothing, so a row may have kept its earlier key.

  Arguments:
    model (relation): the model split_updates.
#}
{% test split_updates_are_paired(model) %}
{{ config(severity='warn') }}
select concat(
    'table ', {{ kafka_cdc.table_path() }}, ' of source ', source_name, ' has ', count(*),
    ' before events of updates without an after event, for example topic ', min_by(before_topic, before_offset),
    ', partition ', min_by(before_partition, before_offset), ', offset ', min(before_offset),
    '. They do not change the state. Check the topic for lost messages'
) as finding
from {{ model }}
where after_offset is null
group by {{ kafka_cdc.get_table_columns() | join(', ') }}
{% endtest %}

{#
  Prints a SELECT: a finding for each source table with before events of updates whose after events never arrived.

  Such a before event deletes nothing, so a row may have kept its earlier key.

  Arguments:
    split_updates (relation): the model split_updates.
#}
{% macro select_unpaired_before_events(split_updates) -%}
select concat(
    'table ', {{ kafka_cdc.table_path() }}, ' of source ', source_name, ' has ', count(*),
    ' before events of updates without an after event, for example topic ', min_by(before_topic, before_offset),
    ', partition ', min_by(before_partition, before_offset), ', offset ', min(before_offset),
    '. They do not change the state. Check the topic for lost messages'
) as finding
from {{ split_updates }}
where after_offset is null
group by {{ kafka_cdc.get_table_columns() | join(', ') }}
{%- endmacro %}

{# Warns of source tables with rows before an update whose other half never came: they delete nothing, so a row may have kept an old key. model: split_updates. #}
{% test split_updates_are_paired(model) %}
{{ config(severity='warn') }}
select concat(
    'table ', {{ kafka_cdc.table_path() }}, ' of source ', source_name, ': ', count(*), ' rows before an update came without the row after it, for example topic ',
    min_by(before_topic, before_offset), ', partition ', min_by(before_partition, before_offset), ', offset ', min(before_offset), '; they change nothing in the state'
) as finding
from {{ model }}
where after_offset is null
group by {{ kafka_cdc.get_table_columns() | join(', ') }}
{% endtest %}

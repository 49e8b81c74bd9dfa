{#
  Fails for every place where a vendor's sequence starts anew and no setting says so: what comes after it would lose against what came
  before. The finding is the line to add. Fails for every partition of a topic, too, that has fewer lines of sequence_resets than another one with
  changes of the same table, or, where statements have a topic of their own, than the rows of their source: what reaches across partitions
  (a TRUNCATE, a DROP, a snapshot that replaces) would meet its rows in another epoch.
  model: sequence_resets.
#}
{% test sequences_are_monotonic(model) %}
{%- set table = kafka_cdc.get_table_columns() | join(', ') %}
{%- if kafka_cdc.get_sequence_resets() %}
with partitions as (
    select
        kafka_topic,
        kafka_partition,
        {{ table }},
        max_by(last_offset, struct(topic_incarnation, last_offset)) as last_offset,
        sum(if({{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(8) }} = 'sequence', sequenced_changes, 0)) as sequenced_changes,
        sum(truncates + drops + renames) as statements,
        {% for line in kafka_cdc.get_sequence_resets() -%}
        if({{ kafka_cdc.same_partition_condition(line) }}, 1, 0) {{ '+ ' if not loop.last }}
        {%- endfor %} as sequence_resets
    from {{ ref('event_batch_stats') }}
    group by kafka_topic, kafka_partition, {{ table }}
)
{% endif %}
select concat(
    'topic ', kafka_topic, ', partition ', kafka_partition, ', offset ', kafka_offset, ': the sequence of table ', {{ kafka_cdc.table_path() }}, ' of source ',
    source_name, ' falls from ', to_json(previous_sequence), ' to ', to_json(source_sequence), '; if it starts anew, add to ', remedy
) as finding
from {{ model }}
{%- if kafka_cdc.get_sequence_resets() %}
union all
select distinct concat(
    'topic ', kafka_topic, ', partition ', kafka_partition, ' has ', sequence_resets, ' lines of sequence_resets and another of its partitions ', most_epochs,
    '; say where the new task begins in this one, too (last offset so far: ', last_offset, ')'
)
from (
    select *, max(sequence_resets) over (partition by kafka_topic, {{ table }}) as most_epochs
    from partitions
    where sequenced_changes > 0
) as compared
where sequence_resets < most_epochs
union all
select distinct concat(
    'topic ', kafka_topic, ', partition ', kafka_partition, ' has ', sequence_resets, ' lines of sequence_resets and the rows of source ', source_name, ' that its statements reach ',
    most_epochs, '; say where the new task begins in this one, too (last offset so far: ', last_offset, ')'
)
from (
    select
        *,
        max(if(sequenced_changes > 0, sequence_resets, null)) over (partition by source_name, source_tenant) as most_epochs,
        sum(sequenced_changes) over (partition by kafka_topic, kafka_partition) as sequenced_changes_beside
    from partitions
) as reached
where statements > 0 and sequenced_changes_beside = 0 and sequence_resets < most_epochs
{%- endif %}
order by finding
{% endtest %}

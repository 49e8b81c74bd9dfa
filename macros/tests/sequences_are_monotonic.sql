{#
  Fails for every position at which a vendor's sequence starts again and no setting covers it.

  Changes after such a position would lose against changes before it. The finding contains the line
  to add.

  The test also compares the partitions that statements and source snapshots reach. Changes of one
  table must be in the same sequence generation. It fails in these cases:
  * A partition has fewer lines of sequence_resets than another one with changes of the same table.
  * A topic has statements only, and its partition has fewer lines than the rows of its source.

  Arguments:
    model (relation): the model sequence_resets.
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
        sum(
            if({{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(8) }} = 'sequence', sequenced_changes, 0)
        ) as sequenced_changes,
        sum(truncates + drops + renames) as statements,
        {% for line in kafka_cdc.get_sequence_resets() -%}
        if({{ kafka_cdc.same_partition_condition(line) }}, 1, 0) {{ '+ ' if not loop.last }}
        {%- endfor %} as resets
    from {{ ref('event_batch_stats') }}
    group by kafka_topic, kafka_partition, {{ table }}
)
{% endif %}
select concat(
    'topic ', kafka_topic, ', partition ', kafka_partition, ', offset ', kafka_offset, ': the sequence of table ',
    {{ kafka_cdc.table_path() }}, ' of source ', source_name, ' falls from ', to_json(previous_sequence), ' to ',
    to_json(source_sequence), '. If it starts again, add to ', remedy
) as finding
from {{ model }}
{%- if kafka_cdc.get_sequence_resets() %}
union all
select distinct concat(
    'topic ', kafka_topic, ', partition ', kafka_partition, ' has ', resets,
    ' lines of sequence_resets and another of its partitions has ', most_resets,
    '. Add the first offset of the new task in this partition, too (last offset so far: ', last_offset, ')'
)
from (
    select
        *,
        max(resets) over (partition by kafka_topic, {{ table }}) as most_resets
    from partitions
    where sequenced_changes > 0
) as compared
where resets < most_resets
union all
select distinct concat(
    'topic ', kafka_topic, ', partition ', kafka_partition, ' has ', resets,
    ' lines of sequence_resets and the rows of source ', source_name, ' that its statements reach have ', most_resets,
    '. Add the first offset of the new task in this partition, too (last offset so far: ', last_offset, ')'
)
from (
    select
        *,
        max(if(sequenced_changes > 0, resets, null)) over (partition by source_name, source_tenant) as most_resets,
        sum(sequenced_changes) over (partition by kafka_topic, kafka_partition) as changes_of_partition
    from partitions
) as reached
where statements > 0 and changes_of_partition = 0 and resets < most_resets
{%- endif %}
order by finding
{% endtest %}

{#
  Prints the SELECT of the tombstones that delete their row (setting on_tombstone), as changes: a delete in the table of which the topic
  holds the changes, right after what the partition says of that key before it, in the same epoch. For topics whose compaction may have taken
  the delete itself. Where the partition says nothing of the key (the topic was given more, or made anew): after what the topic said of it until then.
#}
{% macro select_tombstone_deletes(events, profiles) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set said = {'event_kind': "'change'", 'operation': "'delete'", 'source_sequence': "if(before is null and kafka_timestamp is not null, concat(sequence_elsewhere, array(0L)), before.source_sequence)"} -%}
select
    {%- for column in kafka_cdc.get_event_columns() %}
    {{ said[column] ~ ' as ' if column in said }}{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
from (
    select
        events.* except ({{ table }}),
        held.*,
        last_value(if(event_kind = 'change', struct(source_sequence), null), true) over (
            partition by kafka_topic, topic_incarnation, kafka_partition, row_key, {{ kafka_cdc.sequence_generation() | indent(12) }} order by kafka_offset, row_index
        ) as before,
        max(if(event_kind = 'change' and kafka_timestamp is not null, source_sequence, null)) over (
            partition by kafka_topic, row_key, {{ kafka_cdc.sequence_generation() | indent(12) }} order by kafka_timestamp
        ) as sequence_elsewhere
    from {{ events }} as events
    inner join (
        select kafka_topic, max(struct({{ table }})) as held
        from {{ profiles }}
        where changes > 0
        group by kafka_topic
        having count(distinct {{ table }}) = 1
    ) as topics using (kafka_topic)
    where event_kind in ('change', 'tombstone') and row_key is not null
) as said
where
    event_kind = 'tombstone'
    and {{ kafka_cdc.table_setting('on_tombstone', "'ignore'") | indent(4) }} = 'delete'
{%- endmacro %}

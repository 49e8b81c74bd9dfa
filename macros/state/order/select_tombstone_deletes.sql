{#
  Prints a SELECT: the tombstones that delete their row (setting on_tombstone), as delete changes.

  Kafka's log compaction keeps the tombstone of a key and may drop the delete before it. With
  on_tombstone: delete the tombstone itself deletes the row. The topic must hold one source table.

  A tombstone has no sequence of its own. The delete is placed directly after the last change of the
  same key in its partition and sequence generation. If the partition has no earlier change of the
  key, the topic got more partitions or was recreated. The delete then follows the highest sequence
  that the topic had for the key at the tombstone's Kafka timestamp.

  Example, one topic:
    partition  offset  message                           becomes
    0          1       insert {"id":"1"}, sequence [10]  -
    0          2       update {"id":"1"}, sequence [20]  -
    0          3       tombstone {"id":"1"}              a delete at [20]: after the update
    0          4       insert {"id":"1"}, sequence [30]  - (it follows the delete: the row exists)
    1          1       tombstone {"id":"1"}              a delete at [30, 0]: after the insert

  Arguments:
    events (relation): a relation with the columns of the model events.
    batch_stats (relation): the model event_batch_stats.
    holds (list[dict[string, any]]): the held tables, from get_holds.
#}
{% macro select_tombstone_deletes(events, batch_stats, holds) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set source_sequence -%}
if(
    before is null and kafka_timestamp is not null,
    concat(sequence_elsewhere, array(0L)),
    before.source_sequence
)
{%- endset -%}
{%- set overrides = {
    'event_kind': "'change'",
    'operation': "'delete'",
    'source_sequence': source_sequence,
} -%}
select
    {%- for column in kafka_cdc.get_event_columns() %}
    {{ overrides[column] | indent(4) ~ ' as ' if column in overrides }}{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
from (
    select
        *,

        -- the last change of the key before this message in its partition
        last_value(if(event_kind = 'change', struct(source_sequence), null), true) over (
            partition by
                kafka_topic,
                topic_incarnation,
                kafka_partition,
                row_key,
                {{ kafka_cdc.sequence_generation() | indent(16) }}
            order by kafka_offset, row_index
        ) as before,

        -- the highest sequence that the topic had for the key by then, in any partition
        max(if(event_kind = 'change' and kafka_timestamp is not null, source_sequence, null)) over (
            partition by
                kafka_topic,
                row_key,
                {{ kafka_cdc.sequence_generation() | indent(16) }}
            order by kafka_timestamp
        ) as sequence_elsewhere
    from (
        select
            events.* except ({{ table }}),
            named.*
        from {{ events }} as events
        inner join (
            {{ kafka_cdc._tables_of_topics(batch_stats, holds) | indent(12) }}
        ) as topics using (kafka_topic)
        where
            row_key is not null
            and (
                event_kind = 'tombstone'
                or event_kind = 'change'
                and named = struct(
                    {%- for column in kafka_cdc.get_table_columns() %}
                    events.{{ column }}{{ ',' if not loop.last }}
                    {%- endfor %}
                )
            )
    ) as events_of_topics
    {%- if holds %}
    where not {{ kafka_cdc.withheld_condition(holds) | indent(4) }}
    {%- endif %}
) as changes_and_tombstones
where
    event_kind = 'tombstone'
    and {{ kafka_cdc.table_setting('on_tombstone', "'ignore'") | indent(4) }} = 'delete'
{%- endmacro %}

{#
  Prints a SELECT: the topics that hold one source table (kafka_topic), and this table (named).

  A held table keeps its state. So for it only those landing batches of a topic count that were
  published when its hold began, whatever table they are of.
#}
{% macro _tables_of_topics(batch_stats, holds) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set held_by_batches, held = {}, [] -%}
{%- for hold in holds -%}
    {%- set of_any_batch = dict(hold, last_published_batch=none, late_batches=[]) -%}
    {%- do held.append(of_any_batch) -%}
    {%- do held_by_batches.setdefault(kafka_cdc.withheld_batches_condition(hold), []).append(of_any_batch) -%}
{%- endfor -%}
{%- set views = [('true', 'not ' ~ kafka_cdc.withheld_condition(held))] -%}
{%- for batches, tables in held_by_batches.items() if batches -%}
    {%- do views.append(('not (' ~ batches ~ ')', kafka_cdc.withheld_condition(tables))) -%}
{%- endfor -%}
{%- for counts, is_seen in views %}
{{ 'union all\n' if not loop.first -}}
select kafka_topic, named
from (
    select kafka_topic, max(struct({{ table }})) as named
    from {{ batch_stats }}
    where changes > 0 and {{ counts }}
    group by kafka_topic
    having count(distinct {{ table }}) = 1
) as topics_of_one_table
lateral view inline(array(named)) named_table as {{ table }}
where {{ is_seen }}
{%- endfor %}
{%- endmacro %}

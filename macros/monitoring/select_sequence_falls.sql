{#
  Prints a SELECT: the changes at which a vendor's sequence starts again, or may do so.

  A change is low if an earlier change of its stream in the partition has a higher sequence. It is
  late if its source time is before that of the highest change so far, of the stream or of its table.
  It contradicts the highest change if its time is after it, or missing. After a reset the source's
  time goes on while the sequence is low. Such changes contradict until the sequence passes its former
  maximum. Therefore:
  * A fall ends with a change that passes all changes so far, and whose time is not before those that
    contradict.
  * Two changes that contradict within a fall show a reset.
  * If a fall ends with up to one of them, its low changes were late. Until then it is undecided.

  Example, sequence@time in one partition:
    10@1 12@3 11@2         11 is late
    10@1 12@3 11@4         undecided: 11 contradicts 12, and nothing has followed
    10@1 12@3 11@4 13@5    11 is late, because 13 ends the fall
    10@1 12@3 1@4 2@5      a reset at 1

  Columns: those of the changes, position (struct of topic_incarnation and kafka_offset), previous (the
  highest change of the table so far: topic_incarnation, kafka_offset and source_sequence), and
  is_undecided. A change that continues a fall of its table has no row.

  Redelivered changes do not count: an earlier offset has the same sequence, time, key and operation.

  Arguments:
    changes (string): a relation with the changes: kafka_topic, topic_incarnation, kafka_partition,
      kafka_offset, row_index, the columns that name the source table, sequence_generation,
      source_sequence, occurred_at, row_key and operation.
#}
{% macro select_sequence_falls(changes) -%}
{%- set stream = 'kafka_topic, kafka_partition, source_name, source_tenant, sequence_generation' -%}
{%- set table = (['kafka_topic', 'kafka_partition'] + kafka_cdc.get_table_columns()) | join(', ') -%}
{%- set by_offset = 'order by topic_incarnation, kafka_offset, row_index' -%}
{%- set until_now = by_offset ~ ' rows between unbounded preceding and current row' -%}
{%- set before_now = by_offset ~ ' rows between unbounded preceding and 1 preceding' -%}
{%- set highest = 'max(struct(source_sequence, occurred_at, topic_incarnation, kafka_offset))' -%}
with deliveries as (
    select
        *,
        row_number() over (
            partition by {{ table }}, source_sequence, occurred_at, row_key, operation {{ by_offset }}
        ) as delivery
    from {{ changes }}
),

compared as (
    select
        *,
        {{ highest }} over (partition by {{ stream }} {{ before_now }}) as highest,
        {{ highest }} over (partition by {{ table }}, sequence_generation {{ before_now }}) as previous
    from deliveries
    where delivery = 1
),

low_changes as (
    select
        *,
        coalesce(source_sequence < previous.source_sequence, false)
            and not coalesce(occurred_at < greatest(highest.occurred_at, previous.occurred_at), false) as is_low,
        coalesce(source_sequence < highest.source_sequence, false)
            and not coalesce(occurred_at <= greatest(highest.occurred_at, previous.occurred_at), false) as contradicts
    from compared
),

ended_falls as (
    select
        *,
        coalesce(source_sequence > highest.source_sequence, true) and coalesce(
            occurred_at >= max(if(contradicts, occurred_at, null)) over (partition by {{ stream }} {{ until_now }}),
            true
        ) as ends_fall
    from low_changes
),

numbered_falls as (
    select
        *,
        count_if(ends_fall) over (partition by {{ stream }} {{ until_now }}) as fall,
        count_if(ends_fall) over (partition by {{ stream }}) as last_fall
    from ended_falls
),

counted as (
    select
        *,
        count_if(contradicts) over (partition by {{ stream }}, fall) as contradictions
    from numbered_falls
),

falls as (
    select
        *,
        lag(if(is_low and (contradictions > 1 or fall = last_fall), source_sequence, null)) over (
            partition by {{ table }}, sequence_generation {{ by_offset }}
        ) as fallen_to
    from counted
)

select
    *,
    struct(topic_incarnation, kafka_offset) as position,
    contradictions < 2 as is_undecided
from falls
where
    is_low
    and (contradictions > 1 or fall = last_fall)
    and (fallen_to is null or source_sequence < fallen_to)
{%- endmacro %}

{#
  Prints the SELECT of stream_profiles: the events of the landing batches, in sum. Where the vendor's sequence falls is looked for
  inside each Kafka partition and source table of a batch, as tables may take turns in a partition.
  batches: batch → the snapshot that wrote its events, a literal for each; none for all, without snapshots.
#}
{% macro profile_events(events, batches) -%}
{%- set stream = ['landing_batch', 'kafka_topic', 'topic_incarnation', 'kafka_partition', 'source_format'] + get_table_columns() -%}
{%- set place = 'struct(topic_incarnation, kafka_offset, row_index, source_sequence)' -%}
{%- set counts = {
    'messages': 'row_index = 0',
    'changes': "event_kind = 'change' and operation <> 'truncate'",
    'keyless_changes': "event_kind = 'change' and operation <> 'truncate' and row_key is null",
    'snapshot_rows': "operation = 'snapshot'",
    'sequenced_changes': 'sequence is not null',
    'sequence_falls': 'sequence < previous.source_sequence',
    'unsequenced_changes': "event_kind = 'change' and operation not in ('truncate', 'snapshot') and source_sequence is null",
    'before_halves': "operation = 'update_before'",
    'partial_moves': "image = 'partial' and (previous_row_key is not null or operation = 'insert' and source_sequence is not null)",
    'truncates': "operation = 'truncate'",
    'drops': "event_kind = 'ddl' and operation = 'drop'",
    'renames': "event_kind = 'ddl' and exists(ddl_tables, named -> named.operation = 'rename')",
    'tombstones': "event_kind = 'tombstone'",
    'rejected_messages': "event_kind = 'rejected'",
} -%}
select
    {{ stream | join(',\n    ') }},
    {%- if batches is none %}
    cast(null as bigint) as events_snapshot,
    {%- else %}
    case landing_batch
        {%- for batch, snapshot in batches.items() %}
        when {{ batch }} then {{ snapshot }}
        {%- endfor %}
    end as events_snapshot,
    {%- endif %}
    min(kafka_offset) as first_offset,
    max(kafka_offset) as last_offset,
    max(kafka_timestamp) as last_kafka_timestamp,
    max(landed_at) as landed_at,
    max(occurred_at) as last_occurred_at,
    max(emitted_at) as last_emitted_at,
    min(if(sequence is null, null, {{ place }})) as first_change,
    max(if(sequence is null, null, {{ place }})) as last_change,
    min(sequence) as lowest_sequence,
    max(sequence) as highest_sequence,
    min(if(sequence < previous.source_sequence, struct(kafka_offset, previous.kafka_offset as previous_offset), null)) as first_fall,
    {%- for name, condition in counts.items() %}
    count_if({{ condition }}) as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
from (
    select
        *,
        {{ ordering_sequence() }} as sequence,
        last_value(if({{ ordering_sequence() }} is null, null, {{ place }}), true) over (
            partition by {{ stream | join(', ') }} order by kafka_offset, row_index rows between unbounded preceding and 1 preceding
        ) as previous
    from {{ events }}
    {%- if batches is not none %}
    where {{ is_in_batches(batches) }}
    {%- endif %}
) as events
group by {{ stream | join(', ') }}
{%- endmacro %}

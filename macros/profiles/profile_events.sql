{#
  Prints the SELECT of stream_profiles: the events of the landing batches, in sum.
  batches: batch → the snapshot that wrote its events, a literal for each; none for all, without snapshots.
#}
{% macro profile_events(events, batches) -%}
{%- set stream = ['landing_batch', 'kafka_topic', 'topic_incarnation', 'kafka_partition', 'source_format'] + get_table_columns() -%}
{%- set counts = {
    'messages': 'row_index = 0',
    'changes': "event_kind = 'change' and operation <> 'truncate'",
    'keyless_changes': "event_kind = 'change' and operation <> 'truncate' and row_key is null",
    'snapshot_rows': "operation = 'snapshot'",
    'sequenced_changes': "event_kind = 'change' and operation not in ('truncate', 'snapshot') and source_sequence is not null",
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
    {%- for name, condition in counts.items() %}
    count_if({{ condition }}) as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
from {{ events }}
{%- if batches is not none %}
where {{ is_in_batches(batches) }}
{%- endif %}
group by {{ stream | join(', ') }}
{%- endmacro %}

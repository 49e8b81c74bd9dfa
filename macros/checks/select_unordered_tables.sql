{#
  Prints a SELECT: the source tables whose changes have no single order, and why.

  There are four reasons:
  * Some changes have the vendor's sequence and some do not.
  * A key is on several partitions and has no sequence, nor Kafka timestamps by which to order it.
  * A TRUNCATE, a DROP, or a RENAME that is to be applied shares no order with the rows.
  * `auto` has read such a statement as another source than the rows of its table.

  Events are read only if the statistics show a reason. Columns: see select_findings.

  A new entry of topics may have added the sequence to the later changes only. A replay then gives it
  to all of them, so that this remedy names both ways.

  Arguments:
    events (relation): the model events.
    batch_stats (relation): the model event_batch_stats.
    unchecked_batches (optional[list[integer]]): from get_batches_with_unchecked_keys.
#}
{% macro select_unordered_tables(events, batch_stats, unchecked_batches=none) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set facts = kafka_cdc.get_stream_facts(batch_stats) -%}
{%- set renames = facts.renames and kafka_cdc.has_table_setting('on_rename', ['apply']) -%}
with {{ kafka_cdc.source_tables_cte(batch_stats) }},

batch_stats as (
    select
        *,
        {{ kafka_cdc.table_path() }} as table_path,
        {{ kafka_cdc.table_setting('order_by', "'sequence'") }} as order_by
    from {{ batch_stats }}
),

unordered as (
    select
        {{ table }},
        table_path,
        order_by = 'sequence' and sum(sequenced_changes) > 0 and sum(unsequenced_changes) > 0 as is_mixed,
        order_by = 'kafka_timestamp' and bool_or(last_kafka_timestamp is null) as lacks_timestamps,
        case order_by
            when 'kafka_timestamp' then bool_or(last_kafka_timestamp is null)
            when 'offset' then true
            else sum(unsequenced_changes) > 0
        end and {{ kafka_cdc.spans_partitions_condition() | indent(8) }} as spans_partitions,
        array_join(array_sort(collect_set(kafka_topic)), '", "') as topics
    from batch_stats
    where sequenced_changes + unsequenced_changes > 0
    group by {{ table }}, table_path, order_by
),
{% if renames %}
{{ kafka_cdc.table_renames_cte(events) }},
{% endif %}
{%- if facts.truncates or facts.drops %}
{{ kafka_cdc.truncated_tables_cte(events, renames) }},
{% endif %}
problems as (
    select
        {{ table }},
        table_path,
        'mixed_sequences' as check_name,
        'has changes with and without a sequence' as problem,
        'order_by: offset or kafka_timestamp' as remedy,
        topics
    from unordered
    where is_mixed
    {%- if kafka_cdc.get_table_facts(batch_stats).several_partitions %}
    union all
    select
        {{ table }},
        table_path,
        'key_on_several_partitions',
        concat(
            'has a key on several partitions and ',
            if(lacks_timestamps, 'changes without a Kafka timestamp', 'no sequence')
        ),
        if(lacks_timestamps, null, 'order_by: kafka_timestamp'),
        cast(null as string)
    from (
        {{ kafka_cdc.select_keys_on_several_partitions(events, unchecked_batches) | indent(8) }}
    ) as keys_on_several_partitions
    inner join unordered using ({{ table }}, table_path)
    {%- endif %}
    {%- if facts.truncates or facts.drops %}
    union all
    select distinct
        {{ table }},
        {{ kafka_cdc.table_path() | indent(8) }},
        'unordered_statement',
        concat('has a ', upper(operation), ' that shares no order with its rows'),
        concat('on_', operation, ': apply, apply_by_time or keep'),
        cast(null as string)
    from truncated_tables
    where policy = 'error'
    {%- endif %}
    {%- if renames %}
    union all
    select distinct
        source_name,
        source_tenant,
        rename.old.*,
        {{ kafka_cdc.table_path('rename.old.') | indent(8) }},
        'unordered_rename',
        'has a RENAME that shares no order with its rows',
        'on_rename: keep, or for both names with order_by: offset (one partition) or kafka_timestamp',
        cast(null as string)
    from checked_renames
    where moves_rows and not shares_order
    {%- endif %}
)

select
    {{ table }},
    check_name,
    concat('table ', table_path, ' of source ', source_name, ' ', problem) as finding,
    coalesce(
        concat(
            'Decide with ', remedy, ', in tables: - {table: ', table_path, ', source: ', source_name, ', ...}',
            coalesce(
                concat(
                    '. If an entry in topics added the sequence, run dbt build --vars \'{replay: ["', topics, '"]}\''
                ),
                ''
            )
        ),
        'Land the messages again in an empty lake, with their timestamps, or those of each key as one partition'
    ) as remedy
from problems
{%- if facts.truncates or facts.drops or facts.renames %}
union all
select distinct
    changes.source_name,
    {{ kafka_cdc.get_table_columns() | reject('equalto', 'source_name') | join(',\n    ') }},
    'statement_of_another_source',
    concat(
        'topic ', statements.kafka_topic, ' has a statement on table ', statements.table_path,
        ' that was read as source ', statements.source_name, ', but the rows were read as source ', changes.source_name
    ),
    concat('Set the format in topics: - {topic: ', statements.kafka_topic, ', format: ...}')
from batch_stats as statements
inner join batch_stats as changes
    using (kafka_topic, source_tenant, source_database, source_schema, source_table)
left anti join source_tables on
    {%- for column in kafka_cdc.get_table_columns() %}
    {{ 'and ' if not loop.first }}source_tables.{{ column }} = statements.{{ column }}
    {%- endfor %}
where
    statements.truncates + statements.drops + statements.renames > 0
    and changes.changes > 0
    and changes.source_name <> statements.source_name
{%- endif %}
{%- endmacro %}

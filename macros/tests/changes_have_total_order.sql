{#
  Fails for every source table whose changes have no one order: some with the vendor's sequence and some without; a key on
  several partitions without a sequence; a TRUNCATE or DROP, or a RENAME that is to be applied, that shares no order with the rows, or that `auto`
  has read as another source than the rows of its table. The finding names the setting that decides. model: event_batch_stats. Events are read only where the profiles give a reason.
#}
{% test changes_have_total_order(model) %}
{%- set table = kafka_cdc.get_table_columns() | join(', ') %}
{%- set events = ref('events') %}
{%- set facts = kafka_cdc.get_stream_facts(model) %}
{%- set renames = facts.renames and kafka_cdc.has_table_setting('on_rename', ['apply']) %}
with {{ kafka_cdc.source_tables_cte(model) }},

profiles as (
    select *, {{ kafka_cdc.table_path() }} as table_path, {{ kafka_cdc.table_setting('order_by', "'sequence'") }} as order_by
    from {{ model }}
),

unordered as (
    select
        {{ table }}, table_path,
        order_by = 'sequence' and sum(sequenced_changes) > 0 and sum(unsequenced_changes) > 0 as is_mixed,
        order_by <> 'kafka_timestamp' and (order_by = 'offset' or sum(unsequenced_changes) > 0)
            and {{ kafka_cdc.spans_partitions_condition() | indent(12) }} as is_spread
    from profiles
    where sequenced_changes + unsequenced_changes > 0
    group by {{ table }}, table_path, order_by
),
{% if renames %}
{{ kafka_cdc.table_renames_cte(events) }},
{% endif %}
{%- if facts.truncates or facts.drops %}
{{ kafka_cdc.truncated_tables_cte(events, renames) }},
{% endif %}
findings as (
    select {{ table }}, table_path, 'has changes with and without a sequence; decide with order_by: offset or kafka_timestamp' as problem
    from unordered
    where is_mixed
    {%- if kafka_cdc.has_multi_partition_tables(model) %}

    union all
    select distinct {{ table }}, table_path, 'has a key on several partitions and no sequence; decide with order_by: kafka_timestamp'
    from (
        select {{ table }}, table_path, row_key
        from {{ events }}
        inner join unordered using ({{ table }})
        where is_spread and event_kind = 'change' and operation not in ('snapshot', 'truncate') and row_key is not null
        group by {{ table }}, table_path, row_key
        having {{ kafka_cdc.spans_partitions_condition() | indent(8) }}
    ) as keys
    {%- endif %}
    {%- if facts.truncates or facts.drops %}

    union all
    select distinct
        {{ table }}, {{ kafka_cdc.table_path() }} as table_path,
        concat('has a ', upper(operation), ' that shares no order with its rows; decide with on_', operation, ': apply, apply_by_time or keep') as problem
    from truncated_tables
    where policy = 'error'
    {%- endif %}
    {%- if renames %}

    union all
    select distinct
        source_name, source_tenant, rename.old.*, {{ kafka_cdc.table_path('rename.old.') }} as table_path,
        'has a RENAME that shares no order with its rows; decide with on_rename: keep, or for both names with order_by: offset (one partition) or kafka_timestamp'
    from checked_renames
    where moves_rows and not shares_order
    {%- endif %}
)

select concat('table ', table_path, ' of source ', source_name, ' ', problem, ', in tables: - {table: ', table_path, ', source: ', source_name, ', ...}') as finding
from findings
{%- if facts.truncates or facts.drops or facts.renames %}
union all
select distinct concat(
    'topic ', statements.kafka_topic, ': a statement on table ', statements.table_path, ' was read as ', statements.source_name, ', its rows as ', changes.source_name,
    '; say in topics what they are: - {topic: ', statements.kafka_topic, ', format: ...}'
)
from profiles as statements
inner join profiles as changes using (kafka_topic, source_tenant, source_database, source_schema, source_table)
left anti join source_tables on
    {%- for column in kafka_cdc.get_table_columns() %}
    {{ 'and ' if not loop.first }}source_tables.{{ column }} = statements.{{ column }}
    {%- endfor %}
where statements.truncates + statements.drops + statements.renames > 0 and changes.changes > 0 and changes.source_name <> statements.source_name
{%- endif %}
{% endtest %}

{#
  Fails for every source table whose changes have no one order: some with the vendor's sequence and some without; a key on
  several partitions without a sequence; a TRUNCATE without one. The finding names the setting that decides.
#}
{% test tables_can_be_ordered(model) %}
{%- set table = get_table_columns() | join(', ') %}
with changes as (
    select *, {{ table_path() }} as table_path, {{ table_setting('order_by', "'sequence'") }} as order_by
    from {{ model }}
),

findings as (
    select
        {{ table }}, table_path,
        'has changes with and without a sequence; decide with order_by: offset or kafka_timestamp' as problem
    from changes
    where order_by = 'sequence' and operation not in ('snapshot', 'truncate')
    group by {{ table }}, table_path
    having count(source_sequence) not in (0, count(*))

    union all
    select distinct {{ table }}, table_path, 'has a key on several partitions and no sequence; decide with order_by: kafka_timestamp'
    from (
        select {{ table }}, table_path, row_key
        from changes
        where (source_sequence is null or order_by = 'offset') and order_by <> 'kafka_timestamp'
            and operation not in ('snapshot', 'truncate') and row_key is not null
        group by {{ table }}, table_path, row_key
        having count(distinct kafka_topic, topic_incarnation, kafka_partition) > 1
    ) as keys

    union all
    select distinct {{ table }}, table_path, 'has a TRUNCATE that shares no order with its rows; decide with on_truncate: apply or keep'
    from changes
    where operation = 'truncate' and {{ truncate_policy() }} = 'error'
)

select concat('table ', table_path, ' of source ', source_name, ' ', problem, ', in tables: - {table: ', table_path, ', source: ', source_name, ', ...}') as finding
from findings
{% endtest %}

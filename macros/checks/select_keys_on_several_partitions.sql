{#
  Prints a SELECT: the source tables with a key on several partitions and no order between them.

  Columns: those that name the source table, and table_path. It reads all changes of these tables.
  With batches it reads the keys of all changes, and groups only those that the batches contain.

  An update of the key deletes the row of the earlier key, so that it counts as a change of both.

  Arguments:
    events (relation): the model events.
    batches (optional[list[integer]]): from get_batches_with_unchecked_keys; none checks all keys.

  Requires: the CTE unordered of select_unordered_tables.
#}
{% macro select_keys_on_several_partitions(events, batches=none) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set keys = 'explode(array_compact(array(row_key, previous_row_key)))' -%}
select distinct
    {{ table }},
    table_path
from (
    select{{ ' /*+ broadcast(unchecked_keys) */' if batches is not none }}
        {{ table }},
        table_path,
        row_key
    from (
        select
            {{ table }},
            table_path,
            kafka_topic,
            topic_incarnation,
            kafka_partition,
            {{ keys }} as row_key
        from {{ events }}
        inner join unordered using ({{ table }})
        where
            spans_partitions
            and {{ kafka_cdc.ordered_change_condition() | indent(12) }}
    ) as changed_keys
    {%- if batches is not none %}
    left semi join (
        select distinct
            {{ table }},
            {{ keys }} as row_key
        from {{ events }}
        where {{ kafka_cdc.in_batches_condition(batches) }}
    ) as unchecked_keys using ({{ table }}, row_key)
    {%- endif %}
    group by {{ table }}, table_path, row_key
    having {{ kafka_cdc.spans_partitions_condition() | indent(4) }}
) as keys_on_several_partitions
{%- endmacro %}

{#
  Prints the CTE `source_tables`: one row per source table with changes.

  Its columns in addition to the name of the table:
    sequenced_changes     changes with the vendor's sequence
    unsequenced_changes   changes without it
    partitions            number of Kafka partitions through which the changes came
    one_partition         one of these partitions (the only one if partitions is 1)

  Arguments:
    batch_stats (relation): the model event_batch_stats.
    holds (list[dict[string, any]]): the held tables, from get_holds.
#}
{% macro source_tables_cte(batch_stats, holds=[]) -%}
source_tables as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        sum(sequenced_changes) as sequenced_changes,
        sum(unsequenced_changes) as unsequenced_changes,
        count(distinct kafka_topic, kafka_partition) as partitions,
        min(struct(kafka_topic, kafka_partition)) as one_partition
    from {{ batch_stats }}
    where
        changes > 0
        {%- if holds %}
        and not {{ kafka_cdc.withheld_condition(holds) | indent(8) }}
        {%- endif %}
    group by {{ kafka_cdc.get_table_columns() | join(', ') }}
)
{%- endmacro %}

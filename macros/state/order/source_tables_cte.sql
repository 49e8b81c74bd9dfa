{#
  Prints the CTE tables: each source table of which changes came, how many of them with the vendor's sequence and without, how many
  partitions they came through, and one of these. profiles: the relation of event_batch_stats.
#}
{% macro source_tables_cte(profiles) -%}
tables as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        sum(sequenced_changes) as sequenced_changes,
        sum(unsequenced_changes) as unsequenced_changes,
        count(distinct kafka_topic, kafka_partition) as partitions,
        min(struct(kafka_topic, kafka_partition)) as one_partition
    from {{ profiles }}
    where changes > 0
    group by {{ kafka_cdc.get_table_columns() | join(', ') }}
)
{%- endmacro %}

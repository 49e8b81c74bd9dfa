{#
  Returns whether changes of any source table came through several partitions, a boolean.

  Only then can one key have come through several partitions. It is true as long as there are no
  statistics.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro has_multi_partition_tables(batch_stats) %}
    {%- if not execute or load_relation(batch_stats) is none -%}
        {{ return(true) }}
    {%- endif -%}

    {%- set query -%}
        select 1
        from {{ batch_stats }}
        where sequenced_changes + unsequenced_changes > 0
        group by {{ kafka_cdc.get_table_columns() | join(', ') }}
        having min(struct(kafka_topic, kafka_partition)) <> max(struct(kafka_topic, kafka_partition))
        limit 1
    {%- endset -%}
    {{ return(run_query(query).rows | length > 0) }}
{% endmacro %}

{# Returns whether changes of any source table came through several partitions, of whatever incarnation: only then can a key have done so. #}
{% macro has_multi_partition_tables(profiles) %}
    {%- if not execute or load_relation(profiles) is none %}{{ return(true) }}{% endif -%}
    {%- set query -%}
        select 1
        from {{ profiles }}
        where sequenced_changes + unsequenced_changes > 0
        group by {{ kafka_cdc.get_table_columns() | join(', ') }}
        having min(struct(kafka_topic, kafka_partition)) <> max(struct(kafka_topic, kafka_partition))
        limit 1
    {%- endset -%}
    {{ return(run_query(query).rows | length > 0) }}
{% endmacro %}

-- One row per stream and source table of a unit test, with the columns of event_batch_stats that the state needs.
select
    {%- for name in kafka_cdc.get_table_columns() %}
    '' as {{ name }},
    {%- endfor %}
    '' as kafka_topic,
    0 as kafka_partition,
    0 as sequenced_changes,
    0 as unsequenced_changes,
    0 as changes
where false

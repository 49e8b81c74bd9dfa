{#
  Returns the properties of the project's tables. A version that is published may be read however old it is; maintain_tables says itself
  what may go. Two runs that write what the other has read conflict. The log keeps the least and greatest values of columns that name topics
  and tables alone, as a row that is forgotten must not stay there. is_by_batch: of tables whose landing batches are each replaced as a whole.
#}
{% macro delta_table_properties(is_by_batch) %}
    {{ return({
        'delta.deletedFileRetentionDuration': 'interval 3650 days',
        'delta.logRetentionDuration': 'interval 3650 days',
        'delta.isolationLevel': 'Serializable',
        'delta.dataSkippingStatsColumns': (['kafka_topic', 'topic_incarnation', 'kafka_partition', 'source_name'] + get_table_columns()[1:]) | join(','),
    }) }}
{% endmacro %}

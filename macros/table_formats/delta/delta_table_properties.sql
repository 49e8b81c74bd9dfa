{#
  Returns the properties of the project's tables. Two runs that write what the other has read conflict. The log keeps the least and greatest values
  of columns that name topics, tables and places alone, as a row that is erased must not stay there; a row that goes, goes from its file (no deletion
  vectors, no change data feed). A version may be read for a year, one that is published longer (maintain_tables). The arguments are those of get_table_properties.
#}
{% macro delta_table_properties(is_by_batch, bounds) %}
    {{ return({
        'delta.logRetentionDuration': 'interval 365 days',
        'delta.deletedFileRetentionDuration': 'interval 365 days',
        'delta.isolationLevel': 'Serializable',
        'delta.enableDeletionVectors': 'false',
        'delta.enableChangeDataFeed': 'false',
        'delta.autoOptimize.autoCompact': 'false',
        'delta.dataSkippingStatsColumns': (['kafka_topic', 'topic_incarnation', 'kafka_partition', 'source_name'] + kafka_cdc.get_table_columns()[1:] + bounds) | join(','),
    }) }}
{% endmacro %}

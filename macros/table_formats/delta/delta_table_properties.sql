{#
  Returns the properties of the project's Delta tables, dict[string, string].

  Their purposes:
  * isolationLevel Serializable: of two runs that write what the other has read, one fails.
  * dataSkippingStatsColumns: the log records minimum and maximum only of columns that name topics
    and tables. Content of an erased row must not remain there.
  * No deletion vectors, no change data feed: a deleted row is removed from its data file.
  * Retention: a version stays readable for a year, and longer while it is published
    (maintain_tables).

  Arguments:
    is_by_batch (boolean): not used: Delta needs no property for it.
    bounds (list[string]): more columns whose minimum and maximum the log records.
    has_topics (boolean): whether the table has the columns that name a topic partition. Delta
      rejects a name that is not a column.
#}
{% macro delta_table_properties(is_by_batch, bounds, has_topics) %}
    {%- set topic_columns = ['kafka_topic', 'topic_incarnation', 'kafka_partition'] if has_topics else [] -%}
    {%- set indexed_columns = topic_columns + kafka_cdc.get_table_columns() + bounds -%}
    {{ return({
        'delta.logRetentionDuration': 'interval 365 days',
        'delta.deletedFileRetentionDuration': 'interval 365 days',
        'delta.isolationLevel': 'Serializable',
        'delta.enableDeletionVectors': 'false',
        'delta.enableChangeDataFeed': 'false',
        'delta.autoOptimize.autoCompact': 'false',
        'delta.dataSkippingStatsColumns': indexed_columns | join(','),
    }) }}
{% endmacro %}

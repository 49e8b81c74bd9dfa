{#
  Returns the configuration of a table whose landing batches are each replaced as a whole, in one commit, and by no --full-refresh: the
  tables events and event_batch_stats. bounds: as for get_table_properties.
#}
{% macro get_batch_table_config(bounds=[]) %}
    {{ return({
        'materialized': 'incremental_skip_empty',
        'incremental_strategy': 'insert_overwrite',
        'partition_by': ['landing_batch'],
        'full_refresh': false,
        'post_hook': '{{ kafka_cdc.record_tested_version(this) }}',
        'on_schema_change': 'append_new_columns',
        'tblproperties': kafka_cdc.get_table_properties(is_by_batch=true, bounds=bounds),
    }) }}
{% endmacro %}

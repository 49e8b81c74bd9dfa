{#
  Returns the configuration of a table whose landing batches are each replaced as a whole, in one commit, and by no --full-refresh: the
  tables events and stream_profiles.
#}
{% macro get_batch_table_config() %}
    {{ return({
        'materialized': 'kept_incremental',
        'incremental_strategy': 'insert_overwrite',
        'partition_by': ['landing_batch'],
        'full_refresh': false,
        'post_hook': '{{ note_snapshot(this) }}',
        'on_schema_change': 'append_new_columns',
        'tblproperties': {
            'format-version': '2',
            'write.distribution-mode': 'none',
            'write.spark.fanout.enabled': 'true',
            'write.metadata.delete-after-commit.enabled': 'true',
        },
    }) }}
{% endmacro %}

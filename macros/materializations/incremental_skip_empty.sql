{#
  The materialization of the project's tables: dbt's `incremental`, but it skips a model that has nothing to write.

  A model reports that with record_nothing_to_write. The hooks run in both cases.
  Raises an error if a project sets another table format than landing and the macros use.
#}
{% materialization incremental_skip_empty, adapter='spark' %}
    {%- set file_format, table_format = config.get('file_format'), kafka_cdc.get_table_format() -%}
    {%- if file_format != table_format -%}
        {{ kafka_cdc.raise_error(
            'file_format of ' ~ this ~ ' is ' ~ file_format ~ ', and KAFKA_CDC_FILE_FORMAT is ' ~ table_format,
            'set KAFKA_CDC_FILE_FORMAT=' ~ file_format ~ ' in the environment of landing and of dbt, or in dbt_project.yml '
                ~ 'models: {kafka_cdc: {+file_format: ' ~ table_format ~ '}}'
        ) }}
    {%- endif -%}

    {%- set is_skipped = (this | string) in kafka_cdc.get_run_memory().get('nothing_to_write', {}) -%}
    {%- if is_skipped and load_relation(this) is not none and not should_full_refresh() -%}
        {{ return(kafka_cdc.skip_materialization(this, 'nothing new')) }}
    {%- endif -%}
    {{ return(materialization_incremental_spark()) }}
{% endmaterialization %}

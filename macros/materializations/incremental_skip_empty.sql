{#
  The materialization of the project's tables: dbt's `incremental`, but it skips a model that has nothing to write.

  A model reports that with record_nothing_to_write. The hooks run in both cases.
  A table that has all columns of the model is written by one statement. dbt creates a temporary view
  before it, so that Spark analyzes the query three times. That takes longer than a small run.
  The columns of the model are those of its properties, and of `expected_columns` in its meta. They are
  compared if the last run recorded others.
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
    {%- set existing = load_relation(this) -%}
    {%- if existing is none or should_full_refresh() -%}
        {{ return(materialization_incremental_spark()) }}
    {%- elif is_skipped -%}
        {{ return(kafka_cdc.skip_materialization(this, 'nothing new')) }}
    {%- endif -%}

    {#- The table may lack columns of a new version. Then dbt compares it with the query, and adds them. -#}
    {%- set expected_names = model.columns.keys() | list + (config.get('meta') or {}).get('expected_columns', []) -%}
    {%- set name, fingerprint = 'columns of ' ~ this.identifier, local_md5(tojson(expected_names))[:10] -%}
    {%- if not kafka_cdc.is_recorded_fingerprint(name, fingerprint) -%}
        {%- do kafka_cdc.begin_change(name) -%}
        {%- do kafka_cdc.record_fingerprint(name, fingerprint) -%}
        {%- set existing_names = adapter.get_columns_in_relation(existing) | map(attribute='name') | list -%}
        {%- if not expected_names or expected_names | reject('in', existing_names) | list -%}
            {{ return(materialization_incremental_spark()) }}
        {%- endif -%}
    {%- endif -%}

    {%- call statement() -%}
        set spark.sql.sources.partitionOverwriteMode = DYNAMIC
    {%- endcall -%}
    {{ run_hooks(pre_hooks) }}
    {%- call statement('main') -%}
        insert overwrite {{ this }} by name
        select *
        from (
            {{ sql }}
        )
    {%- endcall -%}
    {%- do apply_grants(this, config.get('grants'), should_revoke(existing, full_refresh_mode=false)) -%}
    {%- do persist_docs(this, model) -%}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [this]}) }}
{% endmaterialization %}

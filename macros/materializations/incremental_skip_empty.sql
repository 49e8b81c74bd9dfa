{#
  The materialization of this project's tables: as dbt's `incremental`, but where the table is there and the query ends in `where false`, nothing
  is to be written, and nothing is. (dbt would write no rows, for two seconds and a snapshot.) Stops where a project has named another table format
  for them than macros and landing write.
#}
{% materialization incremental_skip_empty, adapter='spark' %}
    {%- if config.get('file_format') != kafka_cdc.get_table_format() -%}
        {{ kafka_cdc.raise_error('file_format of ' ~ this ~ ' is ' ~ config.get('file_format') ~ ', and KAFKA_CDC_FILE_FORMAT is ' ~ kafka_cdc.get_table_format(),
                'say KAFKA_CDC_FILE_FORMAT=' ~ config.get('file_format') ~ ' in the environment of landing and of dbt, or in dbt_project.yml models: {kafka_cdc: {+file_format: ' ~ kafka_cdc.get_table_format() ~ '}}') }}
    {%- endif -%}
    {%- if load_relation(this) is none or should_full_refresh() or not modules.re.search('\\swhere\\s+false\\s*\\Z', sql) -%}
        {{ return(materialization_incremental_spark()) }}
    {%- endif -%}
    {{ return(kafka_cdc.skip_materialization(this, 'nothing new')) }}
{% endmaterialization %}

{#
  Returns the table format of raw and of the project's tables, a string: iceberg or delta.

  It is the environment variable KAFKA_CDC_FILE_FORMAT, which dbt_project.yml and landing read as
  well. An error is raised if the embedded target belongs to the other format.
#}
{% macro get_table_format() %}
    {%- set name = env_var('KAFKA_CDC_FILE_FORMAT', '') or 'iceberg' -%}
    {%- if name not in ['iceberg', 'delta'] -%}
        {{ kafka_cdc.raise_error('KAFKA_CDC_FILE_FORMAT is ' ~ name, 'set it to iceberg or delta') }}
    {%- endif -%}

    {%- set is_embedded = target.profile_name == 'kafka_cdc' and target.name in ['local', 'local_delta'] -%}
    {%- if is_embedded and (target.name == 'local_delta') != (name == 'delta') -%}
        {{ kafka_cdc.raise_error(
            'the target is ' ~ target.name ~ ', but KAFKA_CDC_FILE_FORMAT is ' ~ name,
            'local is for iceberg and local_delta for delta; remove KAFKA_CDC_TARGET, or set both'
        ) }}
    {%- endif -%}
    {{ return(name) }}
{% endmacro %}

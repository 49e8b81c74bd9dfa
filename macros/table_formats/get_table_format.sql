{#
  Returns the table format of raw and of the project's tables, iceberg or delta: the environment variable KAFKA_CDC_FILE_FORMAT, which
  dbt_project.yml and landing read as well. Stops dbt where the embedded target is the other format's.
#}
{% macro get_table_format() %}
    {%- set name = env_var('KAFKA_CDC_FILE_FORMAT', 'iceberg') -%}
    {%- if name not in ['iceberg', 'delta'] -%}
        {{ kafka_cdc.raise_error('KAFKA_CDC_FILE_FORMAT is ' ~ name, 'valid are iceberg and delta') }}
    {%- endif -%}
    {%- if target.profile_name == 'kafka_cdc' and target.name in ['local', 'local_delta'] and (target.name == 'local_delta') != (name == 'delta') -%}
        {{ kafka_cdc.raise_error('the target is ' ~ target.name ~ ', and KAFKA_CDC_FILE_FORMAT is ' ~ name, 'local is of Iceberg, local_delta of Delta; leave out KAFKA_CDC_TARGET, or say both') }}
    {%- endif -%}
    {{ return(name) }}
{% endmacro %}

{# Returns the table format of raw and of the project's tables, iceberg or delta: the environment variable KAFKA_CDC_FILE_FORMAT, which dbt_project.yml and landing read as well. #}
{% macro get_table_format() %}
    {%- set name = env_var('KAFKA_CDC_FILE_FORMAT', 'iceberg') -%}
    {%- if name not in ['iceberg', 'delta'] -%}
        {{ fail('KAFKA_CDC_FILE_FORMAT is ' ~ name, 'valid are iceberg and delta') }}
    {%- endif -%}
    {{ return(name) }}
{% endmacro %}

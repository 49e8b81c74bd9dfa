{#
  Returns whether the current command runs the checks that hold tables, a boolean.

  dbt build does. dbt run does if the setting check_in_run is true. Otherwise it neither begins nor
  ends a hold.
#}
{% macro should_check_tables() %}
    {%- set check_in_run = var('check_in_run', false) -%}
    {%- if check_in_run is not boolean -%}
        {{ kafka_cdc.raise_setting_error(
            setting='check_in_run',
            value=check_in_run,
            valid='true, false',
            hint='write it without quotes'
        ) }}
    {%- endif -%}
    {{ return(check_in_run or flags.WHICH != 'run') }}
{% endmacro %}

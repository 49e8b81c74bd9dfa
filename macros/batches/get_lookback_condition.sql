{#
  Returns a SQL condition on landed_at, a literal, that bounds what a run counts: lookback_days before the newest processed
  batch (before now where that lies ahead). None where nothing was processed yet or lookback_days is 0: everything is counted.
#}
{% macro get_lookback_condition(events) %}
    {%- set days = var('lookback_days', 30) -%}
    {%- if days is not integer or days is boolean or days < 0 -%}
        {{ kafka_cdc.raise_setting_error('lookback_days', days, 'a whole number of days from 0 (0: no bound)', 'write it without quotes') }}
    {%- endif -%}
    {%- if not execute or days == 0 or load_relation(events) is none %}{{ return(none) }}{% endif -%}
    {%- set newest = run_query('select cast(if(max(landed_at) is null, null, least(max(landed_at), current_timestamp())) - interval ' ~ days ~ ' days as string) from ' ~ events).columns[0].values()[0] -%}
    {%- set condition = "landed_at >= timestamp '" ~ newest ~ "'" -%}
    {{ return(none if newest is none else '(' ~ condition ~ ' or landed_at is null)' if kafka_cdc.get_raw_column_mapping() else condition) }}
{% endmacro %}

{#
  Returns a SQL condition on landed_at, a literal, that bounds what a run counts: look_back_days before the newest processed
  batch (before now where that lies ahead). None where nothing was processed yet or look_back_days is 0: everything is counted.
#}
{% macro get_look_back(events) %}
    {%- set days = var('look_back_days', 30) -%}
    {%- if days is not integer or days is boolean or days < 0 -%}
        {{ fail_setting('look_back_days', days, 'a whole number of days from 0 (0: no bound)', 'write it without quotes') }}
    {%- endif -%}
    {%- if not execute or days == 0 or load_relation(events) is none %}{{ return(none) }}{% endif -%}
    {%- set newest = run_query('select cast(if(max(landed_at) is null, null, least(max(landed_at), current_timestamp())) - interval ' ~ days ~ ' days as string) from ' ~ events).columns[0].values()[0] -%}
    {%- set condition = "landed_at >= timestamp '" ~ newest ~ "'" -%}
    {{ return(none if newest is none else '(' ~ condition ~ ' or landed_at is null)' if get_raw_columns() else condition) }}
{% endmacro %}

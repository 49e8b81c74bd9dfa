{#
  Returns whether events are to be merged into base_events (held): when those that are not merged are at least the share merge_share of it (a
  setting; 0: always), and not few. base: of get_base.
#}
{% macro is_worth_a_merge(base, held) %}
    {%- set share, few = var('merge_share', 0.2), 10000 -%}
    {%- if share is not number or share is boolean or share < 0 -%}
        {{ fail_setting('merge_share', share, 'a number from 0 (0: merge in each run)', 'write it without quotes, for example 0.2') }}
    {%- endif -%}
    {%- if base.snapshot is none or not base.tail_events and base.is_whole %}{{ return(false) }}{% endif -%}
    {%- if share == 0 %}{{ return(true) }}{% endif -%}
    {%- set kept = run_query('select coalesce(sum(record_count), 0) from ' ~ held ~ '.files').columns[0].values()[0] if base.is_whole else 0 -%}
    {{ return(base.tail_events >= few and base.tail_events >= share * kept) }}
{% endmacro %}

{#
  Returns whether events are to be merged into compacted_events: when those that are not merged are at least the share compaction_threshold of it (a setting;
  0: always) and not few, or lie in very many batches. coverage: of get_compaction_coverage. base: the relation, with its version; none for none.
#}
{% macro should_compact(coverage, base) %}
    {%- set share, few, many_batches = var('compaction_threshold', 0.2), 10000, 1000 -%}
    {%- if share is not number or share is boolean or share < 0 -%}
        {{ kafka_cdc.raise_setting_error('compaction_threshold', share, 'a number from 0 (0: merge in each run)', 'write it without quotes, for example 0.2') }}
    {%- endif -%}
    {%- if coverage.snapshot is none or coverage.holds and not coverage.tail %}{{ return(false) }}{% endif -%}
    {%- if share == 0 or coverage.tail | length > many_batches %}{{ return(true) }}{% endif -%}
    {%- if coverage.tail_events < few %}{{ return(false) }}{% endif -%}
    {%- set kept = run_query('select count(*) from ' ~ base).columns[0].values()[0] if coverage.holds else 0 -%}
    {{ return(coverage.tail_events >= share * kept) }}
{% endmacro %}

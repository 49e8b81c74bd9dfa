{#
  Returns whether to compact the pending events now, a boolean.

  It is true if at least 10,000 events are pending and they number at least the share
  compaction_threshold (a setting, 0.2 by default) of compacted_events. It is also true if they span
  more than 1,000 landing batches. With the threshold 0 it is true in every run with pending
  batches.

  Arguments:
    coverage (dict[string, any]): from get_compaction_coverage.
    compacted (optional[string]): SQL of compacted_events at one of its versions; none if it has
      none.
#}
{% macro should_compact(coverage, compacted) %}
    {%- set min_events, max_batches = 10000, 1000 -%}
    {%- set threshold = var('compaction_threshold', 0.2) -%}
    {%- if threshold is not number or threshold is boolean or threshold < 0 -%}
        {{ kafka_cdc.raise_setting_error(
            setting='compaction_threshold',
            value=threshold,
            valid='a number from 0 (0: compact in each run)',
            hint='write it without quotes, for example 0.2'
        ) }}
    {%- endif -%}

    {%- if coverage.version is none or coverage.is_valid and not coverage.pending_batches -%}
        {{ return(false) }}
    {%- endif -%}
    {%- if threshold == 0 or coverage.pending_batches | length > max_batches -%}
        {{ return(true) }}
    {%- endif -%}
    {%- if coverage.pending_events < min_events -%}
        {{ return(false) }}
    {%- endif -%}

    {%- set retained_events = 0 -%}
    {%- if coverage.is_valid -%}
        {%- set retained_events = run_query('select count(*) from ' ~ compacted).columns[0].values()[0] -%}
    {%- endif -%}
    {{ return(coverage.pending_events >= threshold * retained_events) }}
{% endmacro %}

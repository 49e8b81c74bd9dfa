{#
  Returns whether to merge the pending events now, a boolean.

  It is true if at least 10,000 events are pending and they number at least the share
  compaction_threshold (a setting, 0.2 by default) of merged_rows. It is also true if they span
  more than 1,000 landing batches, or if the hold of a table has ended. With the threshold 0 it is true
  in every run with pending batches.

  Arguments:
    coverage (dict[string, any]): from get_merge_coverage.
    merged (optional[string]): SQL of merged_rows at one of its versions; none if it has
      none.
#}
{% macro should_merge(coverage, merged) %}
    {%- set min_events, max_batches = 10000, 1000 -%}
    {%- set threshold = var('compaction_threshold', 0.2) -%}
    {%- if threshold is not number or threshold is boolean or threshold < 0 -%}
        {{ kafka_cdc.raise_setting_error(
            setting='compaction_threshold',
            value=threshold,
            valid='a number from 0 (0: merge in each run)',
            hint='write it without quotes, for example 0.2'
        ) }}
    {%- endif -%}

    {%- set is_complete = coverage.is_valid and not coverage.pending_batches and not coverage.released_tables -%}
    {%- if coverage.version is none or is_complete -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set has_released_events = coverage.released_tables and coverage.all_events >= min_events -%}
    {%- if threshold == 0 or coverage.pending_batches | length > max_batches or has_released_events -%}
        {{ return(true) }}
    {%- endif -%}
    {%- if coverage.pending_events < min_events -%}
        {{ return(false) }}
    {%- endif -%}

    {%- set merged_rows = 0 -%}
    {%- if coverage.is_valid -%}
        {%- set merged_rows = run_query('select count(*) from ' ~ merged).columns[0].values()[0] -%}
    {%- endif -%}
    {{ return(coverage.pending_events >= threshold * merged_rows) }}
{% endmacro %}

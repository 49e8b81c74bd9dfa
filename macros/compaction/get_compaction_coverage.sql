{#
  Returns how much of events compacted_events holds, told by the names of its files: a mapping with
  holds (whether every batch that is merged stands in events as it was merged, by the rule of now; else the base is not to be read), tail (the
  landing batches that are not merged; all, where it does not hold), tail_events (how many events these have) and all_events (how many there are).
  The mapping says the snapshot of events, too: the newest, or the one that is published; and keeps_all, of get_full_history_condition.
  base: SQL of compacted_events at one of its snapshots; none for none.
#}
{% macro get_compaction_coverage(events, base, is_published=false) %}
    {%- set snapshot = none -%}
    {%- if execute and load_relation(events) is not none -%}
        {%- set snapshot = kafka_cdc.get_published_version(events) if is_published else kafka_cdc.get_latest_version(events) -%}
    {%- endif -%}
    {%- set coverage = {'snapshot': snapshot, 'holds': false, 'tail': [], 'tail_events': 0, 'all_events': 0} -%}
    {%- if snapshot is none %}{{ return(coverage) }}{% endif -%}
    {%- do coverage.update({'keeps_all': kafka_cdc.get_full_history_condition()}) -%}
    {%- set merged_batches = 'select landing_batch, merged_version from ' ~ base ~ " where event_kind = 'merged'" -%}
    {%- if base is none %}{% set merged_batches = 'select cast(null as bigint) as landing_batch, cast(null as bigint) as merged_version where false' %}{% endif -%}
    {%- set query -%}
        select
            coalesce(bool_and(is_as_merged) and bool_or(is_merged), false) as holds,
            concat('[', array_join(array_sort(collect_list(if(is_merged, null, landing_batch))), ','), ']') as tail,
            cast(coalesce(sum(if(is_merged, 0, events)), 0) as bigint) as tail_events,
            cast(coalesce(sum(events), 0) as bigint) as all_events
        from (
            select
                landing_batch,
                events,
                merged.merged_version is not null as is_merged,
                merged.merged_version is null or merged.merged_version <=> written.merged_version as is_as_merged
            from ({{ kafka_cdc.select_batch_fingerprints(events, snapshot, coverage.keeps_all) }}) as written
            full join ({{ merged_batches }}) as merged using (landing_batch)
        ) as batches
    {%- endset -%}
    {%- set found = run_query(query).rows[0] -%}
    {%- do coverage.update({'holds': found.holds, 'tail_events': found.tail_events if found.holds else found.all_events, 'all_events': found.all_events}) -%}
    {%- if found.holds %}{% do coverage.update({'tail': fromjson(found.tail)}) %}{% endif -%}
    {{ return(coverage) }}
{% endmacro %}

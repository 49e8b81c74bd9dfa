{#
  Returns whether compacted_events still matches events, and which landing batches it lacks.

  The macro compares the names of data files per batch. Each compacted batch has a row in
  compacted_events with a fingerprint of the files that it was read from
  (select_batch_fingerprints).

  Example: compacted_events has the fingerprints of batches 1 to 3.
    batches in events                         is_valid  pending_batches
    1, 2, 3                                   true      []
    1, 2, 3, 4, 5                             true      [4, 5]
    1, 2, 3, where 2 was replayed             false     []
    1, 3                                      false     []
    1, 2, 3, and the setting order_by changed false     []

  Arguments:
    events (relation): the model events.
    compacted (optional[string]): SQL of compacted_events at one of its versions; none if it has
      none.
    is_published (boolean): whether to compare with the published version of events or with the
      latest.

  Returns: a mapping with
    version (integer): the version of events that was compared; none if events has none.
    is_valid (boolean): every compacted batch is unchanged and was compacted with the current
      settings. If false, do not read compacted_events.
    pending_batches (list[integer]): batches not yet compacted; empty if not is_valid.
    pending_events (integer): number of events to read from events: those of the pending batches,
      or all events if not is_valid.
    all_events (integer): number of all events.
    full_history_condition (optional[string]): from get_full_history_condition; absent if there is
      no version.
#}
{% macro get_compaction_coverage(events, compacted, is_published=false) %}
    {%- set version = none -%}
    {%- if execute and load_relation(events) is not none -%}
        {%- if is_published -%}
            {%- set version = kafka_cdc.get_published_version(events) -%}
        {%- else -%}
            {%- set version = kafka_cdc.get_latest_version(events, is_fresh=false) -%}
        {%- endif -%}
    {%- endif -%}

    {%- set coverage = {
        'version': version,
        'is_valid': false,
        'pending_batches': [],
        'pending_events': 0,
        'all_events': 0,
    } -%}
    {%- if version is none -%}
        {{ return(coverage) }}
    {%- endif -%}
    {%- do coverage.update({'full_history_condition': kafka_cdc.get_full_history_condition()}) -%}

    {%- set compacted_batches -%}
        {%- if compacted is none -%}
            select cast(null as bigint) as landing_batch, cast(null as bigint) as merged_version where false
        {%- else -%}
            select landing_batch, merged_version from {{ compacted }} where event_kind = 'merged'
        {%- endif -%}
    {%- endset -%}

    {%- set query -%}
        select
            coalesce(bool_and(is_unchanged) and bool_or(is_compacted), false) as is_valid,
            concat(
                '[',
                array_join(array_sort(collect_list(if(is_compacted, null, landing_batch))), ','),
                ']'
            ) as pending_batches,
            cast(coalesce(sum(if(is_compacted, 0, events)), 0) as bigint) as pending_events,
            cast(coalesce(sum(events), 0) as bigint) as all_events
        from (
            select
                landing_batch,
                events,
                compacted.merged_version is not null as is_compacted,
                compacted.merged_version is null
                or compacted.merged_version <=> written.merged_version as is_unchanged
            from (
                {{ kafka_cdc.select_batch_fingerprints(events, version, coverage.full_history_condition) }}
            ) as written
            full join ({{ compacted_batches }}) as compacted using (landing_batch)
        ) as batches
    {%- endset -%}
    {%- set known = kafka_cdc.get_run_memory().setdefault('compaction_coverage', {}) -%}
    {%- if query not in known -%}
        {%- do known.update({query: run_query(query).rows[0]}) -%}
    {%- endif -%}
    {%- set found = known[query] -%}

    {%- do coverage.update({
        'is_valid': found.is_valid,
        'pending_batches': fromjson(found.pending_batches) if found.is_valid else [],
        'pending_events': found.pending_events if found.is_valid else found.all_events,
        'all_events': found.all_events,
    }) -%}
    {{ return(coverage) }}
{% endmacro %}

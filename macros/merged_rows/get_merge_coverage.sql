{#
  Returns whether merged_rows still matches events, and what it lacks.

  The macro compares the names of data files per batch. Each merged batch has a row in merged_rows
  with a fingerprint of the files that it was read from (select_batch_fingerprints).

  Example: merged_rows has the fingerprints of batches 1 to 3.
    batches in events                         is_valid  pending_batches
    1, 2, 3                                   true      []
    1, 2, 3, 4, 5                             true      [4, 5]
    1, 2, 3, where 2 was replayed             false     []
    1, 3                                      false     []
    1, 2, 3, and the setting order_by changed false     []

  Arguments:
    events (relation): the model events.
    merged (optional[string]): SQL of merged_rows at one of its versions; none if it has none.
    holds (list[dict[string, any]]): the held tables, from get_holds.
    is_published (boolean): whether to compare with the published version of events or with the
      latest.

  Returns: a mapping with
    version (integer): the version of events that was compared; none if events has none.
    is_valid (boolean): every merged batch is unchanged and was merged by the current rules. If
      false, do not read merged_rows.
    pending_batches (list[integer]): batches not yet merged; empty if not is_valid.
    pending_events (integer): number of their events, or of all events if not is_valid.
    all_events (integer): number of all events.
    held_tables (list[dict[string, string]]): the held tables, without duplicates.
    released_tables (list[dict[string, string]]): tables that were left out because they were held,
      and are held no longer; empty if not is_valid.
    unmerged_condition (optional[string]): the condition on a row or change that its table is not in
      merged_rows, because of its settings and events (get_unmerged_condition) or because it is held.
#}
{% macro get_merge_coverage(events, merged, holds, is_published=false) %}
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
        'held_tables': [],
        'released_tables': [],
        'unmerged_condition': none,
    } -%}
    {%- if version is none -%}
        {{ return(coverage) }}
    {%- endif -%}
    {%- set fingerprints = kafka_cdc.select_batch_fingerprints(events, version) -%}
    {%- set columns = kafka_cdc.get_table_columns() | join(', ') -%}

    {%- set query -%}
        select
            coalesce(bool_and(is_unchanged) and bool_or(is_merged), false) as is_valid,
            concat(
                '[',
                array_join(array_sort(collect_list(if(is_merged, null, landing_batch))), ','),
                ']'
            ) as pending_batches,
            cast(coalesce(sum(if(is_merged, 0, events)), 0) as bigint) as pending_events,
            cast(coalesce(sum(events), 0) as bigint) as all_events,
            {%- if merged is none %}
            '[]' as left_out_tables
            {%- else %}
            (
                select to_json(collect_list(struct({{ columns }})))
                from {{ merged }}
                where row_kind = 'left_out'
            ) as left_out_tables
            {%- endif %}
        from (
            select
                landing_batch,
                events,
                known.merged_version is not null as is_merged,
                known.merged_version is null
                or known.merged_version <=> written.merged_version as is_unchanged
            from (
                {{ fingerprints }}
            ) as written
            full join (
                {%- if merged is none %}
                select cast(null as bigint) as landing_batch, cast(null as bigint) as merged_version where false
                {%- else %}
                select landing_batch, merged_version from {{ merged }} where row_kind = 'batch'
                {%- endif %}
            ) as known using (landing_batch)
        ) as batches
    {%- endset -%}
    {%- set known = kafka_cdc.get_run_memory().setdefault('merge_coverage', {}) -%}
    {%- if query not in known -%}
        {%- do known.update({query: run_query(query).rows[0]}) -%}
    {%- endif -%}
    {%- set found = known[query] -%}

    {%- set held_tables, released_tables = [], [] -%}
    {%- for hold in holds -%}
        {%- set held_table = {} -%}
        {%- for column in kafka_cdc.get_table_columns() -%}
            {%- do held_table.update({column: hold[column]}) -%}
        {%- endfor -%}
        {%- if held_table not in held_tables -%}
            {%- do held_tables.append(held_table) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if found.is_valid -%}
        {%- do released_tables.extend(fromjson(found.left_out_tables) | reject('in', held_tables) | list) -%}
    {%- endif -%}
    {%- set conditions = [kafka_cdc.get_unmerged_condition()] | select | list -%}
    {%- if held_tables -%}
        {%- do conditions.append(kafka_cdc.tables_condition(held_tables)) -%}
    {%- endif -%}

    {%- do coverage.update({
        'is_valid': found.is_valid,
        'pending_batches': fromjson(found.pending_batches) if found.is_valid else [],
        'pending_events': found.pending_events if found.is_valid else found.all_events,
        'all_events': found.all_events,
        'held_tables': held_tables,
        'released_tables': released_tables,
        'unmerged_condition': conditions | join(' or ') or none,
    }) -%}
    {{ return(coverage) }}
{% endmacro %}

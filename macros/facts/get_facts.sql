{#
  Returns facts about the stream and its source tables, from a version of event_batch_stats.

  A run asks one query per version: before it reads messages, and after it has summarized them. What
  the facts rule out is neither asked nor printed.

  Arguments:
    statistics (optional[string]): SQL of the version, from get_versioned_relation; none before there
      are statistics.

  Returns: a mapping (dict[string, any]) with
    stream (dict[string, integer]): see get_stream_facts.
    tables (dict[string, boolean]): see get_table_facts.
    formats (list[string]): the message formats of the events.
    key_change_sources (list[string]): sources with split updates or partial primary-key updates.
    tombstone_topics (list[string]): topics with a tombstone directly after something other than a delete.
    has_outdated_mappings (boolean): whether events have another format or source than `topics` sets.
    newest_landing (optional[string]): when the newest message landed, in the time zone of the session.
#}
{% macro get_facts(statistics) %}
    {%- set names = [
        'before_events',
        'partial_moves',
        'path_updates',
        'truncates',
        'drops',
        'renames',
        'snapshot_rows',
        'tombstones',
    ] -%}
    {%- set partition -%}
    if(sequenced_changes + unsequenced_changes > 0, struct(kafka_topic, kafka_partition), null)
    {%- endset -%}
    {#- The topic of changes that are named after their format, because no message names their stream. -#}
    {%- set unnamed_topic = 'if(changes > 0 and source_name = source_format, kafka_topic, null)' -%}
    {%- set several_partitions = 'min(' ~ partition ~ ') <> max(' ~ partition ~ ')' -%}
    {%- set conditions = {
        'several_partitions': several_partitions,
        'unsequenced_partitions': several_partitions ~ ' and sum(unsequenced_changes) > 0',
        'mixed_sequences': 'sum(sequenced_changes) > 0 and sum(unsequenced_changes) > 0',
        'unnamed_streams': 'min(' ~ unnamed_topic ~ ') <> max(' ~ unnamed_topic ~ ')',
        'missing_keys': 'sum(keyless_changes) > 0 and sum(changes - keyless_changes) > 0',
        'without_keys': 'sum(keyless_changes) > 0 and sum(keyless_changes) = sum(changes)',
        'silent_statements': 'sum(silent_statements) > 0',
        'repeated_snapshots': kafka_cdc.repeated_snapshots_condition(),
    } -%}
    {%- set lists = {
        'formats': 'source_format',
        'key_change_sources': 'if(before_events + partial_moves > 0, source_name, null)',
        'tombstone_topics': 'if(lone_tombstones > 0, kafka_topic, null)',
    } -%}
    {%- if statistics is none -%}
        {%- set stream = dict(dict.fromkeys(names, 1), masks=0) -%}
        {{ return(dict(
            dict.fromkeys(lists, []),
            stream=stream,
            tables=dict.fromkeys(conditions, true),
            has_outdated_mappings=true,
            newest_landing=none
        )) }}
    {%- endif -%}

    {%- set known = kafka_cdc.get_run_memory().setdefault('facts', {}) -%}
    {%- if statistics not in known -%}
        {%- set existing = kafka_cdc._get_counters(statistics, names) -%}
        {%- set query -%}
            select
                {%- for name in names + ['masks'] %}
                coalesce(sum({{ name }}), 0) as {{ name }},
                {%- endfor %}
                {%- for name in conditions %}
                coalesce(bool_or({{ name }}), false) as {{ name }},
                {%- endfor %}
                {%- for name in lists %}
                to_json(array_sort(array_distinct(flatten(collect_list({{ name }}))))) as {{ name }},
                {%- endfor %}
                coalesce(bool_or(is_outdated), false) as has_outdated_mappings,
                cast(max(newest_landing) as string) as newest_landing
            from (
                select
                    {%- for name in names %}
                    {{ 'sum(' ~ name ~ ')' if name in existing else 0 }} as {{ name }},
                    {%- endfor %}
                    count_if(exists(columns, column -> startswith(column.type, 'masked('))) as masks,
                    {%- for name, condition in conditions.items() %}
                    {{ condition }} as {{ name }},
                    {%- endfor %}
                    {%- for name, value in lists.items() %}
                    collect_set({{ value }}) as {{ name }},
                    {%- endfor %}
                    bool_or({{ kafka_cdc.outdated_mapping_condition() | indent(20) }}) as is_outdated,
                    max(landed_at) as newest_landing
                from (
                    select
                        *,
                        {{ kafka_cdc.topic_settings('kafka_topic') | indent(24) }} as settings
                    from {{ statistics }}
                ) as statistics
                group by {{ kafka_cdc.get_table_columns() | join(', ') }}
            ) as tables
        {%- endset -%}
        {%- set found, facts = run_query(query).rows[0], {'stream': {}, 'tables': {}} -%}
        {%- for name in names + ['masks'] -%}
            {%- do facts.stream.update({name: found[name] | int}) -%}
        {%- endfor -%}
        {%- for name in conditions -%}
            {%- do facts.tables.update({name: found[name]}) -%}
        {%- endfor -%}
        {%- for name in lists -%}
            {%- do facts.update({name: fromjson(found[name] or '[]')}) -%}
        {%- endfor -%}
        {%- do facts.update({
            'has_outdated_mappings': found.has_outdated_mappings,
            'newest_landing': found.newest_landing,
        }) -%}
        {%- do known.update({statistics: facts}) -%}
    {%- endif -%}
    {{ return(known[statistics]) }}
{% endmacro %}

{#
  Returns the counters that a version of event_batch_stats has, of some names (list[string]).

  An older version of this package may have written and published it. A run that finds all of them
  in the published version records that, so that the next one need not ask.
#}
{% macro _get_counters(statistics, names) %}
    {%- set record, fingerprint = 'counters of event_batch_stats', local_md5(names | join(', '))[:10] -%}
    {%- if kafka_cdc.is_recorded_fingerprint(record, fingerprint) -%}
        {{ return(names) }}
    {%- endif -%}

    {%- set columns = run_query('select * from ' ~ statistics ~ ' where false').column_names -%}
    {%- set version = kafka_cdc.get_versions(kafka_cdc.get_model_relation('event_batch_stats')) -%}
    {%- set has_all = not names | reject('in', columns) | list and version.latest == version.published -%}
    {%- if has_all and flags.WHICH in ['run', 'build'] -%}
        {%- do kafka_cdc.begin_change(record) -%}
        {%- do kafka_cdc.record_fingerprint(record, fingerprint) -%}
    {%- endif -%}
    {{ return(names | select('in', columns) | list) }}
{% endmacro %}

{#
  Returns SQL of the checks that may have findings about source tables, list[string].

  Cheap questions to the statistics leave out the checks that cannot find anything, because Spark
  takes seconds to plan and run all of them. If the command runs no checks (should_check_tables),
  the published findings stay. The setting hold always counts. Columns: see select_findings.

  Arguments:
    relations (dict[string, relation]): the models events, event_batch_stats, sequence_resets,
      outdated_topic_mappings and chain_breaks.
    published_holds (optional[string]): SQL of the published version of table_holds, if there is one.
    unchecked_batches (optional[list[integer]]): from get_batches_with_unchecked_keys; none checks
      all keys.
#}
{% macro get_checks(relations, published_holds, unchecked_batches=none) -%}
    {%- set batch_stats, checks = relations.event_batch_stats, [] -%}
    {%- if kafka_cdc.should_check_tables() -%}
        {%- set all_facts = kafka_cdc.get_facts(kafka_cdc.get_versioned_relation(batch_stats)) -%}
        {%- set facts, table_facts = all_facts.stream, all_facts.tables -%}
        {%- if facts.truncates or facts.drops or facts.renames
            or table_facts.mixed_sequences or table_facts.unsequenced_partitions
            or table_facts.several_partitions and kafka_cdc.has_table_setting('order_by', ['offset']) -%}
            {%- do checks.append(
                kafka_cdc.select_unordered_tables(relations.events, batch_stats, unchecked_batches)
            ) -%}
        {%- endif -%}
        {%- if kafka_cdc.get_sequence_resets()
            or kafka_cdc.get_batches_around_falls(batch_stats) -%}
            {%- do checks.append(kafka_cdc.select_falling_sequences(relations.sequence_resets, batch_stats)) -%}
        {%- endif -%}
        {%- if table_facts.unnamed_streams and kafka_cdc.get_topic_settings() -%}
            {%- do checks.append(kafka_cdc._select_unnamed_streams(batch_stats)) -%}
        {%- endif -%}
        {%- if table_facts.missing_keys -%}
            {%- do checks.append(kafka_cdc.select_missing_keys(batch_stats)) -%}
        {%- endif -%}
        {%- if all_facts.has_outdated_mappings -%}
            {%- do checks.append(kafka_cdc._select_remapped_tables(relations.outdated_topic_mappings, batch_stats)) -%}
        {%- endif -%}
        {%- if kafka_cdc.has_masks() or facts.masks -%}
            {%- do checks.append(kafka_cdc.select_remasked_tables(batch_stats)) -%}
        {%- endif -%}
        {%- if kafka_cdc.get_check_chains() == 'hold' or kafka_cdc.has_table_setting('check_chains', ['hold']) -%}
            {%- do checks.append(kafka_cdc._select_broken_chains(relations.chain_breaks, batch_stats)) -%}
        {%- endif -%}
    {%- elif published_holds -%}
        {%- do checks.append(kafka_cdc._published_findings(published_holds)) -%}
    {%- endif -%}
    {%- if kafka_cdc.has_table_setting('hold', ['true']) -%}
        {%- do checks.append(kafka_cdc._select_tables_held_by_setting(batch_stats)) -%}
    {%- endif -%}
    {{ return(checks) }}
{%- endmacro %}

{# Prints a SELECT: the findings of the published holds, but those of the setting hold. #}
{% macro _published_findings(published_holds) -%}
select
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    check_name,
    finding,
    remedy
from {{ published_holds }}
where check_name not in ('held_by_setting', 'renamed_with_held_table')
{%- endmacro %}

{#
  Prints a SELECT: the source tables that a line of the setting `tables` holds (hold: true).

  Columns: see select_findings.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro _select_tables_held_by_setting(batch_stats) -%}
select distinct
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    'held_by_setting' as check_name,
    concat(
        'table ', {{ kafka_cdc.table_path() | indent(8) }}, ' of source ', source_name, ' has hold: true'
    ) as finding,
    'To publish it again, remove hold: true from its line in tables' as remedy
from {{ batch_stats }}
where
    changes > 0
    and {{ kafka_cdc.table_setting('hold', "'false'") | indent(4) }} = 'true'
{%- endmacro %}

{#
  Prints a SELECT: the source tables of topics that the setting `topics` now maps differently.

  Earlier messages of such a topic were read in one way, and later ones are read in another. Each
  table would then have a part of its changes. There is one row per table and topic, because each
  topic must be read again. Columns: see select_findings.

  Arguments:
    outdated_mappings (relation): the model outdated_topic_mappings.
    batch_stats (relation): the model event_batch_stats.
#}
{% macro _select_remapped_tables(outdated_mappings, batch_stats) -%}
select distinct
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    'changed_mapping' as check_name,
    mappings.finding,
    mappings.remedy
from {{ batch_stats }}
inner join (
    select
        kafka_topic,
        array_join(array_sort(collect_list(finding)), '; ') as finding,
        any_value(remedy) as remedy
    from {{ outdated_mappings }}
    group by kafka_topic
) as mappings using (kafka_topic)
where changes > 0
{%- endmacro %}

{#
  Prints a SELECT: the source tables with broken chains that are to be held (check_chains: hold).

  A snapshot of the table that lands later resolves the break. Columns: see select_findings.

  Arguments:
    chain_breaks (relation): the model chain_breaks.
    batch_stats (relation): the model event_batch_stats.
#}
{% macro _select_broken_chains(chain_breaks, batch_stats) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
select
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    'broken_chain' as check_name,
    concat(
        'the before images of ', sum(changes), ' changes of table ', {{ kafka_cdc.table_path() | indent(8) }},
        ' of source ', source_name, ' are not the rows before them, first at topic ', min(first_change).kafka_topic,
        ', partition ', min(first_change).kafka_partition, ', offset ', min(first_change).kafka_offset
    ) as finding,
    concat(
        'Take a new snapshot of the table, or accept the break in tables: - {table: ',
        {{ kafka_cdc.table_path() | indent(8) }}, ', source: ', source_name, ', check_chains: warn}'
    ) as remedy
from (
    {{ kafka_cdc.select_known_breaks(chain_breaks, batch_stats) | indent(4) }}
) as known_breaks
where
    is_alarm
    and not is_resolved
    and {{ kafka_cdc.check_chains() | indent(4) }} = 'hold'
group by {{ table }}
{%- endmacro %}

{#
  Prints a SELECT: the source tables that may be tables of several streams with the same name.

  Topics of different entries of the setting `topics` are different streams. The messages of such a table
  do not name their stream, no entry sets a source, and its topics have different entries. Topics
  without an entry count as one stream. Columns: see select_findings.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro _select_unnamed_streams(batch_stats) -%}
{%- set table = kafka_cdc.get_table_columns() -%}
select
    {{ table | join(',\n    ') }},
    'unnamed_streams' as check_name,
    concat(
        'table ', {{ kafka_cdc.table_path() | indent(8) }}, ' of source ', source_name,
        ' is in topics with different entries in topics, and its messages do not name their stream: ',
        array_join(array_sort(collect_set(kafka_topic)), ', ')
    ) as finding,
    concat(
        'If this is one stream, write one entry for its topics: - {topic: [',
        array_join(array_sort(collect_set(kafka_topic)), ', '),
        '], ...}. Otherwise add a source to each entry, then run dbt build --vars \'{replay: ["',
        array_join(array_sort(collect_set(kafka_topic)), '", "'), '"]}\''
    ) as remedy
from (
    select
        *,
        {{ kafka_cdc.topic_settings('kafka_topic') | indent(8) }} as settings
    from {{ batch_stats }}
    where changes > 0 and source_name = source_format
) as unnamed_changes
where settings.source is null
group by {{ table | join(', ') }}
having count(distinct coalesce(settings.entry, '')) > 1
{%- endmacro %}

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
            or table_facts.several_partitions
                and kafka_cdc.has_table_setting('order_by', ['offset', 'kafka_timestamp']) -%}
            {%- do checks.append(
                kafka_cdc.select_unordered_tables(relations.events, batch_stats, unchecked_batches)
            ) -%}
        {%- endif -%}
        {%- if kafka_cdc.get_sequence_resets()
            or kafka_cdc.get_batches_around_falls(batch_stats) -%}
            {%- do checks.append(kafka_cdc.select_falling_sequences(relations.sequence_resets, batch_stats)) -%}
        {%- endif -%}
        {%- if table_facts.unnamed_streams and kafka_cdc.get_topic_settings() -%}
            {%- do checks.append(kafka_cdc.select_unnamed_streams(batch_stats)) -%}
        {%- endif -%}
        {%- if table_facts.missing_keys -%}
            {%- do checks.append(kafka_cdc.select_missing_keys(batch_stats)) -%}
        {%- endif -%}
        {%- if all_facts.has_outdated_mappings -%}
            {%- do checks.append(kafka_cdc.select_remapped_tables(relations.outdated_topic_mappings, batch_stats)) -%}
        {%- endif -%}
        {%- if kafka_cdc.has_masks() or facts.masks -%}
            {%- do checks.append(kafka_cdc.select_remasked_tables(batch_stats)) -%}
        {%- endif -%}
        {%- if kafka_cdc.get_check_chains() == 'hold' or kafka_cdc.has_table_setting('check_chains', ['hold']) -%}
            {%- do checks.append(kafka_cdc.select_broken_chains(relations.chain_breaks, batch_stats)) -%}
        {%- endif -%}
    {%- elif published_holds -%}
        {%- do checks.append(kafka_cdc._published_findings(published_holds)) -%}
    {%- endif -%}
    {%- if kafka_cdc.has_table_setting('hold', ['true']) -%}
        {%- do checks.append(kafka_cdc.select_tables_held_by_setting(batch_stats)) -%}
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

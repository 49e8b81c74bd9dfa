{#
  Returns SQL of the checks that may find something to warn of, list[string].

  The facts about the stream leave out the checks that cannot find anything, because Spark takes a
  while to plan each of them. A check whose view does not exist is left out, too: a command may
  build a part of the models. Each query has the column `finding`, a sentence.

  Arguments:
    relations (dict[string, relation]): the models events, event_batch_stats,
      outdated_topic_mappings, orphan_tombstones, unreplicated_ddl_effects, broken_chains,
      topic_expectations, split_updates and stale_rows; and offsets, the table of landing.
#}
{% macro get_warnings(relations) %}
    {%- set batch_stats = relations.event_batch_stats -%}
    {%- set facts = kafka_cdc.get_facts(kafka_cdc.get_versioned_relation(batch_stats)) -%}
    {%- set new_batches = kafka_cdc.get_new_batches(relations.events) -%}
    {%- set checks_chains = kafka_cdc.get_check_chains() != 'off'
        or kafka_cdc.has_table_setting('check_chains', ['warn', 'hold']) -%}

    {%- set checks = [] -%}
    {%- if new_batches != [] -%}
        {%- do checks.append(kafka_cdc.select_rejected_messages(relations.events, new_batches)) -%}
    {%- endif -%}
    {%- if execute and kafka_cdc.has_table(relations.offsets) -%}
        {%- do checks.append(kafka_cdc.select_lost_offsets(relations.offsets, batch_stats, new_batches)) -%}
    {%- endif -%}
    {%- if facts.tables.without_keys -%}
        {%- do checks.append(kafka_cdc.select_tables_without_keys(batch_stats)) -%}
    {%- endif -%}

    {%- for view, is_possible, select in [
        ('topic_expectations', true, kafka_cdc.select_unmet_expectations),
        ('outdated_topic_mappings', facts.has_outdated_mappings, kafka_cdc.select_remapped_topics),
        ('orphan_tombstones', facts.tombstone_topics, kafka_cdc.select_lone_tombstones),
        ('unreplicated_ddl_effects', facts.tables.silent_statements, kafka_cdc.select_unreplicated_statements),
        ('broken_chains', checks_chains, kafka_cdc.select_chain_alarms),
        ('split_updates', facts.stream.before_events, kafka_cdc.select_unpaired_before_events),
        ('stale_rows', facts.tables.repeated_snapshots, kafka_cdc.select_rows_missing_in_snapshots),
    ] if is_possible and kafka_cdc.has_built_view(view) -%}
        {%- do checks.append(select(relations[view])) -%}
    {%- endfor -%}
    {{ return(checks) }}
{% endmacro %}

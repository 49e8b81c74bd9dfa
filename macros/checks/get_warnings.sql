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
        {%- do checks.append(kafka_cdc._select_rejected_messages(relations.events, new_batches)) -%}
    {%- endif -%}
    {%- if execute and kafka_cdc.has_table(relations.offsets) -%}
        {%- do checks.append(kafka_cdc._select_lost_offsets(relations.offsets, batch_stats, new_batches)) -%}
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

{#
  Prints a SELECT: a finding for each topic with offsets that Kafka deleted before landing.

  Lost offsets are new if landing noticed them after the newest published batch. max_lost in `expect`
  of an entry in topics sets how many offsets are accepted. The default is 0.

  Arguments:
    offsets (relation): the table of landing with the ranges of offsets.
    batch_stats (relation): the model event_batch_stats.
    new_batches (optional[list[integer]]): from get_unpublished_batches; none: all batches.
#}
{% macro _select_lost_offsets(offsets, batch_stats, new_batches) -%}
{%- set settings = kafka_cdc.get_topic_settings() -%}
select concat(
    'topic ', topic, ': Kafka deleted ', offsets,
    if(offsets = 1, ' offset before landing read it', ' offsets before landing read them'),
    ', for example from partition ',
    first_range.`partition`, ', offset ', first_range.first_offset, '. The model unread_offsets lists them. ',
    'Land more often, or raise the retention of the topic. ',
    'To accept as many, add to topics: expect: {max_lost: ', offsets, '}'
) as finding
from (
    select
        topic,
        topic as kafka_topic,
        sum(next_offset - first_offset) as offsets,
        min(struct(recorded_at, `partition`, first_offset)) as first_range
    from {{ offsets }}
    where
        outcome = 'lost'
        {%- if new_batches is not none %}
        and recorded_at > (
            select coalesce(max(landed_at), timestamp_seconds(0))
            from {{ batch_stats }}
            where not ({{ kafka_cdc.in_batches_condition(new_batches) }})
        )
        {%- endif %}
    group by topic
) as losses
where offsets > coalesce({{ kafka_cdc.topic_expectation(settings, 'max_lost') | indent(4) }}, 0)
{%- endmacro %}

{#
  Prints a SELECT: a finding for each topic with new rejected messages.

  A message is new until its landing batch is published, so that each batch warns once. max_rejected
  in `expect` of an entry in topics sets how many messages of a build are accepted. The default is 0.

  Arguments:
    events (relation): the model events.
    new_batches (optional[list[integer]]): from get_unpublished_batches; none: all batches.
#}
{% macro _select_rejected_messages(events, new_batches) -%}
{%- set settings = kafka_cdc.get_topic_settings() -%}
with rejects as (
    select
        kafka_topic,
        reject_code,
        count(*) as messages,
        min(struct(landed_at, kafka_partition, kafka_offset)) as first_message
    from {{ events }}
    where
        event_kind = 'rejected'
        {%- if new_batches is not none %}
        and {{ kafka_cdc.in_batches_condition(new_batches) }}
        {%- endif %}
    group by kafka_topic, reject_code
),

rejects_of_topics as (
    select
        kafka_topic,
        sum(messages) as messages,
        array_join(array_sort(collect_list(concat(reject_code, ' ', messages))), ', ') as codes,
        min(first_message) as first_message
    from rejects
    group by kafka_topic
)

select concat(
    'topic ', kafka_topic, ': ', messages, if(messages = 1, ' new message was', ' new messages were'),
    ' rejected (', codes, '), for example partition ',
    first_message.kafka_partition, ', offset ', first_message.kafka_offset, '. The model quarantine has the reasons. ',
    'To read them again after a change: dbt build --vars "{replay: quarantine}". ',
    'To accept as many in a build, add to topics: expect: {max_rejected: ', messages, '}'
) as finding
from rejects_of_topics
where messages > coalesce({{ kafka_cdc.topic_expectation(settings, 'max_rejected') | indent(4) }}, 0)
{%- endmacro %}

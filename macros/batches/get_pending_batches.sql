{#
  Returns the landing batches that a run of `events` has to read: those of which raw and events hold different numbers of
  messages, because they are new, came late, or a run before was killed; not those of which raw has lost messages; and those of
  get_batches_to_replay. A mapped raw table may lose as many messages as come late: there a batch is also read where raw and events hold other
  messages, if raw has one that events lacks. None (all) before events exists, or with --vars '{replay: all}'.
#}
{% macro get_pending_batches(events) %}
    {%- set replayed = kafka_cdc.get_batches_to_replay(events) -%}
    {%- if not execute or load_relation(events) is none or replayed is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set look_back = kafka_cdc.get_lookback_condition(events) -%}
    {%- set conditions = [look_back] if look_back else [] -%}
    {%- set coordinates = kafka_cdc.get_message_coordinates() if kafka_cdc.get_raw_column_mapping() else [] -%}
    {%- set query -%}
        select landed.landing_batch, processed.messages is not null as is_known
        from ({{ kafka_cdc.select_message_counts(kafka_cdc.get_raw_relation(), ['landing_batch'], conditions, coordinates | map('replace', 'kafka_', '') | list) }}) as landed
        left join ({{ kafka_cdc.select_message_counts(events, ['landing_batch'], conditions + ['row_index = 0'], coordinates) }}) as processed
            on processed.landing_batch = landed.landing_batch
        where processed.messages is null or processed.messages <> landed.messages{{ ' or processed.messages_hash <> landed.messages_hash' if coordinates }}
        order by landed.landing_batch
    {%- endset -%}
    {%- set batches, known = [], [] -%}
    {%- for batch, is_known in run_query(query).rows -%}
        {%- do batches.append(batch) -%}
        {%- if is_known %}{% do known.append(batch) %}{% endif -%}
    {%- endfor -%}
    {%- set lost = kafka_cdc.get_batches_missing_in_raw(events, batches if kafka_cdc.get_raw_column_mapping() else known).keys() | list -%}
    {%- set grown = kafka_cdc.get_batches_with_new_messages(events, lost) if kafka_cdc.get_raw_column_mapping() else [] -%}
    {{ return((batches | reject('in', lost) | list + grown + replayed) | unique | sort) }}
{% endmacro %}

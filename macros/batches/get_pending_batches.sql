{#
  Returns the landing batches that a run of events has to read.

  A batch is pending if raw and events have different numbers of its messages. It is new, or
  messages arrived late, or an earlier run was killed. A batch that is to be replayed is pending,
  too. A batch is not pending if raw has lost some of its messages.

  A raw table of another tool may lose and gain the same number of messages. Therefore its batches
  are also compared by a hash of their messages. Such a batch is pending if raw has a message that
  events lacks, even if raw has lost others.

  A run asks once. What lands afterwards is read by the next run.

  Arguments:
    events (relation): the model events.

  Returns: a sorted list of landing batches. None (all) before events exists, and with
    --vars '{replay: all}'.
#}
{% macro get_pending_batches(events) %}
    {%- if not execute -%}
        {{ return(kafka_cdc._ask_for_batches(events)) }}
    {%- endif -%}
    {%- set known = kafka_cdc.get_run_memory().setdefault('pending_batches', {}) -%}
    {%- set name = events | string -%}
    {%- if name not in known -%}
        {%- do known.update({name: kafka_cdc._ask_for_batches(events)}) -%}
    {%- endif -%}
    {{ return(known[name]) }}
{% endmacro %}

{# Returns the answer of get_pending_batches from queries. #}
{% macro _ask_for_batches(events) %}
    {%- set replayed = kafka_cdc.get_batches_to_replay(events) -%}
    {%- if not execute or load_relation(events) is none or replayed is none -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set is_mapped = kafka_cdc.get_raw_column_mapping() != {} -%}
    {%- set lookback = kafka_cdc.get_lookback_condition() -%}
    {%- set conditions = [lookback] if lookback else [] -%}
    {%- set coordinates = kafka_cdc.get_message_coordinates() if is_mapped else [] -%}

    {%- set landed = kafka_cdc.select_message_counts(
        relation=kafka_cdc.get_raw_relation(),
        columns=['landing_batch'],
        conditions=conditions,
        coordinates=coordinates | map('replace', 'kafka_', '') | list
    ) -%}
    {%- set processed = kafka_cdc.select_message_counts(
        relation=events,
        columns=['landing_batch'],
        conditions=conditions + ['row_index = 0'],
        coordinates=coordinates
    ) -%}
    {%- set query -%}
        select landed.landing_batch, processed.messages is not null as is_processed
        from ({{ landed }}) as landed
        left join ({{ processed }}) as processed on processed.landing_batch = landed.landing_batch
        where processed.messages is null
            or processed.messages <> landed.messages
            {{- ' or processed.messages_hash <> landed.messages_hash' if is_mapped }}
        order by landed.landing_batch
    {%- endset -%}

    {%- set batches = [] -%}
    {%- set processed_batches = [] -%}
    {%- for batch, is_processed in run_query(query).rows -%}
        {%- do batches.append(batch) -%}
        {%- if is_processed -%}
            {%- do processed_batches.append(batch) -%}
        {%- endif -%}
    {%- endfor -%}

    {#- A batch of a mapped table is checked even if the count shows no events of it. -#}
    {%- set candidates = batches if is_mapped else processed_batches -%}
    {%- set missing = kafka_cdc.get_batches_missing_in_raw(events, candidates).keys() | list -%}
    {%- set grown = kafka_cdc._get_batches_with_new_messages(events, missing) if is_mapped else [] -%}

    {{ return((batches | reject('in', missing) | list + grown + replayed) | unique | sort) }}
{% endmacro %}

{#
  Returns the landing batches with messages that raw has and events lacks.

  Arguments:
    events (relation): the model events.
    batches (list[integer]): the landing batches to look at.

  Returns: a list of landing batches.
#}
{% macro _get_batches_with_new_messages(events, batches) %}
    {%- if batches == [] -%}
        {{ return([]) }}
    {%- endif -%}

    {%- set query -%}
        select distinct landed.landing_batch
        from {{ kafka_cdc.get_raw_relation() }} as landed
        left anti join {{ events }} as processed
            on landed.landing_batch = processed.landing_batch
            and {{ kafka_cdc.same_message_condition('landed', 'processed') }}
        where landed.{{ kafka_cdc.in_batches_condition(batches) }}
        order by landed.landing_batch
    {%- endset -%}

    {{ return(run_query(query).columns[0].values() | list) }}
{% endmacro %}

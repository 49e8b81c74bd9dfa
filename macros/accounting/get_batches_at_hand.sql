{#
  Returns the landing batches that a run of `events` has to read: those of which raw and events hold different numbers of
  messages, because they are new, came late, or a run before was killed; not those of which raw has lost messages (of a mapped raw table
  those too, where it has messages that events lacks); and those of get_batches_to_replay. None (all) before events exists, or with --vars '{replay: all}'.
#}
{% macro get_batches_at_hand(events) %}
    {%- set replayed = get_batches_to_replay(events) -%}
    {%- if not execute or load_relation(events) is none or replayed is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set look_back = get_look_back(events) -%}
    {%- set conditions = [look_back] if look_back else [] -%}
    {%- set query -%}
        select landed.landing_batch, processed.messages is not null as is_known
        from ({{ count_messages(get_raw(), ['landing_batch'], conditions) }}) as landed
        left join ({{ count_messages(events, ['landing_batch'], conditions + ['row_index = 0']) }}) as processed
            on processed.landing_batch = landed.landing_batch
        where processed.messages is null or processed.messages <> landed.messages
        order by landed.landing_batch
    {%- endset -%}
    {%- set batches, known = [], [] -%}
    {%- for batch, is_known in run_query(query).rows -%}
        {%- do batches.append(batch) -%}
        {%- if is_known %}{% do known.append(batch) %}{% endif -%}
    {%- endfor -%}
    {%- set lost = get_batches_with_losses(events, batches if get_raw_columns() else known).keys() | list -%}
    {%- set grown = get_batches_with_gains(events, lost) if get_raw_columns() else [] -%}
    {{ return((batches | reject('in', lost) | list + grown + replayed) | unique | sort) }}
{% endmacro %}

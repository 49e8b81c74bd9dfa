{#
  Returns the landing batches that a run of `events` has to read: those of which raw and events hold different numbers of
  messages, because they are new, came late, or a run before was killed; not those of which raw has lost messages. None (all)
  before events exists, or with --vars '{replay: all}', which stops where raw has lost messages.
#}
{% macro get_batches_at_hand(events) %}
    {%- set replay = var('replay', none) -%}
    {%- if replay not in [none, 'all'] %}{{ fail_setting('replay', replay, 'all', 'leave it out to read only what is new') }}{% endif -%}
    {%- if not execute or load_relation(events) is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- if replay == 'all' -%}
        {%- set lost = get_batches_with_losses(events) -%}
        {%- if lost -%}
            {{ fail('raw no longer holds all messages of the landing batches ' ~ lost[:20] | join(', ') ~ ', so not everything can be read again',
                    'land them again, or read only what is new without replay') }}
        {%- endif -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set look_back = get_look_back(events) -%}
    {%- set conditions = [look_back] if look_back else [] -%}
    {%- set query -%}
        select landed.landing_batch, processed.messages is not null as is_known
        from ({{ count_messages(source('raw', 'kafka_messages'), ['landing_batch'], conditions) }}) as landed
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
    {{ return(batches | reject('in', get_batches_with_losses(events, known)) | list) }}
{% endmacro %}

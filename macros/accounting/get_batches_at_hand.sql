{#
  Returns the landing batches that a run of `events` has to read: those of which raw and events hold different numbers of
  messages, because they are new, came late, or a run before was killed. None (all) before events exists, or with
  --vars '{replay: all}'.
#}
{% macro get_batches_at_hand(events) %}
    {%- set replay = var('replay', none) -%}
    {%- if replay not in [none, 'all'] %}{{ fail_setting('replay', replay, 'all', 'leave it out to read only what is new') }}{% endif -%}
    {%- if not execute or load_relation(events) is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- if replay == 'all' -%}
        {%- set lost = run_query('select distinct landing_batch from ' ~ events ~ ' where landing_batch not in (select landing_batch from '
            ~ get_raw() ~ ') order by landing_batch limit 20').columns[0].values() -%}
        {%- if lost -%}
            {{ fail('raw no longer holds the landing batches ' ~ lost | join(', ') ~ ', so not everything can be read again',
                    'land them again, or read only what is new without replay') }}
        {%- endif -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set look_back = get_look_back(events) -%}
    {%- set conditions = [look_back] if look_back else [] -%}
    {%- set batches = run_query(
        'select landed.landing_batch from (' ~ count_messages(get_raw(), ['landing_batch'], conditions) ~ ') as landed left join ('
        ~ count_messages(events, ['landing_batch'], conditions + ['row_index = 0'])
        ~ ') as processed on processed.landing_batch = landed.landing_batch '
        ~ 'where processed.messages is null or processed.messages <> landed.messages order by landed.landing_batch'
    ) -%}
    {{ return(batches.columns[0].values() | list) }}
{% endmacro %}

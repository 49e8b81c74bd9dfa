{#
  Returns the landing batches that --vars '{replay: …}' reads again, in whole, so that nothing of what was read from them before stays:
  none (all) for all, those with rejected messages for quarantine, those with messages of the topics for a list of globs; [] without it.
  Stops, and names the gap, where raw has lost messages of these batches: only their events still know them.
#}
{% macro get_batches_to_replay(events) %}
    {%- set replay = var('replay', none) -%}
    {%- if replay is none %}{{ return([]) }}{% endif -%}
    {%- set valid = 'all, quarantine, or a list of topics and globs of * and ?' -%}
    {%- if replay not in ['all', 'quarantine'] and (replay is string or replay is mapping or replay is not iterable or not replay) -%}
        {{ kafka_cdc.raise_setting_error('replay', replay, valid, "for example [drs_crm, 'old_*']; leave it out to read only what is new") }}
    {%- endif -%}
    {%- for glob in replay if replay is not string and (glob is not string or not modules.re.match('[A-Za-z0-9._*?/-]+\\Z', glob)) -%}
        {{ kafka_cdc.raise_setting_error('replay', glob, 'a topic name, or a glob of * and ?', "for example 'drs_*'") }}
    {%- endfor -%}
    {%- if not execute or load_relation(events) is none %}{{ return(none if replay == 'all' else []) }}{% endif -%}
    {%- set batches = none if replay == 'all' else run_query(kafka_cdc._batches_with(events, replay)).columns[0].values() | list -%}
    {%- if batches == [] and replay != 'quarantine' %}{{ kafka_cdc.raise_setting_error('replay', replay, 'topics that have landed', 'none of them matches') }}{% endif -%}
    {%- set lost = kafka_cdc.get_batches_missing_in_raw(events, batches) -%}
    {%- if lost -%}
        {{ kafka_cdc.raise_error('raw no longer holds all messages of ' ~ lost | length ~ ' of the landing batches to read again: ' ~ lost.values() | list | batch(20) | first | join('; '),
                'land them again, or read only what is new without replay') }}
    {%- endif -%}
    {{ return(batches) }}
{% endmacro %}

{# Prints the SELECT of the landing batches of events with rejected messages, or with messages of the topics, in raw too. #}
{% macro _batches_with(events, replay) -%}
    {%- if replay == 'quarantine' -%}
    select distinct landing_batch
    from {{ events }}
    where event_kind = 'rejected'
    {%- else -%}
    select landing_batch
    from {{ events }}
    where {{ kafka_cdc.globs_condition('kafka_topic', replay) }}
    union
    select landing_batch
    from {{ kafka_cdc.get_raw_relation() }}
    where {{ kafka_cdc.globs_condition('topic', replay) }}
    {%- endif %}
    order by landing_batch
{%- endmacro %}

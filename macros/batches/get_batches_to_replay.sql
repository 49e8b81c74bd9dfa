{#
  Returns the landing batches that --vars '{replay: …}' reads again.

  A batch is read again as a whole and replaces its earlier events.
  * all: every batch.
  * quarantine: the batches with rejected messages.
  * a list of topics and globs: the batches with messages of these topics.

  If raw has lost messages of such a batch, only events still has them. Then the macro raises an
  error that names the missing offsets.

  Arguments:
    events (relation): the model events.

  Returns: a list of landing batches, none for all of them, or [] without the variable.
#}
{% macro get_batches_to_replay(events) %}
    {%- set replay = var('replay', none) -%}
    {%- if replay is none -%}
        {{ return([]) }}
    {%- endif -%}

    {%- set is_list = replay is not string and replay is not mapping and replay is iterable and replay -%}
    {%- if replay not in ['all', 'quarantine'] and not is_list -%}
        {{ kafka_cdc.raise_setting_error(
            setting='replay',
            value=replay,
            valid='all, quarantine, or a list of topics and globs of * and ?',
            hint="for example [drs_crm, 'old_*']; leave it out to read only what is new"
        ) }}
    {%- endif -%}

    {%- set globs = [] if replay is string else replay -%}
    {%- for glob in globs if glob is not string or not modules.re.match('[A-Za-z0-9._*?/-]+\\Z', glob) -%}
        {{ kafka_cdc.raise_setting_error(
            setting='replay',
            value=glob,
            valid='a topic name, or a glob of * and ?',
            hint="for example 'drs_*'"
        ) }}
    {%- endfor -%}

    {%- if not execute or load_relation(events) is none -%}
        {{ return(none if replay == 'all' else []) }}
    {%- endif -%}

    {%- set batches = none -%}
    {%- if replay != 'all' -%}
        {%- set query = kafka_cdc._select_batches_to_replay(events, replay) -%}
        {%- set batches = run_query(query).columns[0].values() | list -%}
    {%- endif -%}
    {%- if batches == [] and replay != 'quarantine' -%}
        {{ kafka_cdc.raise_setting_error(
            setting='replay',
            value=replay,
            valid='topics that have landed',
            hint='no landed topic matches'
        ) }}
    {%- endif -%}

    {%- set missing = kafka_cdc.get_batches_missing_in_raw(events, batches) -%}
    {%- if missing -%}
        {{ kafka_cdc.raise_error(
            'raw has lost messages of ' ~ missing | length ~ ' of the landing batches to read again: '
                ~ missing.values() | list | batch(20) | first | join('; '),
            'land these messages again, or run without replay to read only what is new'
        ) }}
    {%- endif -%}

    {{ return(batches) }}
{% endmacro %}

{# Prints a SELECT: the landing batches with rejected messages, or with messages of the topics in events or raw. #}
{% macro _select_batches_to_replay(events, replay) -%}
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

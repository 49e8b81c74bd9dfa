{#
  Pre-hook of events: in a replay, deletes landing batches whose messages have all landed again under other batches.

  No run would overwrite them any more. The batches go from event_batch_stats first, then from events.

  Arguments:
    events (relation): the model events.
#}
{% macro delete_relanded_batches(events) %}
    {%- if execute and flags.WHICH in ['run', 'build'] and var('replay', none) is not none and load_relation(events) is not none -%}
        {%- set query -%}
            select processed.landing_batch
            from ({{ kafka_cdc.select_message_counts(events, ['landing_batch'], []) }}) as processed
            left anti join ({{ kafka_cdc.select_message_counts(kafka_cdc.get_raw_relation(), ['landing_batch'], []) }}) as landed
                using (landing_batch)
            order by processed.landing_batch
        {%- endset -%}
        {%- set absent = run_query(query).columns[0].values() | list -%}
        {%- set relanded = absent | reject('in', kafka_cdc.get_batches_missing_in_raw(events, absent)) | list -%}
        {%- for table in [events.incorporate(path={'identifier': 'event_batch_stats'}), events] if relanded and load_relation(table) is not none -%}
            {%- do run_query('delete from ' ~ table ~ ' where ' ~ kafka_cdc.in_batches_condition(relanded)) -%}
            {%- do kafka_cdc.record_write(table) -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

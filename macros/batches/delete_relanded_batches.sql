{#
  Takes out of events, and first of event_batch_stats beside it, in a replay the landing batches that landed again as others: raw holds all of their
  messages, and none under their own number, so that no run overwrites them any more.
#}
{% macro delete_relanded_batches(events) %}
    {%- if execute and flags.WHICH in ['run', 'build'] and var('replay', none) is not none and load_relation(events) is not none -%}
        {%- set query -%}
            select processed.landing_batch
            from ({{ kafka_cdc.select_message_counts(events, ['landing_batch'], []) }}) as processed
            left anti join ({{ kafka_cdc.select_message_counts(kafka_cdc.get_raw_relation(), ['landing_batch'], []) }}) as landed using (landing_batch)
            order by processed.landing_batch
        {%- endset -%}
        {%- set gone = run_query(query).columns[0].values() | list -%}
        {%- set moved = gone | reject('in', kafka_cdc.get_batches_missing_in_raw(events, gone)) | list -%}
        {%- for table in [events.incorporate(path={'identifier': 'event_batch_stats'}), events] if moved and load_relation(table) is not none -%}
            {%- do run_query('delete from ' ~ table ~ ' where ' ~ kafka_cdc.in_batches_condition(moved)) -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

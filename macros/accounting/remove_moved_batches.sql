{#
  Takes out of events, and first of stream_profiles beside it, the landing batches that landed again as others: raw holds all of their messages, and
  none under their own number, so that no run overwrites them any more. batches: those that the run reads, of get_batches_at_hand.
#}
{% macro remove_moved_batches(events, batches) %}
    {%- if execute and flags.WHICH in ['run', 'build'] and batches != [] and load_relation(events) is not none -%}
        {%- set look_back = get_look_back(events) if var('replay', none) is none else none -%}
        {%- set conditions = [look_back] if look_back else [] -%}
        {%- set query -%}
            select processed.landing_batch
            from ({{ count_messages(events, ['landing_batch'], conditions) }}) as processed
            left anti join ({{ count_messages(source('raw', 'kafka_messages'), ['landing_batch'], conditions) }}) as landed using (landing_batch)
            order by processed.landing_batch
        {%- endset -%}
        {%- set gone = run_query(query).columns[0].values() | list -%}
        {%- set moved = gone | reject('in', get_batches_with_losses(events, gone)) | list -%}
        {%- for table in [events.incorporate(path={'identifier': 'stream_profiles'}), events] if moved and load_relation(table) is not none -%}
            {%- do run_query('delete from ' ~ table ~ ' where ' ~ is_in_batches(moved)) -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

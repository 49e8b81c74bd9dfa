{#
  Takes out of events, and first of stream_profiles beside it, in a replay the landing batches that landed again as others: raw holds all of their
  messages, and none under their own number, so that no run overwrites them any more.
#}
{% macro remove_moved_batches(events) %}
    {%- if execute and flags.WHICH in ['run', 'build'] and var('replay', none) is not none and load_relation(events) is not none -%}
        {%- set query -%}
            select processed.landing_batch
            from ({{ count_messages(events, ['landing_batch'], []) }}) as processed
            left anti join ({{ count_messages(get_raw(), ['landing_batch'], []) }}) as landed using (landing_batch)
            order by processed.landing_batch
        {%- endset -%}
        {%- set gone = run_query(query).columns[0].values() | list -%}
        {%- set moved = gone | reject('in', get_batches_with_losses(events, gone)) | list -%}
        {%- for table in [events.incorporate(path={'identifier': 'stream_profiles'}), events] if moved and load_relation(table) is not none -%}
            {%- do run_query('delete from ' ~ table ~ ' where ' ~ is_in_batches(moved)) -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

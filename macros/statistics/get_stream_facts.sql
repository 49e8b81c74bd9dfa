{#
  Returns what the changelog holds, by which SQL over it leaves out what it does not need: name → number (of event_batch_stats), for
  before_events, partial_moves, truncates, drops, renames, snapshot_rows, tombstones. Before there are profiles, 1 for each.
  profiles: the relation of event_batch_stats. is_published: what is published of it, else what it holds now.
#}
{% macro get_stream_facts(profiles, is_published=false) %}
    {%- set names = ['before_events', 'partial_moves', 'truncates', 'drops', 'renames', 'snapshot_rows', 'tombstones'] -%}
    {%- set facts = {} -%}
    {%- for name in names %}{% do facts.update({name: 1}) %}{% endfor -%}
    {%- if execute and load_relation(profiles) is not none and (not is_published or kafka_cdc.get_published_version(profiles) is not none) -%}
        {%- set found = run_query('select coalesce(sum(' ~ names | join('), 0), coalesce(sum(') ~ '), 0) from ' ~ (kafka_cdc.published_relation(profiles) if is_published else profiles)).rows[0] -%}
        {%- for name in names %}{% do facts.update({name: found[loop.index0] | int}) %}{% endfor -%}
    {%- endif -%}
    {{ return(facts) }}
{% endmacro %}

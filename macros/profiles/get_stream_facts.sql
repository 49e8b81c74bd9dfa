{#
  Returns what the changelog holds, by which SQL over it leaves out what it does not need: name → number (of stream_profiles), for
  before_halves, partial_moves, truncates, drops, renames, snapshot_rows, tombstones. Before there are profiles, 1 for each.
  profiles: the relation of stream_profiles. is_published: what is published of it, else what it holds now.
#}
{% macro get_stream_facts(profiles, is_published=false) %}
    {%- set names = ['before_halves', 'partial_moves', 'truncates', 'drops', 'renames', 'snapshot_rows', 'tombstones'] -%}
    {%- set facts = {} -%}
    {%- for name in names %}{% do facts.update({name: 1}) %}{% endfor -%}
    {%- if execute and load_relation(profiles) is not none and (not is_published or get_published_snapshot(profiles) is not none) -%}
        {%- set found = run_query('select coalesce(sum(' ~ names | join('), 0), coalesce(sum(') ~ '), 0) from ' ~ (published(profiles) if is_published else profiles)).rows[0] -%}
        {%- for name in names %}{% do facts.update({name: found[loop.index0] | int}) %}{% endfor -%}
    {%- endif -%}
    {{ return(facts) }}
{% endmacro %}

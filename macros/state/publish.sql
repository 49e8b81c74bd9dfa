{#
  Moves the tag `published` of a table to what it holds now, where a run builds the model that calls it. Expiry of snapshots
  spares what is tagged.
#}
{% macro publish(events) %}
    {%- if execute and flags.WHICH in ['run', 'build'] -%}
        {%- set newest = run_query('select max_by(snapshot_id, made_current_at) from ' ~ events ~ '.history').columns[0].values()[0] -%}
        {%- set published = run_query("select max(snapshot_id) from " ~ events ~ ".refs where name = 'published'").columns[0].values()[0] -%}
        {%- if newest is not none and newest != published -%}
            {%- do run_query('alter table ' ~ events ~ ' create or replace tag published as of version ' ~ newest) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}

{#
  Moves the tag `published` of a table to what it holds now, where a run builds the model that calls it, or always (`at_once`). Expiry of
  snapshots spares what is tagged.
#}
{% macro publish(events, at_once=false) %}
    {%- if execute and (at_once or flags.WHICH in ['run', 'build']) -%}
        {%- set newest = get_newest_snapshot(events) -%}
        {%- if newest is not none and newest != get_published_snapshot(events) -%}
            {%- do run_query('alter table ' ~ events ~ ' create or replace tag published as of version ' ~ newest) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}

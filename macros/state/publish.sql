{#
  Moves the tag `published` of a table from the snapshot `known`, or to it, to the newest one where that says the same
  (get_snapshot_alike): never to what another run has written meanwhile. Returns whether it could. Expiry of snapshots spares what is tagged.
#}
{% macro publish(table, known, rewrites=0) %}
    {%- set newest = get_snapshot_alike(table, known, rewrites) -%}
    {%- if newest is not none and newest != get_published_snapshot(table) -%}
        {%- do run_query('alter table ' ~ table ~ ' create or replace tag published as of version ' ~ newest) -%}
    {%- endif -%}
    {{ return(newest is not none) }}
{% endmacro %}

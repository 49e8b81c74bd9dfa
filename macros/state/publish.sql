{#
  Publishes, in place of the snapshot `known` of a table, or as this, the newest one where that says the same (get_snapshot_alike): never what
  another run has written meanwhile. Returns the snapshot that is then published, none where it could not. Maintenance spares what is published.
#}
{% macro publish(table, known, rewrites=0) %}
    {%- set newest = get_snapshot_alike(table, known, rewrites) -%}
    {%- if newest is not none and newest != get_published_snapshot(table) -%}
        {%- do in_table_format('publish_snapshot')(table, newest) -%}
    {%- endif -%}
    {{ return(newest) }}
{% endmacro %}

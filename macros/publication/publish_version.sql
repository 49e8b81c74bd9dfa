{#
  Publishes, in place of the snapshot `known` of a table, or as this, the newest one where that says the same (get_equivalent_version): never what
  another run has written meanwhile. Returns the snapshot that is then published, none where it could not. Maintenance spares what is published.
#}
{% macro publish_version(table, known, rewrites=0) %}
    {%- set newest = kafka_cdc.get_equivalent_version(table, known, rewrites) -%}
    {%- if newest is not none and newest != kafka_cdc.get_published_version(table) -%}
        {%- do kafka_cdc.get_table_format_macro('publish_version')(table, newest) -%}
    {%- endif -%}
    {{ return(newest) }}
{% endmacro %}

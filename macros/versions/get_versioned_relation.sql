{#
  Returns SQL of a table at a fixed version, so that later writes do not change what a query reads.

  Arguments:
    table (relation): the table.
    is_published (boolean): whether to take the published version or the one of this run (get_built_version).

  Returns: optional[string]; none if there is no such version yet.
#}
{% macro get_versioned_relation(table, is_published=false) %}
    {%- if not execute or not kafka_cdc.has_table(table) -%}
        {{ return(none) }}
    {%- endif -%}

    {%- if is_published -%}
        {%- set version = kafka_cdc.get_published_version(table) -%}
    {%- else -%}
        {%- set version = kafka_cdc.get_built_version(table) -%}
    {%- endif -%}
    {{ return(none if version is none else table ~ ' version as of ' ~ version) }}
{% endmacro %}

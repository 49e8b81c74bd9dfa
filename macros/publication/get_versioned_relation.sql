{# Returns SQL of a table as it is now, whatever is written to it meanwhile, or as it is published; none where there is no such thing yet. #}
{% macro get_versioned_relation(table, is_published=false) %}
    {%- if not execute or load_relation(table) is none %}{{ return(none) }}{% endif -%}
    {%- set snapshot = kafka_cdc.get_published_version(table) if is_published else kafka_cdc.get_latest_version(table) -%}
    {{ return(none if snapshot is none else table ~ ' version as of ' ~ snapshot) }}
{% endmacro %}

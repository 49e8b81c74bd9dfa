{# Returns SQL of a table as it is now, whatever is written to it meanwhile, or as it is published; none where there is no such thing yet. #}
{% macro get_version(table, is_published=false) %}
    {%- if not execute or load_relation(table) is none %}{{ return(none) }}{% endif -%}
    {%- set snapshot = get_published_snapshot(table) if is_published else get_newest_snapshot(table) -%}
    {{ return(none if snapshot is none else table ~ ' version as of ' ~ snapshot) }}
{% endmacro %}

{# Returns the number of the version of a table that is published, none before the first publication. #}
{% macro delta_published_snapshot(table) %}
    {%- set view = delta_published(table) -%}
    {%- set said = modules.re.search('of the table (\\S+) .* version as of (\\d+)', get_view_statement(view)) if is_view(view) else none -%}
    {{ return(said.group(2) | int if said and said.group(1) == delta_table_id(table) else none) }}
{% endmacro %}

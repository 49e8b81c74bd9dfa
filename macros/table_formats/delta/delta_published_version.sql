{# Returns the number of the version of a table that is published, none before the first publication. #}
{% macro delta_published_version(table) %}
    {%- set view = kafka_cdc.delta_published_relation(table) -%}
    {%- set said = modules.re.search('of the table (\\S+) .* version as of (\\d+)', kafka_cdc.get_view_statement(view)) if kafka_cdc.has_view(view) else none -%}
    {{ return(said.group(2) | int if said and said.group(1) == kafka_cdc.delta_table_id(table) else none) }}
{% endmacro %}

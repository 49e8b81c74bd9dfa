{# Returns the number of the version of a table that is published, none before the first publication. #}
{% macro delta_published_snapshot(table) %}
    {%- for view in run_query('show views in ' ~ table.without_identifier() ~ " like 'published_" ~ table.identifier ~ "'").rows -%}
        {%- set said = modules.re.search('of the table (\\S+) .* version as of (\\d+)', run_query('show create table ' ~ delta_published(table)).rows[0][0]) -%}
        {{ return(said.group(2) | int if said and said.group(1) == delta_table_id(table) else none) }}
    {%- endfor -%}
    {{ return(none) }}
{% endmacro %}

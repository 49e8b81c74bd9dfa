{#
  Returns the latest and the published version of several Delta tables.

  The published version is in the query of the view that delta_publish_version writes.

  Arguments:
    tables (dict[string, relation]): name -> table.

  Returns: a mapping, name -> {latest, published} (optional[integer]).
#}
{% macro delta_table_versions(tables) %}
    {%- set versions = {} -%}
    {%- for name, table in tables.items() -%}
        {%- do versions.update({name: {
            'latest': run_query('describe history ' ~ table ~ ' limit 1').rows[0].version,
            'published': kafka_cdc._delta_published_version(table),
        }}) -%}
    {%- endfor -%}
    {{ return(versions) }}
{% endmacro %}

{# Returns the version that the view of a table shows; none if there is no view, or the table was recreated. #}
{% macro _delta_published_version(table) %}
    {%- set view = kafka_cdc.delta_published_relation(table) -%}
    {%- if not kafka_cdc.has_view(view) -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set pattern = 'of the table (\\S+) .* version as of (\\d+)' -%}
    {%- set match = modules.re.search(pattern, kafka_cdc.get_view_statement(view)) -%}
    {%- if match and match.group(1) == kafka_cdc.delta_table_id(table) -%}
        {{ return(match.group(2) | int) }}
    {%- endif -%}
    {{ return(none) }}
{% endmacro %}

{#
  Returns the number of a table's published version (optional[integer]); none if there is none.

  It is read from the query of the view that delta_publish_version writes.

  Arguments:
    table (relation): the table.
#}
{% macro delta_published_version(table) %}
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

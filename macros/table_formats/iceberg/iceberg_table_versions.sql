{#
  Returns the latest and the published version of several Iceberg tables, by one query.

  The latest version is the branch main, the published one the tag published.

  Arguments:
    tables (dict[string, relation]): name -> table.

  Returns: a mapping, name -> {latest, published} (optional[integer]).
#}
{% macro iceberg_table_versions(tables) %}
    {%- set query -%}
        {%- for name, table in tables.items() %}
        select '{{ name }}' as table_name, name as reference, snapshot_id
        from {{ table }}.refs
        where name in ('main', 'published')
        {{- '\nunion all' if not loop.last }}
        {%- endfor %}
    {%- endset -%}
    {%- set versions = {} -%}
    {%- for name in tables -%}
        {%- do versions.update({name: {'latest': none, 'published': none}}) -%}
    {%- endfor -%}
    {%- for row in run_query(query).rows -%}
        {%- set reference = 'latest' if row.reference == 'main' else row.reference -%}
        {%- do versions[row.table_name].update({reference: row.snapshot_id | int}) -%}
    {%- endfor -%}
    {{ return(versions) }}
{% endmacro %}

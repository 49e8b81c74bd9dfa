{#
  Returns the latest and the published version of a table.

  A run asks once for all its tables, and again for a table that it has written. An operation, such
  as erase_row, asks each time.

  Arguments:
    table (relation): the table. It must exist.
    is_fresh (boolean): whether to ask again, because another run may have written or published.

  Returns: a mapping with latest and published (optional[integer]), none if there is none.
#}
{% macro get_versions(table, is_fresh=false) %}
    {%- set known = kafka_cdc.get_run_memory().setdefault('versions', {}) -%}
    {%- set name = table.schema ~ '.' ~ table.identifier -%}
    {%- set must_ask = is_fresh or flags.WHICH == 'run-operation' -%}
    {%- if must_ask or name not in known -%}
        {%- set tables = [table] -%}
        {%- for other in ([] if must_ask else kafka_cdc._get_versioned_tables()) -%}
            {%- set other_name = other.schema ~ '.' ~ other.identifier -%}
            {%- if other_name not in known and other_name != name and load_relation(other) is not none -%}
                {%- do tables.append(other) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- do kafka_cdc.refresh_versions(tables) -%}
    {%- endif -%}
    {{ return(known[name]) }}
{% endmacro %}

{# Returns the tables that a run publishes, list[relation]. #}
{% macro _get_versioned_tables() %}
    {%- set tables = [] -%}
    {%- for node in graph.nodes.values()
        if node.package_name == 'kafka_cdc' and node.config.materialized == 'incremental_skip_empty'
    -%}
        {%- do tables.append(api.Relation.create(schema=node.schema, identifier=node.alias)) -%}
    {%- endfor -%}
    {{ return(tables) }}
{% endmacro %}

{#
  Returns a fingerprint of the rows that a node of the project has in this run.

  For a table it covers the version, for a view its SQL and the fingerprints of what it reads. Equal
  fingerprints mean equal rows.

  Arguments:
    unique_id (string): dbt's name of a model, seed or source, such as model.kafka_cdc.events.

  Returns: optional[string]; none if the rows may differ without notice. Then this run has not built
    the view, its SQL depends on the time of day, or the table has no versions.
#}
{% macro get_content_fingerprint(unique_id) %}
    {%- set node = graph.nodes.get(unique_id) or graph.sources[unique_id] -%}
    {%- set query = kafka_cdc.get_run_memory().get('view_queries', {}).get(unique_id) -%}
    {%- if query is not none -%}
        {{ return(kafka_cdc.get_query_fingerprint(query, node.depends_on.nodes)) }}
    {%- endif -%}
    {{ return(none if node.config.materialized == 'view_if_changed' else kafka_cdc._table_fingerprint(node)) }}
{% endmacro %}

{#
  Returns the fingerprint of a table: its version, and its published version, which some views read.

  Only tables that this package or landing writes have one. Others may be views, or have no versions.
#}
{% macro _table_fingerprint(node) %}
    {%- set is_published = node.config.materialized == 'incremental_skip_empty' -%}
    {%- set is_typed = node.config.materialized == 'typed_table' -%}
    {%- set is_seed = node.resource_type == 'seed' and node.package_name == 'kafka_cdc' -%}
    {%- set is_landed = node.resource_type == 'source' and node.package_name == 'kafka_cdc'
        and not kafka_cdc.get_raw_column_mapping() -%}
    {%- if not (is_published or is_typed or is_seed or is_landed) -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set table = api.Relation.create(schema=node.schema, identifier=node.identifier or node.alias) -%}
    {%- if load_relation(table) is none -%}
        {{ return('missing') }}
    {%- endif -%}

    {%- set version = kafka_cdc.get_built_version(table) -%}
    {%- set published = kafka_cdc.get_published_version(table) if is_published else none -%}
    {{ return(none if version is none else version ~ ', ' ~ published) }}
{% endmacro %}

{#
  Returns the published source tables whose typed models this run has selected.

  Shards are missing, because their models read several tables each. The models are looked through
  once per run.

  Arguments:
    published (dict[string, any]): from get_published_tables.
    is_missing (boolean): only those of typed tables that do not exist yet.

  Returns: a list of entries of published.tables.
#}
{% macro get_modeled_tables(published, is_missing) %}
    {%- set memory = kafka_cdc.get_run_memory().setdefault('modeled_tables', {}) -%}
    {%- set question = published.stats ~ is_missing -%}
    {%- if question not in memory -%}
        {%- set paths = {} -%}
        {%- for node in graph.nodes.values() if node.unique_id in selected_resources -%}
            {%- if node.config.materialized == 'typed_table' and (not is_missing or kafka_cdc._is_missing(node)) -%}
                {%- do paths.update({node.config.meta.source_table: true}) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- do memory.update({question: published.tables | selectattr('path', 'in', paths) | list}) -%}
    {%- endif -%}
    {{ return(memory[question]) }}
{% endmacro %}

{# Returns whether the table of a model does not exist. #}
{% macro _is_missing(node) %}
    {{ return(load_relation(api.Relation.create(schema=node.schema, identifier=node.alias)) is none) }}
{% endmacro %}

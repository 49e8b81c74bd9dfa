{#
  Returns the existing typed tables of the project, those with the materialization typed_table.

  Returns: list[relation].
#}
{% macro get_typed_tables() %}
    {%- set tables = [] -%}
    {%- for node in (graph.nodes.values() if execute else []) if node.resource_type == 'model' -%}
        {%- if node.config.materialized == 'typed_table' -%}
            {%- set table = load_relation(api.Relation.create(schema=node.schema, identifier=node.alias)) -%}
            {%- if table is not none and not table.is_view -%}
                {%- do tables.append(table) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(tables) }}
{% endmacro %}

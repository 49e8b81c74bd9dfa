{#
  Returns the relation of a model of this package, none if it is disabled.

  It serves where ref() would make a cycle. It makes no dependency: dbt does not build the model
  first.

  Arguments:
    name (string): the name of the model.
#}
{% macro get_model_relation(name) %}
    {%- set node = graph.nodes.get('model.kafka_cdc.' ~ name) if execute else none -%}
    {{ return(api.Relation.create(schema=node.schema, identifier=node.alias) if node else none) }}
{% endmacro %}

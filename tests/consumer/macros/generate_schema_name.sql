{#
  Prints the name of a model's schema. Models with a schema get the prefix shop_.

  Arguments:
    custom_schema_name (optional[string]): the schema of the model's configuration.
    node (any): the model.
#}
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ target.schema if custom_schema_name is none else 'shop_' ~ custom_schema_name }}
{%- endmacro %}

{#
  Prints a condition: a name in a partial image is a path into a document, and no column.

  Arguments:
    name (string): SQL of the name.
    paths (string): SQL of the paths of the image; null if every name is a column.
#}
{% macro path_condition(name, paths) -%}
coalesce(exists({{ paths }}, path -> path.name = {{ name }}), false)
{%- endmacro %}

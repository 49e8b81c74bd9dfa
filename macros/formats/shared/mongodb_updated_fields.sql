{#
  Prints an expression: the fields that a MongoDB update sets, a map of paths that may be empty.

  Arguments:
    document (string): SQL of updatedFields, parsed as a document.

  Requires: the format variable `change` with updateDescription.
#}
{% macro mongodb_updated_fields(document) -%}
    if(change.updateDescription.updatedFields is null, cast(map() as map<string, string>), {{ document }})
{%- endmacro %}

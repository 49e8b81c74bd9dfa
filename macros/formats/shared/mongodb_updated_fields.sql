{# Prints SQL for what an update says of its fields, read as a document: a map of paths, empty where it says none. #}
{% macro mongodb_updated_fields(document) -%}
    if(change.updateDescription.updatedFields is null, cast(map() as map<string, string>), {{ document }})
{%- endmacro %}

{# Prints SQL for the fields that an update without its document removes; null for none. #}
{% macro mongodb_removed_columns(has_no_document) -%}
    if({{ has_no_document }} and size(change.updateDescription.removedFields) > 0, change.updateDescription.removedFields, null)
{%- endmacro %}

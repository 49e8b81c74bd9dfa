{#
  Prints an expression: the fields that a MongoDB update without a document removes, or null.

  Arguments:
    has_no_document (string): SQL condition. The message is an update without the document after
      it.

  Requires: the format variable `change` with updateDescription.
#}
{% macro mongodb_removed_columns(has_no_document) -%}
    if(
        {{ has_no_document }} and size(change.updateDescription.removedFields) > 0,
        change.updateDescription.removedFields,
        null
    )
{%- endmacro %}

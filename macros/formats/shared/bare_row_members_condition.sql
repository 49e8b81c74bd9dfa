{#
  Prints a condition: the message has no members but those of a row that Flink or SeaTunnel writes.

  Application events often have `type` and `data`, too, but also members of their own.

  Requires: column `value`.
#}
{% macro bare_row_members_condition() -%}
    size(array_except(json_object_keys(value), array('data', 'old', 'type'))) = 0
{%- endmacro %}

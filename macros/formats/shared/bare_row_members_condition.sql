{#
  Prints a condition: the message has no members but those of a row that Flink or SeaTunnel writes.

  Application events often have `type` and `data`, too, but also members of their own.

  Arguments:
    others (list[string]): more members that such a message may have.

  Requires: column `value`.
#}
{% macro bare_row_members_condition(others=[]) -%}
    {%- set members = ['data', 'old', 'type'] + others -%}
    size(array_except(json_object_keys(value), array('{{ members | join("', '") }}'))) = 0
{%- endmacro %}

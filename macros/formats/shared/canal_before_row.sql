{#
  Prints an expression: the row before a change of a format of the Canal family.

  Of an UPDATE it is `old` merged over `data`, because `old` may contain only what changed.

  Arguments:
    type (string): SQL of the operation code.
    deleted_row (string): SQL of the row that a DELETE contains.

  Requires: the variable `row` of the mapping's `rows` (before_row is `old`, after_row is `data`).
#}
{% macro canal_before_row(type, deleted_row='row.after_row') -%}
    case {{ type }}
        when 'UPDATE' then {{ kafka_cdc.reconstruct_before_row('row.after_row', 'row.before_row') | indent(8) }}
        when 'DELETE' then {{ deleted_row }}
    end
{%- endmacro %}

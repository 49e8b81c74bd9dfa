{# Prints SQL for the row before: of an UPDATE `old` laid over `data`, of a DELETE deleted_row. Reads row. #}
{% macro canal_before_row(type, deleted_row='row.after_row') -%}
    case {{ type }} when 'UPDATE' then {{ kafka_cdc.reconstruct_before_row('row.after_row', 'row.before_row') }} when 'DELETE' then {{ deleted_row }} end
{%- endmacro %}

{#
  Prints a condition: a statement and the rows of a source table share an order.

  Only then it is certain which rows precede the statement. There are three cases. Both have the
  vendor's sequence. Both come through the same single partition. Or the setting order_by of the
  table is kafka_timestamp.

  Arguments:
    row_order (string): SQL of the statement's sort key, from the macro row_order.

  Requires: the columns of the CTE `source_tables`, and `order_by`, the setting of the table.
#}
{% macro shared_order_condition(row_order) -%}
    case
        when order_by = 'kafka_timestamp' then true
        when order_by = 'sequence' and {{ row_order }}.sequence is not null then unsequenced_changes = 0
        when order_by = 'sequence' and sequenced_changes > 0 then false
        else partitions = 1 and one_partition = struct({{ row_order }}.kafka_topic, {{ row_order }}.kafka_partition)
    end
{%- endmacro %}

{#
  Prints a SQL condition: a statement and the rows of a source table share an order, so that it is known which come before it: both have the
  vendor's sequence, both come through one partition, or Kafka's timestamp orders them. Reads the columns of the CTE tables, and order_by, the
  table's setting. row_order: the statement's.
#}
{% macro shared_order_condition(row_order) -%}
    case
        when order_by = 'kafka_timestamp' then true
        when order_by = 'sequence' and {{ row_order }}.sequence is not null then unsequenced_changes = 0
        when order_by = 'sequence' and sequenced_changes > 0 then false
        else partitions = 1 and one_partition = struct({{ row_order }}.kafka_topic, {{ row_order }}.kafka_partition)
    end
{%- endmacro %}

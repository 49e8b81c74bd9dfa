{#
  Prints SQL for a change's place in the one total order of its table, a struct that compares field by field: epoch, the
  vendor's sequence (null first), the before half of an update, and the Kafka coordinates. Never event time.
  `order_by` of the setting `tables` puts the offset or Kafka's timestamp in the sequence's place. Reads epoch.
  order_by: SQL for it, by default of the change's own table; a statement counts in the order of each table that it touches.
#}
{% macro row_order(order_by=none) -%}
    struct(
        sequence_generation,
        case {{ order_by or kafka_cdc.table_setting('order_by', "'sequence'") | indent(8) }}
            when 'sequence' then source_sequence
            when 'kafka_timestamp' then array(unix_micros(kafka_timestamp))
        end as sequence,
        not operation <=> 'update_before' as is_after,
        topic_incarnation,
        kafka_offset,
        row_index,
        kafka_topic,
        kafka_partition
    )
{%- endmacro %}

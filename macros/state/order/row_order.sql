{#
  Prints an expression: the sort key of a change in the total order of its table, a struct.

  Spark compares structs field by field. The fields, from the most to the least significant:
    sequence_generation  How many lines of the setting sequence_resets the message has passed.
    sequence             The vendor's position, such as LSN, SCN or binlog offset. Null is first.
    is_after             False for what precedes other changes with the same sequence: the before
                         event of a split update, and deletes by deletes_first_condition.
    topic_incarnation    How often the topic had been recreated.
    kafka_offset, row_index, kafka_topic, kafka_partition
                         The rest of the Kafka coordinates. They are unique, so that no two changes
                         compare as equal.

  Every field comes from the message itself. None depends on when the message landed, in which batch
  it landed, or which run read it. The order is therefore the same for every order of arrival. Event
  times are not part of it: clocks go back, and many changes share one time.

  The setting order_by of a table can replace the sequence:
    sequence (default)    the vendor's sequence
    kafka_timestamp       Kafka's timestamp
    offset                nothing, so that the Kafka coordinates decide

  Example, changes of one table as they arrived:
    kafka_offset  operation  source_sequence  position in the order
    10            update     [7, 300]         3
    11            insert     [7, 100]         1: it arrived late, but has the lowest sequence
    12            update     [7, 200]         2
    13            update     [7, 300]         4: a redelivery of 3, so that the row stays the same
    14            insert     [1, 50]          5: it follows a configured reset of the sequence

  Arguments:
    order_by (string): SQL of the table's setting order_by. By default it is looked up for the
      change's own table. A statement is ordered by the setting of each table that it names.
    is_statement (boolean): whether the events are statements and no changes of rows.

  Requires: columns `sequence_generation`, `source_sequence`, `operation`, `kafka_timestamp`, the
    coordinates; by default also the columns that name the source table.
#}
{% macro row_order(order_by=none, is_statement=false) -%}
    {%- set order = order_by or kafka_cdc.table_setting('order_by', "'sequence'") -%}
    struct(
        sequence_generation,
        case {{ order | indent(8) }}
            when 'sequence' then source_sequence
            when 'kafka_timestamp' then array(unix_micros(kafka_timestamp))
        end as sequence,
        {% if is_statement -%}
        true as is_after,
        {%- else -%}
        not (
            operation <=> 'update_before'
            or operation <=> 'delete'
            and source_sequence is not null
            and {{ order | indent(12) }} = 'sequence'
            and {{ kafka_cdc.deletes_first_condition() | indent(12) }}
        ) as is_after,
        {%- endif %}
        topic_incarnation,
        kafka_offset,
        row_index,
        kafka_topic,
        kafka_partition
    )
{%- endmacro %}

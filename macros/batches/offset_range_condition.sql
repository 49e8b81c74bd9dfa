{#
  Prints ` and ` and a condition: the offsets of the landing batches, in a raw table of another tool.

  There landing_batch is an expression, by which the table format cannot skip files. It can skip
  files by the literal offsets. Nothing is printed in these cases:
  * Landing writes raw.
  * All batches are read.
  * The batches have no message, or span more than 200 partitions.

  Arguments:
    batches (optional[list[integer]]): the landing batches, or none for all of them.
#}
{% macro offset_range_condition(batches) -%}
    {%- if execute and batches and kafka_cdc.get_raw_column_mapping() -%}
        {%- set query -%}
            select topic, `partition`, min(`offset`), max(`offset`)
            from {{ kafka_cdc.get_raw_relation() }}
            where {{ kafka_cdc.in_batches_condition(batches) }}
            group by topic, `partition`
            order by topic, `partition`
            limit 201
        {%- endset -%}

        {%- set ranges = [] -%}
        {%- for topic, partition, first, last in run_query(query).rows -%}
            {%- do ranges.append(
                'topic = ' ~ kafka_cdc.sql_literal(topic) ~ ' and `partition` = ' ~ partition
                    ~ ' and `offset` between ' ~ first ~ ' and ' ~ last
            ) -%}
        {%- endfor -%}

        {%- if 0 < ranges | length <= 200 %} and ({{ ranges | join(' or ') }}){% endif -%}
    {%- endif -%}
{%- endmacro %}

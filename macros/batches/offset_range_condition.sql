{#
  Prints a SQL condition, behind ` and `, with the offsets that the landing batches of a mapped raw table span, as literals, by which Iceberg leaves
  out its other files: an expression such as landing_batch there prunes none. Nothing where raw has its own landing_batch, or for all batches.
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
        {%- set spans = [] -%}
        {%- for topic, partition, first, last in run_query(query).rows -%}
            {%- do spans.append('topic =' ~ kafka_cdc.sql_literal(topic) ~ ' and `partition` = ' ~ partition ~ ' and `offset` between ' ~ first ~ ' and ' ~ last) -%}
        {%- endfor -%}
        {%- if 0 < spans | length <= 200 %} and ({{ spans | join(' or ') }}){% endif -%}
    {%- endif -%}
{%- endmacro %}

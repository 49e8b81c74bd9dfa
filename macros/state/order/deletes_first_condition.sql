{#
  Prints a condition: at the position of a change, a row is deleted before it is written again.

  The positions of some formats are those of transactions. A transaction changes a row once, or it
  deletes and writes it. The two may come in any order, for example from two Kafka partitions. The
  entry `deletes_first` of a format has the condition for its changes.

  Example, a row of TiDB whose unique column changes:
    kafka_offset  operation  source_sequence  position in the order
    100           insert     [443852055297]   2: the row exists afterwards
    5000          delete     [443852055297]   1

  Requires: the columns of the model events that name the format, such as `source_format`.
#}
{% macro deletes_first_condition() -%}
    {%- set always, sometimes = [], [] -%}
    {#- While dbt parses the project, nothing reads the condition, and each format would be read again. -#}
    {%- for slug in (kafka_cdc.get_formats() if execute else []) -%}
        {%- set condition = kafka_cdc.get_format(slug).deletes_first -%}
        {%- if condition == 'true' -%}
            {%- do always.append(kafka_cdc.sql_literal(slug)) -%}
        {%- elif condition -%}
            {%- do sometimes.append('source_format = ' ~ kafka_cdc.sql_literal(slug) ~ ' and ' ~ condition) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set conditions = (['source_format in (' ~ always | join(', ') ~ ')'] if always else []) + sometimes -%}
    {%- if conditions -%}
coalesce(
    {{ conditions | join('\n    or ') }},
    false
)
    {%- else -%}
false
    {%- endif -%}
{%- endmacro %}

{#
  Prints a SELECT: the source tables with events that the present masks would not produce.

  Such a table has plain values of a column that is masked now, or values of another mask or secret.
  Equal values would then differ. There is one row per table and topic, because each topic must be
  read again. Columns: see select_findings.

  The stamps of masked_column_types show which masks an event has. Batches without a full row
  image are not compared.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro select_remasked_tables(batch_stats) -%}
{%- set table = kafka_cdc.get_table_columns() | join(',\n    ') -%}
{%- set stamps -%}
array_distinct(transform(filter(columns, column -> startswith(column.type, 'masked(')), column -> column.type))
{%- endset -%}
select
    {{ table }},
    'changed_masks' as check_name,
    concat(
        'topic ', kafka_topic, ': ', sum(changes), ' changes of ', any_value({{ kafka_cdc.table_path() }}),
        ' were read with other masks than tables now sets, or with another secret'
    ) as finding,
    concat('To read the topic again: dbt build --vars \'{replay: ["', kafka_topic, '"]}\'') as remedy
from (
    select
        *,
        {{ stamps }} as stamps,
        {{ kafka_cdc.mask_line() | indent(8) if kafka_cdc.has_masks() else 'null' }} as mask_line,
        {{ kafka_cdc._present_stamp() | indent(8) }} as present_stamp
    from {{ batch_stats }}
    where changes > 0 and columns is not null
) as batches
where if(present_stamp is null, size(stamps) > 0, stamps <> array(present_stamp))
group by
    {{ table }},
    kafka_topic
{%- endmacro %}

{# Prints an expression: the stamp that events of the table get now, null without masks. #}
{% macro _present_stamp() -%}
    {%- if kafka_cdc.has_masks() -%}
    case mask_line
    {%- for line in kafka_cdc.get_mask_rules() %}
        when {{ loop.index0 }} then '{{ line.stamp }}'
    {%- endfor %}
    end
    {%- else -%}
    cast(null as string)
    {%- endif -%}
{%- endmacro %}

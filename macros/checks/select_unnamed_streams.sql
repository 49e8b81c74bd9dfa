{#
  Prints a SELECT: the source tables that may be tables of several streams with the same name.

  Topics of different entries of the setting `topics` are different streams. The messages of such a table
  do not name their stream, no entry sets a source, and its topics have different entries. Topics
  without an entry count as one stream. Columns: see select_findings.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro select_unnamed_streams(batch_stats) -%}
{%- set table = kafka_cdc.get_table_columns() -%}
select
    {{ table | join(',\n    ') }},
    'unnamed_streams' as check_name,
    concat(
        'table ', {{ kafka_cdc.table_path() | indent(8) }}, ' of source ', source_name,
        ' is in topics with different entries in topics, and its messages do not name their stream: ',
        array_join(array_sort(collect_set(kafka_topic)), ', ')
    ) as finding,
    concat(
        'If this is one stream, write one entry for its topics: - {topic: [',
        array_join(array_sort(collect_set(kafka_topic)), ', '),
        '], ...}. Otherwise add a source to each entry, then run dbt build --vars \'{replay: ["',
        array_join(array_sort(collect_set(kafka_topic)), '", "'), '"]}\''
    ) as remedy
from (
    select
        *,
        {{ kafka_cdc.topic_settings('kafka_topic') | indent(8) }} as settings
    from {{ batch_stats }}
    where changes > 0 and source_name = source_format
) as unnamed_changes
where settings.source is null
group by {{ table | join(', ') }}
having count(distinct coalesce(settings.entry, '')) > 1
{%- endmacro %}

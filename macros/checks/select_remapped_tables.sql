{#
  Prints a SELECT: the source tables of topics that the setting `topics` now maps differently.

  Earlier messages of such a topic were read in one way, and later ones are read in another. Each
  table would then have a part of its changes. There is one row per table and topic, because each
  topic must be read again. Columns: see select_findings.

  Arguments:
    outdated_mappings (relation): the model outdated_topic_mappings.
    batch_stats (relation): the model event_batch_stats.
#}
{% macro select_remapped_tables(outdated_mappings, batch_stats) -%}
select distinct
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    'changed_mapping' as check_name,
    mappings.finding,
    mappings.remedy
from {{ batch_stats }}
inner join (
    select
        kafka_topic,
        array_join(array_sort(collect_list(finding)), '; ') as finding,
        any_value(remedy) as remedy
    from {{ outdated_mappings }}
    group by kafka_topic
) as mappings using (kafka_topic)
where changes > 0
{%- endmacro %}

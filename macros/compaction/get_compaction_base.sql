{#
  Returns the version of compacted_events that the next compaction starts from.

  That is the latest version. If tables are held, it is the published version: a compaction that was
  not published may have left out what a held table still shows.

  Arguments:
    compacted (relation): the model compacted_events.
    holds (list[dict[string, any]]): the held tables, from get_holds.

  Returns: SQL of the relation (string); none if there is no such version.
#}
{% macro get_compaction_base(compacted, holds) %}
    {%- set is_held = holds | length > 0 -%}
    {{ return(kafka_cdc.get_versioned_relation(compacted, is_published=is_held)) }}
{% endmacro %}

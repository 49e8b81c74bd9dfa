{#
  Returns the condition on a change that the rows of its table are not in merged_rows.

  current_rows computes them from all events of the table. What merged_rows keeps of a row would not
  suffice, because earlier changes may still matter:
  * sources with primary-key updates that have partial images, or with split updates: a late event
    can turn a change into one of another row
  * sources whose renames are applied: a late rename can give old changes to another table
  * on_snapshot: replace: a late marker can complete an earlier snapshot
  * on_tombstone: delete: the position of a tombstone depends on the changes before it
  * on_truncate or on_drop: apply_by_time: the time of an old change can be later than the
    statement's

  Returns: SQL of the condition (string), or none if every table is merged.
#}
{% macro get_unmerged_condition() %}
    {%- set conditions = [] -%}
    {%- for name, default, value in [
        ('on_snapshot', 'upsert', 'replace'),
        ('on_tombstone', 'ignore', 'delete'),
        ('on_truncate', 'keep', 'apply_by_time'),
        ('on_drop', 'keep', 'apply_by_time'),
    ] if kafka_cdc.has_table_setting(name, [value]) -%}
        {%- do conditions.append(kafka_cdc.table_setting(name, "'" ~ default ~ "'") ~ " = '" ~ value ~ "'") -%}
    {%- endfor -%}

    {%- set sources = kafka_cdc._get_sources_with_key_changes() -%}
    {%- for line in kafka_cdc.get_table_settings() if line.on_rename == 'apply' -%}
        {%- if line.source is none -%}
            {{ return('true') }}
        {%- endif -%}
        {%- do sources.append(kafka_cdc.sql_literal(line.source)) -%}
    {%- endfor -%}
    {%- if sources -%}
        {%- do conditions.append('source_name in (' ~ sources | unique | sort | join(', ') ~ ')') -%}
    {%- endif -%}

    {{ return(conditions | join(' or ') or none) }}
{% endmacro %}

{# Returns the sources with split updates or partial primary-key updates, as SQL literals. #}
{% macro _get_sources_with_key_changes() %}
    {%- set batch_stats, sources = ref('kafka_cdc', 'event_batch_stats'), [] -%}
    {%- if execute and load_relation(batch_stats) is not none -%}
        {%- for source in kafka_cdc.get_facts(kafka_cdc.get_versioned_relation(batch_stats)).key_change_sources -%}
            {%- do sources.append(kafka_cdc.sql_literal(source)) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(sources) }}
{% endmacro %}

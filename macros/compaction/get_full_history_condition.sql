{#
  Returns a SQL condition on a change: that its table keeps all of its changes in compacted_events, because an old one may still matter after a whole
  image of its row came. So it is where rows move with partial images or come in halves, snapshots replace, tombstones delete, statements
  empty a table by time, and in sources whose renames are applied. None where it is so nowhere.
#}
{% macro get_full_history_condition() %}
    {%- set conditions = [] -%}
    {%- for name, default, value in [
        ('on_snapshot', 'upsert', 'replace'), ('on_tombstone', 'ignore', 'delete'), ('on_truncate', 'keep', 'apply_by_time'), ('on_drop', 'keep', 'apply_by_time')
    ] if kafka_cdc.has_table_setting(name, [value]) -%}
        {%- do conditions.append(kafka_cdc.table_setting(name, "'" ~ default ~ "'") ~ " = '" ~ value ~ "'") -%}
    {%- endfor -%}
    {%- set sources = kafka_cdc._get_sources_that_move() -%}
    {%- for line in kafka_cdc.get_table_settings() if line.on_rename == 'apply' -%}
        {%- if line.source is none -%}{{ return('true') }}{%- endif -%}
        {%- do sources.append(kafka_cdc.sql_literal(line.source) | trim) -%}
    {%- endfor -%}
    {%- if sources %}{% do conditions.append('source_name in (' ~ sources | unique | sort | join(', ') ~ ')') %}{% endif -%}
    {{ return(conditions | join(' or ') or none) }}
{% endmacro %}

{# Returns the sources with partial images that move or rows that come in halves, as SQL. #}
{% macro _get_sources_that_move() %}
    {%- set profiles, sources = ref('event_batch_stats'), [] -%}
    {%- if execute and load_relation(profiles) is not none -%}
        {%- set query = 'select distinct source_name from ' ~ profiles ~ ' where before_events + partial_moves > 0' -%}
        {%- for source in run_query(query).columns[0].values() %}{% do sources.append(kafka_cdc.sql_literal(source) | trim) %}{% endfor -%}
    {%- endif -%}
    {{ return(sources) }}
{% endmacro %}

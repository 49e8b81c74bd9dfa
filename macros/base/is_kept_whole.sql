{#
  Prints a SQL condition on a change: whether its table keeps all of its events in base_events, because an old one may still matter after a
  whole image of its row came: where rows move with partial images or come in halves, where snapshots replace, tombstones delete, or
  statements empty the table by time; and everywhere where renames are applied.
#}
{% macro is_kept_whole() -%}
{%- set conditions = [] -%}
{%- for name, default, value in [('on_snapshot', 'upsert', 'replace'), ('on_tombstone', 'ignore', 'delete'), ('on_truncate', 'keep', 'apply_by_time'), ('on_drop', 'keep', 'apply_by_time')]
    if is_any_table_setting(name, [value]) -%}
    {%- do conditions.append(table_setting(name, "'" ~ default ~ "'") ~ " = '" ~ value ~ "'") -%}
{%- endfor -%}
{%- if is_any_table_setting('on_rename', ['apply']) %}{% do conditions.append('true') %}{% endif -%}
{%- set sources = _get_sources_kept_whole() -%}
{%- if sources %}{% do conditions.append('source_name in (' ~ sources | join(', ') ~ ')') %}{% endif -%}
{{ conditions | join(' or ') or 'false' }}
{%- endmacro %}

{# Returns the sources with such moves or halves, as SQL. #}
{% macro _get_sources_kept_whole() %}
    {%- set profiles, sources = ref('stream_profiles'), [] -%}
    {%- if execute and load_relation(profiles) is not none -%}
        {%- set query = 'select distinct source_name from ' ~ profiles ~ ' where before_halves + partial_moves > 0 order by source_name' -%}
        {%- for source in run_query(query).columns[0].values() %}{% do sources.append(sql_text(source) | trim) %}{% endfor -%}
    {%- endif -%}
    {{ return(sources) }}
{% endmacro %}

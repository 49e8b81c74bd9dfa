{#
  Raises an error if the setting `topics` would merge tables: a format has several lines, one without a source.

  If messages of the format name their stream, or the topic names the table, no line needs a source. The
  check unnamed_streams holds a table whose messages do not name their stream after all.

  It is checked once while dbt parses and once in a run.
#}
{% macro check_topic_sources() %}
    {%- set known = kafka_cdc.get_package_memory() -%}
    {%- set lines = [] if known.has_checked_sources else kafka_cdc.get_topic_settings() -%}
    {%- for slug, entries in lines | selectattr('format') | groupby('format') -%}
        {%- set unnamed = entries | selectattr('source', 'none') | list -%}
        {%- if unnamed and entries | length > 1 -%}
            {%- set format = kafka_cdc.get_format(slug) -%}
            {%- if format.columns.source_name == 'null' and not format.topic_names_table -%}
                {{ kafka_cdc.raise_setting_error(
                    setting=kafka_cdc.get_entry_name('topics', unnamed[0], lines.index(unnamed[0]) + 1) ~ '.source',
                    value=none,
                    valid='a text on every line of ' ~ slug,
                    hint='several lines have this format, whose messages do not name their stream; '
                        ~ 'without a source their tables of the same name would be merged'
                ) }}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do known.update({'has_checked_sources': true}) -%}
{% endmacro %}

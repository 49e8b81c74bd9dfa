{#
  Keeps the project's tables small and fast: small files of raw become large ones, old snapshots and the files that no snapshot needs
  go. For run-operation, daily: dbt run-operation maintain_tables. What is published is spared, and so is what runs beside it wrote. A raw table that another tool
  writes (setting raw_column_mapping) is left alone.
  keep_days: how long old snapshots stay readable (0: only the newest and the published). orphan_days: how old a file that belongs to no
  snapshot must be, at least 1; a run that takes longer than that would lose its files.
#}
{% macro maintain_tables(keep_days=5, orphan_days=3) %}
    {%- for name, days, least in [('keep_days', keep_days, 0), ('orphan_days', orphan_days, 1)] if days is not integer or days is boolean or days < least -%}
        {{ kafka_cdc.raise_error(name ~ ' is ' ~ tojson(days), 'a whole number of days from ' ~ least) }}
    {%- endfor -%}
    {%- if execute -%}
        {%- set raw = [] if kafka_cdc.get_raw_column_mapping() else [source('raw', 'kafka_messages')] -%}
        {%- set tables = raw + [ref('events'), ref('event_batch_stats'), ref('compacted_events')] -%}
        {%- for table in tables if load_relation(table) is not none -%}
            {%- set said = kafka_cdc.get_table_format_macro('maintain_table')(table, table in raw, keep_days, orphan_days) -%}
            {{ log(table ~ ': ' ~ said | join(', '), info=true) }}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

{#
  Deletes what no reader needs: old table versions and orphan files.

  It compacts small files of raw and of typed tables.

  It keeps the published versions and what concurrent runs are writing. It leaves a raw table alone
  that another tool writes (setting raw_column_mapping). Run it daily.

  Example: dbt run-operation maintain_tables

  Arguments:
    keep_days (integer): how long old table versions stay readable. With 0 only the latest and the
      published stay.
    orphan_days (integer): minimum age of a file that belongs to no version, at least 1 day. A run
      that takes longer than that would lose its files.
#}
{% macro maintain_tables(keep_days=5, orphan_days=3) %}
    {%- do kafka_cdc.check_arguments(
        operation='maintain_tables',
        arguments={'keep_days': keep_days, 'orphan_days': orphan_days},
        unknown=kwargs,
        required=[],
        example='{keep_days: 5}'
    ) -%}

    {%- for name, days, minimum in [('keep_days', keep_days, 0), ('orphan_days', orphan_days, 1)] -%}
        {%- if days is not integer or days is boolean or days < minimum -%}
            {{ kafka_cdc.raise_error(
                name ~ ' is ' ~ tojson(days),
                'use a whole number of days, ' ~ minimum ~ ' or more'
            ) }}
        {%- endif -%}
    {%- endfor -%}

    {%- if execute -%}
        {%- set raw = [] if kafka_cdc.get_raw_column_mapping() else [source('raw', 'kafka_messages')] -%}
        {%- set typed = kafka_cdc.get_typed_tables() -%}
        {%- set tables = raw + [
            ref('kafka_cdc', 'events'),
            ref('kafka_cdc', 'event_batch_stats'),
            ref('kafka_cdc', 'chain_breaks'),
            ref('kafka_cdc', 'table_holds'),
            ref('kafka_cdc', 'merged_rows'),
        ] + typed -%}
        {%- for table in tables if load_relation(table) is not none -%}
            {%- set summary = kafka_cdc.get_table_format_macro('maintain_table')(
                table=table,
                compaction='sort' if table in raw else 'binpack' if table in typed else none,
                keep_days=keep_days,
                orphan_days=orphan_days
            ) -%}
            {{ log(table ~ ': ' ~ summary | join(', '), info=true) }}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

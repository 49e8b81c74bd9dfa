{#
  Compacts a table's files, and deletes files that no retained version needs.

  Retained are the versions of the last keep_days days and the published version. Files of killed
  runs are deleted too.

  Arguments:
    table (relation): the table.
    compaction (optional[string]): sort or binpack put small files together. binpack also removes
      rows that are marked as deleted. Without it, data files stay as they are.
    keep_days (integer): how long old versions stay readable.
    orphan_days (integer): minimum age of a file that belongs to no version.

  Returns: a summary for people, one item per step (list[string]).
#}
{% macro delta_maintain_table(table, compaction, keep_days, orphan_days) %}
    {%- set summary = [] -%}

    {%- if compaction == 'binpack' -%}
        {#- OPTIMIZE can leave a file whose rows are marked as deleted. The rows would remain on disk. -#}
        {%- do run_query('reorg table ' ~ table ~ ' apply (purge)') -%}
    {%- endif -%}
    {%- if compaction is not none -%}
        {%- set files_before = run_query('describe detail ' ~ table).rows[0].numFiles -%}
        {%- do run_query('optimize ' ~ table) -%}
        {%- set files_after = run_query('describe detail ' ~ table).rows[0].numFiles -%}
        {%- do summary.append('optimize (' ~ files_before ~ ' files, then ' ~ files_after ~ ')') -%}
    {%- endif -%}

    {%- do kafka_cdc.publish_version(table, kafka_cdc.get_published_version(table)) -%}
    {%- set published = kafka_cdc.get_published_version(table) -%}
    {%- do kafka_cdc._extend_log_retention(table, published) -%}

    {#-
      VACUUM only honors the table's own retention and cannot exclude the published version.
      So it gets an explicit list of files (USING INVENTORY), and its own checks are off.
    -#}
    {%- for setting in ['retentionDurationCheck.enabled', 'vacuum.retentionWindowIgnore.enabled'] -%}
        {%- do run_query('set spark.databricks.delta.' ~ setting ~ ' = false') -%}
    {%- endfor -%}
    {%- set deletable_files = kafka_cdc._deletable_files(
        table=table,
        published=published,
        keep_days=keep_days,
        orphan_days=orphan_days
    ) -%}
    {%- do run_query('create or replace temporary view kafka_cdc_files as\n' ~ deletable_files) -%}
    {%- set vacuum -%}
        vacuum {{ table }}
        using inventory (select path, length, isDir, modificationTime from kafka_cdc_files)
        retain {{ 24 * keep_days }} hours
    {%- endset -%}
    {%- do run_query(vacuum) -%}
    {%- do run_query('drop view if exists kafka_cdc_files') -%}
    {%- do summary.append('vacuum (retain ' ~ keep_days ~ ' days)') -%}

    {#- VACUUM writes versions of its own. -#}
    {%- do kafka_cdc.publish_version(table, published) -%}
    {{ return(summary) }}
{% endmacro %}

{#
  Prints a SELECT: the files on disk that VACUUM may delete if no recent version has them.

  Its columns are those that VACUUM expects: path, length, isDir, modificationTime. Left out are the
  files of the published version, and files that a run has written but not committed yet. A file
  that no commit ever removed must be orphan_days old. published is none if nothing is published.
#}
{% macro _deletable_files(table, published, keep_days, orphan_days) -%}
    {%- set location = run_query('describe detail ' ~ table).rows[0].location -%}
select
    on_disk.path,
    on_disk.length,
    on_disk.length < 0 as isDir,
    unix_millis(on_disk.modificationTime) as modificationTime
from binaryFile.`{{ location }}` as on_disk
{% if published is not none -%}
left anti join (
    select distinct _metadata.file_name
    from {{ table }} version as of {{ published }}
) as published
    on substring_index(on_disk.path, '/', -1) = published.file_name
{% endif -%}
where
    on_disk.modificationTime < current_timestamp() - interval {{ orphan_days }} days
    {%- if keep_days < orphan_days %}
    or substring_index(on_disk.path, '/', -1) in (
        select substring_index(from_json(value, 'remove struct<path: string>').remove.path, '/', -1)
        from text.`{{ location }}/_delta_log/*.json`
    )
    {%- endif %}
{%- endmacro %}

{#
  Lengthens a table's log retention if its published version is more than 100 days old.

  The published version stays the same while tests fail. Delta would drop it from the log after the
  365 days that delta_table_properties sets.
#}
{% macro _extend_log_retention(table, published) %}
    {%- if published is none -%}
        {{ return('') }}
    {%- endif -%}

    {%- set versions_since = kafka_cdc.get_latest_version(table) - published + 1 -%}
    {%- set history = run_query('describe history ' ~ table ~ ' limit ' ~ versions_since).rows -%}
    {%- for row in history if row.version == published -%}
        {%- set age = "datediff(current_timestamp(), timestamp '" ~ row.timestamp ~ "')" -%}
        {%- set days = run_query('select ' ~ age).rows[0][0] -%}
        {%- if days > 100 -%}
            {%- set statement -%}
                alter table {{ table }} set tblproperties (
                    'delta.logRetentionDuration' = 'interval {{ 4 * days }} days',
                    'delta.deletedFileRetentionDuration' = 'interval {{ 4 * days }} days'
                )
            {%- endset -%}
            {%- do run_query(statement) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

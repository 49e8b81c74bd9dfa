{#
  Lets small files of raw become large ones, and those files go that no version of the last keep_days days and none that is published needs,
  and those of killed runs. Returns what was done, in words, an item for each step. The arguments are those of maintain_tables.
#}
{% macro delta_maintain_table(table, is_raw, keep_days, orphan_days) %}
    {%- set said = [] -%}
    {%- if is_raw -%}
        {%- set before = run_query('describe detail ' ~ table).rows[0].numFiles -%}
        {%- do run_query('optimize ' ~ table) -%}
        {%- do said.append('optimize (' ~ before ~ ' files, then ' ~ run_query('describe detail ' ~ table).rows[0].numFiles ~ ')') -%}
    {%- endif -%}
    {%- do kafka_cdc.publish_version(table, kafka_cdc.get_published_version(table)) -%}
    {%- set published = kafka_cdc.get_published_version(table) -%}
    {%- do kafka_cdc._keep_log(table, published) -%}
    {#- VACUUM would take no other time than the table's own, and spare nothing that is older: what it may delete is therefore told. -#}
    {%- for setting in ['retentionDurationCheck.enabled', 'vacuum.retentionWindowIgnore.enabled'] -%}
        {%- do run_query('set spark.databricks.delta.' ~ setting ~ ' = false') -%}
    {%- endfor -%}
    {%- do run_query('create or replace temporary view kafka_cdc_files as\n' ~ kafka_cdc._deletable_files(table, published, keep_days, orphan_days)) -%}
    {%- do run_query('vacuum ' ~ table ~ ' using inventory (select path, length, isDir, modificationTime from kafka_cdc_files) retain ' ~ 24 * keep_days ~ ' hours') -%}
    {%- do said.append('vacuum (retain ' ~ keep_days ~ ' days)') -%}
    {%- do kafka_cdc.publish_version(table, published) -%}
    {{ return(said) }}
{% endmacro %}

{#
  Prints the SELECT of the files on disk that may go once no version of the last keep_days days has them: path, length, isDir, modificationTime, as VACUUM
  asks for them. Not those of the published version, none for none, and not those that a run has just written and not committed: what no commit ever
  removed must be orphan_days old.
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

{# Lets the log keep what is published where that stands still, as it does while tests fail: Delta would forget it after the year of its properties. #}
{% macro _keep_log(table, published) %}
    {%- if published is none %}{{ return('') }}{% endif -%}
    {%- for row in run_query('describe history ' ~ table ~ ' limit ' ~ (kafka_cdc.get_latest_version(table) - published + 1)).rows if row.version == published -%}
        {%- set days = run_query("select datediff(current_timestamp(), timestamp '" ~ row.timestamp ~ "')").rows[0][0] -%}
        {%- if days > 100 -%}
            {%- set kept = "'interval " ~ 4 * days ~ " days'" -%}
            {%- do run_query('alter table ' ~ table ~ " set tblproperties ('delta.logRetentionDuration' = " ~ kept ~ ", 'delta.deletedFileRetentionDuration' = " ~ kept ~ ')') -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

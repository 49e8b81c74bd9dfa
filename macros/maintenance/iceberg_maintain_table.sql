{#
  Lets small files become large ones (of raw, in its own order, without the rows that were rewritten), and old snapshots and the files that no
  snapshot needs go. Returns what was done, in words, an item for each step. The arguments are those of maintain_tables.
#}
{% macro iceberg_maintain_table(table, is_raw, keep_days, orphan_days) %}
    {%- set said, published = [], kafka_cdc.get_published_version(table) -%}
    {%- if is_raw -%}
        {%- set options = "map('min-input-files', '5', 'delete-file-threshold', '1', 'remove-dangling-deletes', 'true', 'partial-progress.enabled', 'true')" -%}
        {%- do said.append(kafka_cdc._iceberg_procedure(table, 'rewrite_data_files', ", strategy => 'sort', options => " ~ options)) -%}
    {%- endif -%}
    {%- do said.append(kafka_cdc._iceberg_procedure(table, 'rewrite_manifests')) -%}
    {%- do kafka_cdc.publish_version(table, published) -%}
    {%- do said.append(kafka_cdc._iceberg_procedure(table, 'expire_snapshots', ', retain_last => 1', keep_days)) -%}
    {%- do said.append(kafka_cdc._iceberg_procedure(table, 'remove_orphan_files', '', orphan_days)) -%}
    {{ return(said) }}
{% endmacro %}

{#
  Calls one of Iceberg's procedures on a table; returns its name and what it did, for people. arguments: SQL behind the table's.
  older_than_days: how many days before now the procedure's older_than lies.
#}
{% macro _iceberg_procedure(table, procedure, arguments='', older_than_days=none) %}
    {%- set catalog = run_query('select current_catalog()').columns[0].values()[0] -%}
    {%- set older_than = '' -%}
    {%- if older_than_days is not none -%}
        {%- set moment = run_query('select cast(current_timestamp() - interval ' ~ older_than_days ~ ' days as string)').columns[0].values()[0] -%}
        {%- set older_than = ", older_than => timestamp '" ~ moment ~ "'" -%}
    {%- endif -%}
    {%- set result = run_query('call ' ~ catalog ~ '.system.' ~ procedure ~ '(table => ' ~ kafka_cdc.sql_literal(table | string) | trim ~ arguments ~ older_than ~ ')') -%}
    {%- set numbers = [] -%}
    {%- if procedure == 'remove_orphan_files' -%}
        {%- do numbers.append(result.rows | length) -%}
    {%- else -%}
        {%- for name, number in result.rows[0].dict().items() if number %}{% do numbers.append(name ~ ' ' ~ number) %}{% endfor -%}
    {%- endif -%}
    {{ return(procedure ~ ' (' ~ (numbers | join(', ') or 'nothing to do') ~ ')') }}
{% endmacro %}

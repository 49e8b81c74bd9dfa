{#
  Compacts a table's files, expires old snapshots, and deletes files that no snapshot needs.

  The data files are rewritten without rows that were deleted from them.

  Arguments:
    table (relation): the table.
    compaction (optional[string]): sort writes the rows of small files in the table's own order.
      binpack only puts small files together. Without it, data files stay as they are.
    keep_days (integer): how long old snapshots stay readable.
    orphan_days (integer): minimum age of a file that belongs to no snapshot.

  Returns: a summary for people, one item per step (list[string]).
#}
{% macro iceberg_maintain_table(table, compaction, keep_days, orphan_days) %}
    {%- set summary, published = [], kafka_cdc.get_published_version(table) -%}

    {%- if compaction is not none -%}
        {%- set options = [
            "'min-input-files', '5'",
            "'delete-file-threshold', '1'",
            "'remove-dangling-deletes', 'true'",
            "'partial-progress.enabled', 'true'",
        ] -%}
        {%- do summary.append(kafka_cdc._iceberg_procedure(
            table,
            'rewrite_data_files',
            arguments=", strategy => '" ~ compaction ~ "', options => map(" ~ options | join(', ') ~ ')'
        )) -%}
    {%- endif -%}
    {%- do summary.append(kafka_cdc._iceberg_procedure(table, 'rewrite_manifests')) -%}
    {%- set appends = kafka_cdc._drop_manifests_of_deleted_files(table) -%}

    {#- Publish the rewritten version, so that the files of the present one can expire. -#}
    {%- do kafka_cdc.publish_version(table, published, rewrites=appends) -%}

    {%- do summary.append(kafka_cdc._iceberg_procedure(
        table,
        'expire_snapshots',
        arguments=', retain_last => 1',
        older_than_days=keep_days
    )) -%}
    {%- do summary.append(kafka_cdc._iceberg_procedure(
        table,
        'remove_orphan_files',
        older_than_days=orphan_days
    )) -%}
    {{ return(summary) }}
{% endmacro %}

{#
  Drops manifests that only list deleted files, because they have the bounds of deleted values.

  rewrite_manifests leaves the only manifest of a table as it is, for example if all rows were
  deleted. Any later commit drops such manifests, also one without rows.

  Returns the number of commits, 0 or 1.
#}
{% macro _drop_manifests_of_deleted_files(table) %}
    {%- set query -%}
        select count(*)
        from {{ table }}.manifests
        where deleted_data_files_count > 0 and added_data_files_count + existing_data_files_count = 0
    {%- endset -%}
    {%- if not run_query(query).columns[0].values()[0] -%}
        {{ return(0) }}
    {%- endif -%}
    {%- do run_query('insert into ' ~ table ~ ' select * from ' ~ table ~ ' where false') -%}
    {{ return(1) }}
{% endmacro %}

{#
  Calls one of Iceberg's procedures on a table, and returns its name and what it did (string).

  https://iceberg.apache.org/docs/latest/spark-procedures/

  arguments: SQL of more arguments, after the table's name.
  older_than_days: the procedure's argument older_than, in days before now; none to leave it out.
#}
{% macro _iceberg_procedure(table, procedure, arguments='', older_than_days=none) %}
    {%- set catalog = run_query('select current_catalog()').columns[0].values()[0] -%}
    {%- set older_than = '' -%}
    {%- if older_than_days is not none -%}
        {%- set limit = 'current_timestamp() - interval ' ~ older_than_days ~ ' days' -%}
        {%- set timestamp = run_query('select cast(' ~ limit ~ ' as string)').columns[0].values()[0] -%}
        {%- set older_than = ", older_than => timestamp '" ~ timestamp ~ "'" -%}
    {%- endif -%}

    {%- set call_arguments = 'table => ' ~ kafka_cdc.sql_literal(table | string) ~ arguments ~ older_than -%}
    {%- set result = run_query('call ' ~ catalog ~ '.system.' ~ procedure ~ '(' ~ call_arguments ~ ')') -%}

    {%- set numbers = [] -%}
    {%- if procedure == 'remove_orphan_files' -%}
        {%- do numbers.append(result.rows | length) -%}
    {%- else -%}
        {%- for name, number in result.rows[0].dict().items() if number -%}
            {%- do numbers.append(name ~ ' ' ~ number) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(procedure ~ ' (' ~ (numbers | join(', ') or 'nothing to do') ~ ')') }}
{% endmacro %}

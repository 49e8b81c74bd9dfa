{#
  Erases one row permanently from raw, events, history, state and typed tables, and from the files on disk.

  In raw the payloads are rewritten. Coordinates and other rows of a message stay. The row's
  tombstones lose their keys. Hashes in the table erased_rows prevent a replay or a duplicate from
  restoring the row.

  The command is safe to repeat. Repeated for any row, it also erases what has landed again of all
  erased rows. Concurrent runs may fail with a write conflict, which they report.

  Not covered are messages in quarantine, DDL text, and the row's earlier keys. erase_messages
  erases a message in quarantine. If an update in two messages changed the key, the earlier key must
  be erased first. Otherwise the before event would remain alone, and the earlier row with it. Then
  the command stops. erase_data_subject finds them.

  Example: dbt run-operation erase_row --args '{table: inventory.customers, key: {id: 1001}}'

  Arguments:
    table (string): database[.schema].table.
    key (dict[string, any]): the row's key, column to value.
    source (optional[string]): the stream, if several have such a table.
    tenant (optional[string]): the tenant, if several have such a table.

  Prints: nothing. The log has the number of messages that contained the row, and a warning that names
    the typed tables without a model, because they keep it.
#}
{% macro erase_row(table=none, key=none, source=none, tenant=none) %}
    {%- do kafka_cdc.check_arguments(
        operation='erase_row',
        arguments={
            'table': table,
            'key': key,
            'source': source,
            'tenant': tenant,
        },
        unknown=kwargs,
        required=['table', 'key'],
        example='{table: inventory.customers, key: {id: 1001}}'
    ) -%}

    {%- set row_key = kafka_cdc.get_row_key(table, key) -%}

    {%- if execute -%}
        {%- do kafka_cdc.check_raw_is_rewritable() -%}
        {%- set parts = kafka_cdc.get_table_stream(table, source, tenant).tables -%}
        {%- set keys = [run_query('select ' ~ row_key).columns[0].values()[0]] -%}
        {%- set rows = [{'name': table, 'tables': parts, 'row_keys': keys}] -%}
        {%- set receipt = kafka_cdc.erase_rows(rows) -%}

        {%- set remaining = '; the published version still contains it: run dbt build, then this command again' -%}
        {{ log(
            table ~ ' of source ' ~ parts.source_name ~ ': ' ~ receipt.counts.messages
                ~ ' messages no longer contain the row' ~ ('' if receipt.is_published else remaining),
            info=true
        ) }}
        {%- do kafka_cdc.log_unmodeled_typed_tables(rows) -%}
    {%- endif -%}
{% endmacro %}

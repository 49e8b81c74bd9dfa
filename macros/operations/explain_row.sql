{#
  Logs every change of one row in order, its origin, and its effect on the row.

  It reads the published data, as current_rows does. The typed tables of the source table follow,
  with their latest versions and how many rows they have with the key.

  Example: dbt run-operation explain_row --args '{table: inventory.customers, key: {id: 1001}}'

  Arguments:
    table (string): database[.schema].table.
    key (dict[string, any]): key column to value.
    source (optional[string]): source_name of the stream, if several have such a table.
    tenant (optional[string]): source_tenant of the stream, if several have such a table.
#}
{% macro explain_row(table=none, key=none, source=none, tenant=none) %}
    {%- do kafka_cdc.check_arguments(
        operation='explain_row',
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
        {%- set table_parts = kafka_cdc.get_table_stream(table, source, tenant).tables -%}
        {%- set effects = run_query(kafka_cdc.select_row_explanation(table_parts, row_key)).rows -%}
        {%- if not effects -%}
            {{ kafka_cdc.raise_error(
                'no change of ' ~ table ~ ' has the key ' ~ tojson(key),
                'write each key column with its exact text: see row_key in changelog'
            ) }}
        {%- endif -%}

        {%- set last = effects[-1] -%}
        {%- set status = 'deleted' if last.is_deleted else 'live' -%}
        {{ print(table ~ ' ' ~ last.row_key ~ ' of source ' ~ table_parts.source_name ~ ' is ' ~ status) }}
        {%- for effect in effects -%}
            {{ print('\n' ~ loop.index ~ '. ' ~ effect.what) }}
            {{- print('   from:   ' ~ effect.origin) }}
            {{- print('   order:  ' ~ effect.row_order) }}
            {{- print('   effect: ' ~ effect.effect) }}
            {%- if effect.row_image -%}
                {{ print('   values: ' ~ effect.row_image) }}
            {%- endif -%}
        {%- endfor -%}
        {%- if not last.is_deleted -%}
            {{ print('\nThe row: ' ~ last.row_values) }}
        {%- endif -%}
        {%- do kafka_cdc._print_typed_tables(table_parts, last.row_key) -%}
    {%- endif -%}
{% endmacro %}

{# Prints the typed tables of a source table: the latest version, and the number of rows with a key. #}
{% macro _print_typed_tables(table_parts, row_key) %}
    {%- set lines = [] -%}
    {%- for table in kafka_cdc.get_typed_tables() -%}
        {%- set built_from = kafka_cdc.get_built_from(table) -%}
        {%- if table_parts in built_from.get('shards', [built_from.get('tables')]) -%}
            {%- set conditions = ['row_key = ' ~ kafka_cdc.sql_literal(row_key)] -%}
            {%- for column in kafka_cdc.get_shard_columns({'is_sharded': built_from.is_sharded}) -%}
                {%- do conditions.append(column ~ ' = ' ~ kafka_cdc.sql_literal(table_parts[column])) -%}
            {%- endfor -%}
            {%- set query = 'select count(*) from ' ~ table ~ ' where ' ~ conditions | join(' and ') -%}
            {%- set number = run_query(query).columns[0].values()[0] | int -%}
            {%- do lines.append(
                '   ' ~ table ~ ', version ' ~ kafka_cdc.get_latest_version(table) ~ ', has ' ~ number
                    ~ (' row' if number == 1 else ' rows') ~ ' with this key'
            ) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if lines -%}
        {{ print('\nTyped tables:\n' ~ lines | join('\n')) }}
    {%- endif -%}
{% endmacro %}

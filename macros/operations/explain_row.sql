{#
  Logs every change of one row in order, its origin, and its effect on the row.

  It reads the published data, as current_rows does.

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
    {%- endif -%}
{% endmacro %}

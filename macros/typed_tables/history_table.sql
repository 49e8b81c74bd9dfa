{#
  Prints the query of a typed table of versions: one row per version of a row of a source table (SCD type 2).

  It is the only content of a model, and is maintained like current_table.

  Example, the call in models/typed/customers_history.sql, in double braces:
    kafka_cdc.history_table('inventory.customers', source='canal')

  Columns of the table: the typed columns, key columns first, then undecoded, row_key, valid_from,
  valid_to and is_current. The last columns are the operation, time, sequence and Kafka coordinates
  of the change that created the version.

  Arguments:
    table (string): database[.schema].table, or a glob of shards, as for current_table.
    source (optional[string]): the stream, if several have such a table.
    tenant (optional[string]): the tenant, if several have such a table.
    on_schema_change (string): the policy, as for current_table.
#}
{% macro history_table(table, source=none, tenant=none, on_schema_change='evolve') -%}
    {{ kafka_cdc.typed_table_query({
        'table': table,
        'source': source,
        'tenant': tenant,
        'rows': 'versions',
        'has_coordinates': true,
        'on_schema_change': on_schema_change,
    }) }}
{%- endmacro %}

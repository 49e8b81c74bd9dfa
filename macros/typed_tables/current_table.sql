{#
  Prints the query of a typed table: one row per live row of a source table, one column per source column.

  It is the only content of a model. The table is physical, so that every engine can read it. A run
  recomputes the rows whose events are new and merges them. It rewrites the table in one commit if
  more has changed, for example after a TRUNCATE, a replay or a changed setting.

  Example, the call in models/typed/customers.sql, in double braces:
    kafka_cdc.current_table('inventory.customers', source='canal')

  Columns of the table: the typed columns, key columns first, and
    source_database, source_schema, source_table  if `table` is a glob of shards
    undecoded   source column to the text that does not fit its type, and the reason
    row_key     the key as canonical JSON
    is_deleted, deleted_at  with deletes='soft'
    last_operation, occurred_at, source_sequence and the Kafka coordinates, with
      has_coordinates=true. With deletes='soft' they are those of the change that made the last
      version, and the first one is `operation`

  Arguments:
    table (string): database[.schema].table. A glob folds the shards of one stream into one table.
    source (optional[string]): the stream, if several have such a table.
    tenant (optional[string]): the tenant, if several have such a table.
    deletes (string): `hard` removes deleted rows. `soft` keeps them with their last values.
    has_coordinates (boolean): whether to add the columns of the last change.
    on_schema_change (string): what happens if the columns of the source change. evolve adds and
      retypes columns. try_evolve retypes a column only if its values fit the new type. lenient then
      adds a second column. ignore keeps the columns. exception stops with an error.
#}
{% macro current_table(
    table,
    source=none,
    tenant=none,
    deletes='hard',
    has_coordinates=false,
    on_schema_change='evolve'
) -%}
    {%- if deletes not in ['hard', 'soft'] -%}
        {{ kafka_cdc.raise_error('deletes of ' ~ this ~ ' is ' ~ tojson(deletes), 'valid values are hard and soft') }}
    {%- endif -%}
    {{ kafka_cdc.typed_table_query({
        'table': table,
        'source': source,
        'tenant': tenant,
        'rows': deletes,
        'has_coordinates': has_coordinates,
        'on_schema_change': on_schema_change,
    }) }}
{%- endmacro %}

{#
  Prints an expression: the operation of a message of the format debezium, null for an unknown one.

  A create in a snapshot that has no position is a row of the snapshot: dtle writes no `r`.

  Records of the schema history have the position of their statement. They are the connector's own.

  Requires: the column `value`, and the format variables `change`, `connector` and `position`.
#}
{% macro debezium_change_operation() -%}
    {%- set operations = dict(kafka_cdc.get_debezium_operations(), t='truncate', m='other') -%}
    {%- set table_changes = {'CREATE': 'create', 'ALTER': 'alter', 'DROP': 'drop'} -%}
    {%- set in_snapshot = "coalesce(change.source.snapshot, 'false') not in ('false', 'incremental')" -%}
    case
        when change.op = 'm' and connector = 'TiCDC' then 'heartbeat'
        when change.op = 'c' and position is null and {{ in_snapshot }} then 'snapshot'
        when change.op is not null then {{ kafka_cdc.map_operation('change.op', operations) }}
        when change.status in ('BEGIN', 'END') then 'transaction'
        when change.aggregate_type is not null then 'other'
        when change.position is not null and change.databaseName is not null then 'other'
        when change.ddl is not null
            then if({{ in_snapshot }}, 'other', 'ddl')
        when change.tableChanges is not null
            then {{ kafka_cdc.map_operation('get(change.tableChanges, 0).type', table_changes) }}
        when change.ts_ms is not null and {{ kafka_cdc.debezium_heartbeat_condition() | indent(8) }}
            then 'heartbeat'
    end
{%- endmacro %}

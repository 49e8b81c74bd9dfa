{#
  Prints an expression: the operation of a message that is no row of debezium_unwrapped, else null.

  Heartbeats, transactions and schema changes pass the transformation unchanged.

  Requires: the format variables `change`, `deleted`, `document` and `message_key`.
#}
{% macro debezium_unwrapped_control() -%}
    case
        when coalesce(change.op, deleted) is not null then null
        when map_contains_key(message_key, 'serverName') and map_contains_key(document, 'ts_ms')
            and {{ kafka_cdc._only_members_condition(['ts_ms', 'ts_us', 'ts_ns']) }}
            then 'heartbeat'
        when try_element_at(document, 'status') in ('BEGIN', 'END') and map_contains_key(document, 'data_collections')
            and {{ kafka_cdc._only_members_condition(['status', 'id', 'event_count', 'data_collections', 'ts_ms']) }}
            then 'transaction'
        when map_contains_key(document, 'databaseName') and map_contains_key(document, 'tableChanges')
            and {{ kafka_cdc._only_members_condition(
                ['source', 'ts_ms', 'databaseName', 'schemaName', 'ddl', 'tableChanges']
            ) }}
            then 'other'
    end
{%- endmacro %}

{# Prints a condition: the message has no members but the given ones. #}
{% macro _only_members_condition(names) -%}
    size(array_except(map_keys(document), array('{{ names | join("', '") }}'))) = 0
{%- endmacro %}

{#
  Plain rows, JSON: a message is a row, without an operation.

  Kafka Connect's JsonConverter writes them with or without its schema envelope. JDBC source
  connectors, upsert sinks of Flink (`upsert-kafka`) and changelog topics of Kafka Streams contain
  them.
  Document: Apache Kafka Connect 3.x, JsonConverter ("schemas.enable"); Confluent, "JDBC Source
  Connector"; Apache Flink 1.20, "Upsert Kafka SQL Connector" (deletions).

    key:   {"c1": 10000}
    value: {"schema": {"type": "struct", "fields": [
              {"type": "int32", "optional": true, "field": "c1"},
              {"type": "string", "optional": true, "field": "c2"},
              {"type": "int64", "name": "org.apache.kafka.connect.data.Timestamp", "version": 1,
               "field": "create_ts"}]},
            "payload": {"c1": 10000, "c2": "bar", "create_ts": 1501834166000}}

  Quirks
  * A row contains only its current values. It becomes a snapshot event, which inserts the row or
    replaces it.
  * A null value with a key is the deletion of an upsert sink. It deletes the row if `on_tombstone`
    of the table is `delete`. Otherwise it changes nothing.
  * The setting `key` of the topic comes first, because the Kafka key may be any column that
    distributes the rows. Without it the members of the Kafka key are the key.
  * A Kafka key that is a bare value or an array has no names. The setting `key` names its columns,
    in its order.
  * A row that lacks columns of the key gets them from the Kafka key. Flink leaves them out with
    `value.fields-include` = EXCEPT_KEY, and so does ksqlDB.
  * The table has the topic's name.
  * The Kafka offset orders changes, so that the messages of a key belong on one partition. A column
    such as `updated_at` never orders them.
  * Types are those of Connect's schema, if the message has the envelope.
  * A decimal of Connect is base64, or a number with `decimal.format: NUMERIC`.
  * A number that has no scale in its database has the scale 127 in the schema of the JDBC source.
    Typed tables have decimal(38, 18).

  Limits
  * A JDBC source polls: several updates between two polls are one row, and it reports no deletion.
  * An update of the key leaves the row under the old key, unless its tombstone deletes it.
  * Debezium's outbox event router writes an event of an application, which is no row. Do not map its
    topics to this format.
#}
{% macro format_plain_rows() %}
    {%- set json_options = kafka_cdc.get_json_options() -%}
    {%- set has_envelope_members -%}
    size(members) = 2 and map_contains_key(members, 'schema') and map_contains_key(members, 'payload')
    {%- endset -%}

    {%- set has_schema -%}
    coalesce(
        has_envelope_members
        and (
            get_json_object(try_element_at(members, 'schema'), '$.type') in ('struct', 'map')
            or try_element_at(members, 'schema') is null
            and startswith(try_element_at(members, 'payload'), '{')
        ),
        false
    )
    {%- endset -%}

    {%- set row -%}
    if(
        has_schema,
        from_json(try_element_at(members, 'payload'), 'map<string, string>', {{ json_options }}),
        members
    )
    {%- endset -%}

    {%- set schema_type = 'fields array<struct<field: string, type: string, name: string, '
        ~ 'parameters: map<string, string>>>' -%}
    {%- set columns -%}
    if(has_schema, from_json(try_element_at(members, 'schema'), '{{ schema_type }}').fields, null)
    {%- endset -%}

    {#- With columns from the Kafka key, an envelope with a damaged schema would be a valid row. -#}
    {%- set completing_key = 'if(has_envelope_members and not has_schema, null, key)' -%}

    {%- set key_columns = 'coalesce(settings.key, map_keys(key))' -%}

    {{ return({
        'fields': 'payload string',
        'variables': {
            'members': "get(from_json(guarded_value, 'documents array<map<string, string>>', " ~ json_options
                ~ ').documents, 1)',
            'has_envelope_members': has_envelope_members,
            'has_schema': has_schema,
            'current_row': row,
            'key': kafka_cdc.named_key(),
            'columns': columns,
        },
        'recognized_by': {'signature': {}, 'condition': 'false'},
        'required': {
            'payload': 'if(current_row is null, null, true)',
        },
        'tombstone_key': kafka_cdc.named_key(),
        'topic_names_table': true,
        'rows_are_changes': 'true',
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': 'null',
            'source_schema': 'null',
            'source_table': 'kafka_topic',
            'operation': "'snapshot'",
            'operation_code': 'null',
            'occurred_at': 'null',
            'emitted_at': 'null',
            'source_sequence': 'null',
            'key_columns': key_columns,
            'before_row': 'null',
            'after_row': kafka_cdc.row_with_key('current_row', completing_key, key_columns),
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': kafka_cdc.debezium_column_types('columns'),
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

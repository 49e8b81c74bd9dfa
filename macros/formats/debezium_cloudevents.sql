{#
  Debezium in the CloudEvents envelope, JSON, of the relational connectors.

  The format covers inserts, updates, deletes, snapshots and TRUNCATE.
  Document: Debezium 1.9 to 3.x, "Exporting CloudEvents"; for TRUNCATE, its class CloudEventsConverter.

    {"id": "name:test_server;lsn:29274832;txId:565", "source": "/debezium/postgresql/test_server",
     "specversion": "1.0", "type": "io.debezium.connector.postgresql.DataChangeEvent",
     "time": "2020-01-13T13:55:39.738Z", "datacontenttype": "application/json",
     "iodebeziumop": "r", "iodebeziumconnector": "postgresql", "iodebeziumname": "test_server",
     "iodebeziumtsms": "1578923739738", "iodebeziumdb": "postgres", "iodebeziumschema": "s1",
     "iodebeziumtable": "a", "iodebeziumlsn": "29274832",
     "data": {"before": null, "after": {"pk": 1, "name": "Bob"}}}

  Quirks
  * The attributes `iodebezium…` are the members of Debezium's `source`, without underscores. All of
    them are texts.
  * `data` contains `before` and `after`, or the schema envelope around them. It may be the text of
    this object.
  * Positions, placeholders and before images are read as in the format `debezium`.
  * YugabyteDB's nulls may be columns that did not change. Its messages are rejected as
    `unknown_connector` yugabytedb, unless the topic has a `replica_identity`.
  * The key's columns are in the Kafka key only.

  Limits
  * `data` in Avro is rejected: it is the base64 text of bytes that need a schema.
  * A connector that is not listed is rejected as `unknown_connector`. The connectors are those of
    MySQL, MariaDB, PostgreSQL, SQL Server, Oracle and Db2.
  * PostgreSQL's replica identity, and nulls that a converter replaces: see the limits of `debezium`.
  * The documents do not show schema changes and heartbeats in this envelope.
#}
{% macro format_debezium_cloudevents() %}
    {%- set attributes = {
        'connector': 'iodebeziumconnector',
        'name': 'iodebeziumname',
        'ts_ms': 'iodebeziumtsms',
        'snapshot': 'iodebeziumsnapshot',
        'db': 'iodebeziumdb',
        'schema': 'iodebeziumschema',
        'table': 'iodebeziumtable',
        'file': 'iodebeziumfile',
        'pos': 'iodebeziumpos',
        'row': 'iodebeziumrow',
        'lsn': 'iodebeziumlsn',
        'sequence': 'iodebeziumsequence',
        'scn': 'iodebeziumscn',
        'commit_scn': 'iodebeziumcommitscn',
        'ssn': 'iodebeziumssn',
        'commit_lsn': 'iodebeziumcommitlsn',
        'change_lsn': 'iodebeziumchangelsn',
        'event_serial_no': 'iodebeziumeventserialno',
        'version': 'iodebeziumversion',
    } -%}
    {%- set source = [] -%}
    {%- for name, attribute in attributes.items() -%}
        {%- do source.append('debezium_cloudevents.' ~ attribute ~ ' as `' ~ name ~ '`') -%}
    {%- endfor -%}

    {%- set column = 'struct<field: string, type: string, name: string, parameters: map<string, string>>' -%}
    {%- set images = {'before': 'map<string, string>', 'after': 'map<string, string>'} -%}
    {%- set schema = {'fields': 'array<struct<field: string, fields: array<' ~ column ~ '>>>'} -%}
    {#- Only the schema may have another type. -#}
    {%- set data = kafka_cdc.read_json_object(
        kafka_cdc.json_between_sentinels('data_text', 'data_sentinel'),
        'data_sentinel',
        kafka_cdc.struct_fields(dict(images, payload=images, schema=schema)),
        kafka_cdc.struct_fields(dict(images, payload=images, schema='string'))
    ) -%}

    {#- A text's numbers have no markers yet. Those of an object do, and stay as they are. -#}
    {%- set exact_data -%}
    if(
        number_marker is null,
        debezium_cloudevents.data,
        {{ kafka_cdc.quote_numbers('debezium_cloudevents.data', 'number_marker') | indent(8) }}
    )
    {%- endset -%}
    {%- set is_data_readable -%}
    data is not null
    and startswith(debezium_cloudevents.data, '{')
    and (number_marker is not null or {{ kafka_cdc.number_marker('debezium_cloudevents.data', "''") }} is null)
    {%- endset -%}

    {%- set before_row = "coalesce(images.before, if(change.op = 'd', key, null))" -%}

    {{ return({
        'fields': kafka_cdc.struct_fields(dict.fromkeys(
            ['time', 'data', 'iodebeziumop'] + attributes.values() | list, 'string'
        )),
        'variables': {
            'change': 'struct(debezium_cloudevents.iodebeziumop as op, struct(' ~ source | join(', ') ~ ') as source)',
            'data_text': exact_data,
            'data_sentinel': kafka_cdc.json_sentinel('data_text'),
            'data': data,
            'images': 'coalesce(data.payload, struct(data.before, data.after))',
            'key': kafka_cdc.debezium_key(),
            'known_before': kafka_cdc.debezium_known_columns(before_row),
            'logged_before': kafka_cdc.debezium_known_before('known_before', 'change.source.connector', 'key'),
            'known_after': kafka_cdc.debezium_known_columns('images.after'),
            'columns': "get(filter(data.schema.fields, f -> f.field = 'after'), 0).fields",
        },
        'recognized_by': {
            'signature': {'specversion': 'string', 'iodebeziumop': 'string', 'iodebeziumconnector': 'string'},
            'condition': 'signature.specversion is not null and signature.iodebeziumop is not null '
                ~ 'and signature.iodebeziumconnector is not null',
        },
        'required': {
            'iodebeziumop': 'change.op',
            'iodebeziumconnector': 'change.source.connector',
            'iodebeziumtable': 'change.source.`table`',
            'data': 'if(' ~ is_data_readable ~ ', true, null)',
        },
        'unknown_connector': 'case when '
            ~ kafka_cdc.debezium_unchanged_nulls_condition('change.source.version') ~ " then 'yugabytedb' "
            ~ "when change.source.connector in ('mysql', 'mariadb', 'postgresql', 'sqlserver', 'oracle', 'db2') "
            ~ 'then null else change.source.connector end',
        'tombstone_key': kafka_cdc.debezium_key(),
        'snapshot_mark': kafka_cdc.debezium_snapshot_mark(),
        'columns': {
            'source_name': 'change.source.name',
            'source_database_type': 'change.source.connector',
            'source_tenant': 'null',
            'source_database': 'change.source.db',
            'source_schema': 'change.source.schema',
            'source_table': 'change.source.`table`',
            'operation': kafka_cdc.map_operation(
                'change.op',
                dict(kafka_cdc.get_debezium_operations(), t='truncate')
            ),
            'operation_code': 'change.op',
            'occurred_at': kafka_cdc.epoch_timestamp('change.source.ts_ms'),
            'emitted_at': 'null',
            'source_sequence': kafka_cdc.debezium_sequence('change.source', 'change.source.connector'),
            'key_columns': 'map_keys(key)',
            'before_row': 'logged_before',
            'after_row': "if(change.op = 'd', null, known_after)",
            'image': "if(size(known_after) < size(images.after), 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': kafka_cdc.debezium_column_types('columns'),
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

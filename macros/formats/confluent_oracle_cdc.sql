{#
  Confluent's Oracle CDC source connector (LogMiner), JSON.

  The format covers snapshot rows, inserts, updates, deletes and TRUNCATE of table topics. They may
  have Kafka Connect's schema envelope, or the frame of a schema registry.
  Document: Confluent, "Oracle CDC Source Connector" 2.x, configuration and "SMT Examples".
  The messages of I, U and D come from users' output. The T of a TRUNCATE was not in what was read.

    key:   1
    value: {"ID": 1, "FIRST_NAME": "Rica", "CREATE_TS": 1636048731469,
            "table": "ORCL.ADMIN.CUSTOMERS", "scn": "589654", "op_type": "R", "op_ts": null,
            "current_ts": "1636049137001", "row_id": null, "username": null}

  Quirks
  * The message is the row. `table`, `scn`, `op_type`, `op_ts`, `current_ts`, `row_id` and `username`
    are no columns.
  * The row of a delete is the deleted row.
  * `scn` orders changes. All changes of one SCN are ordered by the Kafka offset.
  * `scn` is that of the change, and changes arrive when their transaction commits. It may therefore
    fall from one row to another, which is no finding.
  * `auto` recognizes `op_type` and `table` next to columns, with `scn` or a number as `current_ts`.
    With neither, GoldenGate may have written the row: it is in quarantine until the topic is mapped.
  * The Kafka key is a bare value, or an object for several columns. The setting `key` of the topic
    names the column of a bare value.
  * NUMBER is base64 without `numeric.mapping`, as Connect writes its decimals. `Kg==` is 42.
  * A NUMBER without scale has the scale 127 in the schema (`numeric.default.scale`). Typed tables
    have decimal(38, 18).

  Limits
  * The names of the connector's fields and the letters of `op_type` can be configured. Only the
    defaults are read. A configured field of redo SQL or before values is read as a column.
  * Updates have no row before. An update of the key leaves the row under the old key.
  * A rebuilt database may begin its SCN again, which is not noticed: set `sequence_resets`.
  * The redo log topic is not read. The XStream connector writes the format `debezium`.
#}
{% macro format_confluent_oracle_cdc() %}
    {%- set json_options = kafka_cdc.get_json_options() -%}
    {%- set metadata = "'table', 'scn', 'op_type', 'op_ts', 'current_ts', 'row_id', 'username'" -%}
    {%- set has_schema -%}
    coalesce(
        size(members) = 2
        and get_json_object(try_element_at(members, 'schema'), '$.type') = 'struct'
        and map_contains_key(members, 'payload'),
        false
    )
    {%- endset -%}
    {%- set document -%}
    if(
        has_schema,
        from_json(try_element_at(members, 'payload'), 'map<string, string>', {{ json_options }}),
        members
    )
    {%- endset -%}

    {%- set schema_type = 'fields array<struct<field: string, type: string, name: string, '
        ~ 'parameters: map<string, string>>>' -%}
    {%- set columns -%}
    if(
        has_schema,
        filter(
            from_json(try_element_at(members, 'schema'), '{{ schema_type }}').fields,
            definition -> definition.field not in ({{ metadata }})
        ),
        null
    )
    {%- endset -%}

    {#- Row-modelled messages of GoldenGate have the same shape, but `pos`, `primary_keys` or times with hyphens. -#}
    {%- set signature = dict.fromkeys([
        'op_type', 'table', 'scn', 'op_ts', 'current_ts', 'before', 'after', 'pos', 'primary_keys',
    ], 'string') -%}
    {%- set recognized = [] -%}
    {%- for message in ['signature', 'signature.payload'] -%}
        {%- set condition -%}
        {{ message }}.op_type in ('R', 'I', 'U', 'D', 'T') and {{ message }}.`table` is not null
        and coalesce({{ message }}.before, {{ message }}.after) is null
        and (
            {{ message }}.scn is not null
            or {{ message }}.current_ts rlike r'^[0-9]{13}\z'
            or coalesce({{ message }}.pos, {{ message }}.primary_keys) is null
            and not contains(concat_ws('', {{ message }}.op_ts, {{ message }}.current_ts), '-')
        )
        {%- endset -%}
        {%- do recognized.append(condition) -%}
    {%- endfor -%}

    {{ return({
        'fields': 'payload string',
        'variables': {
            'members': kafka_cdc.dedupe_map_keys(
                "get(from_json(guarded_value, 'documents array<map<string, string>>', " ~ json_options
                ~ ').documents, 1)'
            ),
            'has_schema': has_schema,
            'document': kafka_cdc.dedupe_map_keys(document),
            'code': "try_element_at(document, 'op_type')",
            'names': "split(try_element_at(document, 'table'), '[.]')",
            'scn': "try_element_at(document, 'scn')",
            'key': kafka_cdc.named_key(),
            'row_columns': 'map_filter(document, (name, text) -> name not in (' ~ metadata ~ '))',
            'columns': columns,
        },
        'recognized_by': {
            'signature': dict(signature, payload=signature),
            'condition': recognized | join(' or '),
        },
        'orders_rows_only': 'true',
        'required': {
            'op_type': 'code',
            'table': "if(size(names) between 2 and 3 and not exists(names, part -> part = ''), true, null)",
        },
        'tombstone_key': kafka_cdc.named_key(),
        'columns': {
            'source_name': 'null',
            'source_database_type': "'oracle'",
            'source_tenant': 'null',
            'source_database': 'if(size(names) > 2, names[0], null)',
            'source_schema': 'get(names, size(names) - 2)',
            'source_table': 'get(names, size(names) - 1)',
            'operation': kafka_cdc.map_operation('code', {
                'R': 'snapshot',
                'I': 'insert',
                'U': 'update',
                'D': 'delete',
                'T': 'truncate',
            }),
            'operation_code': 'code',
            'occurred_at': kafka_cdc.epoch_timestamp("try_element_at(document, 'op_ts')"),
            'emitted_at': kafka_cdc.epoch_timestamp("try_element_at(document, 'current_ts')"),
            'source_sequence': kafka_cdc.sequence_array(['scn']),
            'key_columns': 'map_keys(key)',
            'before_row': "if(code = 'D', row_columns, null)",
            'after_row': "if(code in ('D', 'T'), null, row_columns)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': kafka_cdc.debezium_column_types('columns'),
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

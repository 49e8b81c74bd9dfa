{#
  Tencent Cloud DTS, data subscription, through EventBridge: CloudEvents JSON. MySQL and its relatives.

  The format covers inserts, updates, deletes, TRUNCATE and other DDL. EventBridge delivers such events
  to CKafka, among others.
  Document: Tencent Cloud EventBridge, "Configuring a DTS Connector" (1108/46991), whose two examples are
  whole; Tencent Cloud DTS, "ProtoBuf Demo Description" (571/55396), for the values.
  No whole message of an update or a delete was found. Their fields are those of the second document.

    {"id": "38cecd93:16", "type": "dts:MYSQL:INSERT", "specversion": "1.0", "source": "dts.cloud.tencent",
     "subject": "cdb-xxxx", "time": 1648109734, "region": "ap-guangzhou",
     "data": {"topic": "topic-subs-xxxx", "partition": 3, "offset": 16005,
              "event": {"dmlEvent": {
                  "columns": [{"name": "id", "originalType": "int(11)", "isKey": true},
                              {"name": "string", "originalType": "text"},
                              {"name": "time", "originalType": "time"}],
                  "rows": [{"newColumns": [{"dataType": 3, "sv": "3"},
                                           {"dataType": 13, "charset": "utf8", "bv": "dG1w"}, {}]}]}},
              "header": {"timestamp": 1648109734, "schemaName": "dts", "tableName": "dts_mysql",
                         "seqId": 16017}}}

  Quirks
  * The third part of `type` is the operation, in upper or lower case.
  * `columns` names the columns. `oldColumns` and `newColumns` of a row have the values in the same places. A
    message whose arrays differ in length is rejected.
  * One message may contain several rows of one operation.
  * A field whose value is Protobuf's default is left out: a value `{}` is NULL, and a text without `bv` is empty.
  * `dataType` 14 is a value that does not exist. Its column is missing, and the image is partial.
  * `sv` is the text of a number. `bv` is base64 of a text (13) or of bytes (11). Texts are decoded. Binary
    values, also of the types binary and varbinary, stay base64.
  * A text in another character set than UTF-8 or ASCII is rejected.
  * `seqId` rises over all tables and orders changes. The Kafka offset does not order them, because
    EventBridge reads partitions at the same time.
  * `time`, when the event reached EventBridge, is in seconds or in milliseconds.
  * A TIMESTAMP has its zone: `2021-05-17 07:22:42 +00:00`.

  Limits
  * EventBridge does not deliver events of more than 1 MB.
  * JSON is bytes, whose form the document does not describe. It stays base64.
  * The events of PostgreSQL are not documented. They are rejected as `unknown_connector`.
  * A redelivery may have a new `seqId`.
#}
{% macro format_tencent_eventbridge_dts() %}
    {%- set column = 'struct<name: string, originalType: string, isKey: string>' -%}
    {%- set values = 'array<struct<dataType: string, charset: string, sv: string, bv: string>>' -%}
    {%- set rows = 'array<struct<oldColumns: ' ~ values ~ ', newColumns: ' ~ values ~ '>>' -%}
    {%- set change_event = 'struct<columns: array<' ~ column ~ '>, `rows`: ' ~ rows ~ '>' -%}
    {%- set statement = 'struct<schemaName: string, sql: string>' -%}
    {%- set header = 'struct<`timestamp`: string, schemaName: string, tableName: string, seqId: string>' -%}
    {%- set data = 'struct<event: struct<dmlEvent: ' ~ change_event ~ ', ddlEvent: ' ~ statement ~ '>, header: '
        ~ header ~ '>' -%}

    {%- set message = 'tencent_eventbridge_dts' -%}
    {%- set event = message ~ '.data.event' -%}
    {%- set is_row = "operation_word in ('INSERT', 'UPDATE', 'DELETE')" -%}
    {%- set has_old = "operation_word in ('UPDATE', 'DELETE')" -%}
    {%- set has_new = "operation_word in ('INSERT', 'UPDATE')" -%}
    {%- set is_key = "lower(item.isKey) in ('true', '1')" -%}
    {%- set known_types = "('" ~ range(15) | join("', '") ~ "')" -%}
    {%- set charsets = "('', 'utf8', 'utf8mb3', 'utf8mb4', 'ascii', 'us-ascii', 'binary')" -%}
    {%- set unknown_charset -%}
    data_item.dataType = '13' and lower(coalesce(data_item.charset, '')) not in {{ charsets }}
    {%- endset -%}
    {%- set all_values -%}
    concat(coalesce(change.oldColumns, array()), coalesce(change.newColumns, array()))
    {%- endset -%}

    {{ return({
        'fields': '`type` string, `time` string, `data` ' ~ data,
        'variables': {
            'parts': "split(upper(tencent_eventbridge_dts.`type`), ':')",
            'operation_word': "if(size(parts) = 3 and get(parts, 0) = 'DTS', get(parts, 2), null)",
            'is_mysql': "get(parts, 1) rlike 'MYSQL|MARIADB|PERCONA'",
            'definitions': event ~ '.dmlEvent.columns',
            'all_values': all_values,
            'old_cells': kafka_cdc._tencent_eventbridge_cells('change.oldColumns'),
            'new_cells': kafka_cdc._tencent_eventbridge_cells('change.newColumns'),
            'known_old': "filter(old_cells, cell -> cell.code <> '14')",
            'known_new': "filter(new_cells, cell -> cell.code <> '14')",
        },
        'recognized_by': {
            'signature': {'specversion': 'string', 'type': 'string'},
            'condition': "signature.specversion is not null and lower(signature.type) like 'dts:%:%'",
        },
        'changes': event ~ '.dmlEvent.`rows`',
        'required': {
            'type': message ~ '.`type`',
            'schemaName': 'if(' ~ is_row ~ ', ' ~ message ~ ".data.header.schemaName, '')",
            'tableName': 'if(' ~ is_row ~ ', ' ~ message ~ ".data.header.tableName, '')",
            'columns': 'if(' ~ is_row ~ ', definitions, array())',
            'oldColumns': 'if(' ~ has_old ~ ', change.oldColumns, array())',
            'newColumns': 'if(' ~ has_new ~ ', change.newColumns, array())',
            'sql': "if(operation_word = 'DDL', " ~ event ~ ".ddlEvent.sql, '')",
        },
        'unknown_connector': 'if(is_mysql, null, lower(get(parts, 1)))',
        'rejects': [
            {
                'condition': has_old ~ ' and size(definitions) <> size(change.oldColumns)',
                'detail': 'columns and oldColumns have different lengths.',
            },
            {
                'condition': has_new ~ ' and size(definitions) <> size(change.newColumns)',
                'detail': 'columns and newColumns have different lengths.',
            },
            {
                'condition': is_row ~ ' and exists(definitions, item -> item.name is null)',
                'detail': 'a column has no name.',
            },
            {
                'condition': "exists(all_values, data_item -> coalesce(data_item.dataType, '0') not in "
                    ~ known_types ~ ')',
                'detail': 'the document has no such dataType.',
            },
            {
                'condition': 'exists(all_values, data_item -> ' ~ unknown_charset ~ ')',
                'detail': 'a text has another character set than UTF-8 or ASCII.',
            },
            {
                'condition': "exists(concat(coalesce(old_cells, array()), coalesce(new_cells, array())), "
                    ~ "cell -> cell.code not in ('0', '14') and cell.text is null)",
                'detail': 'the text or bytes of a value cannot be read.',
            },
        ],
        'columns': {
            'source_name': 'null',
            'source_database_type': "if(is_mysql, 'mysql', lower(get(parts, 1)))",
            'source_tenant': 'null',
            'source_database': 'coalesce(' ~ message ~ '.data.header.schemaName, ' ~ event ~ '.ddlEvent.schemaName)',
            'source_schema': 'null',
            'source_table': message ~ '.data.header.tableName',
            'operation': kafka_cdc.map_operation('operation_word', {
                'INSERT': 'insert',
                'UPDATE': 'update',
                'DELETE': 'delete',
                'DDL': 'ddl',
            }),
            'operation_code': message ~ '.`type`',
            'occurred_at': kafka_cdc.epoch_timestamp(message ~ '.data.header.`timestamp`', 's'),
            'emitted_at': 'if(length(' ~ message ~ '.`time`) > 11, '
                ~ kafka_cdc.epoch_timestamp(message ~ '.`time`') ~ ', '
                ~ kafka_cdc.epoch_timestamp(message ~ '.`time`', 's') ~ ')',
            'source_sequence': kafka_cdc.sequence_array([message ~ '.data.header.seqId']),
            'key_columns': 'if(exists(definitions, item -> ' ~ is_key ~ '), filter(definitions, item -> ' ~ is_key
                ~ ').name, null)',
            'before_row': 'if(' ~ has_old ~ ', '
                ~ kafka_cdc.safe_map_from_arrays('known_old.name', 'known_old.text') ~ ', null)',
            'after_row': 'if(' ~ has_new ~ ', '
                ~ kafka_cdc.safe_map_from_arrays('known_new.name', 'known_new.text') ~ ', null)',
            'image': "if(size(known_new) < size(new_cells), 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': kafka_cdc.safe_map_from_arrays('definitions.name', 'definitions.originalType'),
            'ddl_text': "if(operation_word = 'DDL', " ~ event ~ '.ddlEvent.sql, null)',
        },
    }) }}
{% endmacro %}

{#
  Prints an expression: name, code and text of each value of a row. The text of an unreadable value is null.

  Arguments:
    values (string): SQL of the values.

  Requires: the format variable `definitions`.
#}
{% macro _tencent_eventbridge_cells(values) -%}
    {%- set is_binary -%}
    data_item.dataType = '11' or lower(data_item.charset) <=> 'binary'
    or coalesce(lower(item.originalType) rlike '^(?:var)?binary', false)
    {%- endset -%}
    {%- set encoded = "coalesce(data_item.bv, '')" -%}
    {%- set decoded = 'cast(' ~ kafka_cdc.decode_binary(encoded, 'base64') ~ ' as string)' -%}
    zip_with(
        definitions,
        {{ values }},
        (item, data_item) -> struct(
            item.name as name,
            coalesce(data_item.dataType, '0') as code,
            case
                when coalesce(data_item.dataType, '0') in ('0', '14') then null
                when data_item.dataType not in ('11', '13') then data_item.sv
                when {{ is_binary | indent(16) }}
                    then if({{ kafka_cdc.decode_binary(encoded, 'base64') }} is null, null, {{ encoded }})
                when is_valid_utf8({{ decoded }}) then {{ decoded }}
            end as text
        )
    )
{%- endmacro %}

{#
  OceanBase Migration Service (OMS), serialization SharePlex.

  The format covers inserts, updates and deletes. No heartbeat, DDL or full copy is documented.
  Document: OMS, "Data formats", "SharePlex JSON message format"; Alibaba Cloud, "Sync data from an
  OceanBase database to Kafka" (LOB columns).

    {"data": {"col2": "hello world 2020"}, "key": {"col1": 3, "col2": "hello world", "col3": 129},
     "meta": {"time": "2020-11-25T00:01:02", "posttime": "2020-12-07T13:59:09", "op": "upd",
              "idx": "1/10", "size": 10, "seq": 1, "table": "mock_database.mock_table",
              "rowid": "mock_database.mock_table-3\u0001129", "trans": "shareplex_transaction_id",
              "scn": "160934467112345"}}

  Quirks
  * `rowid` is never split. The document's own INSERT has lost the separator (3129).
  * `data` of an upd contains what changed, and `key` is the row before it. The row after it is
    `data` merged over `key`.
  * The document does not call `key` the whole row, so the image is partial.
  * A null in `key` or in a deleted row may be a large value that was not read: all TEXT types, JSON,
    GIS, XML, UDT. Such columns are missing.
  * `scn` orders changes. It is ten digits of seconds and a counter of up to five digits, which is
    not padded. The two parts are compared separately.
  * `seq` orders changes of one `scn`. It exists only with `transactionEnabled`.
  * `scn` exists only with `sequenceEnabled`. Without it the offset orders changes.
  * `idx` and `size` have no meaning here.
  * `auto` distinguishes a message from `alibaba_dts_shareplex` by `rowid`, which begins with the
    table's name.

  Limits
  * No message names its key: set `key`.
  * A position of more than 15 digits is rejected as `invalid_sequence`. The document allows no
    longer one. With times in milliseconds, the parts of shorter ones would be unknown, too.
  * Messages write times without a zone. `occurred_at` is null unless `topics[].timezone` names the
    zone.
#}
{% macro format_oceanbase_oms_shareplex() %}
    {%- set message = 'oceanbase_oms_shareplex' -%}
    {%- set meta = message ~ '.meta' -%}

    {%- set recognized -%}
    signature.data is not null and signature.meta.op is not null
    and startswith(signature.meta.rowid, concat(signature.meta.`table`, '-'))
    {%- endset -%}

    {%- set changes_unknown_key -%}
    {{ meta }}.op = 'upd' and exists(
        settings.key,
        name -> map_contains_key({{ message }}.data, name) and not map_contains_key({{ message }}.key, name)
    )
    {%- endset -%}

    {%- set source_sequence -%}
    case
        when {{ meta }}.scn <> '' then concat(
            {{ kafka_cdc.oceanbase_oms_sequence(meta ~ '.scn') | indent(12) }},
            if(nullif({{ meta }}.seq, '') is null, array(), {{ kafka_cdc.sequence_array([meta ~ '.seq']) }})
        )
    end
    {%- endset -%}

    {%- set known_key = kafka_cdc.oceanbase_oms_known_columns(message ~ '.key', 'settings.key') -%}
    {%- set before_row -%}
    case {{ meta }}.op
        when 'upd' then {{ known_key }}
        when 'del' then {{ kafka_cdc.oceanbase_oms_known_columns(message ~ '.data', 'settings.key') }}
    end
    {%- endset -%}

    {%- set after_row -%}
    case {{ meta }}.op
        when 'ins' then {{ message }}.data
        when 'upd' then if(
            size({{ message }}.data) > 0,
            {{ kafka_cdc.merge_rows(known_key, message ~ '.data') | indent(12) }},
            null
        )
    end
    {%- endset -%}

    {{ return({
        'fields': 'data map<string, string>, key map<string, string>, '
            ~ 'meta struct<time string, posttime string, op string, seq string, `table` string, scn string>',
        'recognized_by': {
            'signature': {
                'data': 'map<string, string>',
                'meta': {'op': 'string', 'table': 'string', 'rowid': 'string'},
            },
            'condition': recognized,
        },
        'required': {
            'meta.op': meta ~ '.op',
            'meta.table': 'if(' ~ meta ~ ".`table` like '_%._%', true, null)",
            'key': 'if(' ~ meta ~ ".op = 'upd' and coalesce(size(" ~ message ~ '.key), 0) < 1, null, true)',
        },
        'rejects': [
            {
                'condition': meta ~ ".op <> 'upd' and size(" ~ message ~ '.key) > 0',
                'detail': 'an operation other than upd has a key.',
            },
            {
                'condition': changes_unknown_key,
                'detail': 'data changes a key column that key does not contain.',
            },
        ],
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': 'substring_index(' ~ meta ~ ".`table`, '.', 1)",
            'source_schema': 'null',
            'source_table': 'substring(' ~ meta ~ '.`table`, instr(' ~ meta ~ ".`table`, '.') + 1)",
            'operation': kafka_cdc.map_operation(meta ~ '.op', {
                'ins': 'insert',
                'upd': 'update',
                'del': 'delete',
            }),
            'operation_code': meta ~ '.op',
            'occurred_at': kafka_cdc.zoned_timestamp(meta ~ '.time'),
            'emitted_at': kafka_cdc.zoned_timestamp(meta ~ '.posttime'),
            'source_sequence': source_sequence,
            'key_columns': 'null',
            'before_row': before_row,
            'after_row': after_row,
            'image': 'if(' ~ meta ~ ".op = 'upd', 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

{#
  Alibaba Cloud Data Transmission Service (DTS), SharePlex JSON.

  The format covers inserts, updates, deletes, TRUNCATE and DROP COLUMN.
  Document: DTS, "Data formats in a message queue", Shareplex Json, 2025-04 to 2026-02 editions.

    {"meta": {"time": "2017-06-16T15:38:13", "userid": 84, "op": "upd", "scn": "14589063118712",
              "rowid": "AAATGpAAIAAItcIAAA", "trans": "7.0.411499", "seq": 1, "size": 11,
              "table": "CL_BIZ1.MIO_LOG", "idx": "1/11", "posttime": "2017-06-16T15:40:52"},
     "data": {"CNTR_NO": "1171201606"},
     "key": {"MIO_LOG_ID": "32537893", "CNTR_NO": "1171201606syui26"}}

  Quirks
  * The document's examples have the operations ins, upd and del. Its text lists INSERT, UPDATE,
    DELETE, TRUNCATE, DROP COLUMN, UPDATE BEFORE and UPDATE AFTER. Both are read.
  * `rowid` is the physical address of the row in the database, and no key.
  * `data` of an update contains what changed, and `key` is the row before it. The row after it is
    `data` merged over `key`, a partial image.
  * `time` is UTC, as the document states, although its examples leave out the Z.
  * `scn` and then `seq` order changes, never `time`. Without `scn` the offset does.
  * UPDATE BEFORE and UPDATE AFTER may have the same `scn` and `seq`. The row before then comes
    first.
  * `auto` distinguishes a message from `oceanbase_oms_shareplex` by `userid`.

  Limits
  * No message names its key: set `key`.
  * Quest's own SharePlex JSON has the same shape and is read as this format.
#}
{% macro format_alibaba_dts_shareplex() %}
    {%- set message = 'alibaba_dts_shareplex' -%}
    {%- set meta = message ~ '.meta' -%}
    {%- set is_update = meta ~ ".op in ('upd', 'UPDATE')" -%}

    {%- set recognized -%}
    signature.meta.op is not null and signature.meta.userid is not null and signature.meta.`table` is not null
    {%- endset -%}

    {%- set changes_unknown_key -%}
    {{ is_update }} and exists(
        settings.key,
        name -> map_contains_key({{ message }}.data, name) and not map_contains_key({{ message }}.key, name)
    )
    {%- endset -%}

    {%- set source_database -%}
    if(instr({{ meta }}.`table`, '.') > 0, substring_index({{ meta }}.`table`, '.', 1), null)
    {%- endset -%}

    {%- set source_sequence -%}
    {{ kafka_cdc.sequence_array(
        [meta ~ '.scn', 'coalesce(nullif(' ~ meta ~ ".seq, ''), '0')"],
        position=meta ~ '.scn'
    ) }}
    {%- endset -%}

    {%- set before_row -%}
    case
        when {{ is_update }} then {{ message }}.key
        when {{ meta }}.op in ('del', 'DELETE', 'UPDATE BEFORE') then {{ message }}.data
    end
    {%- endset -%}

    {%- set after_row -%}
    case
        when {{ is_update }} and size({{ message }}.data) > 0
            then {{ kafka_cdc.merge_rows(message ~ '.key', message ~ '.data') | indent(12) }}
        when {{ meta }}.op in ('ins', 'INSERT', 'UPDATE AFTER') then {{ message }}.data
    end
    {%- endset -%}

    {{ return({
        'fields': 'data map<string, string>, key map<string, string>, '
            ~ 'meta struct<time string, posttime string, op string, scn string, seq string, `table` string>',
        'recognized_by': {
            'signature': {'meta': {'op': 'string', 'userid': 'string', 'table': 'string'}},
            'condition': recognized,
        },
        'required': {
            'meta.op': meta ~ '.op',
            'meta.table': 'nullif(' ~ meta ~ ".`table`, '')",
            'key': 'if(' ~ is_update ~ ' and coalesce(size(' ~ message ~ '.key), 0) < 1, null, true)',
        },
        'rejects': [
            {
                'condition': 'not ' ~ is_update ~ ' and size(' ~ message ~ '.key) > 0',
                'detail': 'an operation other than an update has a key.',
            },
            {
                'condition': changes_unknown_key,
                'detail': 'data changes a key column that key does not contain.',
            },
        ],
        'ddl_targets': 'array(' ~ meta ~ '.`table`)',
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': source_database,
            'source_schema': 'null',
            'source_table': 'substring(' ~ meta ~ '.`table`, instr(' ~ meta ~ ".`table`, '.') + 1)",
            'operation': kafka_cdc.map_operation(meta ~ '.op', {
                'ins': 'insert',
                'INSERT': 'insert',
                'upd': 'update',
                'UPDATE': 'update',
                'del': 'delete',
                'DELETE': 'delete',
                'UPDATE BEFORE': 'update_before',
                'UPDATE AFTER': 'update',
                'TRUNCATE': 'truncate',
                'DROP COLUMN': 'alter',
            }),
            'operation_code': meta ~ '.op',
            'occurred_at': kafka_cdc.zoned_timestamp(meta ~ '.time', "'UTC'"),
            'emitted_at': kafka_cdc.zoned_timestamp(meta ~ '.posttime', "'UTC'"),
            'source_sequence': source_sequence,
            'key_columns': 'null',
            'before_row': before_row,
            'after_row': after_row,
            'image': 'if(' ~ is_update ~ ' or ' ~ meta ~ ".op = 'UPDATE AFTER', 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

{#
  Alibaba Cloud Data Transmission Service (DTS), SharePlex JSON.
  Document: DTS, "Data formats in a message queue", Shareplex Json, 2025-04 to 2026-02 editions.

    {"meta": {"time": "2017-06-16T15:38:13", "userid": 84, "op": "upd", "scn": "14589063118712", "rowid": "AAATGpAAIAAItcIAAA",
              "trans": "7.0.411499", "seq": 1, "size": 11, "table": "CL_BIZ1.MIO_LOG", "idx": "1/11",
              "posttime": "2017-06-16T15:40:52"},
     "data": {"CNTR_NO": "1171201606"}, "key": {"MIO_LOG_ID": "32537893", "CNTR_NO": "1171201606syui26"}}

  Quirks
  * The examples say ins, upd, del; the text INSERT, UPDATE, DELETE, TRUNCATE, DROP COLUMN, UPDATE BEFORE, UPDATE AFTER. Both are read.
  * No message names its key: the settings do. rowid is the row's place in the database, no key.
  * data of an update holds what changed, key the row before: the row after is key with data over it, a partial image.
  * time is UTC by the text, though the examples leave out the Z. scn and then seq order, never time.
  * A key on several operations with one scn and seq, as UPDATE BEFORE and UPDATE AFTER might have, keeps before first.
  * userid tells one message from oceanbase_oms_shareplex; Quest's own SharePlex JSON cannot be told from this, and is read so.
#}
{% macro format_alibaba_dts_shareplex() %}
    {%- set message = 'alibaba_dts_shareplex' -%}
    {%- set meta = message ~ '.meta' -%}
    {%- set is_update = meta ~ ".op in ('upd', 'UPDATE')" -%}
    {{ return({
        'fields': 'data map<string, string>, key map<string, string>, '
            ~ 'meta struct<time string, posttime string, op string, scn string, seq string, `table` string>',
        'recognized_by': {
            'signature': {'meta': {'op': 'string', 'userid': 'string', 'table': 'string'}},
            'condition': 'signature.meta.op is not null and signature.meta.userid is not null and signature.meta.`table` is not null',
        },
        'required': {
            'meta.op': meta ~ '.op',
            'meta.table': 'nullif(' ~ meta ~ ".`table`, '')",
            'meta.time': kafka_cdc.zoned_timestamp(meta ~ '.time', "'UTC'"),
            'meta.scn': meta ~ '.scn',
            'meta.seq': meta ~ '.seq',
            'key': 'if(' ~ is_update ~ ' and coalesce(size(' ~ message ~ '.key), 0) < 1, null, true)',
        },
        'rejects': [
            {'condition': 'not ' ~ is_update ~ ' and size(' ~ message ~ '.key) > 0', 'detail': 'an operation other than an update has a key.'},
            {'condition': is_update ~ ' and exists(settings.key, name -> map_contains_key(' ~ message ~ '.data, name) and not map_contains_key('
                ~ message ~ '.key, name))', 'detail': 'data changes a key column that key does not say.'},
        ],
        'ddl_targets': 'array(' ~ meta ~ '.`table`)',
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': 'if(instr(' ~ meta ~ ".`table`, '.') > 0, substring_index(" ~ meta ~ ".`table`, '.', 1), null)",
            'source_schema': 'null',
            'source_table': 'substring(' ~ meta ~ '.`table`, instr(' ~ meta ~ ".`table`, '.') + 1)",
            'operation': kafka_cdc.map_operation(meta ~ '.op', {
                'ins': 'insert', 'INSERT': 'insert', 'upd': 'update', 'UPDATE': 'update', 'del': 'delete', 'DELETE': 'delete',
                'UPDATE BEFORE': 'update_before', 'UPDATE AFTER': 'update', 'TRUNCATE': 'truncate', 'DROP COLUMN': 'alter',
            }),
            'operation_code': meta ~ '.op',
            'occurred_at': kafka_cdc.zoned_timestamp(meta ~ '.time', "'UTC'"),
            'emitted_at': kafka_cdc.zoned_timestamp(meta ~ '.posttime', "'UTC'"),
            'source_sequence': 'case when ' ~ meta ~ '.scn is not null and ' ~ meta ~ '.seq is not null then '
                ~ kafka_cdc.sequence_array([meta ~ '.scn', meta ~ '.seq']) ~ ' end',
            'key_columns': 'null',
            'before_row': 'case when ' ~ is_update ~ ' then ' ~ message ~ '.key when ' ~ meta ~ ".op in ('del', 'DELETE', 'UPDATE BEFORE') then "
                ~ message ~ '.data end',
            'after_row': 'case when ' ~ is_update ~ ' and size(' ~ message ~ '.data) > 0 then ' ~ kafka_cdc.merge_rows(message ~ '.key', message ~ '.data')
                ~ ' when ' ~ meta ~ ".op in ('ins', 'INSERT', 'UPDATE AFTER') then " ~ message ~ '.data end',
            'image': 'if(' ~ is_update ~ ' or ' ~ meta ~ ".op = 'UPDATE AFTER', 'partial', 'full')",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

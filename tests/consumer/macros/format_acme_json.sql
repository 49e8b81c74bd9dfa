{#
  Returns the mapping of a message format that only this project has.

  Document: Acme change feed, version 1. A message is a row after its change, or before its removal:

      {"acme": 1, "table": "stocks", "op": "put", "at": 1700000000000, "n": 7, "row": {"id": 1, "amount": 1.10}}

  Quirks
    * The key is always id.
#}
{% macro format_acme_json() %}
    {{ return({
        'fields': 'acme string, table string, op string, at string, n string, row map<string, string>',
        'recognized_by': {'signature': {'acme': 'string'}, 'condition': 'signature.acme is not null'},
        'required': {'table': 'acme_json.table', 'row': 'acme_json.row'},
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': "'acme'",
            'source_schema': 'null',
            'source_table': 'acme_json.table',
            'operation': kafka_cdc.map_operation('acme_json.op', {'put': 'update', 'gone': 'delete'}),
            'operation_code': 'acme_json.op',
            'occurred_at': kafka_cdc.epoch_timestamp('acme_json.at', 'ms'),
            'emitted_at': 'null',
            'source_sequence': kafka_cdc.sequence_array(['acme_json.n']),
            'key_columns': "array('id')",
            'before_row': "if(acme_json.op = 'gone', acme_json.row, null)",
            'after_row': "if(acme_json.op = 'put', acme_json.row, null)",
            'image': "'full'",
            'removed_columns': 'null',
            'column_types': 'null',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

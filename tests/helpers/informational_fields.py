"""The fields of each format without which its messages are still read.

These are informational fields, and those of the position. A name is the path from the outermost
object, or from `payload` in the envelope of Kafka Connect. It goes through arrays.
Everything else is essential: without it the row, table, key or operation could be wrong.
A new format lists its fields in tests/cases/<format>/format.yml, and edits nothing here.
"""

import copy

from format_files import entries, pairs

CANAL = ["es", "ts", "sql", "sqlType", "mysqlType", "isDdl"]
SHAREPLEX = [
    f"meta.{name}" for name in ("time", "posttime", "userid", "rowid", "trans", "size", "idx")
]
DEBEZIUM = [
    "version",
    "ts_ms",
    "ts_us",
    "ts_ns",
    "server_id",
    "gtid",
    "thread",
    "query",
    "txId",
    "xmin",
]

INFORMATIONAL = {
    "alibaba_dataworks": [
        "payload.timestamp",
        "payload.timestamp.eventTime",
        "payload.timestamp.systemTime",
        "schema.source.dbType",
        "schema.dataColumn.type",
        "version",
    ],
    "alibaba_dts_shareplex": SHAREPLEX,
    "aws_dms": [
        f"metadata.{name}"
        for name in (
            "timestamp",
            "commit-timestamp",
            "record-type",
            "partition-key-type",
            "transaction-id",
        )
    ],
    "canal": [*CANAL, "id", "gtid"],
    "cloudcanal": ["execTs", "sendTs", "bid", "jdbcType", "dbValType", "entryType"],
    "cockroachdb_changefeed": [
        "ts_ns",
        *(f"source.{name}" for name in ("cluster_id", "cluster_name", "job_id", "db_version")),
        "source.source_node_id",
    ],
    "confluent_oracle_cdc": ["op_ts", "current_ts", "row_id", "username"],
    "custom": ["meta.at", "meta.types"],
    "debezium": [
        "schema",
        "ts_ms",
        "ts_us",
        "ts_ns",
        "transaction",
        *(f"source.{name}" for name in [*DEBEZIUM, "snapshot"]),
    ],
    "debezium_cells": ["schema", "ts_ms", "source.version", "source.ts_ms", "transaction"],
    "debezium_cloudevents": [
        "id",
        "source",
        "type",
        "time",
        "datacontenttype",
        "dataschema",
        *(f"iodebezium{name}" for name in ("version", "tsms", "txId", "xmin", "txid")),
    ],
    "debezium_mongodb": ["ts_ms", "source.version", "source.rs", "transaction"],
    "debezium_unwrapped": ["__ts_ms", "__source_ts_ms"],
    "goldengate": ["op_ts", "current_ts", "tokens"],
    "huawei_drs_json": CANAL,
    "huawei_drs_json_c": CANAL,
    "huawei_drs_mongodb_json": ["es", "ts", "dbType"],
    "huawei_drs_typed_json": ["es", "ts", "sql", "sqlType", "columnType", "isDdl", "type"],
    "maxwell": ["ts", "xid", "commit", "server_id", "thread_id"],
    "mongodb_change_stream": ["wallTime", "lsid", "txnNumber"],
    "oceanbase_oms_canal": CANAL,
    "oceanbase_oms_dataworks": [
        "version",
        "payload.timestamp",
        "schema.column",
        "schema.source.dbType",
    ],
    "oceanbase_oms_default": [
        f"allMetaData.{name}"
        for name in (
            "checkpoint",
            "source_identity",
            "timestamp",
            "uniqueId",
            "record_primary_value",
        )
    ],
    "oceanbase_oms_shareplex": SHAREPLEX,
    "qlik_replicate": [
        "headers",
        "magic",
        "messageSchemaId",
        "messageSchema",
        *(
            f"message.headers.{name}"
            for name in (
                "timestamp",
                "streamPosition",
                "transactionId",
                "changeMask",
                "transactionEventCounter",
                "transactionLastEvent",
            )
        ),
    ],
    "sequin": [
        f"metadata.{name}"
        for name in (
            "commit_timestamp",
            "consumer",
            "database_name",
            "enrichment",
            "idempotency_key",
            "transaction_annotations",
        )
    ],
    "tencent_ckafka": ["TIME", "EVENT_SERVER_ID", "GLOBAL_ID", "GROUP_ID", "es", "ts", "isDdl"],
    "tencent_dts_json": [
        "version",
        "fileName",
        "position",
        "timestamp",
        "gtid",
        "serverId",
        "sourceType",
        "objectName",
        "pkNames",
        "columns.originalType",
        "columns.dataTypeNumber",
        "readerTimestamp",
    ],
    "tencent_dts_canal": CANAL,
    "ticdc_canal": [*CANAL, "id"],
    "ticdc_simple": [
        "version",
        "tableID",
        "buildTs",
        "schemaVersion",
        "tableSchema.columns",
        "tableSchema.columns.dataType",
    ],
    "wal2json": ["xid", "timestamp", "lsn", "nextlsn", "origin", "columns.type", "identity.type"],
    "wal2json_v1": [
        "xid",
        "timestamp",
        "nextlsn",
        "change.columntypes",
        "change.oldkeys.keytypes",
    ],
}
POSITION_OF_DEBEZIUM = (
    "file",
    "pos",
    "row",
    "lsn",
    "sequence",
    "scn",
    "commit_scn",
    "ssn",
    "commit_lsn",
    "change_lsn",
    "event_serial_no",
)
POSITION = {
    "alibaba_dataworks": ["payload.sequenceId"],
    "alibaba_dts_shareplex": ["meta.scn", "meta.seq"],
    "cockroachdb_changefeed": [
        "updated",
        "mvcc_timestamp",
        "source.ts_hlc",
        "source.mvcc_timestamp",
    ],
    "confluent_oracle_cdc": ["scn"],
    "custom": ["meta.lsn"],
    "debezium": [f"source.{name}" for name in POSITION_OF_DEBEZIUM],
    "debezium_cells": ["source.ts_us"],
    # The attributes of CloudEvents have no underscores.
    "debezium_cloudevents": [f"iodebezium{name.replace('_', '')}" for name in POSITION_OF_DEBEZIUM],
    "debezium_mongodb": ["source.ts_ms", "source.ord"],
    # The position of debezium_unwrapped shows which connector wrote the row.
    "goldengate": ["pos"],
    "huawei_drs_json": ["id"],
    "huawei_drs_json_c": ["id"],
    "huawei_drs_mongodb_json": ["clusterTime", "id"],
    "huawei_drs_typed_json": ["id"],
    "maxwell": ["position", "xoffset"],
    "mongodb_change_stream": ["clusterTime"],
    "oceanbase_oms_dataworks": ["payload.scn"],
    "oceanbase_oms_default": ["allMetaData.storeDataSequence"],
    "oceanbase_oms_shareplex": ["meta.scn", "meta.seq"],
    "qlik_replicate": ["message.headers.changeSequence"],
    "sequin": ["metadata.commit_lsn", "metadata.commit_idx"],
    "tencent_ckafka": ["BINLOG_NAME", "BINLOG_POS"],
    "tencent_dts_canal": ["id"],
    "tencent_dts_json": ["id"],
    "ticdc_canal": ["_tidb.commitTs"],
    "ticdc_simple": ["commitTs"],
}
# Values of these fields that mark a row of the full copy, and so decide the operation.
MARKS = ("-1", -1, "19700101080000")
# Fields that repeat the operation. Null is the same as missing. Another value may contradict the
# operation and reject the message.
DECIDING = {
    *((slug, "isDdl") for slug in INFORMATIONAL),
    ("aws_dms", "metadata.record-type"),
    ("huawei_drs_typed_json", "type"),
}
# What no healthy message of the samples and cases contains.
NOT_IN_MESSAGES = {
    ("cockroachdb_changefeed", "source.source_node_id"),
    ("debezium", "source.ts_us"),
    ("debezium_cells", "transaction"),
    ("oceanbase_oms_shareplex", "meta.userid"),
    ("sequin", "metadata.transaction_annotations"),
}
# What the compared messages do not contain, because the first case with the field has it in a
# statement, a control record or a rejected message.
NOT_IN_CHANGES = {
    ("cockroachdb_changefeed", "source.cluster_name"),
    ("cockroachdb_changefeed", "source.db_version"),
    ("cockroachdb_changefeed", "source.job_id"),
    ("debezium", "source.ts_ns"),
    ("debezium", "ts_ns"),
    ("debezium", "ts_us"),
    ("debezium_cloudevents", "dataschema"),
    ("tencent_ckafka", "es"),
    ("tencent_ckafka", "isDdl"),
    ("tencent_ckafka", "ts"),
    ("wal2json", "nextlsn"),
    ("wal2json", "origin"),
}

INFORMATIONAL |= entries("informational")
POSITION |= entries("position")
DECIDING |= pairs("deciding")
NOT_IN_MESSAGES |= pairs("not_in_messages")
NOT_IN_CHANGES |= pairs("not_in_changes")


def holders_of(document, name):
    """Return the objects with the last member of a path, in the document or in its `payload`."""
    *outer, last = name.split(".")
    for place in (document, document.get("payload")):
        places = [place]
        for step in [*outer, None]:
            places = [each for one in places for each in (one if isinstance(one, list) else [one])]
            places = [each for each in places if isinstance(each, dict)]
            if step:
                places = [each.get(step) for each in places]
        if places := [each for each in places if last in each]:
            return places
    return []


def without(document, names, instead=None):
    """Return the document without the members at the paths.

    With `instead`, the members stay and have what it makes of their values. Return none if the
    document has none of them, or if nothing changes.
    """
    changed = copy.deepcopy(document)
    found = [
        (holder, name.split(".")[-1]) for name in names for holder in holders_of(changed, name)
    ]
    values = [holder[name] for holder, name in found if name in holder]
    values += [inner for value in values if isinstance(value, dict) for inner in value.values()]
    if any(value in MARKS for value in values if not isinstance(value, (dict, list))):
        return None
    for holder, name in found:
        if instead:
            holder[name] = instead(holder[name])
        else:
            holder.pop(name, None)
    return None if changed == document else changed

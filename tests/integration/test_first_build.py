"""A first build of five topics publishes all tables, or all but one with one sentence that helps.

The trial of a new user: 35 messages, and the batch id of a Canal server that was restarted falls.
"""

import json
import re
from datetime import datetime, timezone

from conftest import long

BUILD = ["build", "--select", "+held_tables", "+current_state", "--exclude", "staging"]
START = 1_700_000_000
# Seven changes of a table and the rows that they leave, by key: the offset of the last change.
CHANGES = ["insert 1", "insert 2", "insert 3", "update 1", "delete 2", "insert 4", "update 3"]
ROWS = {"1": 3, "3": 6, "4": 5}
# A Canal server numbers its batches. It was restarted after the fourth.
BATCH_IDS = [52, 53, 54, 55, 42, 43, 44]
TABLES = ["accounts", "bills", "carts", "drivers", "orders"]


def image(key, at):
    return {"id": key, "n": str(at)}


def debezium(at, op, key, before):
    source = {"connector": "mysql", "name": "shop", "db": "shop", "table": "accounts", "row": 0}
    return {
        "before": before,
        "after": None if op == "delete" else image(key, at),
        "source": {**source, "file": "bin.000001", "pos": 100 + at, "ts_ms": (START + at) * 1000},
        "op": {"insert": "c", "update": "u", "delete": "d"}[op],
        "ts_ms": (START + at) * 1000,
    }


def maxwell(at, op, key, before):
    message = {"database": "shop", "table": "bills", "type": op, "ts": START + at, "xid": at}
    old = {"old": {"n": before["n"]}} if op == "update" else {}
    row = before if op == "delete" else image(key, at)
    return {**message, "data": row, **old, "primary_key_columns": ["id"]}


def dataworks(at, op, key, before):
    if op == "update":
        images, op = {"before": None, "after": {"dataColumn": image(key, at)}}, "UPDATE_AFTER"
    elif op == "delete":
        images = {"before": {"dataColumn": before}, "after": None}
    else:
        images = {"before": None, "after": {"dataColumn": image(key, at)}}
    times = {name: (START + at) * 1000 for name in ("eventTime", "systemTime", "checkpointTime")}
    columns = [{"name": "id", "type": "STRING"}, {"name": "n", "type": "STRING"}]
    source = {"dbType": "MySQL", "dbName": "shop", "tableName": "carts"}
    return {
        "schema": {"dataColumn": columns, "primaryKey": ["id"], "source": source},
        "payload": {
            **images,
            "sequenceId": f"162045764258900000{at}",
            "op": op.upper(),
            "ddl": None,
            "timestamp": times,
        },
        "version": "0.0.1",
    }


def wal2json(at, op, key, before):
    columns = [
        {"name": name, "type": "text", "value": value} for name, value in image(key, at).items()
    ]
    message = {
        "action": op[0].upper(),
        "schema": "public",
        "table": "drivers",
        "lsn": f"0/{at + 16:X}",
    }
    if op != "insert":
        identity = [{"name": "id", "type": "text", "value": key}]
        message["identity"] = identity
    keys = {"pk": [{"name": "id", "type": "text"}]}
    return message | ({} if op == "delete" else {"columns": columns}) | keys


def canal(at, op, key, before):
    """A message of Canal before 1.1.7: without gtid, so that it has the shape of DRS."""
    return {
        "data": [before if op == "delete" else image(key, at)],
        "database": "shop",
        "es": (START + at) * 1000,
        "id": BATCH_IDS[at],
        "isDdl": False,
        "mysqlType": {"id": "int", "n": "int"},
        "old": [{"n": before["n"]}] if op == "update" else None,
        "pkNames": ["id"],
        "sql": "",
        "sqlType": {"id": 4, "n": 4},
        "table": "orders",
        "ts": (START + at) * 1000 + 1,
        "type": op.upper(),
    }


def messages():
    """Yield the seven messages of each topic."""
    for table, write in zip(TABLES, (debezium, maxwell, dataworks, wal2json, canal)):
        live = {}
        for at, change in enumerate(CHANGES):
            op, key = change.split()
            yield {
                "topic": f"shop.{table}",
                "offset": at,
                "timestamp": datetime.fromtimestamp(START + at, timezone.utc),
                "key": json.dumps({"id": key}) if write is debezium else None,
                "value": json.dumps(write(at, op, key, live.get(key))),
            }
            live[key] = image(key, at)


def rows(built):
    """Return the rows of current_state by table: the offset of each key's last change."""
    found = {}
    for row in built.query("select source_table, row_key, kafka_offset from {cdc}.current_state"):
        found.setdefault(row["source_table"], {})[json.loads(row["row_key"])["id"]] = row[
            "kafka_offset"
        ]
    return found


def warnings(built):
    return [line for line in built.log_lines if line.startswith("warning: ")]


@long
def test_five_topics_publish_without_settings(project):
    built = project("first_build")
    assert len(list(messages())) == 35
    built.land(messages())
    built.dbt(*BUILD)
    assert rows(built) == dict.fromkeys(TABLES, ROWS)
    assert warnings(built) == []


@long
def test_a_wrong_format_holds_its_table_and_the_warning_is_enough_to_mend_it(project):
    built = project(
        "first_build_mapped", topics=[{"topic": "shop.orders", "format": "huawei_drs_json"}]
    )
    built.land(messages())
    built.dbt(*BUILD)
    assert rows(built) == dict.fromkeys(TABLES[:4], ROWS)
    (warning,) = warnings(built)
    assert "falls from [55] to [42]" in warning

    # What a user does who knows nothing but this sentence.
    topic, slug = re.search(
        r"If topic (\S+) has messages of Canal, set format: (\w+) for it in topics", warning
    ).groups()
    replay = re.search(r"then run dbt build --vars '\{replay: \[\"(\S+)\"\]\}'", warning)[1]
    built.settings["topics"] = [{"topic": topic, "format": slug}]
    built.dbt(*BUILD, replay=[replay])
    assert rows(built) == dict.fromkeys(TABLES, ROWS)
    assert built.query("select * from {cdc}.held_tables") == []
    assert warnings(built) == []

"""Streams that once made a held table show other rows, or a healthy stream look broken."""

import json
from datetime import datetime, timezone

from test_holds import drs

from conftest import long
from kafka_cdc.tables import table_format

BUILD = [
    "build",
    "--select",
    "+held_tables",
    "+current_state",
    "+row_history",
    "+split_updates",
    "+broken_chains",
    "--exclude",
    "staging",
]
TOPICS = [
    {"topic": "drs*", "format": "huawei_drs_json", "source": "drs"},
    {"topic": "dw.*", "format": "alibaba_dataworks", "source": "dw"},
    {"topic": "dbz.*", "format": "debezium", "source": "dbz"},
    {"topic": "mongo.*", "format": "debezium_mongodb", "source": "mongo"},
    {"topic": "gg", "format": "goldengate", "source": "gg"},
]

# A duplicate in merged_rows fails a global check, so that nothing is published.
DUPLICATES = "insert into {cdc}.merged_rows select * from {cdc}.merged_rows where row_kind = 'live'"


def when(second):
    return datetime.fromtimestamp(1_700_000_000 + second, timezone.utc)


def message(topic, offset, value, key=None, partition=0, at=None):
    return {
        "topic": topic,
        "offset": offset,
        "partition": partition,
        "timestamp": when(offset if at is None else at),
        "key": key and json.dumps(key),
        "value": value and json.dumps(value),
    }


def goldengate(offset, code, before, after):
    value = {
        "table": "d.gg",
        "op_type": code,
        "op_ts": when(offset).strftime("%Y-%m-%d %H:%M:%S.%f"),
        "pos": f"{offset + 1:020}",
        "primary_keys": ["id"],
        "before": before,
        "after": after,
    }
    return message("gg", offset, value)


def debezium(topic, offset, code, before, after, table, position=None, connector="mariadb", **more):
    """A message of Debezium for a table of a MariaDB, whose transactions have one position."""
    at = more.pop("at", offset)
    position = {"file": "bin.000001", "pos": 100 + (offset if position is None else position)}
    if connector == "postgresql":
        position = {"lsn": position["pos"], "sequence": None}
    source = {
        "connector": connector,
        "name": "x",
        "db": "d",
        "table": table,
        "ts_ms": (1_700_000_000 + at) * 1000,
    }
    value = {
        "before": before,
        "after": after,
        "source": source | position,
        "op": code,
        "ts_ms": source["ts_ms"],
    }
    return message(topic, offset, value, {"id": (after or before)["id"]}, at=at, **more)


def tombstone(topic, offset, key):
    return message(topic, offset, None, {"id": key})


def mongo(topic, offset, code, before, after, update=None):
    text = lambda document: document and json.dumps({"_id": 1, **document})
    source = {
        "connector": "mongodb",
        "name": "x",
        "db": "d",
        "collection": topic[6:],
        "ts_ms": (1_700_000_000 + offset) * 1000,
        "ord": 1,
    }
    value = {
        "before": text(before),
        "after": text(after),
        "updateDescription": update,
        "source": source,
        "op": code,
        "ts_ms": source["ts_ms"],
    }
    return message(topic, offset, value, {"id": "1"})


def dataworks(offset, code, row, table, sequence):
    payload = {
        "before": {"dataColumn": row} if code in ("UPDATE_BEFOR", "DELETE") else None,
        "after": {"dataColumn": row} if code in ("UPDATE_AFTER", "INSERT") else None,
        "sequenceId": f"1620457642589{sequence:06d}",
        "op": code,
        "ddl": None,
        "timestamp": {
            "eventTime": (1_700_000_000 + sequence) * 1000,
            "systemTime": 1,
            "checkpointTime": 1,
        },
    }
    schema = {
        "dataColumn": [{"name": name, "type": "STRING"} for name in row],
        "primaryKey": ["id"],
        "source": {"dbType": "MySQL", "dbName": "d", "tableName": table},
    }
    return message(
        f"dw.{table}", offset, {"schema": schema, "payload": payload, "version": "0.0.1"}
    )


def healthy():
    """Messages of healthy streams, by table."""
    row = lambda n, key=1: {"id": key, "n": n}
    topic = "dbz.toggle"  # a transaction at one position changes a value there and back again
    yield debezium(topic, 0, "c", None, row(0), "toggle")
    yield debezium(topic, 1, "u", row(0), row(1), "toggle", position=1, at=1)
    yield debezium(topic, 2, "u", row(1), row(0), "toggle", position=1, at=1)
    yield debezium(topic, 3, "u", row(0), row(1), "toggle", position=1, at=1)
    yield debezium(topic, 4, "u", row(1), row(2), "toggle")
    topic = "dbz.fall"  # the binlog starts again between offset 1 and 2
    yield debezium(topic, 0, "c", None, row(1), "fall", position=3)
    yield debezium(topic, 1, "u", row(1), row(9), "fall", position=99)
    yield debezium(topic, 2, "u", row(9), row(10), "fall", position=5)
    # a copy of the table that was read while its changes were captured: they come again
    of_text = lambda text: [{"id": "1", "n": text}]
    of = lambda topic, offset, message: {**message, "topic": topic, "offset": offset}
    yield of("drs_fuzzy", 0, drs(100, 1, 1, "fuzzy", "INIT", data=of_text("new")))
    yield of(
        "drs_fuzzy",
        1,
        drs(
            101,
            2,
            1,
            "fuzzy",
            "UPDATE",
            es=1_600_000_000_000,
            data=of_text("new"),
            old=of_text("old"),
        ),
    )
    yield of(
        "drs_fuzzy", 2, drs(102, 3, 1, "fuzzy", "UPDATE", data=of_text("newer"), old=of_text("new"))
    )
    # two updates of a row in one transaction
    yield dataworks(0, "INSERT", row("0", "1"), "twice", 1)
    for n in (0, 1):
        yield dataworks(1 + 2 * n, "UPDATE_BEFOR", row(str(n), "1"), "twice", 2)
        yield dataworks(2 + 2 * n, "UPDATE_AFTER", row(str(n + 1), "1"), "twice", 2)
    # MongoDB looks the document up after the update, and may find later changes
    yield mongo("mongo.looked", 0, "c", None, {"n": 0})
    yield mongo("mongo.looked", 1, "u", {"n": 0}, {"n": 2})
    yield mongo("mongo.looked", 2, "u", {"n": 1}, {"n": 2})
    path = lambda n: {
        "updatedFields": json.dumps({"a.b": n}),
        "removedFields": None,
        "truncatedArrays": None,
    }
    yield mongo("mongo.paths", 0, "c", None, {"a": {"b": 0}})
    yield mongo("mongo.paths", 1, "u", {"a": {"b": 0}}, None, path(1))
    yield mongo("mongo.paths", 2, "u", {"a": {"b": 1}}, None, path(2))
    # PostgreSQL with the default replica identity: columns that are not null have a default in the
    # row before
    topic = "dbz.identity"
    yield debezium(topic, 0, "c", None, row("x"), "identity", connector="postgresql")
    yield debezium(topic, 1, "d", row(""), None, "identity", connector="postgresql")
    # a partial image moves a row to a key that a TRUNCATE had removed
    yield goldengate(0, "I", None, {"id": 2, "a": "removed"})
    yield goldengate(1, "T", None, None)
    yield goldengate(2, "I", None, {"id": 9, "a": "moved"})
    yield goldengate(3, "U", {"id": 9}, {"id": 2})
    yield goldengate(4, "U", {"id": 2, "a": "moved"}, {"id": 2, "a": "changed"})
    # the offsets of two landing batches overlap, and offset 4 lands late
    topic = "drs_overlap"
    yield of(topic, 1, drs(1, 31, 3, "overlap"))
    yield of(
        topic, 5, drs(5, 35, 1, "overlap", "UPDATE", data=of_text("later"), old=of_text("missing"))
    )
    # the changes of a row go through two partitions, and the third lands late
    topic = "drs_scattered"
    yield of(topic, 0, drs(200, 21, 1, "scattered", "INSERT", data=of_text("0")))
    yield of(
        topic, 0, drs(201, 22, 1, "scattered", "UPDATE", 1, data=of_text("1"), old=of_text("0"))
    )
    yield of(
        topic, 1, drs(203, 24, 1, "scattered", "UPDATE", 1, data=of_text("3"), old=of_text("2"))
    )


@long
def test_difficult_streams(project):
    built = project("difficult", topics=TOPICS, compaction_threshold=0, check_chains="warn")
    failed = []

    def check(name, actual, expected):
        if actual != expected:
            failed.append(f"{name}: {actual} instead of {expected}")
            print("BROKEN", failed[-1])

    def rows(table, relation="current_state"):
        return sorted(
            (json.loads(row["row_key"])["id"], row["kafka_offset"])
            for row in built.query(
                f"select * from {{cdc}}.{relation} where source_table = '{table}'"
            )
        )

    def split(table):
        return built.query(f"select * from {{cdc}}.split_updates where source_table = '{table}'")

    def breaks():
        return sorted(
            (line["source_table"], line["break_kind"], line["changes"])
            for line in built.query(
                "select * from {cdc}.broken_chains where landing_batch = {batch}".replace(
                    "{batch}", str(batch)
                )
            )
        )

    def at_node(name, action):
        """Call a function in the next build, when a node is done."""
        done = []

        def collect(event):
            if event.info.name == "NodeFinished" and not done:
                if event.data.node_info.node_name == name:
                    done.append(True)
                    action()
            type(built).collect_log_line(built, event)

        built.collect_log_line = collect
        return done

    tombs = {"table": "d.tomb*", "source": "dbz", "on_tombstone": "delete"}
    absent = {"table": "d.tomb_absent", "source": "dbz", "on_tombstone": "delete", "hold": True}
    built.settings["tables"] = [absent, tombs]
    topics = [*TOPICS]
    built.settings["topics"] = [
        {"topic": "drs_late", "format": "maxwell", "source": "drs"},
        *topics,
    ]
    late = [
        {**drs(n, sequence, n, "late"), "topic": "drs_late"} for n, sequence in ((0, 55), (1, 42))
    ]
    r = lambda key, n="x": {"id": key, "n": n}
    built.land(
        [
            {**drs(offset, 30 + offset, key, "overlap"), "topic": "drs_overlap"}
            for offset, key in ((0, 1), (6, 2))
        ]
    )
    batch = built.land(
        [
            debezium("dbz.t1", 0, "c", None, r(1), "tomb1", 5),
            tombstone("dbz.t1", 1, 1),
            debezium("dbz.t1", 2, "c", None, r(2), "tomb1", 10),
            tombstone("dbz.t1", 4, 2),
            debezium("dbz.t1", 5, "c", None, r(2), "tomb1", 20),
            debezium("dbz.t2", 0, "c", None, r(1), "tomb_absent"),
            debezium("dbz.t2", 1, "c", None, r(2), "tomb_free"),
            tombstone("dbz.t2", 2, 2),
            dataworks(0, "INSERT", r("1"), "split", 1),
            dataworks(1, "UPDATE_AFTER", r("1", "y"), "split", 2),
            dataworks(0, "UPDATE_BEFOR", r("1"), "split0", 3),
            dataworks(1, "UPDATE_AFTER", r("1", "y"), "split0", 3),
            drs(0, 10, 1),
            drs(1, 11, 1, "people"),
            drs(2, 12, 2, "people"),
            *late,
            *healthy(),
            debezium("dbz.lost", 0, "c", None, r(1, 0), "lost"),
            debezium("dbz.lost", 1, "u", r(1, 1), r(1, 2), "lost"),
            debezium("dbz.lost", 2, "u", r(1, 2), r(1, 3), "lost"),
        ]
    )
    built.dbt(*BUILD)
    for alarm in built.query(
        "select * from {cdc}.broken_chains where is_alarm and source_table <> 'lost'"
    ):
        check(f"alarm of {alarm['source_table']}", alarm["proposed_cause"], None)
    found = breaks()
    check(
        "found",
        [line for line in found if line[0] == "lost"],
        [("lost", "before_image_differs", 1)],
    )
    check("first tomb1", rows("tomb1"), [("2", 5)])
    check("tombstones of a topic with two tables", rows("tomb_free"), [("2", 1)])
    check("late is not read yet", rows("late", "changelog"), [])
    check("split updates of split", split("split"), [])
    history = rows("tomb1", "row_history")

    # All of these are held now, and get more messages.
    built.settings["tables"] = [
        absent,
        {**tombs, "table": "d.tomb1", "hold": True},
        tombs,
        {"table": "d.split", "source": "dw", "hold": True},
        {"table": "crm.orders", "source": "drs", "hold": True},
    ]
    built.settings["topics"] = topics
    built.land(
        [
            debezium("dbz.t1", 3, "u", r(2), r(2, "late"), "tomb1", 30),
            debezium("dbz.t1", 6, "c", None, r(1), "tomb_other", 40),
            dataworks(2, "UPDATE_BEFOR", r("1", "y"), "split", 4),
            dataworks(3, "UPDATE_AFTER", r("1", "z"), "split", 4),
            drs(3, 13, 1, code="UPDATE"),
            drs(4, 14, 3, "people"),
        ]
    )
    seen = []
    at_node("changelog", lambda: seen.extend(split("split")))
    built.dbt(*BUILD, replay=["drs_late"])
    check("split updates during publication", seen, [])
    check("split updates of a held table", split("split"), [])
    check("tombstones of a held table", rows("tomb1"), [("2", 5)])
    check("history of a held table", rows("tomb1", "row_history"), history)
    check("tombstones next to a held table", rows("tomb_free"), [("2", 1)])
    check("orders", rows("orders"), [("1", 0)])
    held = [
        row["source_table"]
        for row in built.query("select source_table from {cdc}.held_tables order by 1")
    ]
    check("held", held, ["fall", "late", "orders", "split", "tomb1", "tomb_absent"])
    for relation in ("changelog", "current_state", "row_history"):
        check(f"{relation} of a replayed table", rows("late", relation), [])

    # The holds end in a build that fails, and a row of another table is erased.
    built.settings["tables"] = [{**absent, "hold": False}, tombs]
    at_node(
        "merged_rows",
        lambda: built.query(DUPLICATES),
    )
    assert not built.invoke(*BUILD).success
    check("orders after a failed release", rows("orders"), [("1", 0)])
    arguments = json.dumps({"table": "crm.people", "key": {"id": "2"}})
    built.dbt("run-operation", "erase_row", "--args", arguments)
    check("orders after an erasure", rows("orders"), [("1", 0)])
    check("people after an erasure", rows("people"), [("1", 1), ("3", 4)])

    # A build is killed after it has published the statistics of a faulty table. The table is held
    # from the next one on.
    built.land([drs(5, 55, 1, "killed"), drs(6, 42, 2, "killed"), drs(7, 60, 1, "people")])
    at_node(
        "merged_rows",
        lambda: built.query(DUPLICATES),
    )
    assert not built.invoke(*BUILD).success
    (latest,) = built.snapshots("{cdc}.event_batch_stats")[-1:]
    if table_format.NAME == "delta":
        built.query(
            "create or replace view {cdc}.published_event_batch_stats as "
            f"select * from {{cdc}}.event_batch_stats version as of {latest}"
        )
    else:
        built.query(
            "alter table {cdc}.event_batch_stats "
            f"create or replace tag published as of version {latest}"
        )

    # The holds end, and the compaction of this build is published before the views are made again.
    seen = []
    at_node("changelog", lambda: seen.extend(rows("orders")))
    built.dbt(*BUILD)
    check("breaks after an erasure", breaks(), found)
    check("orders during their release", seen, [("1", 0)])
    check("orders", rows("orders"), [("1", 3)])
    check("a table whose statistics alone were published", rows("killed", "changelog"), [])
    check("split updates", len(split("split")), 2)
    check("tomb_free", rows("tomb_free"), [("2", 1)])
    assert not failed, "\n".join(failed)

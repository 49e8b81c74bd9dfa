"""A fault of one table holds that table: it keeps its published state, and all others are published."""

import json
import os
from datetime import datetime, timedelta, timezone

import pytest

from conftest import long

IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))

BUILD = [
    "build",
    "--select",
    "+held_tables",
    "+current_state",
    "+row_history",
    "--exclude",
    "staging",
]
TOPICS = [
    {"topic": "drs*", "format": "huawei_drs_json", "source": "drs"},
    {"topic": "shop", "format": "maxwell", "source": "shop"},
]


def drs(offset, sequence, identity, table="orders", code="INSERT", partition=0, **more):
    """A message of Huawei DRS: `sequence` is the position that orders it."""
    row = {"id": str(identity), "n": str(offset)}
    return {
        "topic": "drs_crm",
        "offset": offset,
        "partition": partition,
        "timestamp": datetime.fromtimestamp(1_700_000_000 + offset, timezone.utc),
        "value": json.dumps(
            {
                "mysqlType": {"id": "int"},
                "id": sequence,
                "es": (1_700_000_000 + offset) * 1000,
                "ts": (1_700_000_000 + offset) * 1000,
                "database": "crm",
                "table": table,
                "type": code,
                "isDdl": False,
                "sql": "",
                "data": [row],
                "old": [row] if code == "UPDATE" else None,
                "pkNames": ["id"],
                **more,
            }
        ),
    }


def maxwell(offset, identity, table="items", **more):
    row = {"id": identity, "n": offset}
    message = {"database": "shop", "table": table, "type": "insert", "ts": offset + 1, "data": row}
    return {
        "topic": "shop",
        "offset": offset,
        "key": json.dumps({"database": "shop", "table": table, "pk.id": identity}),
        "value": json.dumps(message | more),
    }


def rows(built, relation="current_state"):
    """Return the rows that a public model shows: table, key, and the offset of the change."""
    return sorted(
        (row["source_table"], json.loads(row["row_key"])["id"], row["kafka_offset"])
        for row in built.query(f"select * from {{cdc}}.{relation}")
    )


def held(built):
    return sorted(
        (row["source_table"], row["check_name"], row["withheld_changes"])
        for row in built.query("select * from {cdc}.held_tables")
    )


@long
def test_the_first_build_publishes_all_but_the_faulty_table(project):
    built = project("holds_first", topics=TOPICS)
    built.land([drs(0, 55, 1), drs(1, 42, 2), drs(2, 60, 1, "people"), maxwell(0, 7)])
    built.dbt(*BUILD)
    good = [("items", "7", 0), ("people", "1", 2)]
    assert rows(built) == rows(built, "row_history") == rows(built, "changelog") == good
    assert held(built) == [("orders", "falling_sequence", 2)]
    (line,) = (line for line in built.log_lines if line.startswith("warning: "))
    assert line == (
        "warning: table crm.orders of source drs is held, so that it is not published. Reason: topic drs_crm, "
        "partition 0, offset 1: the sequence of table crm.orders of source drs falls from [55] to [42]. "
        "If this change is late, the hold ends with a higher change of the partition. "
        "If it starts again, add to sequence_resets: - {topic: drs_crm, partition: 0, offset: 1}. "
        "If topic drs_crm has messages of Canal, set format: canal for it in topics, "
        "then run dbt build --vars '{replay: [\"drs_crm\"]}'"
    )

    built.land([drs(3, 43, 3), drs(4, 61, 2, "people")])
    built.dbt(*BUILD)
    assert rows(built) == [*good, ("people", "2", 4)]

    built.settings["sequence_resets"] = [{"topic": "drs_crm", "partition": 0, "offset": 1}]
    built.dbt(*BUILD)
    assert (
        rows(built)
        == rows(built, "changelog")
        == [
            ("items", "7", 0),
            ("orders", "1", 0),
            ("orders", "2", 1),
            ("orders", "3", 3),
            ("people", "1", 2),
            ("people", "2", 4),
        ]
    )
    assert held(built) == []


def at(topic, table, *changes, first=0):
    """Messages of DRS about one row of a table: pairs of a sequence and a second. `n` is the sequence."""
    return [
        drs(
            offset,
            sequence,
            1,
            table,
            "UPDATE",
            es=(1_700_000_000 + second) * 1000,
            data=[{"id": "1", "n": str(sequence)}],
        )
        | {"topic": topic}
        for offset, (sequence, second) in enumerate(changes, first)
    ]


def binlog(topic, table, *changes, first=0):
    """Messages of Debezium about one row of a table: triples of a file, a position and a second."""
    messages = []
    for offset, (file, position, second) in enumerate(changes, first):
        source = {"connector": "mysql", "name": "dbz", "db": "crm", "table": table, "row": 0}
        source |= {"file": f"bin.{file:06}", "pos": position, "ts_ms": second * 1000}
        row = {"id": 1, "n": f"{file}/{position}"}
        value = {"before": None, "after": row, "source": source, "op": "u", "ts_ms": second * 1000}
        message = {"topic": topic, "offset": offset, "key": '{"id":1}', "value": json.dumps(value)}
        messages.append(message)
    return messages


def values(built):
    """Return the value `n` of the row of each table."""
    query = "select source_table, row_values.n from {cdc}.current_state"
    return {row["source_table"]: row["n"] for row in built.query(query)}


def test_late_changes_are_published_and_sequences_that_start_again_are_held(project):
    topics = [*TOPICS, {"topic": "dbz*", "format": "debezium"}]
    built = project("holds_late", topics=topics)
    built.land(
        [
            *at("drs_late", "late", (171, 171), (174, 174), (172, 900)),
            *binlog("dbz_late", "dbz_late", (3, 4, 10), (3, 99, 11), (3, 50, 10)),
            *at("drs_again", "again", *((n, n) for n in (1, 2, 4, 5, 2, 3, 4, 5, 6))),
            *at("drs_swapped", "swapped", *((n, n) for n in (2, 1, 4, 3, 6, 5))),
            *at("drs_reset", "reset", (90, 90), (91, 91), (1, 95), (2, 96)),
            *binlog("dbz_reset", "dbz_reset", (900, 4, 10), (1, 4, 15), (1, 50, 16)),
        ]
    )
    built.dbt(*BUILD)
    published = {"dbz_late": "3/99", "again": "6", "swapped": "6"}
    assert values(built) == published
    fallen = [(table, "falling_sequence") for table in ("dbz_reset", "late", "reset")]
    assert [row[:2] for row in held(built)] == fallen
    remedies = built.query("select source_table, remedy from {cdc}.held_tables")
    assert {row["source_table"] for row in remedies if "is late" in row["remedy"]} == {"late"}

    # Each sequence passes its former maximum: this was a late change, and the resets stay.
    built.land(
        [
            *at("drs_late", "late", (175, 901), first=3),
            *at("drs_reset", "reset", (99, 99), first=4),
            *binlog("dbz_reset", "dbz_reset", (900, 9, 20), first=3),
            *at("drs_swapped", "swapped", (8, 8), (7, 7), first=6),
        ]
    )
    built.dbt(*BUILD)
    published |= {"late": "175", "swapped": "8"}
    assert values(built) == published
    assert [row[:2] for row in held(built)] == [fallen[0], fallen[2]]

    built.settings["sequence_resets"] = [
        {"topic": "drs_reset", "partition": 0, "offset": 2},
        {"topic": "dbz_reset", "partition": 0, "offset": 1},
    ]
    built.dbt(*BUILD)
    assert values(built) == published | {"reset": "99", "dbz_reset": "900/9"}
    assert held(built) == []

    # Late changes that were checked cost nothing: events are read in new batches, and in those just before.
    for n in (10, 12):
        batch = built.land(at("drs_swapped", "swapped", (n, n), (n - 1, n - 1), first=n - 2))
        result = built.dbt(*BUILD)
    assert values(built)["swapped"] == "12"
    model = next(each.node for each in result.result if each.node.name == "sequence_resets")
    assert f"where\n        landing_batch in ({batch})" in model.compiled_code


@long
def test_a_hold_of_a_new_table_lists_no_batches(project):
    """Other tables were published before. The batches of the new one have lower numbers."""
    built = project("holds_new", topics=TOPICS)
    built.land([maxwell(0, 7)], batch=2**62)
    built.dbt(*BUILD)
    built.land([drs(0, 55, 1)], batch=4)
    built.land([drs(1, 42, 2), maxwell(1, 8)], batch=5)
    built.dbt(*BUILD)
    items = [("items", "7", 0), ("items", "8", 1)]
    assert rows(built) == rows(built, "changelog") == items
    assert held(built) == [("orders", "falling_sequence", 2)]
    assert built.query("select last_published_batch, late_batches from {cdc}.table_holds") == [
        {"last_published_batch": None, "late_batches": []}
    ]
    built.land([drs(2, 43, 3)], batch=3)
    built.dbt(*BUILD)
    assert rows(built) == items
    built.settings["sequence_resets"] = [{"topic": "drs_crm", "partition": 0, "offset": 1}]
    built.dbt(*BUILD)
    assert rows(built) == [*items, ("orders", "1", 0), ("orders", "2", 1), ("orders", "3", 2)]


def test_on_held_fail_fails_the_build_and_publishes_the_others(project):
    built = project("holds_fail", topics=TOPICS, on_held="fail")
    built.land([drs(0, 55, 1), drs(1, 42, 2), maxwell(0, 7)])
    result = built.invoke(*BUILD)
    assert [r.node.name for r in result.result if r.status in ("fail", "error")] == [
        "tables_are_not_held_held_tables_"
    ]
    assert rows(built) == [("items", "7", 0)]


def statement(offset, sequence, sql, table="orders"):
    """A message of Huawei DRS with a statement."""
    return drs(offset, sequence, 0, table, "DDL", isDdl=True, sql=sql, data=None)


def offsets(built, relation):
    """Return the offsets of the changes of the table orders in a relation."""
    query = f"select distinct kafka_offset from {{cdc}}.{relation} where source_table = 'orders'"
    return sorted(row["kafka_offset"] for row in built.query(query))


def run_operation(built, capsys, name, identity):
    """Run an operation on a row of the table orders; return what it prints."""
    capsys.readouterr()
    arguments = json.dumps({"table": "crm.orders", "key": {"id": identity}})
    built.dbt("run-operation", name, "--args", arguments)
    return "\n".join([capsys.readouterr().out, *built.log_lines])


def test_a_held_table_keeps_its_state_until_the_setting_is_removed(project, capsys):
    """Statements, compactions, a replay, erased rows and maintenance do not change it.

    Neither do changes of its rows. All of them apply to the other tables.
    """
    built = project("holds_setting", topics=TOPICS, compaction_threshold=0)
    published = [("orders", "1", 0), ("orders", "2", 1), ("orders", "3", 2)]
    batch = built.land(
        [
            drs(0, 10, 1),
            drs(1, 11, 2),
            drs(2, 12, 3),
            drs(3, 13, 1, "people"),
            drs(4, 14, 1, "carts"),
        ],
        landed_at=datetime(2026, 11, 25, 8, 30, 2, tzinfo=timezone.utc),
    )
    built.dbt(*BUILD)
    assert rows(built) == [("carts", "1", 4), *published, ("people", "1", 3)]
    history = rows(built, "row_history")

    hold = {"table": "crm.orders", "source": "drs", "hold": True}
    built.settings["tables"] = [hold]
    built.land(
        [
            drs(5, 15, 1, code="UPDATE"),
            drs(6, 16, 4),
            statement(7, 17, "TRUNCATE TABLE crm.orders"),
            statement(8, 18, "TRUNCATE TABLE crm.people", "people"),
            drs(9, 19, 2, "people"),
            drs(10, 20, 5),
            statement(11, 21, "DROP TABLE crm.orders, crm.carts"),
            drs(12, 22, 6),
            drs(13, 23, 6, code="UPDATE"),
        ]
    )
    for replay in [{}, {"replay": "all"}] if IS_LONG else [{}]:
        built.dbt(*BUILD, **replay)
        assert rows(built) == [*published, ("people", "2", 9)], replay
        assert [row for row in rows(built, "row_history") if row[0] == "orders"] == [
            row for row in history if row[0] == "orders"
        ], replay
        assert offsets(built, "changelog") == [0, 1, 2], replay
        assert offsets(built, "merged_rows") == [None]  # it is left out
        (found,) = built.query("select * from {cdc}.held_tables")
        assert (found["check_name"], found["last_published_batch"], found["withheld_batches"]) == (
            "held_by_setting",
            batch,
            1,
        )
        (line,) = (line for line in built.log_lines if line.startswith("warning: "))
        assert line == (
            "warning: table crm.orders of source drs is held: it keeps its state of the landing"
            " at 2026-11-25 08:30:02 UTC. Reason: "
            "table crm.orders of source drs has hold: true. To publish it again, remove hold: true from its line in tables"
        )

    explained = run_operation(built, capsys, "explain_row", 1)
    assert "offset 0, row 0" in explained and "offset 5, row 0" not in explained
    run_operation(built, capsys, "erase_row", 2)
    assert rows(built) == [published[0], published[2], ("people", "2", 9)]
    assert not built.query(
        "select 1 from {cdc}.events where source_table = 'orders' and row_key like '%\"2\"%'"
    )
    built.dbt("run-operation", "maintain_tables", "--args", "{keep_days: 0}")
    assert rows(built) == [published[0], published[2], ("people", "2", 9)]

    built.settings["tables"] = []
    built.land([drs(14, 24, 7)])
    built.dbt(*BUILD)
    assert rows(built) == [("orders", "6", 13), ("orders", "7", 14), ("people", "2", 9)]
    assert {
        (identity, at) for table, identity, at in rows(built, "row_history") if table == "orders"
    } >= {
        ("1", 0),
        ("1", 5),
        ("4", 6),
        ("5", 10),
        ("6", 12),
    }
    assert held(built) == []


@long
def test_a_clock_that_is_ahead_hides_nothing_published(project):
    """The time of a landing shows whether a hold had begun.

    A landing with a wrong clock claims the future.
    """
    built = project("holds_clock", topics=TOPICS)
    ahead = datetime.now(timezone.utc) + timedelta(hours=1)
    built.land([drs(0, 10, 1)], batch=2**62, landed_at=ahead)
    built.dbt(*BUILD)
    hold = {"table": "crm.orders", "source": "drs", "hold": True}
    built.settings["tables"] = [hold]
    built.land([drs(1, 11, 2)], batch=5)
    built.dbt(*BUILD)
    assert rows(built) == [("orders", "1", 0)]
    built.land([drs(2, 12, 3)], batch=4, landed_at=ahead)  # as late as the newest published one
    built.land([drs(3, 13, 4)], batch=3, landed_at=ahead + timedelta(seconds=1))
    built.dbt(*BUILD)
    assert rows(built) == rows(built, "changelog") == [("orders", "1", 0)]
    assert held(built) == [("orders", "held_by_setting", 3)]
    [listed] = built.query("select late_batches from {cdc}.table_holds")
    assert sorted(listed["late_batches"]) == [4, 5]
    built.settings["tables"] = []
    built.dbt(*BUILD)
    assert [offset for _, _, offset in rows(built)] == [0, 1, 2, 3]


@pytest.mark.delta_long
@long
def test_a_hold_begins_after_what_was_published(project):
    """A build wrote events and failed, so that a compaction knows changes that were never published. The lake had no holds before."""
    built = project("holds_upgraded", topics=TOPICS, compaction_threshold=0)
    batch = built.land([drs(0, 55, 1), drs(1, 56, 1, "people")])
    built.dbt(*BUILD)
    built.query("drop table {cdc}.table_holds")  # as an older version of this package left the lake
    built.query("drop view {cdc}.held_tables")
    built.query("drop view if exists {cdc}.published_table_holds")

    built.land([drs(2, 60, 1, code="UPDATE"), drs(3, 61, 1, "people", "UPDATE")])
    collect, done = built.collect_log_line, []

    def duplicate(event):
        if event.info.name == "NodeFinished" and not done:
            if event.data.node_info.node_name == "merged_rows":
                done.append(True)
                built.query(
                    "insert into {cdc}.merged_rows select * from {cdc}.merged_rows where row_kind = 'live'"
                )
        collect(event)

    built.collect_log_line = duplicate
    result = built.invoke(*BUILD)
    assert [r.node.name for r in result.result if r.status in ("fail", "error")] == [
        "merged_rows_are_unique_merged_rows_"
    ]
    assert rows(built) == [("orders", "1", 0), ("people", "1", 1)]

    built.land([drs(4, 42, 2), drs(5, 62, 2, "people")])
    built.dbt("run", *BUILD[1:], check_in_run=True)  # without the tests
    people = [("people", "1", 3), ("people", "2", 5)]
    assert rows(built) == [("orders", "1", 0), *people]
    assert held(built) == [("orders", "falling_sequence", 2)]
    assert built.query("select last_published_batch from {cdc}.table_holds") == [
        {"last_published_batch": batch}
    ]

    built.settings["sequence_resets"] = [{"topic": "drs_crm", "partition": 0, "offset": 4}]
    built.dbt(*BUILD)
    assert rows(built) == [("orders", "1", 2), ("orders", "2", 4), *people]
    assert held(built) == []


def are_checked(built, **settings):
    """Run a build; return whether it asked Spark for findings about tables."""
    result = built.dbt(*BUILD, **settings)
    node = next(each.node for each in result.result if each.node.name == "table_holds")
    return "findings as (" in node.compiled_code


@long
def test_checks_are_skipped_only_if_nothing_changed(project):
    built = project("holds_skipped", topics=TOPICS)
    built.land([drs(0, 55, 1), maxwell(0, 7)])
    assert are_checked(built)
    are_checked(built)  # the tables of the first build did not exist when it began
    assert not are_checked(built)

    built.land([drs(1, 42, 2)])
    assert are_checked(built)
    assert held(built) == [("orders", "falling_sequence", 1)]
    assert are_checked(built)  # a table that is held is checked each time
    resets = [{"topic": "drs_crm", "partition": 0, "offset": 1}]
    assert are_checked(built, sequence_resets=resets)
    assert held(built) == []
    # It has deleted the hold, so that the next run finds another version.
    assert are_checked(built, sequence_resets=resets)
    assert not are_checked(built, sequence_resets=resets)
    assert are_checked(built)  # the setting is gone
    assert held(built) == [("orders", "falling_sequence", 0)]

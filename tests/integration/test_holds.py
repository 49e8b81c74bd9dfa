"""A fault of one table holds that table: it keeps its published state, and all others are published."""

import json
from datetime import datetime, timezone

import pytest

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
pytestmark = pytest.mark.delta


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
        "If it starts again, add to sequence_resets: - {topic: drs_crm, partition: 0, offset: 1}"
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


def test_on_held_fail_fails_the_build_and_publishes_the_others(project):
    built = project("holds_fail", topics=TOPICS, on_held="fail")
    built.land([drs(0, 55, 1), drs(1, 42, 2), maxwell(0, 7)])
    result = built.invoke(*BUILD)
    assert [r.node.name for r in result.result if r.status in ("fail", "error")] == [
        "tables_are_not_held_held_tables_"
    ]
    assert rows(built) == [("items", "7", 0)]

"""merged_rows has a row per key, and the state is the same, regardless of later, late and replayed events."""

import json
import re

import pytest
from oracle import assert_defined_rows

from conftest import long

# Changes of the tables a and b, whose positions are their offsets.
FIRST = [
    ("a", 1, "INSERT", 1),
    ("a", 2, "INSERT", 2),
    ("a", 9, "INSERT", 9),
    ("b", 6, "INSERT", 1),
    ("b", 7, "INSERT", 2),
    ("b", 8, "INSERT", 9),
]
STATE = ["run", "--select", "+current_state", "--exclude", "staging"]


def message(offset, kind, key, name, position=None, table="t", **more):
    return {"topic": "drs", "offset": offset, "value": json.dumps({
        "mysqlType": {"id": "int", "name": "text"}, "id": 100 + offset if position is None else position, "es": 1624614713000, "ts": 1625058726990, "database": "d", "table": table, "type": kind,
        "isDdl": False, "sql": "", "data": [{"id": str(key), "name": name}], "old": [{"name": ""}] if kind == "UPDATE" else None, "pkNames": ["id"], **more,
    })}  # fmt: skip


def names(project):
    return {
        json.loads(row["row_key"])["id"]: row["row_values"]["name"]
        for row in project.query("select row_key, row_values from {cdc}.current_state")
    }


def merged(project):
    """Return how many rows are in merged_rows, and how many merged batches."""
    query = "select count_if(row_kind in ('live', 'deleted')) as rows, count_if(row_kind = 'batch') as batches from {cdc}.merged_rows"
    return tuple(project.query(query)[0].values())


def read(project):
    """Return how many batches of events current_rows reads, and whether it reads merged_rows."""
    [view] = project.query("show create table {cdc}.current_rows")
    batches = re.findall(r"landing_batch in \(([-0-9, ]*)\)", view["createtab_stmt"])
    waiting = {batch for found in batches for batch in found.split(", ")}
    return len(waiting), "merged_rows" in view["createtab_stmt"]


@pytest.fixture
def shop(project, request):
    return project(
        f"base_{request.node.name[5:30]}",
        topics=[{"topic": "drs", "format": "huawei_drs_json"}],
        compaction_threshold=0,
    )


def test_few_events_wait_and_many_are_merged(shop):
    for batch in range(3):
        shop.land(
            [
                message(10 * batch + key, "UPDATE" if batch else "INSERT", key, f"{batch}")
                for key in range(10)
            ]
        )
    shop.dbt(*STATE)
    assert (merged(shop), read(shop)) == ((10, 3), (0, True))
    shop.land([message(30, "DELETE", 0, "gone"), message(31, "UPDATE", 1, "3")], batch=10_000_000)
    shop.dbt(*STATE, compaction_threshold=0.2)  # few: not merged
    assert (merged(shop), read(shop)) == ((10, 3), (1, True))
    assert names(shop) == {"1": "3", **{f"{key}": "2" for key in range(2, 10)}}
    shop.land([message(40, "UPDATE", 0, "late", position=115)], batch=9_999_999)
    shop.land(
        [message(41, "UPDATE", 1, "late", position=125)], batch=1_000
    )  # a number before the merged ones
    shop.dbt(*STATE, compaction_threshold=0.2)
    assert names(shop) == {"1": "3", **{f"{key}": "2" for key in range(2, 10)}}
    assert read(shop) == (3, True)
    shop.dbt(*STATE)
    assert (merged(shop), read(shop)) == ((10, 6), (0, True))
    assert names(shop) == {"1": "3", **{f"{key}": "2" for key in range(2, 10)}}


@long
def test_a_first_run_of_many_messages_merges_them(shop):
    shop.land(
        [message(at, "UPDATE" if at >= 10 else "INSERT", at % 10, f"{at}") for at in range(10_000)]
    )
    shop.dbt(*STATE, compaction_threshold=0.2)
    assert (merged(shop), read(shop)) == ((10, 1), (0, True))
    assert names(shop) == {f"{key}": f"{9_990 + key}" for key in range(10)}


@long
def test_replayed_events_are_merged_again(shop):
    shop.land([message(0, "INSERT", 1, "one"), message(1, "UPDATE", 1, "two")])
    shop.dbt(*STATE)
    assert names(shop) == {"1": "two"} and merged(shop) == (1, 1)
    shop.settings["topics"][0]["source"] = "named"
    shop.dbt(*STATE, replay=["drs"], compaction_threshold=0.2)
    assert not read(shop)[1]  # few: not merged again, and not used
    assert {
        row["source_name"] for row in shop.query("select source_name from {cdc}.current_rows")
    } == {"named"}
    shop.dbt(*STATE)
    assert {
        row["source_name"]
        for row in shop.query("select source_name from {cdc}.merged_rows where row_kind = 'live'")
    } == {"named"}
    assert names(shop) == {"1": "two"} and read(shop) == (0, True)


@long
def test_another_order_merges_again(shop):
    """A sequence reset, or another order of a table, may need events that a merge left out."""
    shop.land(
        [
            message(0, "INSERT", 1, "first", position=900),
            message(1, "UPDATE", 1, "second", position=100),
        ]
    )
    shop.dbt(*STATE)
    assert names(shop) == {"1": "first"} and merged(shop) == (1, 1)
    shop.settings["tables"] = [{"table": "d.t", "order_by": "offset"}]
    shop.dbt(*STATE, compaction_threshold=0.2)
    assert names(shop) == {"1": "second"} and not read(shop)[1]
    shop.dbt(*STATE)
    assert names(shop) == {"1": "second"} and read(shop) == (0, True)


@long
def test_a_run_that_ends_early(shop):
    """The state is the old one until publication, then the new one. It never mixes old and new batches."""
    shop.land([message(0, "INSERT", 1, "one")], batch=500_000_000)
    shop.dbt(*STATE)
    shop.land([message(1, "UPDATE", 1, "two")], batch=400_000_000)
    shop.land([message(2, "INSERT", 2, "three")], batch=600_000_000)
    shop.dbt(
        "run",
        "--select",
        "+path:models/marts/changelog.sql",
        "--exclude",
        "staging",
        compaction_threshold=0.2,
    )
    assert names(shop) == {"1": "one"}
    shop.dbt("run", "--select", "+merged_rows", "--exclude", "staging")
    assert names(shop) == {"1": "one"} and merged(shop) == (2, 3)
    shop.dbt("run", "--select", "path:models/marts/changelog.sql")
    assert names(shop) == {"1": "two", "2": "three"}
    shop.dbt("run", "--select", "current_rows")
    assert names(shop) == {"1": "two", "2": "three"} and read(shop) == (0, True)


def test_a_waiting_reset_and_a_released_hold(shop):
    """Resets and holds apply to merged rows: those that wait, those that come late, and those that a merge left out."""
    truncate = lambda at: message(at, "DDL", 0, "", at, "a", isDdl=True, sql="TRUNCATE TABLE d.a", data=None)  # fmt: skip
    change = lambda table, at, kind, key: message(at, kind, key, f"{at}", at, table)

    def rows():
        query = "select source_table, row_key, row_values['name'] as name from {cdc}.current_state"
        found = [
            (row["source_table"], json.loads(row["row_key"])["id"], row["name"])
            for row in shop.query(query)
        ]
        assert len(set(found)) == len(found), f"a row twice: {found}"
        return set(found)

    shop.land([change(*row) for row in FIRST])
    shop.dbt(*STATE)
    assert len(rows()) == 6 and read(shop) == (0, True)
    held = {"tables": [{"table": "d.b", "hold": True}]}
    shop.land([truncate(5), change("b", 20, "UPDATE", 1)])
    shop.dbt(*STATE, compaction_threshold=1000, **held)
    assert_defined_rows(shop, "the reset waits, and b is held")
    shop.land([change("a", 4, "INSERT", 4), change("a", 21, "INSERT", 1), change("b", 22, "DELETE", 2)])  # fmt: skip
    shop.dbt(*STATE, **held)
    assert_defined_rows(shop, "the reset is merged, and b is left out")
    assert {row for row in rows() if row[0] == "b"} == {("b", "1", "6"), ("b", "2", "7"), ("b", "9", "8")}  # fmt: skip
    released = {("a", "9", "9"), ("a", "1", "21"), ("b", "1", "20"), ("b", "9", "8")}
    shop.dbt(*STATE, compaction_threshold=1000)
    assert_defined_rows(shop, "b is released, and not merged yet")
    assert rows() == released
    # The view is the one of the run before, until its model replaces it.
    shop.dbt("run", "--select", "+changelog", "--exclude", "staging", compaction_threshold=0)
    assert rows() == released
    shop.dbt(*STATE, compaction_threshold=0)
    assert_defined_rows(shop, "b is merged")
    assert rows() == released
    assert (merged(shop), read(shop)) == ((7, 3), (0, True))


def debezium(offset, operation, key, position, snapshot="false"):
    row = {"id": key, "name": f"{position}"}
    source = {
        "connector": "mysql",
        "name": "s",
        "ts_ms": 1,
        "snapshot": snapshot,
        "db": "d",
        "table": "t",
        "file": "mysql-bin.000001",
        "pos": position,
        "row": 0,
    }
    value = {
        "before": row if operation == "u" else None,
        "after": row,
        "source": source,
        "op": operation,
        "ts_ms": 2,
    }
    return {
        "offset": offset,
        "key": json.dumps({"id": key}) if key else None,
        "value": json.dumps(value),
    }


@long
def test_a_recreated_topic_continues_in_its_sequence_generation(project):
    """The second entry of sequence_resets begins in the second incarnation. Its generation includes the third incarnation."""
    sequence_resets = [
        {"topic": "debezium", "partition": 0, "offset": 5},
        {"topic": "debezium", "partition": 0, "offset": 1, "topic_incarnation": 1},
    ]
    shop = project(
        "epochs_of_incarnations",
        topics=[{"topic": "debezium", "format": "debezium"}],
        sequence_resets=sequence_resets,
    )
    places = [
        ("1", 0, 4, 90),
        ("1", 0, 5, 50),
        ("2", 0, 6, 60),
        ("2", 1, 0, 70),
        ("3", 1, 0, 80),
        ("3", 1, 1, 20),
        ("4", 1, 2, 30),
        ("4", 2, 0, 40),
    ]
    shop.land(
        [
            {
                "topic": "debezium",
                "topic_incarnation": incarnation,
                **debezium(offset, "c", key, position),
            }
            for key, incarnation, offset, position in places
        ]
    )
    shop.dbt(*STATE)
    assert names(shop) == {"1": "50", "2": "70", "3": "20", "4": "40"}


@long
@pytest.mark.parametrize(
    "sequence_resets, messages, expected",
    [
        # a new snapshot of a table that has lost its primary key replaces all
        (
            [],
            [
                debezium(0, "c", 1, 10),
                debezium(1, "r", None, 20, "first"),
                debezium(2, "r", None, 20, "last"),
            ],
            set(),
        ),
        # an epoch that begins with a change without a key does not begin with a snapshot
        (
            [{"topic": "debezium", "partition": 0, "offset": 1}],
            [debezium(0, "c", 1, 10), debezium(1, "u", None, 20), debezium(2, "r", 2, 21, "true")],
            {"1", "2"},
        ),
    ],
)
def test_a_replacing_snapshot_considers_changes_without_keys(
    project, sequence_resets, messages, expected
):
    tables = [{"table": "d.t", "on_snapshot": "replace"}]
    shop = project(
        f"keyless_{len(sequence_resets)}",
        topics=[{"topic": "debezium", "format": "debezium"}],
        tables=tables,
        sequence_resets=sequence_resets,
    )
    shop.land([{"topic": "debezium", **one} for one in messages])
    shop.dbt(*STATE, compaction_threshold=0)
    assert names(shop).keys() == expected and merged(shop)[1] == 1

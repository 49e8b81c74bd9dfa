"""Analysts see only tested data. A failing build leaves changelog, current_state and row_history unchanged.

The next build after the fix publishes. A fault of one table fails no build: it holds back that table alone. Models that help to find
the fault (quarantine, schema_changes, control_events) are not held back.
"""

import csv
import itertools
import json
import os
import re
from datetime import date, datetime, timezone

import pytest
from dbt.adapters.spark.session import Cursor
from project_copy import copy_project
from pyspark.sql import functions as F

from conftest import HOME, failure, long
from kafka_cdc.tables import table_format

IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
BUILD = ["build", "--select", "+current_state", "+row_history", "--exclude", "staging"]
PUBLISHED = ["changelog", "current_rows", "current_state", "row_history"]
TOPICS = [
    {"topic": "canal", "format": "canal"},
    {"topic": "drs*", "format": "huawei_drs_json"},
    {"topic": "maxwell", "format": "maxwell"},
]


def canal(at, code, data=None, sql="", partition=0, offset=None, old=None):
    """A message of second `at`, which is its offset by default."""
    return {
        "topic": "canal",
        "partition": partition,
        "offset": at if offset is None else offset,
        "timestamp": datetime.fromtimestamp(at, timezone.utc),
        "value": json.dumps(
            {
                "data": data,
                "database": "d",
                "es": at * 1000,
                "gtid": "",
                "id": 7,
                "isDdl": data is None,
                "mysqlType": {"id": "int"},
                "old": old,
                "pkNames": ["id"],
                "sql": sql,
                "sqlType": {"id": 4},
                "table": "t",
                "ts": at * 1000,
                "type": code,
            }
        ),
    }


def maxwell(offset, identity, **more):
    row = {"id": str(identity)}
    return {
        "topic": "maxwell",
        "offset": offset,
        "key": json.dumps({"database": "d", "table": "m", "pk.id": str(identity)}),
        "value": json.dumps(
            {"database": "d", "table": "m", "type": "insert", "ts": offset + 1, "data": row, **more}
        ),
    }


def seen(project, table="%"):
    """Return all that analysts see of a table (by default of all), as text."""
    return {
        name: sorted(
            map(
                str,
                project.query(f"select * from {{cdc}}.{name} where source_table like '{table}'"),
            )
        )
        for name in PUBLISHED
    }


def assert_unseen(project, before, table="%"):
    """Fail if analysts see something else, and list the rows."""
    after = seen(project, table)
    changed = {
        name: [row for row in after[name] if row not in before[name]]
        + ["gone: " + row for row in before[name] if row not in after[name]]
        for name in PUBLISHED
    }
    if any(changed.values()):
        pytest.fail(
            "\n".join(f"{name}: {row}" for name, rows in changed.items() for row in rows),
            pytrace=False,
        )


def publication(project):
    """Return the line in which the last run reported the published versions. Fail if others are published."""
    names = ("event_batch_stats", "table_holds", "events", "merged_rows")
    (line,) = (line for line in project.log_lines if line.startswith("published: "))
    assert line == "published: " + ", ".join(
        f"{name}={project.published('{cdc}.' + name)}" for name in names
    )
    return line


def keys(project, table):
    return sorted(
        row["row_key"]
        for row in project.query(
            f"select row_key from {{cdc}}.current_state where source_table = '{table}'"
        )
    )


# The topic was recreated once. What follows an incarnation has an order.
FIRST = [
    canal(3, "INSERT", [{"id": "2"}]),
    {**canal(4, "UPDATE", [{"id": "2"}], offset=0), "topic_incarnation": 1},
    maxwell(0, 1),
]
TRUNCATED = [
    canal(1, "INSERT", [{"id": "1"}]),
    canal(2, "TRUNCATE", sql="truncate table d.t"),
    *FIRST,
]

# What holds a table: the messages published before, the new ones, which table, the check, and the setting that fixes it.
FAULTS = {
    "a_truncate_loses_its_order": (
        TRUNCATED,
        # Rows of the table through another partition: no key on both, but the TRUNCATE shares no order with them any more.
        [canal(9, "INSERT", [{"id": "3"}], partition=1, offset=0), maxwell(5, 9)],
        "t",
        "unordered_statement",
        {"table": "d.t", "on_truncate": "apply_by_time"},
    ),
    "a_key_on_two_partitions": (
        FIRST,
        [
            canal(9, "INSERT", [{"id": "2"}], partition=1, offset=0),
            canal(10, "INSERT", [{"id": "5"}]),
            maxwell(5, 9),
        ],
        "t",
        "key_on_several_partitions",
        {"table": "d.t", "order_by": "kafka_timestamp"},
    ),
    "changes_with_and_without_a_sequence": (
        FIRST,
        [
            maxwell(1, 2, position="master.000001:100"),
            {"topic": "maxwell", "offset": 2, "value": "not JSON"},
            canal(10, "INSERT", [{"id": "5"}]),
        ],
        "m",
        "mixed_sequences",
        {"table": "d.m", "order_by": "offset"},
    ),
    # The offset is lower than that of the row's insert. The row of the earlier key would stay.
    "an_update_of_a_key_through_another_partition": (
        FIRST,
        [
            canal(9, "UPDATE", [{"id": "7"}], partition=1, offset=0, old=[{"id": "2"}]),
            maxwell(5, 9),
        ],
        "t",
        "key_on_several_partitions",
        {"table": "d.t", "order_by": "kafka_timestamp"},
    ),
}


@long
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_one_table_holds_only_that_table(project, name):
    first, messages, table, check, line = FAULTS[name]
    other = {"t": "m", "m": "t"}[table]
    published = project(f"publication_{list(FAULTS).index(name)}", topics=TOPICS)
    batch = published.land(first)
    published.dbt(*BUILD)
    before, of_other = seen(published, table), keys(published, other)
    assert keys(published, "t") == ['{"id":"2"}'] and keys(published, "m") == ['{"id":"1"}']

    published.land(messages)
    for _ in range(2):  # the hold goes on, and nothing of it is visible
        published.dbt(*BUILD)
        (hold,) = published.query("select * from {cdc}.table_holds")
        place = hold["source_table"], hold["check_name"], hold["last_published_batch"]
        assert place == (table, check, batch)
        (setting,) = line.keys() - {"table"}
        assert f"table d.{table} of source" in hold["finding"] and setting in hold["remedy"]
        if check == "mixed_sequences":
            assert hold["remedy"].endswith("""--vars '{replay: ["maxwell"]}'""")
        assert_unseen(published, before, table)
        assert keys(published, other) == sorted([*of_other, *landed(published, other)])
        assert landed(published, other) and landed(published, table)

    published.settings["tables"] = [line]
    published.dbt(*BUILD)
    assert published.query("select * from {cdc}.table_holds") == []
    after = seen(published, table)
    assert len(after["changelog"]) > len(before["changelog"])
    for one in (table, other):
        assert landed(published, one) <= set(keys(published, one))


@long
def test_only_keys_of_new_batches_are_checked_again(project, monkeypatch):
    """A published version was checked. A changed setting has its keys checked again."""
    published, execute, statements = project("publication_keys", topics=TOPICS), Cursor.execute, []

    def execute_and_note(cursor, sql, *arguments):
        statements.append(sql)
        return execute(cursor, sql, *arguments)

    def build(*messages):
        """Build with new messages. Returns the held tables, and whether old keys were left out."""
        statements.clear()
        published.land(messages) if messages else None
        published.dbt(*BUILD)
        checks = [sql for sql in statements if "keys_on_several_partitions" in sql]
        assert checks
        held = published.query("select source_table, check_name from {cdc}.table_holds")
        return [(*row.values(),) for row in held], "unchecked_keys" in checks[-1]

    monkeypatch.setattr(Cursor, "execute", execute_and_note)
    of_other = canal(9, "INSERT", [{"id": "3"}], partition=1, offset=0)
    on_both = [("t", "key_on_several_partitions")]
    assert build(*FIRST, of_other) == ([], False)
    assert build(maxwell(1, 2)) == ([], False)
    assert build(maxwell(2, 3)) == ([], True)
    assert build(canal(10, "INSERT", [{"id": "2"}], partition=1, offset=1)) == (on_both, True)

    # With another order of the table, the key is published on both partitions.
    published.settings["tables"] = [{"table": "d.t", "order_by": "kafka_timestamp"}]
    assert build() == ([], False)
    assert build(maxwell(3, 4)) == ([], True)
    published.settings["tables"] = []
    assert build() == (on_both, False)


def landed(project, table):
    """Return the keys of a table in the newest landing batch."""
    return {
        row["row_key"]
        for row in project.query(
            "select row_key from {cdc}.events where event_kind = 'change' and row_key is not null "
            f"and source_table = '{table}' and landed_at = (select max(landed_at) from {{cdc}}.events)"
        )
    }


@long
def test_new_kinds_of_events_are_visible_completely_or_not_at_all(project):
    """The views leave out SQL for what no message contains. No reader sees the first TRUNCATE through a view that ignores it.

    A run reports the published versions, also if nothing is new.
    """
    published = project("publication_first_truncate", topics=TOPICS, compaction_threshold=0)
    published.land([canal(1, "INSERT", [{"id": "1"}])])
    published.dbt(*BUILD)
    first = publication(published)
    published.land([canal(2, "TRUNCATE", sql="truncate table d.t")])
    published.dbt(
        "run", "--select", "+path:models/marts/changelog.sql", "--exclude", "staging"
    )  # a run that ends directly after publication
    second = publication(published)
    assert published.query("select operation from {cdc}.changelog where kafka_offset = 2") == [
        {"operation": "truncate"}
    ]
    assert (
        keys(published, "t") == []
        and published.query("select * from {cdc}.row_history where is_current") == []
    )
    statement = published.query("show create table {cdc}.current_rows")
    published.dbt(*BUILD)
    assert (
        published.query("show create table {cdc}.current_rows") != statement
        and keys(published, "t") == []
    )
    assert first != second == publication(published)


# A concurrent run -----------------------------------------------------------------------------------------------------------

NUMBERS = itertools.count()


@pytest.fixture
def concurrent(project, monkeypatch):
    """A published project, and a function that does `work` once in a run, after the given node has ended."""
    name = f"concurrent_{next(NUMBERS)}"
    published = project(name, topics=TOPICS)
    published.land(FIRST)
    published.dbt(*BUILD)

    def run(after, work):
        done, collect = [], published.collect_log_line

        def meet(event):
            info = getattr(event.data, "node_info", None)
            if event.info.name == "NodeFinished" and info.node_name == after and not done:
                done.append(True)
                work()
            collect(event)

        published.collect_log_line = meet
        try:
            result = published.invoke(*BUILD)
        finally:
            published.collect_log_line = collect
        assert done, f"no node {after} has ended"
        return result

    return published, run


def written_meanwhile(published):
    """Do what another run does: parse a message that holds its table, a key in a second partition. (dbt cannot run inside dbt.)"""
    message = canal(9, "INSERT", [{"id": "2"}], partition=1, offset=0)
    batch = published.land([message])
    event = (
        published.spark.table(f"cdc_{published.name}.events")
        .where('row_key = \'{"id":"2"}\'')
        .limit(1)
    )
    place = {
        "kafka_partition": F.lit(1),
        "kafka_offset": F.lit(0).cast("bigint"),
        "landing_batch": F.lit(batch).cast("bigint"),
        "kafka_timestamp": F.lit(message["timestamp"]),
    }
    event.withColumns(place).writeTo(f"cdc_{published.name}.events").append()


@pytest.mark.parametrize(
    "after", ["sequence_resets", *(["every_message_has_one_outcome_events_"] if IS_LONG else [])]
)
def test_writes_of_a_concurrent_run_are_not_published(concurrent, after):
    """The other run has its own tests. This run stops with one line, and analysts see the previous version."""
    published, run = concurrent
    before, of_table = seen(published), seen(published, "t")
    published.land([maxwell(5, 9)])
    result = run(after, lambda: written_meanwhile(published))
    (failed,) = [r for r in result.result if r.status in ("error", "fail")]
    assert failed.node.name == "changelog"
    assert (
        "kafka_cdc: nothing is published, because events was written by another run. Hint: run dbt build again"
        in failed.message
    )
    assert_unseen(published, before)
    published.dbt(*BUILD)  # the checks on what both wrote hold the table
    assert_unseen(published, of_table, "t")
    assert keys(published, "m") == ['{"id":"1"}', '{"id":"9"}']
    if not IS_LONG:
        return
    published.settings["tables"] = [{"table": "d.t", "order_by": "kafka_timestamp"}]
    published.dbt(*BUILD)
    assert keys(published, "m") == ['{"id":"1"}', '{"id":"9"}'] and keys(published, "t") == [
        '{"id":"2"}'
    ]
    assert [
        row["kafka_partition"]
        for row in published.query(
            "select kafka_partition from {cdc}.current_state where source_table = 't'"
        )
    ] == [1]


@long
def test_a_write_during_a_publication_stops_the_run(project, monkeypatch):
    """The statistics are published, and the events are not: no model may follow that reads both."""
    published = project("publication_interrupted", topics=TOPICS)
    published.land(FIRST)
    published.dbt(*BUILD)
    before = seen(published)
    published.land([maxwell(5, 9)])
    execute, done = Cursor.execute, []

    def meet(self, sql, *arguments):
        result = execute(self, sql, *arguments)
        publishes = "create or replace tag published" in sql or re.search(
            "alter view .*published_", sql
        )
        if publishes and "event_batch_stats" in sql and not done:
            done.append(True)
            written_meanwhile(published)
        return result

    monkeypatch.setattr(Cursor, "execute", meet)
    result = published.invoke(*BUILD)
    (failed,) = [r for r in result.result if r.status in ("error", "fail")]
    assert done and failed.node.name == "changelog"
    assert (
        "the publication is incomplete, because events was written by another run" in failed.message
    )
    assert {r.node.name for r in result.result if r.status == "skipped"} >= {"current_rows"}
    assert_unseen(published, before)
    published.dbt(*BUILD)
    assert keys(published, "m") == ['{"id":"1"}', '{"id":"9"}']


@long
@pytest.mark.parametrize("replay", ["all", "none"])
def test_a_fault_of_all_tables_publishes_nothing(concurrent, replay):
    """A message has no outcome, so that no table is known to be complete, after a replay either. The next build repairs and publishes."""
    published, run = concurrent
    before, of_table = seen(published), seen(published, "t")
    published.land([maxwell(5, 9), canal(9, "INSERT", [{"id": "2"}], partition=1, offset=0)])
    if replay == "all":
        published.settings["replay"] = "all"
    result = run(
        "events",
        lambda: published.query(
            "delete from {cdc}.events where kafka_topic = 'maxwell' and kafka_offset = 5"
        ),
    )
    assert [r.node.name for r in result.result if r.status in ("error", "fail")] == [
        "every_message_has_one_outcome_events_"
    ]
    assert {r.node.name for r in result.result if r.status == "skipped"} >= set(PUBLISHED)
    assert_unseen(published, before)
    published.settings.pop("replay", None)
    published.dbt(*BUILD)
    assert_unseen(published, of_table, "t")  # it is held
    assert keys(published, "m") == ['{"id":"1"}', '{"id":"9"}']


@long
def test_a_fault_of_merged_rows_publishes_nothing(concurrent):
    """Neither changelog nor row_history."""
    published, run = concurrent
    published.settings["compaction_threshold"] = 0
    before = seen(published)
    published.land([maxwell(5, 9)])
    result = run(
        "merged_rows",
        lambda: published.query(
            "insert into {cdc}.merged_rows select * from {cdc}.merged_rows where row_kind = 'live'"
        ),
    )
    assert [r.node.name for r in result.result if r.status == "fail"] == [
        "merged_rows_are_unique_merged_rows_"
    ]
    assert {r.node.name for r in result.result if r.status == "skipped"} >= set(PUBLISHED)
    assert_unseen(published, before)


def test_a_seed_loaded_by_two_runs_has_each_row_once(project, monkeypatch):
    """A seed with all rows is not touched. Another one is loaded again."""
    loaded, execute, statements = project("seed_twice"), Cursor.execute, []

    def execute_twice(cursor, sql, *arguments):
        if re.search(r"insert into .*source_types", sql):
            execute(cursor, sql, *arguments)
        return execute(cursor, sql, *arguments)

    def execute_and_note(cursor, sql, *arguments):
        statements.append(sql)
        return execute(cursor, sql, *arguments)

    def assert_loaded():
        with (HOME / "seeds" / "source_types.csv").open(encoding="utf-8") as lines:
            assert sorted(map(str, loaded.query("select * from {cdc}.source_types"))) == sorted(
                map(str, csv.DictReader(lines))
            )

    monkeypatch.setattr(Cursor, "execute", execute_twice)
    loaded.dbt("seed")
    assert_loaded()
    monkeypatch.setattr(Cursor, "execute", execute_and_note)
    loaded.query("create view {cdc}.changelog as select 1 as stands_for_the_view_of_the_records")
    loaded.dbt("seed")
    statements.clear()
    loaded.dbt("seed")
    assert not [sql for sql in statements if re.search("(?i)drop|create table|insert", sql)]
    damages = [
        "update {cdc}.source_types set arguments = null where decoder = 'decode_bits'",
        "delete from {cdc}.source_types where decoder = 'decode_bits'",
        "insert into {cdc}.source_types select * from {cdc}.source_types limit 1",
        "alter table {cdc}.source_types add column more string",
    ]
    for damage in damages if IS_LONG else damages[:1]:
        loaded.query(damage)
        loaded.dbt("seed")
        assert_loaded()


def test_a_seed_of_ones_own_has_the_types_of_its_values(project, tmp_path):
    """It is loaded twice, and then with another row."""
    own = project("own_seed")
    own.home = copy_project(tmp_path, staging=["canal"])
    file, lines = tmp_path / "seeds" / "own.csv", ["id,price,since,note", "1,1.5,2024-02-29,it's"]
    expected = [
        {"id": 1, "price": 1.5, "since": date(2024, 2, 29), "note": "it's"},
        {"id": 2, "price": None, "since": None, "note": "${x}"},
    ]
    for new in ["2,,,${x}", None, "3,0.1,1999-12-31,"]:
        lines += [new] if new else []
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        own.dbt("seed", "--select", "own")
        rows = own.query("select * from {cdc}.own order by id")
        assert rows[:2] == expected and len(rows) == len(lines) - 1
    assert rows[2] == {"id": 3, "price": 0.1, "since": date(1999, 12, 31), "note": None}


REWRITE = {
    "iceberg": "call system.rewrite_data_files(table => '{{cdc}}.{}', options => map('rewrite-all', 'true'))",
    "delta": "optimize {{cdc}}.{} zorder by (kafka_partition)",
}
HISTORY = {
    "iceberg": "select operation from {cdc}.events.snapshots",
    "delta": "describe history {cdc}.events",
}


@long
def test_concurrent_maintenance_blocks_no_run(concurrent):
    """Compaction of files writes table versions with the same rows."""
    published, run = concurrent
    published.land([maxwell(5, 9)])
    published.land([maxwell(6, 10)])
    assert run(
        "sequence_resets",
        lambda: [
            published.query(REWRITE[table_format.NAME].format(name))
            for name in ("events", "event_batch_stats")
        ],
    ).success
    assert {row["operation"] for row in published.query(HISTORY[table_format.NAME])} & {
        "replace",
        "OPTIMIZE",
    }
    assert keys(published, "m") == ['{"id":"1"}', '{"id":"10"}', '{"id":"9"}']


@long
def test_a_build_of_only_the_views_publishes_nothing_new(project):
    """It runs no tests. `dbt run` is meant to run none, so it publishes."""
    published = project("views_alone", topics=TOPICS)
    alone = ["--select", "path:models/marts"]
    published.land(FIRST)
    published.dbt(*BUILD)
    published.dbt("build", *alone)
    before = seen(published)
    published.land([maxwell(5, 9)])
    published.dbt("run", "--select", "events", "event_batch_stats")
    result = published.invoke("build", *alone)
    assert "events has changes that this run does not test" in failure(result)
    assert_unseen(published, before)
    published.dbt("run", *alone)
    assert keys(published, "m") == ['{"id":"1"}', '{"id":"9"}']

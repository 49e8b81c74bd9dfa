"""Runs repair missing events, read late batches, write nothing if nothing is new, and have each event exactly once.

Events stay exactly once if runs are concurrent or killed. Those tests start separate processes, which share a lake with this one.
A second session of this process's Spark checks it, so that only the processes to be killed are started.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conftest import HOME, LAKE, Project, failure, long
from kafka_cdc.tables import table_format

TOPICS = [{"topic": "drs", "format": "huawei_drs_json"}]
EVENTS = ["run", "--select", "events"]
NOW = datetime(2026, 11, 21, tzinfo=timezone.utc)


def messages(begin, end, topic="drs"):
    """Return messages of one to three rows each, one in eleven of them in quarantine."""
    return [
        {
            "topic": topic,
            "offset": at,
            "value": json.dumps(
                {
                    "mysqlType": {"id": "int"},
                    "id": at,
                    "es": 1624614713000,
                    "ts": 1625058726990,
                    "database": "d",
                    "table": "t",
                    "type": "INSERT",
                    "isDdl": False,
                    "sql": "",
                    "data": [{"id": str(10 * at + row), "v": "1.10"} for row in range(1 + at % 3)],
                    "old": None,
                    "pkNames": ["id"],
                }
                if at % 11
                else {"type": "INSERT"}
            ),
        }
        for at in range(begin, end)
    ]


def rows_of(begin, end):
    """Return the coordinates of the events of messages(begin, end)."""
    return [(at, row) for at in range(begin, end) for row in range(1 + at % 3 if at % 11 else 1)]


def found(project, condition="true"):
    """Return the coordinates of events, with duplicates."""
    return [
        tuple(row.values())
        for row in project.query(
            f"select kafka_offset, row_index from {{cdc}}.events where {condition} order by all"
        )
    ]


def snapshots(project):
    return project.snapshots("{cdc}.events")


# Sequential runs in one process ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def processed(project):
    """A project whose batches 100 and 200 are processed. Each test leaves it intact."""
    processed = project("runs", topics=TOPICS)
    processed.land(messages(0, 40), batch=100, landed_at=NOW)
    processed.land(messages(40, 60), batch=200, landed_at=NOW)
    processed.dbt(*EVENTS)
    assert found(processed) == rows_of(0, 60)
    return processed


def test_nothing_new_writes_nothing(processed):
    before = snapshots(processed)
    processed.dbt(*EVENTS)
    assert snapshots(processed) == before


def test_a_run_before_the_first_landing_shows_what_to_do(project):
    result = project("unlanded", raw_schema="raw_of_nobody").invoke("run")
    assert not result.success
    assert failure(result).count("land messages first: kafka-cdc land files DIR") == 1


@long
def test_the_first_messages_are_read_at_any_age(project):
    """A run over an empty raw leaves events without rows, which limit nothing."""
    empty = project("empty", topics=TOPICS)
    empty.dbt(*EVENTS)
    empty.land(messages(0, 5), landed_at=NOW - timedelta(days=400))
    empty.dbt(*EVENTS)
    assert found(empty) == rows_of(0, 5)


@long
def test_a_view_is_recreated_only_if_its_sql_has_changed(processed):
    """One view represents all of them."""
    made = lambda *arguments: [
        r.message
        for r in processed.dbt("run", "--select", "control_events", *arguments).result
        if r.node.resource_type == "model"
    ]
    columns = lambda: list(processed.query("describe {cdc}.control_events"))
    assert made() == ["OK"]
    as_made = columns()
    assert made() == ["unchanged"]
    assert made("--full-refresh") == ["OK"]
    processed.query("create or replace view {cdc}.control_events as select 1 as nonsense")
    assert made() == ["OK"]
    assert columns() == as_made
    processed.query("drop view {cdc}.control_events")
    assert made() == ["OK"]


def test_missing_events_of_a_batch_are_repaired(processed):
    processed.query("delete from {cdc}.events where landing_batch = 100 and kafka_offset < 25")
    processed.query("delete from {cdc}.events where landing_batch = 200")
    processed.dbt(*EVENTS)
    assert found(processed) == rows_of(0, 60)


@long
def test_duplicate_events_of_a_batch_are_repaired(processed):
    processed.query("insert into {cdc}.events select * from {cdc}.events where landing_batch = 100")
    processed.dbt(*EVENTS)
    assert found(processed) == rows_of(0, 60)


def test_a_replay_leaves_each_event_once(processed):
    processed.dbt(*EVENTS, replay="all")
    assert found(processed) == rows_of(0, 60)


@long
def test_a_run_that_lists_no_relations_beforehand_keeps_the_table(processed):
    """With a view in the same schema. A table that dbt does not list would be recreated from what raw still contains."""
    select = ["run", "--select", "events", "control_events"]
    processed.dbt(*select)
    before = snapshots(processed)
    processed.dbt(*select, "--no-populate-cache")
    assert snapshots(processed) == before


def test_full_refresh_keeps_the_table(processed):
    before = snapshots(processed)
    processed.dbt(*EVENTS, "--full-refresh")
    assert snapshots(processed)[: len(before)] == before
    assert found(processed) == rows_of(0, 60)


def test_a_batch_that_commits_late_is_read(processed):
    processed.land(messages(60, 70), batch=50, landed_at=NOW - timedelta(days=20))
    processed.dbt(*EVENTS)
    assert found(processed) == rows_of(0, 70)


def test_lookback_days_limits_what_a_run_counts(processed):
    processed.dbt(*EVENTS, "event_batch_stats")  # the limit counts from the newest message in it
    processed.land(messages(70, 75), batch=40, landed_at=NOW - timedelta(days=50))
    processed.dbt(*EVENTS)
    assert found(processed) == rows_of(0, 70)
    processed.dbt(*EVENTS, lookback_days=60)
    assert found(processed) == rows_of(0, 75)


def test_only_pending_batches_are_written(processed):
    before = processed.files("{cdc}.events")
    processed.land(messages(75, 80), batch=300, landed_at=NOW + timedelta(days=1))
    processed.dbt(*EVENTS)
    assert before < processed.files("{cdc}.events")
    assert found(processed) == rows_of(0, 80)


def test_a_replay_of_messages_missing_in_raw_stops(processed):
    """Raw loses messages. A rebuilt table would lack their events. A plain run leaves those batches unchanged, and a replay stops."""
    processed.query(
        "delete from {raw}.kafka_messages where landing_batch = 200 or landing_batch = 100 and offset < 5"
    )
    processed.land(messages(80, 85), batch=500)
    processed.dbt(*EVENTS)
    assert found(processed) == rows_of(0, 85)
    assert not processed.invoke(*EVENTS, replay="all").success
    assert found(processed) == rows_of(0, 85)


def test_a_replay_reads_relanded_messages(processed):
    """Messages that raw had lost, part of a batch and a whole batch, land again in another batch."""
    processed.dbt(*EVENTS, "event_batch_stats")
    processed.land(messages(0, 5) + messages(40, 60), batch=600)
    processed.dbt(*EVENTS, "event_batch_stats", replay="all")
    assert found(processed) == rows_of(0, 85)
    batches = [(row["landing_batch"], row["messages"]) for row in processed.query(
        "select landing_batch, sum(messages) as messages from {cdc}.event_batch_stats group by landing_batch order by landing_batch")]  # fmt: skip
    assert batches == [(40, 5), (50, 10), (100, 35), (300, 5), (500, 5), (600, 25)]
    assert [
        tuple(row.values())
        for row in processed.query(
            "select landing_batch, count(*) from {raw}.kafka_messages group by 1 order by 1"
        )
    ] == batches


# The SQL of a run -------------------------------------------------------------------------------------------------------------


def formats_of(compiled):
    """Return the formats that a compiled statement of events parses, and whether it recognizes formats."""
    return set(re.findall(r"if\(source_format = '(\w+)'", compiled)), "signature." in compiled


def maxwell(offset, topic):
    """Return a message that only Maxwell sends."""
    value = {"database": "d", "table": "t", "type": "insert", "ts": 1, "data": {"id": offset}}
    return {"topic": topic, "offset": offset, "value": json.dumps(value)}


def test_a_run_parses_only_the_formats_of_its_messages(project):
    """More formats must not make a run slower. Spark parses and plans everything in the statement."""
    topics = [
        {"topic": "mapped_*", "format": "huawei_drs_json"},
        {"topic": "binlog", "format": "maxwell"},
        {"topic": "mixed", "format": "auto"},
    ]
    runs = project("formats", topics=topics)

    def held(*arguments, **settings):
        result = runs.dbt(*(arguments or EVENTS), **settings)
        return formats_of(
            next(r.node.compiled_code for r in result.result if r.node.name == "events")
        )

    runs.land(messages(0, 5, "mapped_a"))
    assert held() == ({"huawei_drs_json"}, False)  # the first run, on all of raw
    assert held() == (set(), False)  # nothing new
    runs.land(
        messages(5, 8, "mapped_b")
        + [
            {"topic": "binlog", "offset": 0, "value": "{}"},
            {"topic": "binlog", "offset": 1, "value": None},
        ]
    )
    assert held() == ({"huawei_drs_json", "maxwell"}, False)
    runs.land(messages(8, 10, "mapped_a"))
    assert held() == ({"huawei_drs_json"}, False)  # not the formats of earlier batches
    runs.land([*messages(10, 12, "mapped_a"), maxwell(0, "mixed")])
    # All messages of the topic have one format, so that events does not recognize them again.
    assert held() == ({"huawei_drs_json", "maxwell"}, False)
    only_compiled = ["compile", "--select", "events"]
    # The statement would name each of so many topics.
    many = runs.land([maxwell(0, f"many_{number}") for number in range(1001)])
    assert held(*only_compiled) == ({"maxwell"}, True)
    runs.query(f"delete from {{raw}}.kafka_messages where landing_batch = {many}")
    runs.land([maxwell(0, "not_mapped"), {"topic": "not_mapped", "offset": 1, "value": "{}"}])
    assert held(*only_compiled) == ({"maxwell"}, True)
    assert held(*only_compiled, replay="all") == ({"huawei_drs_json", "maxwell"}, True)
    drs = [{"topic": "*", "format": "huawei_drs_json"}]
    assert held(*only_compiled, replay="all", topics=drs) == ({"huawei_drs_json"}, False)


@pytest.mark.parametrize(
    "topics", [pytest.param(TOPICS, marks=long, id="mapped"), pytest.param([], id="recognized")]
)
def test_messages_that_land_during_compilation_are_left_to_the_next_run(project, topics):
    """The statement cannot parse messages of other formats. They must not be rejected by chance."""
    late = project(f"late_{len(topics)}", topics=topics)
    late.land(messages(1, 5))
    compiled = next(
        r.node.compiled_code
        for r in late.dbt("compile", "--select", "events").result
        if r.node.name == "events"
    )
    late.land([maxwell(0, "unmapped")])
    assert {row["kafka_topic"] for row in late.spark.sql(compiled).collect()} == {"drs"}
    late.dbt(*EVENTS)
    assert {
        row["kafka_topic"]
        for row in late.query("select kafka_topic from {cdc}.events where event_kind = 'change'")
    } == {"drs", "unmapped"}


# Concurrent and killed runs ----------------------------------------------------------------------------------------------------

SEED = int(os.environ.get("KAFKA_CDC_SEED", time.time_ns()))
ROUNDS = 3
BATCH = 1500  # messages


class Build:
    """`dbt run --select events` in a separate process, with its JVM."""

    def __init__(self, project, lake, folder):
        folder.mkdir()
        if Path(
            LAKE.name, "target", "partial_parse.msgpack"
        ).exists():  # as a previous run leaves it
            (folder / "target").mkdir()
            shutil.copy(Path(LAKE.name, "target", "partial_parse.msgpack"), folder / "target")
        self.lines, self.started, self.lake = [], threading.Event(), lake
        variables = {"raw_schema": f"raw_{project.name}", **project.settings}
        self.process = subprocess.Popen(
            [
                Path(sys.executable).parent / "dbt",
                *EVENTS,
                "--target-path",
                folder / "target",
                "--log-path",
                folder / "logs",
                "--vars",
                json.dumps(variables),
                "--no-use-colors",
            ],
            cwd=HOME,
            env={
                **os.environ,
                "KAFKA_CDC_LAKE": str(lake),
                "KAFKA_CDC_SCHEMA": f"cdc_{project.name}",
                "KAFKA_CDC_MEMORY": "1g",
                "PYTHONUNBUFFERED": "1",
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line)
            if " START sql incremental model " in line:
                self.started.set()
        self.started.set()  # the output ends with the last process of the group

    def end(self):
        """Wait for the process and its JVM. Return the exit code."""
        self.reader.join(180)
        return self.process.wait(10)

    def kill(self, moment, chance):
        """Kill the build and its JVM in its events phase: some time after it starts, when it writes data, or when it commits."""
        self.started.wait(180)
        before, patience = self.files(moment), time.monotonic() + 60
        while (
            moment != "start"
            and self.files(moment) <= before
            and self.process.poll() is None
            and time.monotonic() < patience
        ):
            time.sleep(0.02)
        time.sleep(chance.uniform(0, {"start": 4, "data": 0.5, "metadata": 0.1}[moment]))
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        return self.end()

    def files(self, moment):
        return {str(file) for file in self.lake.glob(f"cdc_*/events/{moment}/**/*")}


def contents(project):
    """Return every event, every column, as text."""
    return [
        row["event"]
        for row in project.query(
            "select to_json(struct(*)) as event from {cdc}.events order by kafka_topic, kafka_offset, row_index, 1"
        )
    ]


@pytest.fixture
def own_lake(spark, tmp_path, monkeypatch):
    """A lake that other processes may use, which dbt and Project use in this process too."""
    if (
        table_format.NAME == "delta"
    ):  # whose metastore is the JVM's, and other processes may use that
        yield Path(LAKE.name), spark
        return
    lake = tmp_path / "lake"
    lake.mkdir()
    session = spark.newSession()
    session.conf.set(
        "spark.sql.catalog.lake.uri", f"jdbc:sqlite:{lake}/catalog.db?busy_timeout=60000"
    )
    session.conf.set("spark.sql.catalog.lake.warehouse", str(lake))
    session.conf.set("spark.sql.catalog.lake.cache-enabled", "false")
    monkeypatch.setattr(SparkSession, "_instantiatedSession", session)
    monkeypatch.setattr(SparkSession, "_activeSession", session)
    monkeypatch.setenv("KAFKA_CDC_LAKE", str(lake))
    yield lake, session
    spark._jvm.SparkSession.setActiveSession(spark._jsparkSession)


@long
def test_concurrent_or_killed_builds_leave_each_event_once(own_lake, tmp_path):
    lake, session = own_lake
    chance = random.Random(SEED)
    project, undisturbed = (Project(session, name, {"topics": TOPICS}) for name in ("met", "alone"))
    offsets = iter(range(0, 10**9, BATCH))

    def land(landed_at):
        begin = next(offsets)
        batch = project.land(messages(begin, begin + BATCH), landed_at=landed_at)
        undisturbed.land(messages(begin, begin + BATCH), batch=batch, landed_at=landed_at)

    land(NOW)
    project.dbt(*EVENTS)
    killed = 0
    for number in range(ROUNDS):
        land(NOW + timedelta(hours=number))
        builds = [Build(project, lake, tmp_path / f"build_{number}_{at}") for at in range(2)]
        ends = {}
        moments = chance.sample(["start", "data", "metadata"], 2)
        threads = [
            threading.Thread(
                target=lambda build=build, moment=moment: ends.update(
                    {moment: build.kill(moment, chance)}
                )
            )
            for build, moment in zip(builds, moments)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        killed += sum(code == -signal.SIGKILL for code in ends.values())
        at = found(project)
        assert len(at) == len(set(at)), f"seed {SEED}: events twice after a kill at {moments}"
    assert killed >= ROUNDS, f"{killed} builds were killed"

    land(NOW + timedelta(days=1))
    land(NOW - timedelta(days=1))
    builds = [Build(project, lake, tmp_path / f"build_{at}") for at in range(2)]
    codes = [build.end() for build in builds]
    assert 0 in codes, "".join(builds[0].lines)
    at = found(project)
    assert len(at) == len(set(at)), "events twice after two builds at once"

    project.dbt(*EVENTS)
    undisturbed.dbt(*EVENTS)
    assert found(project) == rows_of(0, next(offsets))
    assert contents(project) == contents(undisturbed)
    before = snapshots(project)
    project.dbt(*EVENTS)
    assert snapshots(project) == before
    tables = lambda name: sorted(
        row["tableName"]
        for row in project.query(f"show tables in cdc_{name}")
        if not row["isTemporary"]
    )
    assert tables("met") == tables("alone")

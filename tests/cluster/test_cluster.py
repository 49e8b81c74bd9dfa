"""The same project on a standalone cluster: messages land by a session of the cluster, dbt builds through a Thrift server and through Spark Connect.

The state is that of the embedded run on the same messages, after merges and maintenance, also where it is read in ANSI mode, which dbt itself switches off.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from project_copy import copy_project
from pyhive import hive
from spark_cluster import Cluster

from conftest import HOME, SAMPLES, long
from kafka_cdc.demo import get_settings as settings

PUBLIC = [
    "changelog",
    "current_rows",
    "current_state",
    "row_history",
    "schema_changes",
    "control_events",
    "quarantine",
    "column_drift",
    "sequence_resets",
]
IS_LONG = "KAFKA_CDC_LONG" in os.environ
# Each part is a landing and a build: through the Thrift server, and with --long then through Spark
# Connect and once more through the Thrift server.
PARTS = 3 if IS_LONG else 1
# JSON and Avro. With --long, all samples.
LANDED_SAMPLES = ["drs_crm.jsonl", "dts_avro_inventory.jsonl"]
# The views that nothing here reads. With --long, they are built too.
NOT_BUILT = [
    file.stem
    for file in sorted((HOME / "models" / "monitoring").glob("*.sql"))
    if not IS_LONG and file.stem not in PUBLIC
]
ENDED = "[SPARK_JOB_CANCELLED]"  # in the server's log
LANDED = {
    "landed_at",
    "landing_batch",
    "checked_at",
    "first_landed_at",
    "last_landed_at",
}  # no two runs have the same


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """The cluster of this module."""
    folder = tmp_path_factory.mktemp("cluster")
    running = Cluster(folder)
    try:
        running.start_all()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def start(cluster, tmp_path_factory):
    """Start a Python module in a process of its own, by a target of profiles.yml."""
    home = HOME
    if not IS_LONG:
        home = copy_project(tmp_path_factory.mktemp("project"), ["canal"])

    def start(target, *command, **environment):
        known = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("KAFKA_CDC_", "SPARK_"))
        }
        known |= {
            "KAFKA_CDC_TARGET": target,
            "KAFKA_CDC_THRIFT_PORT": str(cluster.thrift),
            "KAFKA_CDC_SPARK_MASTER": cluster.master,
            "KAFKA_CDC_MEMORY": "1g",
            "KAFKA_CDC_LAKE": str(cluster.lake),
            "SPARK_CONF_DIR": str(cluster.folder),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "DBT_PROJECT_DIR": str(home),
            "PYTHONWARNINGS": re.search(
                r"PYTHONWARNINGS:-(.*)}", (HOME / "profiles/activate.sh").read_text()
            )[1],
            **environment,
        }
        return subprocess.Popen(
            [sys.executable, "-m", *map(str, command)],
            cwd=HOME,
            env=known,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    return start


@pytest.fixture(scope="module")
def run(start):
    """Run a Python module to its end. Return its output. Fail if it fails."""

    def run(target, *command, **environment):
        process = start(target, *command, **environment)
        output, _ = process.communicate()
        assert process.returncode == 0, output[-6000:]
        return output

    return run


def lay(folder, part):
    """Write samples of the first parts to a folder.

    Each part adds some of the files, so that each build reads some of the formats. One file grows in every part.
    With --long, all files grow in every part: each build then reads all formats.
    """
    files = sorted(SAMPLES.glob("*.jsonl")) if IS_LONG else map(SAMPLES.joinpath, LANDED_SAMPLES)
    for number, file in enumerate(files):
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        if IS_LONG or file.name == "drs_crm.jsonl":
            lines = lines[: round(len(lines) * part / PARTS)]
        elif number % PARTS >= part:
            continue
        (folder / file.name).write_text("".join(lines), encoding="utf-8")


def dbt(run, folder, target, command, *selection, compaction_threshold=0.2, **environment):
    """Run a command of dbt by a target."""
    variables = json.dumps({**settings(), "compaction_threshold": compaction_threshold})
    return run(
        target,
        "dbt.cli.main",
        command,
        *selection,
        "--target-path",
        folder / "target",
        "--log-path",
        folder / "logs",
        "--vars",
        variables,
        **environment,
    )


def ask(cluster, sql, **configuration):
    """Return the rows of a query through the Thrift server."""
    with (
        contextlib.closing(
            hive.connect("127.0.0.1", cluster.thrift, configuration=configuration)
        ) as connection,
        contextlib.closing(connection.cursor()) as cursor,
    ):
        cursor.execute(sql)
        return cursor.fetchall()


def merged(cluster):
    """Return how many landing batches are merged."""
    [[count]] = ask(cluster, "select count(*) from cdc.merged_rows where row_kind = 'batch'")
    return count


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of samples, and of what dbt writes of its runs."""
    return tmp_path_factory.mktemp("builds")


@pytest.fixture(scope="module")
def built(cluster, run, folder):
    """The first part of the samples, built through the Thrift server with one view of staging, then the second through Spark Connect.

    Returns: the output of dbt for each build, and how many landing batches were merged after it.
    """
    outputs, counts = [], []
    remote = {"SPARK_REMOTE": f"sc://127.0.0.1:{cluster.connect}"}
    for part, target, selection, environment in (
        (1, "cluster", ["--exclude", "stg_[!c]*"], {}),
        (2, "connect", ["--exclude", "staging"], remote),
    )[:PARTS]:
        lay(folder, part)
        run(target, "kafka_cdc", "land", "files", folder, **environment)
        if part == PARTS:
            environment = {**environment, "compaction_threshold": 0}
        outputs.append(dbt(run, folder, target, "build", *selection, *NOT_BUILT, **environment))
        counts.append(merged(cluster))
    return outputs, counts


@pytest.fixture(scope="module")
def grown(cluster, run, built, folder):
    """All samples: return how many landing batches were merged before and after the last part."""
    if not IS_LONG:
        return 0, built[1][-1]
    before = built[1][-1]
    lay(folder, PARTS)
    run("cluster", "kafka_cdc", "land", "files", folder)
    dbt(run, folder, "cluster", "run", "--exclude", "staging", compaction_threshold=0)
    return before, merged(cluster)


@pytest.fixture(scope="module")
def maintained(cluster, run, grown, folder):
    """The output of maintenance through the Thrift server, and the number of snapshots of raw and events before and after it."""
    count = lambda: [
        len(ask(cluster, f"select snapshot_id from {table}.snapshots"))
        for table in ("raw.kafka_messages", "cdc.events")
    ]  # noqa: E731
    before = count()
    output = dbt(
        run, folder, "cluster", "run-operation", "maintain_tables", "--args", '{"keep_days": 0}'
    )
    return output, before, count()


@pytest.fixture(scope="module")
def embedded(spark, project, tmp_path_factory):
    """A project of the embedded session with the same messages, built once, as batches cannot matter."""
    from kafka_cdc.cli import main as land

    folder, alone = tmp_path_factory.mktemp("embedded"), project("embedded", **settings())
    lay(folder, PARTS)
    assert land(["land", "files", str(folder), "--schema", "raw_embedded"]) == 0
    alone.dbt("build", "--exclude", "staging", *NOT_BUILT)
    return alone


def compared(project, name):
    """Return SQL for a view's rows as JSON, without what differs from one landing to the next."""
    columns = [row["col_name"] for row in project.query(f"describe {{cdc}}.{name}")]
    names = ", ".join(
        f"`{column}`"
        for column in columns
        if column
        and not column.startswith("#")
        and column not in LANDED
        and not column.startswith("Part ")
    )
    return f"select to_json(struct({names}), map('ignoreNullFields', 'false', 'timeZone', 'UTC')) as `row` from {{cdc}}.{name}"


@pytest.mark.parametrize("is_ansi", ["true", pytest.param("false", marks=long)])
def test_the_state_is_that_of_the_embedded_run(cluster, grown, embedded, is_ansi, request):
    """With --long, maintenance has run before."""
    if IS_LONG:
        request.getfixturevalue("maintained")
    for name in PUBLIC:
        sql = compared(embedded, name)
        rows = sorted(
            row
            for (row,) in ask(cluster, sql.format(cdc="cdc"), **{"spark.sql.ansi.enabled": is_ansi})
        )
        assert rows == sorted(row["row"] for row in embedded.query(sql)), name
        assert rows or name in ("column_drift", "sequence_resets")  # the samples have neither


def test_events_are_compacted(grown):
    """Through the Thrift server."""
    before, after = grown
    assert before == 0 and after > 0


@long
def test_maintenance_through_thrift(maintained):
    """Old snapshots go."""
    output, before, after = maintained
    assert all(
        table in output
        for table in ("kafka_messages", "events", "event_batch_stats", "merged_rows")
    )
    assert all(new < old for old, new in zip(before, after)), (before, after)


@long
def test_what_is_unchanged_is_left_alone_over_both(built):
    """The second build finds the relations of the first one through another server."""
    first, second = built[0]
    assert "nothing new" not in first
    assert "unchanged" in second and "Failed to set" not in second


@long
def test_a_build_without_new_messages_reads_none(maintained, run, folder):
    """After the last increment."""
    output = dbt(
        run,
        folder,
        "cluster",
        "build",
        "--select",
        "events",
        "event_batch_stats",
        "merged_rows",
    )
    assert output.count("nothing new") == 3


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=long), signal.SIGKILL])
def test_the_thrift_server_ends_what_a_dbt_ran_that_is_no_more(cluster, start, tmp_path, number):
    """SIGINT: dbt cancels its statement. SIGKILL: the server notices that nobody listens. The statement alone would take days."""
    log = cluster.folder / "server.log"
    before = len(log.read_text(errors="replace"))

    def wait_for(words):
        began = time.monotonic()
        while words not in (output := log.read_text(errors="replace")[before:]):
            assert time.monotonic() - began < 120 and (process.poll() is None or words == ENDED), (
                output[-6000:]
            )
            time.sleep(0.2)

    signal_before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # a shell can start pytest so that it and its children ignore SIGINT
    process = start(
        "cluster",
        "dbt.cli.main",
        "show",
        "--inline",
        "select count(*) as n from range(1000000000000) where hash(id) = 7",
        "--target-path",
        tmp_path / "target",
        "--log-path",
        tmp_path / "logs",
    )
    signal.signal(signal.SIGINT, signal_before)
    wait_for("Starting task 0.0 in stage")
    process.send_signal(number)
    process.communicate(timeout=60)
    wait_for(ENDED)


@long
def test_kafka_is_read_by_executors(cluster, run, broker):
    topic = broker.create("on_a_cluster", 2)
    for partition in range(2):
        broker.produce(
            topic,
            [None, *(f'{{"number": {number}, "text": "é"}}' for number in range(500))],
            partition=partition,
            key="k",
            headers=[("h", b"\xff")],
        )
    output = run(
        "cluster",
        "kafka_cdc",
        "land",
        "kafka",
        "--bootstrap-servers",
        broker.servers,
        "--topics",
        topic,
        "--schema",
        "raw_of_kafka",
    )
    rows = cluster.catalog.load_table("raw_of_kafka.kafka_messages").scan().to_arrow().to_pylist()
    wanted = {
        (partition, number + 1): f'{{"number": {number}, "text": "é"}}'
        for partition in range(2)
        for number in range(500)
    } | {(0, 0): None, (1, 0): None}
    assert {(row["partition"], row["offset"]): row["value"] for row in rows} == wanted and len(
        rows
    ) == len(wanted), output
    assert {(row["key"], row["headers"][0]["value"]) for row in rows} == {("k", b"\xff")}
    assert any(
        "org.apache.kafka" in log.read_text(errors="replace")
        for log in cluster.folder.glob("worker*/app-*/*/std*")
    )


def test_a_target_without_landing_is_reported(tmp_path):
    (tmp_path / "profiles.yml").write_text(
        "kafka_cdc: {target: far, outputs: {far: {type: spark, method: thrift, host: nowhere, schema: cdc}}}"
    )
    environment = {name: value for name, value in os.environ.items() if name != "KAFKA_CDC_TARGET"}
    done = subprocess.run(
        [sys.executable, "-m", "kafka_cdc", "land", "files", SAMPLES],
        env=environment | {"DBT_PROFILES_DIR": str(tmp_path)},
        cwd=HOME,
        text=True,
        capture_output=True,
    )
    assert (
        done.returncode == 1
        and done.stderr.strip()
        == "error: the target 'far' starts no Spark session. Hint: set `landing` of the target in"
        f" {tmp_path}/profiles.yml to a target that does"
    ), done.stderr


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["dbt.cli.main", "--no-use-colors", "parse"], marks=long),
        ["kafka_cdc", "land", "files", str(SAMPLES)],
    ],
)
def test_connect_without_its_server_names_the_setting(tmp_path, command):
    """Without SPARK_REMOTE PySpark would start a Spark of its own, with tables of its own."""
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_REMOTE"} | {
        "KAFKA_CDC_TARGET": "connect",
        "DBT_LOG_PATH": str(tmp_path),
    }
    environment |= {
        "KAFKA_CDC_SPARK_MASTER": "spark://nowhere:7077",
        "DBT_TARGET_PATH": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-m", *command],
        env=environment,
        cwd=HOME,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
    )
    [line] = [line.strip() for line in done.stdout.splitlines() if "SPARK_REMOTE" in line]
    expected = {
        "dbt.cli.main": (2, "Env var required but not provided: 'SPARK_REMOTE'"),
        "kafka_cdc": (
            1,
            "error: profiles.yml needs the environment variable SPARK_REMOTE."
            " Hint: set it, or set KAFKA_CDC_TARGET to another target",
        ),
    }
    assert (done.returncode, line) == expected[command[0]], done.stdout

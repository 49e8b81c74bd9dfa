"""The same project on a standalone cluster: messages land by a session of the cluster, dbt builds through a Thrift server and through Spark Connect.

The state is that of the embedded run on the same messages, also where it is read in ANSI mode, which dbt itself switches off.
"""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from pyhive import hive
from standalone import Cluster

from conftest import HOME, SAMPLES
from landing.demonstration import settings

PUBLIC = ["changelog", "current_rows", "current_state", "row_history", "schema_changes", "control_events", "quarantine", "column_drift", "sequence_resets"]
ENDED = "[SPARK_JOB_CANCELLED]"  # in the server's log
LANDED = {"landed_at", "landing_batch", "checked_at", "first_landed_at", "last_landed_at"}  # no two runs have the same


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
def start(cluster):
    """Start a Python module in a process of its own, by a target of profiles.yml."""
    def start(target, *command, **environment):
        known = {name: value for name, value in os.environ.items() if not name.startswith(("KAFKA_CDC_", "SPARK_"))}
        known |= {"KAFKA_CDC_TARGET": target, "KAFKA_CDC_THRIFT_PORT": str(cluster.thrift), "KAFKA_CDC_SPARK_MASTER": cluster.master, "KAFKA_CDC_MEMORY": "1g",
                  "KAFKA_CDC_LAKE": str(cluster.lake), "SPARK_CONF_DIR": str(cluster.folder), "SPARK_LOCAL_IP": "127.0.0.1", **environment}
        return subprocess.Popen([sys.executable, "-m", *map(str, command)], cwd=HOME, env=known, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    return start


@pytest.fixture(scope="module")
def run(start):
    """Run a Python module to its end; return what it said, and fail where it fails."""
    def run(target, *command, **environment):
        process = start(target, *command, **environment)
        said, _ = process.communicate()
        assert process.returncode == 0, said[-6000:]
        return said

    return run


def lay(folder, share):
    """Lay the first lines of each file of samples, that share of them, into a folder."""
    for file in SAMPLES.glob("*.jsonl"):
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / file.name).write_text("".join(lines[:round(len(lines) * share)]), encoding="utf-8")


def build(run, folder, target, *selection, **environment):
    """Run `dbt build` by a target."""
    return run(target, "dbt.cli.main", "build", *selection, "--target-path", folder / "target", "--log-path", folder / "logs", "--vars", json.dumps(settings()), **environment)


@pytest.fixture(scope="module")
def built(cluster, run, tmp_path_factory):
    """Half of the samples, built through the Thrift server with one view of staging, and then all, through Spark Connect; return what dbt said each time."""
    folder, said = tmp_path_factory.mktemp("builds"), []
    remote = {"SPARK_REMOTE": f"sc://127.0.0.1:{cluster.connect}"}
    for share, target, selection, environment in ((0.5, "cluster", ["--exclude", "stg_[!c]*"], {}), (1, "connect", ["--exclude", "staging"], remote)):
        lay(folder, share)
        run(target, "landing", "files", folder, **environment)
        said.append(build(run, folder, target, *selection, **environment))
    return said


@pytest.fixture(scope="module")
def embedded(spark, project, tmp_path_factory):
    """A project of the embedded session with the same messages, built once, as batches cannot matter."""
    from landing.__main__ import main as land

    folder, alone = tmp_path_factory.mktemp("embedded"), project("embedded", **settings())
    lay(folder, 1)
    assert land(["files", str(folder), "--schema", "raw_embedded"]) == 0
    alone.dbt("build", "--exclude", "staging")
    return alone


def compared(project, name):
    """Return SQL for a view's rows as JSON, without what differs from one landing to the next."""
    columns = [row["col_name"] for row in project.query(f"describe {{cdc}}.{name}")]
    said = ", ".join(f"`{column}`" for column in columns if column and not column.startswith("#") and column not in LANDED and not column.startswith("Part "))
    return f"select to_json(struct({said}), map('ignoreNullFields', 'false', 'timeZone', 'UTC')) as `row` from {{cdc}}.{name}"


@pytest.mark.parametrize("is_ansi", ["true", "false"])
def test_the_state_is_that_of_the_embedded_run(cluster, built, embedded, is_ansi):
    connection = hive.connect("127.0.0.1", cluster.thrift, configuration={"spark.sql.ansi.enabled": is_ansi})
    cursor = connection.cursor()
    for name in PUBLIC:
        sql = compared(embedded, name)
        cursor.execute(sql.format(cdc="cdc"))
        rows = sorted(row for row, in cursor.fetchall())
        assert rows == sorted(row["row"] for row in embedded.query(sql)), name
        assert rows or name in ("column_drift", "sequence_resets")  # the samples have neither
    connection.close()


def test_what_is_unchanged_is_left_alone_over_both(built, run, cluster, tmp_path):
    """The second build saw the first one's relations, through another server, and its new messages alone; a third sees none."""
    assert "nothing new" not in built[0] and "unchanged" in built[1] and "Failed to set" not in built[1]
    said = build(run, tmp_path, "cluster", "--select", "events", "stream_profiles", "base_events")
    assert said.count("nothing new") == 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_thrift_server_ends_what_a_dbt_ran_that_is_no_more(cluster, start, tmp_path, number):
    """SIGINT: dbt cancels its statement. SIGKILL: the server notices that nobody listens. The statement alone would take days."""
    log = cluster.folder / "server.log"
    before = len(log.read_text(errors="replace"))

    def wait_for(words):
        began = time.monotonic()
        while words not in (said := log.read_text(errors="replace")[before:]):
            assert time.monotonic() - began < 120 and (process.poll() is None or words == ENDED), said[-6000:]
            time.sleep(0.2)

    signal_before = signal.signal(signal.SIGINT, signal.default_int_handler)  # where pytest runs behind a shell, SIGINT is ignored, also by what it starts
    process = start("cluster", "dbt.cli.main", "show", "--inline", "select count(*) as n from range(1000000000000) where hash(id) = 7",
                    "--target-path", tmp_path / "target", "--log-path", tmp_path / "logs")
    signal.signal(signal.SIGINT, signal_before)
    wait_for("Starting task 0.0 in stage")
    process.send_signal(number)
    process.communicate(timeout=60)
    wait_for(ENDED)


def test_a_target_that_lands_nowhere_says_so(tmp_path):
    (tmp_path / "profiles.yml").write_text("kafka_cdc: {target: far, outputs: {far: {type: spark, method: thrift, host: nowhere, schema: cdc}}}")
    environment = {name: value for name, value in os.environ.items() if name != "KAFKA_CDC_TARGET"}
    done = subprocess.run([sys.executable, "-m", "landing", "files", SAMPLES], env=environment | {"DBT_PROFILES_DIR": str(tmp_path)}, cwd=HOME, text=True, capture_output=True)
    assert done.returncode == 1 and done.stderr.strip() == f"error: the target 'far' starts no Spark session: say in {tmp_path}/profiles.yml which one lands, as its setting `landing`", done.stderr


@pytest.mark.parametrize("command", [["dbt.cli.main", "--no-use-colors", "parse"], ["landing", "files", str(SAMPLES)]])
def test_connect_without_its_server_says_what_to_set(tmp_path, command):
    """Without SPARK_REMOTE PySpark would start a Spark of its own, with tables of its own."""
    environment = {name: value for name, value in os.environ.items() if name != "SPARK_REMOTE"} | {"KAFKA_CDC_TARGET": "connect", "DBT_LOG_PATH": str(tmp_path)}
    environment |= {"KAFKA_CDC_SPARK_MASTER": "spark://nowhere:7077", "DBT_TARGET_PATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-m", *command], env=environment, cwd=HOME, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    [line] = [line.strip() for line in done.stdout.splitlines() if "SPARK_REMOTE" in line]
    says = {"dbt.cli.main": (2, "Env var required but not provided: 'SPARK_REMOTE'"), "landing": (1, "error: profiles.yml needs the environment variable SPARK_REMOTE")}
    assert (done.returncode, line) == says[command[0]], done.stdout

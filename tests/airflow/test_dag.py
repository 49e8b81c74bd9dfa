"""The DAG in Airflow, which has its own environment. The tests parse the DAG and run it with dag.test().

Airflow, landing and dbt are processes. The Spark session of this process only reads the lake that they share.
"""

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest
import yaml
from broker import PASSWORD, STORE_PASSWORD, USER
from dbt.cli.main import dbtRunner
from project_copy import copy_project

from conftest import HOME, SAMPLES, SHORT_RUN, long

PYTHON = HOME / ".airflow" / "bin" / "python"
RUNNER = Path(__file__).parent / "runner.py"
IS_LONG = "KAFKA_CDC_LONG" in os.environ
DAY = datetime.now(timezone.utc).date()
PUBLISHED = ["changelog", "current_rows", "current_state", "row_history"]
STEPS = ["land", "all_landed", "build", "published", "maintenance_is_due", "maintain"]
TOKEN = "T0000/a-secret-of-the-address"
PROGRAM = """\
import json, os, signal, sys, time
arguments = sys.argv[1:]
def note(**facts):
    with open({calls!r}, "a") as file:
        file.write(json.dumps({{"at": time.time(), **facts}}) + "\\n")
prefix, names = "KAFKA_CDC_KAFKA_", os.environ.items()
kafka = {{name.removeprefix(prefix): value for name, value in names if name.startswith(prefix)}}
note(arguments=arguments, profiles=os.environ.get("DBT_PROFILES_DIR"), kafka=kafka)
{body}
"""
# The golden cases build all samples. Here each build would take minutes more.
LANDED_SAMPLES = [
    "ckafka-inventory.jsonl",
    "dms_inventory.jsonl",
    "inventory_customers.jsonl",
    "maxwell.kcat.jsonl",
    "mongo.inventory.customers.jsonl",
]
# The settings of `make test` have one source, because each source is a process with a JVM of its own.
if not IS_LONG:
    LANDED_SAMPLES = LANDED_SAMPLES[-2:]
SETTINGS = yaml.safe_load((SAMPLES / "settings.yml").read_text(encoding="utf-8"))
TOPICS = [*SETTINGS["topics"], {"topic": "orders", "format": "canal"}]


def kcat(offset, identity, partition=0, second=0, table="orders"):
    """A line of kcat -J: Canal inserts a row of a table of the database shop."""
    row = {
        "data": [{"id": identity}],
        "database": "shop",
        "es": (second or offset) * 1000,
        "gtid": "",
        "id": 7,
        "isDdl": False,
        "mysqlType": {"id": "int"},
        "old": None,
        "pkNames": ["id"],
        "sql": "",
        "sqlType": {"id": 4},
        "table": table,
        "ts": (second or offset) * 1000,
        "type": "INSERT",
    }
    return (
        json.dumps(
            {
                "topic": "orders",
                "partition": partition,
                "offset": offset,
                "tstype": "create",
                "ts": (second or offset) * 1000,
                "payload": json.dumps(row),
            }
        )
        + "\n"
    )


@pytest.fixture(scope="session")
def python():
    """Airflow's own Python; `make` installs Airflow for the first test that needs it."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("MAKE") and name != "MFLAGS"
    }
    subprocess.run(
        ["make", "--no-print-directory", ".airflow/ready"], cwd=HOME, env=clean, check=True
    )
    return PYTHON


class Airflow:
    """An Airflow with a database of its own, in a folder, and the lake that its DAG fills; it posts its alerts to `alerts`."""

    def __init__(self, python, folder):
        self.python, self.folder, self.lake = python, folder, folder / "lake"
        self.lake.mkdir()
        self.alerts, self.events = [], []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                owner.alerts.append(
                    (
                        self.path,
                        json.loads(self.rfile.read(int(self.headers["Content-Length"])))["text"],
                    )
                )
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        subprocess.run(
            [self.python.parent / "airflow", "db", "migrate"],
            env=self.environment(),
            check=True,
            capture_output=True,
        )
        self.runner = subprocess.Popen(
            [self.python, RUNNER],
            env=self.environment(),
            cwd=self.folder,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.outputs = itertools.count(1)

    def stop(self):
        """End the processes of this Airflow."""
        self.runner.stdin.close()
        self.runner.wait()
        self.server.shutdown()

    def request(self, **request):
        """Return the answer of runner.py to a line."""
        print(json.dumps(request), file=self.runner.stdin, flush=True)
        return int(self.runner.stdout.readline())

    def environment(self, settings=None, **more):
        """Nothing of the user's environment but where programs are; the settings, and the address of alerts."""
        host = f"http://127.0.0.1:{self.server.server_port}/services"
        values = {
            **{
                name: os.environ[name]
                for name in ("PATH", "JAVA_HOME", "LANG", "TMPDIR")
                if name in os.environ
            },
            "HOME": str(self.folder),
            "AIRFLOW_HOME": str(self.folder),
            "AIRFLOW__CORE__DAGS_FOLDER": str(HOME / "dags"),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "DO_NOT_TRACK": "1",
            "KAFKA_CDC_LAKE": str(self.lake),
            **SHORT_RUN,
            "AIRFLOW_VAR_KAFKA_CDC": json.dumps(settings or {}),
            "AIRFLOW_CONN_KAFKA_CDC_ALERTS": json.dumps(
                {"conn_type": "http", "host": host, "password": TOKEN}
            ),
            **more,
        }
        return {name: value for name, value in values.items() if value is not None}

    def ask(self, *arguments, settings=None, kill_at=None, stop_at=None, **environment):
        """Return the answer of runner.py and the whole log.

        Arguments:
            kill_at: a text of the log at which the command that printed it is killed by SIGKILL, once.
            stop_at: a text of the log at which the task's Airflow process gets SIGTERM, once, as when its worker shuts down.
        """
        output = self.folder / f"output_{next(self.outputs)}"
        os.mkfifo(output)
        process = self.request(
            arguments=arguments,
            environment=self.environment(settings, **environment),
            output=str(output),
        )
        lines = []
        for line in output.open(errors="replace"):
            lines.append(line)
            if kill_at and kill_at in line:
                kill_at = None
                for child in psutil.Process(
                    process
                ).children():  # the leader of a group that holds Spark too
                    os.killpg(child.pid, signal.SIGKILL)
            if stop_at and stop_at in line:
                stop_at = None
                os.kill(process, signal.SIGTERM)
        log = "".join(lines)
        assert (
            self.request(wait=process) == 0
            and kill_at is None
            and stop_at is None
            and lines[-1].startswith("answer: ")
        ), log[-6000:]
        return json.loads(lines[-1].removeprefix("answer: ")), log

    def run(self, settings, kill_at=None, stop_at=None, environment=None, **how):
        """Run the DAG. Return the run's state, its tasks' states and tries, and the log. `events` then has the asset's events."""
        ((state, tasks),), log = self.run_often(
            settings, [how], environment, kill_at=kill_at, stop_at=stop_at
        )
        return state, tasks, log

    def run_often(self, settings, hows, environment=None, **points):
        """Run the DAG once for each of `hows`. Return the result of run() for each run, and the log of all runs."""
        answers, log = self.ask(
            "run", json.dumps(hows), settings=settings, **points, **(environment or {})
        )
        assert TOKEN not in log and PASSWORD not in log
        self.events = answers[-1]["events"]
        return [
            (answer["state"], {task: tuple(result) for task, result in answer["tasks"].items()})
            for answer in answers
        ], log


@pytest.fixture(scope="module")
def airflow(python, tmp_path_factory):
    """An Airflow of this module's tests."""
    running = Airflow(python, tmp_path_factory.mktemp("airflow"))
    yield running
    running.stop()


class Programs:
    """A project with fake programs `kafka-cdc` and `dbt`. They test how the DAG handles every end of a command."""

    def __init__(self, folder, landing="pass", dbt="pass"):
        """Write the programs.

        Arguments:
            landing: the Python code of `kafka-cdc`. `arguments` has its arguments.
            dbt: the Python code of `dbt`.
        """
        self.calls, self.environment = folder / "calls.jsonl", {"KAFKA_CDC_HOME": str(folder)}
        (folder / ".venv" / "bin").mkdir(parents=True)
        for name, body in (("kafka-cdc", landing), ("dbt", dbt)):
            program = folder / ".venv" / "bin" / name
            program.write_text(
                f"#!{sys.executable} -IS\n" + PROGRAM.format(calls=str(self.calls), body=body)
            )
            program.chmod(0o755)

    def called(self):
        """Return the calls of the programs, with arguments and the Kafka properties of the environment, and clear the list."""
        calls = (
            [json.loads(line) for line in self.calls.read_text().splitlines()]
            if self.calls.exists()
            else []
        )
        self.calls.unlink(missing_ok=True)
        return calls

    def landed(self):
        """Return which folders or topics were to land, in this order."""
        return [call["arguments"][-1] for call in self.called() if call["arguments"][0] == "land"]


@pytest.fixture
def programs(tmp_path):
    """Return a function that makes Programs."""
    return lambda **bodies: Programs(tmp_path, **bodies)


def lake_query(spark, lake):
    """Return a function that queries a lake that other processes write to."""
    session = spark.newSession()
    session.conf.set(
        "spark.sql.catalog.lake.uri", f"jdbc:sqlite:{lake}/catalog.db?busy_timeout=60000"
    )
    session.conf.set("spark.sql.catalog.lake.warehouse", str(lake))
    session.conf.set("spark.sql.catalog.lake.cache-enabled", "false")

    def ask(sql):
        spark._jvm.SparkSession.setActiveSession(session._jsparkSession)
        try:
            return [tuple(row) for row in session.sql(sql).collect()]
        finally:
            spark._jvm.SparkSession.setActiveSession(spark._jsparkSession)

    return ask


@pytest.fixture(scope="module")
def query(spark, airflow):
    """Query the lake that the DAG writes to."""
    return lake_query(spark, airflow.lake)


def seen(query):
    """Return the contents of all published views as text."""
    return {name: sorted(map(str, query(f"select * from cdc.{name}"))) for name in PUBLISHED}


def edges(tasks):
    """Return which task follows which."""
    return {(before, task) for task, facts in tasks.items() for before in facts["after"]}


def ancestors(tasks, task):
    """Return all that must have succeeded before a task runs."""
    before = set(tasks[task]["after"])
    return before.union(*(ancestors(tasks, each) for each in before))


def link_project(folder):
    """Link the project into a folder, and return the environment of the mode `models` there."""
    for name in ("dbt_project.yml", "models", "macros", "seeds", "tests", "profiles"):
        (folder / name).symlink_to(HOME / name)
    return {
        "KAFKA_CDC_DAG_BUILD": "models",
        "DBT_PROJECT_DIR": str(folder),
        "KAFKA_CDC_HOME": str(HOME),
    }


def parse_project(folder):
    """Write the manifest of the project, which Cosmos reads, into a folder."""
    paths = ["--target-path", f"{folder}/target", "--log-path", f"{folder}/logs"]
    assert dbtRunner().invoke(["--quiet", "parse", "--project-dir", str(HOME), *paths]).success


# How it is parsed ------------------------------------------------------------------------------------------------------------


def test_the_dag_is_parsed_as_its_page_shows_it(airflow):
    parsed, _ = airflow.ask("parse")
    assert parsed["errors"] == {} and list(parsed["dags"]) == ["kafka_cdc"]
    dag = parsed["dags"]["kafka_cdc"]
    assert (dag["max_active_runs"], dag["max_active_tasks"], dag["catchup"], dag["schedule"]) == (
        1,
        1,
        False,
        "*/15 * * * *",
    )
    assert all(task["retries"] == [3, 60, 2] and task["alerts"] for task in dag["tasks"].values())
    assert {name: task["outlets"] for name, task in dag["tasks"].items() if task["outlets"]} == {
        "published": ["kafka_cdc_published"]
    }
    (drawn,) = re.findall(
        r"```mermaid\n(.*?)```",
        (HOME / "docs" / "guides" / "airflow.md").read_text(encoding="utf-8"),
        re.DOTALL,
    )
    assert edges(dag["tasks"]) == set(
        re.findall(r"^ *(\w+)(?:\[.*?\]|\{.*?\})? *-->(?:\|.*?\|)? *(\w+)", drawn, re.MULTILINE)
    )


def test_by_models_the_tests_run_before_the_publication(airflow, tmp_path):
    """The task group has all models and the seed, and changelog, which publishes, comes after the tests on all that it publishes."""
    form = link_project(tmp_path) | {"KAFKA_CDC_TARGET": "cluster"}
    parsed, _ = airflow.ask("parse", **form)
    assert "run dbt parse" in "".join(parsed["errors"].values())

    parse_project(tmp_path)
    parsed, _ = airflow.ask("parse", **form)
    assert parsed["errors"] == {}
    tasks = parsed["dags"]["kafka_cdc"]["tasks"]
    assert parsed["dags"]["kafka_cdc"]["max_active_tasks"] == 8
    files = {
        file.stem for kind in ("models/**/*.sql", "seeds/*.csv") for file in HOME.glob(kind)
    } - {"mapped_messages"}  # of other settings
    assert {
        re.sub(r"^build\.|[._](run|seed|test)$", "", task)
        for task in tasks
        if task.startswith("build.")
    } == files
    tests = [task for task in tasks if task.endswith(".test")]
    assert len(tests) == 11 and {tasks[task]["selection"] for task in tests} == {
        "buildable"
    }  # a test belongs to the last of the models that it reads
    gates = {
        *(f"build.{name}.test" for name in ("events", "event_batch_stats", "merged_rows")),
        *(f"build.{name}_run" for name in ("table_holds", "sequence_resets")),
    }
    assert gates <= ancestors(tasks, "build.changelog_run")
    assert "build.changelog_run" in ancestors(tasks, "build.held_tables.test")
    for view in ("current_rows", "current_state", "row_history"):
        assert "build.changelog_run" in ancestors(tasks, f"build.{view}_run")
    assert {task for task in tasks if task.startswith("build.")} | {"land"} == ancestors(
        tasks, "published"
    )
    assert "land" in ancestors(tasks, "build.events.run")


# Runs ------------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """Settings that land some samples, and a folder of another source whose table orders is held.

    Its fault is a key on a second partition, which has no order there.
    """
    landed, folder = tmp_path_factory.mktemp("samples"), tmp_path_factory.mktemp("dumps")
    for name in LANDED_SAMPLES:
        shutil.copy(SAMPLES / name, landed)
    (folder / "orders.kcat.jsonl").write_text(
        kcat(3, "2")
        + kcat(0, "2", partition=1, second=9)
        + kcat(4, "5")
        + kcat(5, "1", table="people")
    )
    sources = [{"folder": str(landed)}, {"folder": str(folder)}]
    if not IS_LONG:
        shutil.copy(folder / "orders.kcat.jsonl", landed)
        del sources[1]
    return {
        "sources": sources,
        "variables": {
            "topics": TOPICS,
            "tables": SETTINGS["tables"],
            "compaction_threshold": 0,
        },
    }


@pytest.fixture(scope="module")
def form(tmp_path_factory):
    """Variables of the first run. With --long, it builds the staging views of all formats."""
    if IS_LONG:
        return {}
    folder = copy_project(tmp_path_factory.mktemp("project"), ("canal", "maxwell"))
    return {"DBT_PROJECT_DIR": str(folder), "KAFKA_CDC_HOME": str(HOME)}


@pytest.fixture(scope="module")
def first(airflow, settings, query, form):
    """The first run: its result, the asset's events, the alerts and the rows of the database shop.

    In its long form the build dies by SIGKILL once it has read the messages. Airflow retries it.
    """
    airflow.alerts.clear()
    result = airflow.run(
        settings,
        kill_at="START sql incremental_skip_empty model cdc.event_batch_stats" if IS_LONG else None,
        environment=form,
    )
    return *result, airflow.events, [*airflow.alerts], shop_rows(query)


def test_a_run_lands_builds_publishes_and_maintains(first, query):
    state, tasks, log, events, alerts, _ = first
    assert (state, tasks) == (
        "success",
        {**dict.fromkeys(STEPS, ("success", 1)), "build": ("success", 2 if IS_LONG else 1)},
    )
    _, (_, text) = alerts  # a sample is wrong on purpose
    assert text.startswith("kafka_cdc: build reports topics (run ")
    assert (
        "topic mongo.inventory.customers: 1 new message was rejected (unknown_operation 1)" in text
    )
    newest = "select snapshot_id from cdc.{}.snapshots where operation <> 'replace' order by committed_at desc limit 1"  # maintenance came after it was published
    snapshots = {
        name: query(newest.format(name))[0][0]
        for name in ("event_batch_stats", "table_holds", "events", "merged_rows")
    }
    assert events == [
        {"snapshots": ", ".join(f"{name}={snapshot}" for name, snapshot in snapshots.items())}
    ]
    rows = query(
        "select row_key, row_values['first_name'], row_values['balance'], count(*) from cdc.current_state "
        "where 'inventory' in (source_database, source_schema) and row_values['_id'] is null group by all order by row_key"
    )
    assert rows == [
        ('{"id":"1001"}', "Sally", "10.10", len(LANDED_SAMPLES) - 1),
        ('{"id":"1004"}', "Anne Marie", "-7.50", len(LANDED_SAMPLES) - 1),
        ('{"id":"1005"}', "George", "0.00", len(LANDED_SAMPLES) - 1),
    ]
    lines = sum(
        len(file.read_text(encoding="utf-8").splitlines())
        for file in map(SAMPLES.joinpath, LANDED_SAMPLES)
    )
    assert query("select count(*) from raw.kafka_messages") == [(lines + 4,)]
    assert "cdc.merged_rows: rewrite_manifests" in log


def add_fault(query):
    """Add a row to merged_rows twice. Return the SQL that removes it.

    The build must not merge again, because that repairs it.
    """
    newest = "select snapshot_id from cdc.merged_rows.snapshots order by committed_at desc limit 1"
    ((snapshot,),) = query(newest)
    count = "select count(*) from cdc.merged_rows"
    ((events,),) = query(count)
    query(
        "insert into cdc.merged_rows select * from cdc.merged_rows where row_kind = 'live' limit 1"
    )
    assert query(count) == [(events + 1,)]
    return f"call lake.system.rollback_to_snapshot('cdc.merged_rows', {snapshot})"


def steps(tasks):
    """Return the results of all tasks but the maintenance of the day, which has run if no day has begun since."""
    assert tasks["maintain"] == ("skipped", 0) or datetime.now(timezone.utc).date() != DAY
    return {name: result for name, result in tasks.items() if name != "maintain"}


def shop_rows(query):
    """Return the rows of the database shop: table, key and partition."""
    return query(
        "select source_table, row_key, kafka_partition from cdc.current_state where source_database = 'shop' order by all"
    )


@pytest.fixture(scope="module")
def decided(settings):
    """Settings of the last source only, which publish its held table."""
    order = {"table": "shop.orders", "order_by": "kafka_timestamp"}
    variables = {**settings["variables"], "tables": [*SETTINGS["tables"], order]}
    return {"sources": settings["sources"][-1:], "variables": variables}


def test_a_held_table_sends_an_alert(first):
    """The run publishes the other tables."""
    state, _, log, _, ((path, text), _), rows = first
    assert path == f"/services/{TOKEN}" and text in log
    title, line, *_ = text.splitlines()
    assert title.startswith("kafka_cdc: build reports held tables (run ")
    assert re.fullmatch(
        r"table shop\.orders of source canal is held, so that it is not published\. "
        r"Reason: table shop\.orders of source canal has a key on several partitions and no sequence\. "
        r"Decide with order_by: kafka_timestamp, in tables: - \{table: shop\.orders, source: canal, .*\}",
        line,
    )
    assert (state, rows) == ("success", [("people", '{"id":"1"}', 0)])


@pytest.fixture(scope="module")
def healed(airflow, first, query, decided):
    """A run with the remedy of the held table: its results, and alerts and rows after it."""
    airflow.alerts.clear()
    return airflow.run(decided), [*airflow.alerts], shop_rows(query)


@long
def test_a_later_run_publishes_the_held_table(healed):
    """The run that decides its order."""
    (state, tasks, _), alerts, rows = healed
    assert (state, steps(tasks)) == ("success", dict.fromkeys(STEPS[:-1], ("success", 1)))
    assert alerts == []
    assert rows == [
        ("orders", '{"id":"2"}', 1),
        ("orders", '{"id":"5"}', 0),
        ("people", '{"id":"1"}', 0),
    ]


@long
def test_a_failed_test_changes_nothing_for_analysts_and_a_later_run_heals(
    airflow, healed, query, decided
):
    """The fault is in no single table: a row is in merged_rows twice."""
    airflow.alerts.clear()
    before = seen(query)
    settings = {**decided, "variables": {**decided["variables"], "compaction_threshold": 100}}
    folder = Path(decided["sources"][0]["folder"])
    (folder / "more.kcat.jsonl").write_text(kcat(6, "6") + kcat(7, "2", table="people"))
    repair = add_fault(query)
    state, tasks, log = airflow.run(settings)
    assert (state, tasks) == (
        "failed",
        {
            **dict.fromkeys(STEPS[:2], ("success", 1)),
            "build": ("failed", 1),
            **dict.fromkeys(STEPS[3:], ("upstream_failed", 0)),
        },
    ), log[-6000:]
    ((path, text),) = airflow.alerts
    assert path == f"/services/{TOKEN}"
    assert (
        "build failed" in text
        and "data tests failed: merged_rows_are_unique_merged_rows_" in text
        and "failed: a row is in merged_rows 2 times" in text
    )
    assert query("select count(*) from cdc.events where source_database = 'shop'") == [
        (6,)
    ]  # the events exist, but the published views do not show them
    assert seen(query) == before

    query(repair)
    state, tasks, log = airflow.run(settings)
    assert (state, steps(tasks)) == ("success", dict.fromkeys(STEPS[:-1], ("success", 1)))
    assert len(airflow.alerts) == 1
    assert {("orders", '{"id":"6"}', 0), ("people", '{"id":"2"}', 0)} <= set(shop_rows(query))
    after = seen(query)
    assert set(before["changelog"]) < set(after["changelog"])
    assert len(after["changelog"]) == len(before["changelog"]) + 2


def test_what_may_pass_is_tried_again_and_what_is_wrong_is_not(airflow, settings):
    """A command that takes too long is ended with all its processes. One alert reports it after the last try."""
    airflow.alerts.clear()
    state, tasks, _ = airflow.run(
        settings, environment={"KAFKA_CDC_DAG_TIMEOUT_HOURS": str(1 / 3600)}
    )
    assert (state, tasks["land"], tasks["build"]) == (
        "failed",
        ("failed", 4),
        ("upstream_failed", 0),
    )
    assert len(airflow.alerts) == 1 and "land failed" in airflow.alerts[0][1]
    until = time.monotonic() + 60
    while landing := [
        each
        for each in psutil.process_iter(["cmdline"])
        if settings["sources"][0]["folder"] in (each.info["cmdline"] or [])
    ]:
        assert time.monotonic() < until, landing
        time.sleep(0.2)

    airflow.alerts.clear()
    state, tasks, _ = airflow.run({"sources": [{"topicz": "orders"}]})
    assert (state, tasks["land"]) == ("failed", ("failed", 1))
    assert (
        "kafka_cdc.sources[0] has no setting 'topicz'; there are: topics, folder, connection, options"
        in airflow.alerts[0][1]
    )


@long
def test_kafka_is_reached_by_a_connection(airflow, broker, query):
    """SCRAM over TLS: only Airflow's connection has the password, and no log contains it.

    A partition that landing rejects fails the run but not the task `land`.
    """
    airflow.alerts.clear()
    broker.produce(broker.create("airflow.orders"), [{"value": "one", "key": "a"}, None])
    broker.produce(
        broker.create("airflow.damaged", message_timestamp_after_max_ms=2**63 - 1),
        [{"value": "two", "timestamp": 2**61}],
    )
    stores = {
        "ssl.truststore.location": f"{broker.folder}/trust.p12",
        "ssl.truststore.type": "PKCS12",
        "ssl.truststore.password": STORE_PASSWORD,
    }
    host, port = broker.sasl_servers.split(":")
    connection = {
        "conn_type": "generic",
        "host": host,
        "port": int(port),
        "login": USER,
        "password": PASSWORD,
        "extra": {"security.protocol": "SASL_SSL", "sasl.mechanism": "SCRAM-SHA-512", **stores},
    }
    settings = {
        "sources": [
            {
                "topics": "airflow.*",
                "connection": "shop_kafka",
                "options": ["--topic-prefix", "eu/"],
            }
        ]
    }
    state, tasks, log = airflow.run(
        settings,
        only="land|all_landed",
        environment={"AIRFLOW_CONN_SHOP_KAFKA": json.dumps(connection)},
    )
    assert (state, tasks["land"], tasks["all_landed"]) == (
        "failed",
        ("success", 1),
        ("failed", 1),
    ) and STORE_PASSWORD not in log
    ((_, text),) = airflow.alerts
    assert (
        "not all has landed. airflow.*: not landed: topic eu/airflow.damaged, partition 0: Spark cannot read the message at offset 0"
        in text
    )
    rows = query(
        "select topic, `offset`, key, value from raw.kafka_messages where topic like '%airflow.%' order by `offset`"
    )
    assert rows == [("eu/airflow.orders", 0, "a", "one"), ("eu/airflow.orders", 1, None, None)]


OWN = {
    "bootstrap.servers": "own:9093",
    "security.protocol": "SASL_SSL",
    "ssl.truststore.location": "/trust.p12",
    "sasl.mechanism": "SCRAM-SHA-512",
    "schema.registry.url": "https://own",
}
OWN_SECRETS = {
    "sasl.jaas.config": "own",
    "ssl.keystore.location": "/own.p12",
    "ssl.keystore.password": "own",
}
OWN_REGISTRY = {"basic.auth.user.info": "own:own"}
OWN_FILE = {"properties": "/own.properties"}  # which may contain secrets of either
LOGIN = (
    'org.apache.kafka.common.security.scram.ScramLoginModule required username="u" password="p";'
)


def test_each_cluster_gets_its_own_connection(airflow, programs):
    """The worker's environment completes a connection. Credentials for the worker's servers are not sent to others."""
    connections = {
        "login": {"login": "u", "password": "p"},  # to the worker's own servers
        "other": {"host": "other", "port": 9092, "login": "u", "password": "p"},
        "bare": {"host": "other"},
        "itself": {"host": "own", "port": 9093, "extra": {"client.rack": "a"}},
        "registry": {"extra": {"schema.registry.url": "https://other"}},
    }
    expected = {
        "": OWN | OWN_SECRETS | OWN_REGISTRY | OWN_FILE,
        "login": OWN | OWN_SECRETS | OWN_REGISTRY | OWN_FILE | {"sasl.jaas.config": LOGIN},
        "other": OWN
        | OWN_REGISTRY
        | {"bootstrap.servers": "other:9092", "sasl.jaas.config": LOGIN},
        "bare": OWN | OWN_REGISTRY | {"bootstrap.servers": "other"},
        "itself": OWN | OWN_SECRETS | OWN_REGISTRY | OWN_FILE | {"client.rack": "a"},
        "registry": OWN | OWN_SECRETS | {"schema.registry.url": "https://other"},
    }
    project = programs()
    environment = {
        f"AIRFLOW_CONN_{name.upper()}": json.dumps({"conn_type": "generic", **fields})
        for name, fields in connections.items()
    }
    environment |= {
        "KAFKA_CDC_KAFKA_" + name.upper().replace(".", "_"): value
        for name, value in (OWN | OWN_SECRETS | OWN_REGISTRY | OWN_FILE).items()
    }
    settings = {"sources": [{"topics": name or "own", "connection": name} for name in expected]}
    state, tasks, log = airflow.run(
        settings, only="land", environment=environment | project.environment
    )
    received = {
        call["arguments"][-1]: {
            name.lower().replace("_", "."): value for name, value in call["kafka"].items()
        }
        for call in project.called()
    }
    assert state == "success" and received == {
        name or "own": properties for name, properties in expected.items()
    }


@long
def test_the_default_connection_is_that_of_the_workers_cluster(airflow, programs):
    """The default connection's host gets the environment's secrets if the environment names no other servers.

    A login without a mechanism that uses it is an error of its source only.
    """
    airflow.alerts.clear()
    project = programs()
    environment = {
        "AIRFLOW_CONN_KAFKA_CDC_KAFKA": json.dumps({"conn_type": "generic", "host": "own"}),
        "KAFKA_CDC_KAFKA_SASL_JAAS_CONFIG": "own",
        "AIRFLOW_CONN_OTHER": json.dumps(
            {"conn_type": "generic", "host": "other", "login": "u", "password": "p"}
        ),
    }
    settings = {"sources": [{"topics": "theirs", "connection": "other"}, {"topics": "ours"}]}
    state, tasks, log = airflow.run(settings, environment=environment | project.environment)
    assert (state, tasks["land"]) == ("failed", ("failed", 1))
    assert [(call["arguments"][-1], call["kafka"]) for call in project.called()] == [
        ("ours", {"BOOTSTRAP_SERVERS": "own", "SASL_JAAS_CONFIG": "own"})
    ]
    ((_, text),) = airflow.alerts
    assert (
        "theirs: the connection other has a login, but no sasl.mechanism that uses it: set PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512 in its extra"
        in text
    )


# Every end of a command --------------------------------------------------------------------------------------------------------

REJECTING = """
code = {"rejected": 3, "wrong": 2, "away": 1}.get(arguments[-1], 0)
print({3: "not landed: rejected/orders.jsonl, line 7: no message", 2: "landing files: error: unknown option", 1: "error: nobody answers"}.get(code, "landed"))
sys.exit(code)
"""


@pytest.mark.parametrize(
    "folders,state,land,build,alerted",
    [
        pytest.param(
            ["rejected", "fine"],
            "failed",
            ("success", 1),
            "success",
            [
                "all_landed failed",
                "rejected: not landed: rejected/orders.jsonl, line 7: no message",
            ],
            id="rejected",
        ),
        pytest.param(
            ["wrong", "rejected", "fine"],
            "failed",
            ("failed", 1),
            "upstream_failed",
            ["land failed", "wrong: landing files: error", "rejected: not landed"],
            marks=long,
            id="wrong",
        ),
        pytest.param(
            ["away", "wrong", "fine"],
            "failed",
            ("failed", 4),
            "upstream_failed",
            ["land failed", "away: error: nobody answers", "wrong: landing files: error"],
            marks=long,
            id="away",
        ),
        pytest.param(["fine"], "success", ("success", 1), "success", [], marks=long, id="fine"),
    ],
)
def test_a_rejected_source_does_not_block_the_others(
    airflow, programs, folders, state, land, build, alerted
):
    """The other sources land, the build runs on the landed messages, and one alert names the failed sources. Temporary failures are retried."""
    airflow.alerts.clear()
    project = programs(landing=REJECTING)
    ended, tasks, log = airflow.run(
        {"sources": [{"folder": folder} for folder in folders]}, environment=project.environment
    )
    assert (ended, tasks["land"], tasks["build"][0]) == (state, land, build)
    assert project.landed() == folders * land[1]
    assert [[words in text for words in alerted] for _, text in airflow.alerts] == (
        [[True] * len(alerted)] if alerted else []
    )


WAITING = """
signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))
if arguments[-1] == "one" and not os.path.exists("stopped"):
    open("stopped", "w").close()
    print("landing one", flush=True)
    time.sleep(60)
"""


@long
def test_a_landing_that_is_stopped_begins_no_other(airflow, programs):
    """A worker that shuts down stops the task. The next try lands all sources."""
    project = programs(landing=WAITING)
    state, tasks, log = airflow.run(
        {"sources": [{"folder": "one"}, {"folder": "two"}]},
        stop_at="landing one",
        environment=project.environment,
    )
    assert (state, tasks["land"]) == ("success", ("success", 2))
    assert project.landed() == ["one", "one", "two"]


STUBBORN = """
def hear(number, _):
    note(arguments=[signal.Signals(number).name])
    if signal.Signals(number).name in HEEDED:
        sys.exit(1)
for name in ("SIGINT", "SIGTERM"):
    signal.signal(signal.Signals[name], hear)
if not os.path.exists("stopped"):
    open("stopped", "w").close()
    print("building", flush=True)
    for _ in range(100):
        time.sleep(0.1)
"""


@pytest.mark.parametrize(
    "heeded,heard",
    [
        (["SIGINT"], ["SIGINT"]),
        pytest.param(["SIGTERM"], ["SIGINT", "SIGTERM"], marks=long),
        pytest.param([], ["SIGINT", "SIGTERM"], marks=long),
    ],
)
def test_dbt_is_asked_to_cancel_its_statement_before_it_is_killed(airflow, programs, heeded, heard):
    """dbt cancels what runs on a server on SIGINT alone. Airflow kills a task 5 s after it has asked it to end: by then dbt must be gone."""
    project = programs(dbt=f"HEEDED = {heeded}" + STUBBORN)
    state, tasks, log = airflow.run(
        {"sources": []}, stop_at="building", only="build", environment=project.environment
    )
    assert (state, tasks["build"]) == ("success", ("success", 2))
    first, *signals, second = project.called()
    assert [call["arguments"] for call in signals] == [[name] for name in heard]
    assert (first["arguments"][1], second["arguments"][1]) == ("build", "build")
    assert second["at"] - signals[0]["at"] < 5


def test_maintenance_runs_once_a_day_for_all_triggers(airflow, programs):
    """The order of the runs need not be that of their logical dates. A run triggered by hand has no logical date."""
    days = [
        ("2026-03-01", "2026-03-01T01:00:00+00:00", "success"),
        ("2026-03-02", None, "success"),
        ("2026-03-02", None, "skipped"),
        ("2026-03-02", "2026-03-02T12:00:00+00:00", "skipped"),
        ("2026-03-03", "2026-02-01T00:00:00+00:00", "success"),
        ("2026-03-03", None, "skipped"),
    ]
    if not IS_LONG:
        days = [days[1], *days[3:5]]
    hows = [
        {"only": "maintenance_is_due|maintain", "today": today, "logical_date": logical_date}
        for today, logical_date, _ in days
    ]
    runs, log = airflow.run_often({"sources": []}, hows, programs().environment)
    assert [(state, tasks["maintain"][0]) for state, tasks in runs] == [
        ("success", expected) for _, _, expected in days
    ]


PUBLISHING = """
if "build" in arguments:
    (snapshots, code), *others = json.load(open("publishing"))
    json.dump(others, open("publishing", "w"))
    print("12:00:00  published: " + snapshots)
    sys.exit(code)
"""


def test_the_asset_reports_new_publications_only(airflow, programs, tmp_path):
    """A run with nothing new creates no event. If a build fails after publication, the next run reports that publication."""
    one, two = ("event_batch_stats=7, events=1", "event_batch_stats=7, events=2")
    builds = [
        (one, 0, "success"),
        (one, 0, "skipped"),
        (two, 1, "upstream_failed"),
        (two, 0, "success"),
        (two, 0, "skipped"),
    ]
    if not IS_LONG:
        builds.pop()
    (tmp_path / "publishing").write_text(
        json.dumps(
            [[snapshots, code] for snapshots, code, _ in builds for _ in range(4 if code else 1)]
        )
    )
    before = len(airflow.events)
    runs, log = airflow.run_often(
        {"sources": []},
        [{"only": "build|published|maintenance_is_due"}] * len(builds),
        programs(dbt=PUBLISHING).environment,
    )
    assert [tasks["published"][0] for _, tasks in runs] == [expected for _, _, expected in builds]
    assert [tasks["maintenance_is_due"][0] for _, tasks in runs] == [
        "upstream_failed" if code else "success" for _, code, _ in builds
    ]
    assert airflow.events[before:] == [{"snapshots": one}, {"snapshots": two}]


HOLDING = """
if "build" in arguments or "test" in arguments:
    (lines, code), *others = json.load(open("building"))
    json.dump(others, open("building", "w"))
    color = "" if "--no-use-colors" in arguments else "\\x1b[0m"
    for line in lines:
        print(color + "12:00:00  " + line)
    print(color + "12:00:00  Done. PASS=1 WARN=" + str(len(lines)) + " ERROR=0 SKIP=0 NO-OP=0 TOTAL=2")
    if code and "build" in arguments:
        os.makedirs(arguments[arguments.index("--target-path") + 1])
        nodes = [{"unique_id": "test.kafka_cdc.tables_are_not_held.1", "status": "fail"}]
        json.dump({"results": nodes}, open(arguments[arguments.index("--target-path") + 1] + "/run_results.json", "w"))
    sys.exit(code)
"""
KEPT = (
    "table crm.{} of source drs is held: it keeps its state of the landing"
    " at 2026-11-25 08:30:02 UTC. Reason: {}"
)
ABSENT = "table crm.{} of source drs is held, so that it is not published. Reason: {}"
FALL = "topic drs, partition 0, offset {0}: the sequence falls. Add - {{topic: drs, offset: {0}}}"
KEYLESS = "table crm.c of source drs has {} changes without a key and {} with one. Add to tables: …"
RESETS = "topic drs has 2 lines. Add the first offset of the new task (last offset so far: {})"
# The findings of builds one after the other, and whether an alert reports them.
HOLDS = [
    ([], False),
    ([KEPT.format("a", FALL.format(1))], True),
    ([KEPT.format("a", FALL.format(1))], False),
    ([KEPT.format("a", FALL.format(7))], True),
    ([KEPT.format("a", FALL.format(7)), ABSENT.format("c", KEYLESS.format(1, 2))], True),
    ([KEPT.format("a", FALL.format(7)), ABSENT.format("c", KEYLESS.format(33, 44))], False),
    ([ABSENT.format("c", KEYLESS.format(33, 44))], False),
    ([KEPT.format("b", RESETS.format(8))], True),
    ([KEPT.format("b", RESETS.format(19))], False),
    ([], False),
    ([KEPT.format("b", RESETS.format(19))], True),
    ([], False),
]
if not IS_LONG:
    HOLDS = HOLDS[1:5]
OTHER_WARNING = (
    "warning: table crm.x of source drs has 3 changes without a key, so it is not in the state"
)


def write_builds(folder, *builds):
    """Write what the fake dbt prints in each of its runs, and the exit codes."""
    (folder / "building").write_text(
        json.dumps(
            [
                [[OTHER_WARNING, *(f"{prefix}: {line}" for line in lines)], code]
                for prefix, lines, code in builds
            ]
        )
    )


def assert_alerts(alerts, task, expected):
    """The alerts list exactly the held tables, all of them."""
    assert len(alerts) == len(expected)
    for (_, text), lines in zip(alerts, expected):
        assert text.startswith(f"kafka_cdc: {task} reports held tables (run ")
        assert [line for line in text.splitlines() if " is held" in line] == lines
        assert "crm.x" not in text


def test_an_alert_reports_a_hold_once(airflow, programs, tmp_path):
    """A build reports its held tables if one of them or its reason is new. Numbers that grow are nothing new."""
    airflow.alerts.clear()
    write_builds(tmp_path, *(("warning", lines, 0) for lines, _ in HOLDS))
    project = programs(dbt=HOLDING)
    runs, log = airflow.run_often(
        {"sources": []}, [{"only": "build"}] * len(HOLDS), project.environment
    )
    assert {state for state, _ in runs} == {"success"}
    # dbt finds the profiles although the project has none
    assert {call["profiles"] for call in project.called()} == {f"{tmp_path}/profiles"}
    assert_alerts(airflow.alerts, "build", [lines for lines, is_reported in HOLDS if is_reported])
    checks = HOME / "macros" / "checks"
    for file, words in {
        "select_missing_keys.sql": "' changes without a key and ', sum(changes - keyless_changes), ' with one'",
        "select_falling_sequences.sql": "(last offset so far: ', last_offset",
    }.items():
        assert words in (checks / file).read_text(encoding="utf-8")


REJECTED = (
    "topic a: {0} new messages were rejected (invalid_json {0}),"
    " for example partition 0, offset {0}."
    " The model quarantine has the reasons."
)


def test_an_alert_reports_a_topic_once_at_the_address_of_the_loop(airflow, programs, tmp_path):
    """Without the connection, the address is the one of `kafka-cdc run`. It does not reach dbt."""
    builds = [[REJECTED.format(1)], [], [REJECTED.format(3)]]
    if IS_LONG:
        builds = [builds[0], [REJECTED.format(22)], *builds[1:], []]
    write_builds(tmp_path, *(("warning", lines, 0) for lines in builds))
    airflow.alerts.clear()
    body = HOLDING + 'print("no address:", "KAFKA_CDC_ALERT_URL" not in os.environ)\n'
    body = body.replace("sys.exit(code)", "code and sys.exit(code)")
    address = f"http://127.0.0.1:{airflow.server.server_port}/loop/{TOKEN}"
    environment = programs(dbt=body).environment | {
        "AIRFLOW_CONN_KAFKA_CDC_ALERTS": None,
        "KAFKA_CDC_ALERT_URL": address,
    }
    runs, log = airflow.run_often({"sources": []}, [{"only": "build"}] * len(builds), environment)
    assert {state for state, _ in runs} == {"success"}
    assert [path for path, _ in airflow.alerts] == [f"/loop/{TOKEN}"] * 2
    for (_, text), count in zip(airflow.alerts, (1, 3)):
        assert text.startswith("kafka_cdc: build reports topics (run ")
        assert REJECTED.format(count) in text.splitlines() and "crm.x" not in text
    assert "no address: True" in log and "no address: False" not in log


REPORTING = """
if arguments[0] == "report":
    target = os.environ["DBT_TARGET_PATH"]
    note(report=arguments, has_run=os.path.exists(target + "/run_results.json"))
    if os.path.exists("no_report"):
        print("error: the schema cdc has no models yet. Hint: run dbt build")
        sys.exit(1)
"""


@long
def test_each_build_writes_the_report(airflow, programs, tmp_path):
    """Also a build that fails. A report that cannot be written is alerted once, and fails no run."""
    line = KEPT.format("a", FALL.format(1))
    write_builds(tmp_path, ("warning", [], 0), ("failed", [line], 1), *[("warning", [], 0)] * 2)
    airflow.alerts.clear()
    project = programs(landing=REPORTING, dbt=HOLDING)
    settings = {"sources": [], "report": "/srv/kafka_cdc.html"}
    runs, _ = airflow.run_often(settings, [{"only": "build"}] * 2, project.environment)
    assert [tasks["build"] for _, tasks in runs] == [("success", 1), ("failed", 1)]
    calls = project.called()
    assert "lineage" not in [call["arguments"][0] for call in calls if "arguments" in call]
    reports = [call for call in calls if "report" in call]
    assert [call["report"] for call in reports] == [
        ["report", "--output", "/srv/kafka_cdc.html"]
    ] * 2
    assert [call["has_run"] for call in reports] == [False, True]

    (tmp_path / "no_report").touch()
    airflow.alerts.clear()
    runs, _ = airflow.run_often(settings, [{"only": "build"}] * 2, project.environment)
    assert [tasks["build"] for _, tasks in runs] == [("success", 1)] * 2
    ((_, text),) = airflow.alerts
    assert text.startswith("kafka_cdc: build did not write the report (run ")
    assert "Hint: run dbt build" in text


SENDING = """
if arguments[0] == "lineage":
    has_run = os.path.exists(os.environ["DBT_TARGET_PATH"] + "/run_results.json")
    note(lineage=arguments, url=os.environ["OPENLINEAGE_URL"], has_run=has_run)
    if os.path.exists("no_receiver"):
        print("error: the OpenLineage receiver did not accept an event. Hint: check OPENLINEAGE_URL")
        sys.exit(1)
"""


@long
def test_each_build_sends_its_lineage(airflow, programs, tmp_path):
    """Also a build that fails. A receiver that is away fails nothing, and is no alert."""
    line = KEPT.format("a", FALL.format(1))
    write_builds(tmp_path, ("failed", [line], 1), *[("warning", [], 0)] * 2)
    project = programs(landing=SENDING, dbt=HOLDING)
    receiver = {"OPENLINEAGE_URL": "http://marquez:5000"}
    runs, _ = airflow.run_often(
        {"sources": []}, [{"only": "build"}] * 2, project.environment | receiver
    )
    assert [tasks["build"] for _, tasks in runs] == [("failed", 1), ("success", 1)]
    sent = [call for call in project.called() if "lineage" in call]
    assert [(call["lineage"], call["url"], call["has_run"]) for call in sent] == [
        (["lineage", "--if-enabled"], receiver["OPENLINEAGE_URL"], has_run)
        for has_run in (True, False)  # the fake dbt writes a run only if it fails
    ]

    (tmp_path / "no_receiver").touch()
    airflow.alerts.clear()
    state, tasks, log = airflow.run(
        {"sources": []}, only="build", environment=project.environment | receiver
    )
    assert tasks["build"] == ("success", 1) and airflow.alerts == []
    assert "lineage_failed: error: the OpenLineage receiver did not accept an event." in log


@long
def test_a_build_that_fails_alerts_of_held_tables_too(airflow, programs, tmp_path):
    """With on_held: fail the held table is the reason of the failure. After another failure it has an alert of its own."""
    line = KEPT.format("a", FALL.format(1))
    write_builds(tmp_path, ("failed", [line], 1), ("warning", [line], 1), ("warning", [], 0))
    airflow.alerts.clear()
    runs, log = airflow.run_often(
        {"sources": []}, [{"only": "build"}] * 3, programs(dbt=HOLDING).environment
    )
    assert [tasks["build"] for _, tasks in runs] == [("failed", 1), ("failed", 1), ("success", 1)]
    first, *alerts, last = airflow.alerts
    assert_alerts(alerts, "build", [[line]])
    for _, text in (first, last):
        assert "build failed" in text and "data tests failed: tables_are_not_held" in text
    assert f"failed: {line}" in first[1]


@long
def test_an_alert_that_cannot_be_sent_fails_no_build(airflow, programs, tmp_path):
    """The next build sends it."""
    line = KEPT.format("a", FALL.format(1))
    write_builds(tmp_path, ("warning", [line], 0), ("warning", [line], 0), ("warning", [], 0))
    airflow.alerts.clear()
    project = programs(dbt=HOLDING)
    broken = json.dumps({"conn_type": "http", "host": "nowhere"})
    state, tasks, log = airflow.run(
        {"sources": []},
        only="build",
        environment=project.environment | {"AIRFLOW_CONN_KAFKA_CDC_ALERTS": broken},
    )
    assert (state, tasks["build"], airflow.alerts) == ("success", ("success", 1), [])
    assert "error: no alert reports the findings" in log and "is no address" in log
    airflow.run_often({"sources": []}, [{"only": "build"}] * 2, project.environment)
    assert_alerts(airflow.alerts, "build", [[line]])


@long
def test_by_models_the_test_of_held_tables_sends_the_alert(airflow, programs, tmp_path):
    """No other test does. If the test fails, Airflow retries it, as all failing tests of this mode."""
    project = programs(dbt=HOLDING)
    form = link_project(tmp_path) | project.environment
    parse_project(tmp_path)
    line = KEPT.format("a", FALL.format(1))
    airflow.alerts.clear()
    held, other = {"only": r"build\.held_tables\.test"}, {"only": r"build\.events\.test"}
    write_builds(
        tmp_path,
        ("warning", [line], 0),
        ("warning", [line], 0),
        ("warning", [], 0),
        ("warning", [], 0),
        ("warning", [line], 0),
        *[("failed", [line], 1)] * 4,
        ("warning", [], 0),
    )
    runs, log = airflow.run_often(
        {"sources": []}, [held, held, other, held, held, held, held], form
    )
    assert [state for state, _ in runs] == [*["success"] * 5, "failed", "success"]
    *alerts, (_, failure) = airflow.alerts
    assert_alerts(alerts, "build.held_tables.test", [[line]] * 2)
    assert "build.held_tables.test failed" in failure


@long
def test_a_run_by_models_keeps_the_gates(python, tmp_path, spark):
    """A task and a Spark session for each model. A failed test ends the run before changelog publishes.

    The run with a held table includes all tasks. The other runs build only the tables, with their tests, and the published views.
    """
    form = link_project(tmp_path)
    parse_project(tmp_path)
    (tmp_path / "airflow").mkdir()
    dumps = tmp_path / "dumps"
    dumps.mkdir()
    (dumps / "orders.kcat.jsonl").write_text(kcat(3, "2"))
    airflow = Airflow(python, tmp_path / "airflow")
    query = lake_query(spark, airflow.lake)
    variables = {"topics": TOPICS}
    settings = {"sources": [{"folder": str(dumps)}], "variables": variables}
    tested = "events|event_batch_stats|outdated_topic_mappings|merged_rows|held_tables"
    untested = "sequence_resets|table_holds|changelog|current_rows|current_state|row_history"
    gates = rf"land|build\.({tested})\..*|build\.({untested})_run"
    variables["compaction_threshold"] = 0
    state, tasks, log = airflow.run(settings, environment=form, only=gates)
    assert state == "success", tasks
    before = seen(query)
    assert shop_rows(query) == [("orders", '{"id":"2"}', 0)]

    variables["compaction_threshold"] = 100
    (dumps / "more.kcat.jsonl").write_text(kcat(4, "5"))
    repair = add_fault(query)
    state, tasks, log = airflow.run(settings, environment=form, only=gates)
    assert (state, tasks["build.merged_rows.test"][0], tasks["build.changelog_run"][0]) == (
        "failed",
        "failed",
        "upstream_failed",
    ), tasks
    assert len(airflow.alerts) == 1 and "build.merged_rows.test failed" in airflow.alerts[0][1]
    assert seen(query) == before

    query(repair)
    (dumps / "held.kcat.jsonl").write_text(
        kcat(0, "2", partition=1, second=9) + kcat(6, "1", table="people")
    )
    state, tasks, log = airflow.run(settings, environment=form)
    assert state == "success" and {ended for ended, _ in tasks.values()} == {"success"}, tasks
    _, (_, text) = airflow.alerts
    assert "build.held_tables.test reports held tables" in text
    assert "\ntable shop.orders of source canal is held: it keeps its state" in text
    assert "Decide with order_by: kafka_timestamp" in text
    assert shop_rows(query) == [("orders", '{"id":"2"}', 0), ("people", '{"id":"1"}', 0)]

    variables["tables"] = [{"table": "shop.orders", "order_by": "kafka_timestamp"}]
    state, tasks, log = airflow.run(settings, environment=form, only=gates)
    assert state == "success", tasks
    assert airflow.events == [{"snapshots": None}] and len(airflow.alerts) == 2
    assert shop_rows(query) == [
        ("orders", '{"id":"2"}', 1),
        ("orders", '{"id":"5"}', 0),
        ("people", '{"id":"1"}', 0),
    ]
    airflow.stop()

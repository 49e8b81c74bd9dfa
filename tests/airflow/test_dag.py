"""The DAG in Airflow itself, which has an environment of its own: how it is parsed, and runs to their end by dag.test().

Airflow, landing and dbt are processes; this process' Spark session only looks at the lake that they share.
"""

import json
import os
import re
import signal
import subprocess
import threading
import time
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil
import pytest
import yaml
from dbt.cli.main import dbtRunner

from broker import PASSWORD, STORE_PASSWORD, USER
from conftest import HOME, SAMPLES, long

PYTHON = HOME / ".airflow" / "bin" / "python"
RUNNER = Path(__file__).parent / "runner.py"
IS_LONG = "KAFKA_CDC_LONG" in os.environ
DAY = datetime.now(timezone.utc).date()
PUBLISHED = ["changelog", "current_rows", "current_state", "row_history"]
STEPS = ["land", "build", "published", "maintenance_is_due", "maintain"]
TOKEN = "T0000/a-secret-of-the-address"
SETTINGS = yaml.safe_load((SAMPLES / "settings.yml").read_text(encoding="utf-8"))
TOPICS = [*SETTINGS["topics"], {"topic": "orders", "format": "canal"}]


def kcat(offset, identity, partition=0, second=0):
    """A line of kcat -J: Canal inserts a row of shop.orders."""
    row = {"data": [{"id": identity}], "database": "shop", "es": (second or offset) * 1000, "gtid": "", "id": 7, "isDdl": False, "mysqlType": {"id": "int"},
           "old": None, "pkNames": ["id"], "sql": "", "sqlType": {"id": 4}, "table": "orders", "ts": (second or offset) * 1000, "type": "INSERT"}
    return json.dumps({"topic": "orders", "partition": partition, "offset": offset, "tstype": "create", "ts": (second or offset) * 1000, "payload": json.dumps(row)}) + "\n"


@pytest.fixture(scope="session")
def python():
    """Airflow's own Python; `make` installs Airflow for the first test that needs it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    subprocess.run(["make", "--no-print-directory", ".airflow/ready"], cwd=HOME, env=clean, check=True)
    return PYTHON


class Airflow:
    """An Airflow with a database of its own, in a folder, and the lake that its DAG fills; it posts its alerts to `alerts`."""

    def __init__(self, python, folder):
        self.python, self.folder, self.lake = python, folder, folder / "lake"
        self.lake.mkdir()
        self.alerts = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                owner.alerts.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))["text"]))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        subprocess.run([self.python.parent / "airflow", "db", "migrate"], env=self.environment(), check=True, capture_output=True)

    def environment(self, settings=None, **more):
        """Nothing of the user's environment but where programs are; the settings, and the address of alerts."""
        host = f"http://127.0.0.1:{self.server.server_port}/services"
        return {
            **{name: os.environ[name] for name in ("PATH", "JAVA_HOME", "LANG", "TMPDIR") if name in os.environ},
            "HOME": str(self.folder), "AIRFLOW_HOME": str(self.folder), "AIRFLOW__CORE__DAGS_FOLDER": str(HOME / "dags"), "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "DO_NOT_TRACK": "1", "KAFKA_CDC_LAKE": str(self.lake), "AIRFLOW_VAR_KAFKA_CDC": json.dumps(settings or {}),
            "AIRFLOW_CONN_KAFKA_CDC_ALERTS": json.dumps({"conn_type": "http", "host": host, "password": TOKEN}), **more,
        }

    def ask(self, *arguments, settings=None, kill_at=None, **environment):
        """Return what runner.py answers, and all that was logged. kill_at: a line at which the command that says it dies by SIGKILL, once."""
        process = subprocess.Popen([self.python, RUNNER, *arguments], env=self.environment(settings, **environment), cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
        lines = []
        for line in process.stdout:
            lines.append(line)
            if kill_at and kill_at in line:
                kill_at = None
                for child in psutil.Process(process.pid).children():  # the leader of a group that holds Spark too
                    os.killpg(child.pid, signal.SIGKILL)
        log = "".join(lines)
        assert process.wait() == 0 and kill_at is None and lines[-1].startswith("answer: "), log[-6000:]
        return json.loads(lines[-1].removeprefix("answer: ")), log

    def run(self, settings, kill_at=None, environment=None, **how):
        """Run the DAG; return the run's state, its tasks' states and tries, and the log."""
        answer, log = self.ask("run", json.dumps(how), settings=settings, kill_at=kill_at, **(environment or {}))
        assert TOKEN not in log and PASSWORD not in log
        return answer["state"], {task: tuple(said) for task, said in answer["tasks"].items()}, log


@pytest.fixture(scope="module")
def airflow(python, tmp_path_factory):
    """An Airflow of this module's tests."""
    running = Airflow(python, tmp_path_factory.mktemp("airflow"))
    yield running
    running.server.shutdown()


def lake_query(spark, lake):
    """Return a function that asks a lake which other processes fill."""
    session = spark.newSession()
    session.conf.set("spark.sql.catalog.lake.uri", f"jdbc:sqlite:{lake}/catalog.db?busy_timeout=60000")
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
    """Ask the lake that the DAG fills."""
    return lake_query(spark, airflow.lake)


def seen(query):
    """Return all that analysts see, as text."""
    return {name: sorted(map(str, query(f"select * from cdc.{name}"))) for name in PUBLISHED}


def edges(tasks):
    """Return which task follows which."""
    return {(before, task) for task, said in tasks.items() for before in said["after"]}


def ancestors(tasks, task):
    """Return all that must have succeeded before a task runs."""
    before = set(tasks[task]["after"])
    return before.union(*(ancestors(tasks, each) for each in before))


# How it is parsed ------------------------------------------------------------------------------------------------------------

def test_the_dag_is_parsed_as_its_page_shows_it(airflow):
    said, _ = airflow.ask("parse")
    assert said["errors"] == {} and list(said["dags"]) == ["kafka_cdc"]
    dag = said["dags"]["kafka_cdc"]
    assert (dag["max_active_runs"], dag["max_active_tasks"], dag["catchup"], dag["schedule"]) == (1, 1, False, "*/15 * * * *")
    assert all(task["retries"] == [3, 60, 2] and task["alerts"] for task in dag["tasks"].values())
    assert {name: task["outlets"] for name, task in dag["tasks"].items() if task["outlets"]} == {"published": ["kafka_cdc_published"]}
    (drawn,) = re.findall(r"```mermaid\n(.*?)```", (HOME / "docs" / "airflow.md").read_text(encoding="utf-8"), re.DOTALL)
    assert edges(dag["tasks"]) == set(re.findall(r"^ *(\w+)(?:\[.*?\]|\{.*?\})? *-->(?:\|.*?\|)? *(\w+)", drawn, re.MULTILINE))


def test_by_models_the_tests_stand_before_what_publishes(airflow, tmp_path):
    """The task group has all models and the seed, and changelog, which publishes, comes after the tests on all that it publishes."""
    for name in ("dbt_project.yml", "models", "macros", "seeds", "tests", "profiles"):
        (tmp_path / name).symlink_to(HOME / name)
    form = {"KAFKA_CDC_DAG_BUILD": "models", "DBT_PROJECT_DIR": str(tmp_path), "KAFKA_CDC_TARGET": "cluster", "KAFKA_CDC_HOME": str(HOME)}
    said, _ = airflow.ask("parse", **form)
    assert "say dbt parse" in "".join(said["errors"].values())

    options = ["--project-dir", str(HOME), "--target-path", f"{tmp_path}/target", "--log-path", f"{tmp_path}/logs"]
    assert dbtRunner().invoke(["--quiet", "parse", *options]).success
    said, _ = airflow.ask("parse", **form)
    assert said["errors"] == {}
    tasks = said["dags"]["kafka_cdc"]["tasks"]
    assert said["dags"]["kafka_cdc"]["max_active_tasks"] == 8
    files = {file.stem for kind in ("models/**/*.sql", "seeds/*.csv") for file in HOME.glob(kind)} - {"mapped_messages"}  # of other settings
    assert {re.sub(r"^build\.|[._](run|seed|test)$", "", task) for task in tasks if task.startswith("build.")} == files
    tests = [task for task in tasks if task.endswith(".test")]
    assert len(tests) == 9 and {tasks[task]["selection"] for task in tests} == {"buildable"}  # a test is of the model that stands last, not of all that it reads
    gates = {f"build.{name}.test" for name in ("events", "stream_profiles", "sequence_resets", "base_events")}
    assert gates <= ancestors(tasks, "build.changelog_run")
    for view in ("state_events", "current_rows", "current_state", "row_history"):
        assert "build.changelog_run" in ancestors(tasks, f"build.{view}_run")
    assert {task for task in tasks if task.startswith("build.")} | {"land"} == ancestors(tasks, "published")
    assert "land" in ancestors(tasks, "build.events.run")


# Runs ------------------------------------------------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """Settings that land the samples, and a folder with one line of another source."""
    folder = tmp_path_factory.mktemp("dumps")
    (folder / "orders.kcat.jsonl").write_text(kcat(3, "2"))
    return {"sources": [{"folder": str(SAMPLES)}, {"folder": str(folder)}], "variables": {"topics": TOPICS, "tables": SETTINGS["tables"]}}


@pytest.fixture(scope="module")
def first(airflow, settings):
    """The first run. In its long form the build dies by SIGKILL once it has read the messages, and Airflow tries again."""
    return airflow.run(settings, kill_at="START sql kept_incremental model cdc.stream_profiles" if IS_LONG else None)


def test_a_run_lands_builds_publishes_and_maintains(airflow, first, query):
    state, tasks, log = first
    assert (state, tasks) == ("success", {**dict.fromkeys(STEPS, ("success", 1)), "build": ("success", 2 if IS_LONG else 1)})
    assert not airflow.alerts
    rows = query("select row_key, row_values['first_name'], row_values['balance'], count(*) from cdc.current_state "
                 "where 'inventory' in (source_database, source_schema) and row_values['_id'] is null group by all order by row_key")
    assert rows == [('{"id":"1001"}', "Sally", "10.10", 18), ('{"id":"1004"}', "Anne Marie", "-7.50", 18), ('{"id":"1005"}', "George", "0.00", 18)]
    lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in SAMPLES.glob("*.jsonl"))
    assert query("select count(*) from raw.kafka_messages") == [(lines + 1,)]
    assert "cdc.base_events: rewrite_manifests" in log


def test_a_failed_test_changes_nothing_for_analysts_and_a_later_run_heals(airflow, first, query, settings):
    """The fault is a key on a second partition, which has no order there."""
    before = seen(query)
    settings = {**settings, "sources": settings["sources"][1:]}
    folder = Path(settings["sources"][0]["folder"])
    (folder / "more.kcat.jsonl").write_text(kcat(0, "2", partition=1, second=9) + kcat(4, "5"))
    state, tasks, log = airflow.run(settings)
    assert (state, tasks) == ("failed", {"land": ("success", 1), "build": ("failed", 1), **dict.fromkeys(STEPS[2:], ("upstream_failed", 0))})
    ((path, text),) = airflow.alerts
    assert path == f"/services/{TOKEN}"
    assert "build failed" in text and "data tests failed: tables_can_be_ordered_stream_profiles_" in text and "order_by" in text
    assert query("select count(*) from cdc.events where source_table = 'orders'") == [(3,)]  # they were read, and are not seen:
    assert seen(query) == before

    healed = {**settings, "variables": {**settings["variables"], "tables": [*SETTINGS["tables"], {"table": "shop.orders", "order_by": "kafka_timestamp"}]}}
    state, tasks, log = airflow.run(healed)
    maintained = tasks.pop("maintain")
    assert (state, tasks) == ("success", dict.fromkeys(STEPS[:-1], ("success", 1)))
    assert maintained == ("skipped", 0) or datetime.now(timezone.utc).date() != DAY  # today's maintenance is done
    assert len(airflow.alerts) == 1
    assert query("select row_key, kafka_partition from cdc.current_state where source_table = 'orders' order by row_key") == [('{"id":"2"}', 1), ('{"id":"5"}', 0)]
    after = seen(query)
    assert set(before["changelog"]) < set(after["changelog"]) and len(after["changelog"]) == len(before["changelog"]) + 2


def test_what_may_pass_is_tried_again_and_what_is_wrong_is_not(airflow, settings):
    """A command that takes too long is ended, with all its processes; one alert tells of it, at the end."""
    airflow.alerts.clear()
    state, tasks, _ = airflow.run(settings, environment={"KAFKA_CDC_DAG_TIMEOUT_HOURS": str(1 / 3600)})
    assert (state, tasks["land"], tasks["build"]) == ("failed", ("failed", 4), ("upstream_failed", 0))
    assert len(airflow.alerts) == 1 and "land failed" in airflow.alerts[0][1]
    until = time.monotonic() + 60
    while landing := [each for each in psutil.process_iter(["cmdline"]) if str(SAMPLES) in (each.info["cmdline"] or [])]:
        assert time.monotonic() < until, landing
        time.sleep(0.2)

    airflow.alerts.clear()
    state, tasks, _ = airflow.run({"sources": [{"topicz": "orders"}]})
    assert (state, tasks["land"]) == ("failed", ("failed", 1))
    assert "kafka_cdc.sources[0] has no setting 'topicz'; there are: topics, folder, connection, options" in airflow.alerts[0][1]


def test_kafka_is_reached_by_a_connection(airflow, broker, query):
    """SCRAM over TLS: the password stands in Airflow's connection alone, and no log says it."""
    broker.produce(broker.create("airflow.orders"), [{"value": "one", "key": "a"}, None])
    stores = {"ssl.truststore.location": f"{broker.folder}/trust.p12", "ssl.truststore.type": "PKCS12", "ssl.truststore.password": STORE_PASSWORD}
    host, port = broker.sasl_servers.split(":")
    connection = {"conn_type": "generic", "host": host, "port": int(port), "login": USER, "password": PASSWORD,
                  "extra": {"security.protocol": "SASL_SSL", "sasl.mechanism": "SCRAM-SHA-512", **stores}}
    settings = {"sources": [{"topics": "airflow.*", "connection": "shop_kafka", "options": ["--prefix", "eu/"]}]}
    state, tasks, log = airflow.run(settings, only="land", environment={"AIRFLOW_CONN_SHOP_KAFKA": json.dumps(connection)})
    assert (state, tasks["land"]) == ("success", ("success", 1)) and STORE_PASSWORD not in log
    rows = query("select topic, `offset`, key, value from raw.kafka_messages where topic like '%airflow.orders' order by `offset`")
    assert rows == [("eu/airflow.orders", 0, "a", "one"), ("eu/airflow.orders", 1, None, None)]


@long
def test_a_run_by_models_keeps_the_gates(python, tmp_path, spark):
    """A task and a Spark session for each model, of those that are tables, their tests, and what analysts see: a failed test ends the run before changelog publishes."""
    for name in ("dbt_project.yml", "models", "macros", "seeds", "tests", "profiles"):
        (tmp_path / name).symlink_to(HOME / name)
    options = ["--project-dir", str(HOME), "--target-path", f"{tmp_path}/target", "--log-path", f"{tmp_path}/logs"]
    assert dbtRunner().invoke(["--quiet", "parse", *options]).success
    (tmp_path / "airflow").mkdir()
    (tmp_path / "dumps").mkdir()
    (tmp_path / "dumps" / "orders.kcat.jsonl").write_text(kcat(3, "2"))
    airflow = Airflow(python, tmp_path / "airflow")
    query = lake_query(spark, airflow.lake)
    settings = {"sources": [{"folder": str(tmp_path / "dumps")}], "variables": {"topics": TOPICS}}
    form = {"KAFKA_CDC_DAG_BUILD": "models", "DBT_PROJECT_DIR": str(tmp_path), "KAFKA_CDC_HOME": str(HOME)}
    gates = r"land|build\.(events|stream_profiles|sequence_resets|base_events)\..*|build\.(changelog|state_events|current_rows|current_state|row_history)_run"
    state, tasks, log = airflow.run(settings, environment=form, only=gates)
    assert state == "success", tasks
    before = seen(query)
    assert query("select row_key, kafka_partition from cdc.current_state") == [('{"id":"2"}', 0)]

    (tmp_path / "dumps" / "more.kcat.jsonl").write_text(kcat(0, "2", partition=1, second=9) + kcat(4, "5"))
    state, tasks, log = airflow.run(settings, environment=form, only=gates)
    assert (state, tasks["build.stream_profiles.test"][0], tasks["build.changelog_run"][0]) == ("failed", "failed", "upstream_failed"), tasks
    assert len(airflow.alerts) == 1 and "build.stream_profiles.test failed" in airflow.alerts[0][1]
    assert seen(query) == before

    settings["variables"]["tables"] = [{"table": "shop.orders", "order_by": "kafka_timestamp"}]
    state, tasks, log = airflow.run(settings, environment=form, only=gates)
    assert state == "success", tasks
    assert query("select row_key, kafka_partition from cdc.current_state order by row_key") == [('{"id":"2"}', 1), ('{"id":"5"}', 0)]
    airflow.server.shutdown()

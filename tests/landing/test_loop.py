"""`kafka-cdc run` with a real broker.

Its cycles land, build and publish. Failures heal, and signals end it.
"""

import argparse
import contextlib
import io
import json
import math
import os
import re
import signal
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from project_copy import STAGING, copy_project
from pyspark.errors import AnalysisException
from pyspark.sql import functions as F

from conftest import HOME, LAKE, long
from kafka_cdc import build, exit_codes, loop
from kafka_cdc.alerts import Alerts
from kafka_cdc.cli import build_parser, main, parse_seconds
from kafka_cdc.errors import LandingError
from kafka_cdc.kafka.progress import KafkaSummary, Size
from kafka_cdc.shutdown import Shutdown

TOPIC = "loop_maxwell"
TIMEOUT_SECONDS = 300
FAILING = "select row_key from {{ ref('events') }} where row_key is not null"


def maxwell(number):
    """Return a message that inserts a row."""
    return json.dumps(
        {
            "database": "d",
            "table": "m",
            "type": "insert",
            "ts": 1700000000 + number,
            "position": f"bin.1:{100 + number}",
            "primary_key_columns": ["id"],
            "data": {"id": number},
        }
    )


class Output(io.StringIO):
    """stderr of a loop that runs, read by another thread."""

    def cycles(self):
        """Return the facts of each cycle."""
        return [
            dict(re.findall(r"(\w+)=(\S+)", line))
            for line in self.getvalue().splitlines()
            if re.match(r"\S+Z cycle ", line)
        ]

    def wait_for_cycle(self, **facts):
        """Return the first cycle after those that earlier calls saw that has these facts."""
        began, first = time.monotonic(), getattr(self, "seen", 0)
        while time.monotonic() - began < TIMEOUT_SECONDS:
            for number, cycle in enumerate(self.cycles()[first:], first + 1):
                if facts.items() <= cycle.items():
                    self.seen = number
                    return cycle
            time.sleep(0.05)
        raise AssertionError(f"no cycle has {facts}:\n{self.getvalue()}")


@pytest.fixture(scope="module")
def looped(project, tmp_path_factory):
    """A project with a copy of the dbt project that may be changed.

    With it comes a function that runs the command.
    """
    looped = project("loop")
    home = copy_project(tmp_path_factory.mktemp("project"))
    settings = (HOME / "dbt_project.yml").read_text()
    assert "test-paths: []" in settings
    (home / "dbt_project.yml").write_text(settings.replace("test-paths: []", "test-paths: [tests]"))
    (home / "tests").mkdir()

    def run(*arguments, output=None):
        """Return exit code and stderr of the command in this process."""
        output = output or Output()
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(output):
            code = main(["run", *map(str, arguments), "--schema", "raw_loop"])
        return code, output

    looped.copy, looped.run = home, run
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KAFKA_CDC_SCHEMA", "cdc_loop")
        patch.setenv("DBT_PROJECT_DIR", str(home))
        patch.setenv("DBT_TARGET_PATH", f"{LAKE.name}/target_loop")
        patch.setenv("DBT_LOG_PATH", f"{LAKE.name}/logs_loop")
        yield looped


def keys(project):
    """Return the published rows, none before the first build."""
    try:
        rows = project.query("select row_key from {cdc}.current_state")
    except AnalysisException:
        return set()
    return {json.loads(row["row_key"])["id"] for row in rows}


def numbers(count):
    """Return the keys of messages 0 to count - 1."""
    return {str(number) for number in range(count)}


def test_cycles_land_build_heal_and_end(looped, broker, monkeypatch):
    """Two cycles with messages in between, and an idle one.

    Then a test fails, a topic is lost, and SIGTERM comes during a build.
    """
    broker.create(TOPIC)
    broker.produce(TOPIC, [maxwell(number) for number in range(3)])
    output, failed = Output(), []
    real_build, is_last = build.run, threading.Event()

    def build_and_stop(*arguments, **options):
        if is_last.is_set():
            os.kill(os.getpid(), signal.SIGTERM)
        return real_build(*arguments, **options)

    monkeypatch.setattr(build, "run", build_and_stop)

    def drive():
        first = output.wait_for_cycle(build="done")
        assert first["messages"] == "3" and first["published"] == "yes", first
        assert (first["monitoring"], first["failures"]) == ("no", "0"), first
        assert keys(looped) == numbers(3)
        full = output.wait_for_cycle(build="done")
        assert (full["messages"], full["monitoring"], full["failures"]) == ("0", "yes", "0"), full
        assert int(full["models"]) > 20 and int(full["tests"]) >= 5, full

        output.wait_for_cycle(build="skipped", messages="0")
        broker.produce(TOPIC, [maxwell(3), maxwell(4)])
        second = output.wait_for_cycle(messages="2")
        assert (second["published"], second["monitoring"]) == ("yes", "no"), second
        monitoring = len([*(HOME / "models" / "monitoring").glob("*.sql")])
        left_out = int(full["models"]) - int(second["models"])
        assert left_out == monitoring + len(STAGING), (full, second)
        assert keys(looped) == numbers(5)

        # A test of the project fails. What lands meanwhile is not published.
        test = looped.copy / "tests" / "no_event_has_a_key.sql"
        test.write_text(FAILING)
        cycle = output.wait_for_cycle(build="failed")
        assert (cycle["messages"], cycle["monitoring"]) == ("0", "yes"), cycle
        assert 'build_failed note="no_event_has_a_key: Got' in output.getvalue()
        broker.produce(TOPIC, [maxwell(5)])
        assert output.wait_for_cycle(messages="1")["build"] == "failed"
        test.write_text(f"{FAILING} and false")
        assert output.wait_for_cycle(build="done")["failures"] == "0"
        assert keys(looped) == numbers(6)

        # The topic is away for a while. Its successor lands under the next incarnation.
        broker.delete(TOPIC)
        assert output.wait_for_cycle(landing="failed")["build"] == "skipped"
        assert f'landing_failed note="no topic of {broker.servers} matches' in output.getvalue()
        broker.create(TOPIC)
        is_last.set()
        broker.produce(TOPIC, [maxwell(6)])

    def drive_and_stop():
        try:
            drive()
        except BaseException as error:
            failed.append(error)
            os.kill(os.getpid(), signal.SIGTERM)

    driver = threading.Thread(target=drive_and_stop)
    driver.start()
    source = ("--bootstrap-servers", broker.servers, "--topics", f"{TOPIC},loop_misspelled")
    options = ("--interval", "0.5s", "--monitoring-interval", "1h")
    code, _ = looped.run(*source, *options, output=output)
    driver.join()
    if failed:
        raise failed[0]
    assert code == exit_codes.INTERRUPTED
    assert output.getvalue().splitlines()[-1].startswith("stopped; ")
    unmatched = re.findall(r'Z topic_unmatched note="no topic matches (\S+);', output.getvalue())
    assert unmatched.count("loop_misspelled") == 1
    assert unmatched.count(TOPIC) <= 1, "only while the topic was away"
    last = output.cycles()[-1]
    assert (last["messages"], last["build"], last["published"]) == ("1", "done", "yes"), last
    assert keys(looped) == numbers(7)
    assert [int(cycle["cycle"]) for cycle in output.cycles()] == [
        *range(1, len(output.cycles()) + 1)
    ]


@long
def test_single_cycles(looped, spark, tmp_path):
    """A folder with a file that does not land: exit code 3, and the rest is published.

    Then another process lands. Without a source, a cycle builds always, although the catalog of this process has cached
    the table of raw.
    """
    (tmp_path / "loop_files.jsonl").write_text(maxwell(8) + "\n")
    (tmp_path / "broken.kcat.jsonl").write_text("no message\n")
    before = keys(looped)
    code, output = looped.run("--files", tmp_path)
    assert code == exit_codes.REJECTED, output.getvalue()
    [cycle] = output.cycles()
    assert (cycle["messages"], cycle["rejected"], cycle["build"]) == ("1", "1", "done")
    assert "broken.kcat.jsonl, line 1" in output.getvalue()
    assert keys(looped) == before | {"8"}

    table = "raw_loop.kafka_messages"
    assert spark.table(table).count() > 0
    others = spark.newSession().table(table).where("topic = 'loop_files'").limit(1)
    columns = {
        "offset": F.lit(1).cast("bigint"),
        "landing_batch": F.lit(9).cast("bigint"),
        "value": F.lit(maxwell(9)),
    }
    others.withColumns(columns).writeTo(table).append()
    code, output = looped.run()
    [cycle] = output.cycles()
    assert (code, cycle["build"], "landing" in cycle) == (0, "done", False), output.getvalue()
    assert keys(looped) == before | {"8", "9"}


@pytest.mark.parametrize("settings", ["{on_held: never}", pytest.param("no mapping", marks=long)])
def test_invalid_settings_end_the_loop(looped, tmp_path, settings):
    """A repetition could not succeed, also if the loop is continuous."""
    (tmp_path / "loop_files.jsonl").write_text(maxwell(8) + "\n")
    code, output = looped.run("--files", tmp_path, "--continuous", "--vars", settings)
    lines = output.getvalue().splitlines()
    [error] = [line for line in lines if "error: dbt cannot build: " in line]
    assert code == exit_codes.FAILURE and error.count("Hint: ") == 1
    [cycle] = output.cycles()
    assert (cycle["landing"], cycle["build"]) == ("done", "failed")


def test_a_first_landing_that_fails_ends_the_loop(looped, tmp_path):
    """Its options are probably wrong."""
    code, output = looped.run("--files", tmp_path / "missing", "--continuous")
    assert code == exit_codes.FAILURE and "no such file or folder" in output.getvalue()
    assert [cycle["landing"] for cycle in output.cycles()] == ["failed"]


def test_a_cluster_needs_topics(capsys):
    """Otherwise the command would build and land nothing."""
    with pytest.raises(SystemExit) as ended:
        main(["run", "--bootstrap-servers", "broker:9092"])
    assert ended.value.code == exit_codes.USAGE and "--topics" in capsys.readouterr().err


def test_the_pause_doubles_after_failures():
    """And never gets shorter than the interval."""
    arguments = argparse.Namespace(continuous=True, interval=None, files=[], topics=[])
    cycles = loop.Loop(None, arguments, Shutdown(), None)
    pauses = []
    for cycles.failures in range(6):
        pauses.append(cycles.get_pause())
    assert pauses == [15, 30, 60, 120, 240, 300]
    cycles.failures = 5000  # of some weeks
    assert cycles.get_pause() == 300
    arguments.interval = 600.0
    assert loop.Loop(None, arguments, Shutdown(), None).get_pause() == 600


def test_a_backlog_does_not_wait(monkeypatch, capsys):
    """The next cycle follows at once, unless this one failed. It then lands everything."""
    arguments = argparse.Namespace(
        continuous=True, interval=1.0, files=[], topics=[], max_cycle_messages=7
    )
    cycles = loop.Loop(None, arguments, Shutdown(), Alerts(None, Path("none"), None))
    landings = iter([True, False, True, LandingError("no broker"), True])
    limits = []

    def land(report, limit):
        limits.append(limit)
        has_more = next(landings)
        if isinstance(has_more, Exception):
            raise has_more
        return has_more

    def run_build(facts):
        return build.BuildResult(is_successful=facts["cycle"] != 3)

    arguments.topics = "t"
    cycles.topics = SimpleNamespace(run=land, progress=SimpleNamespace(summary=KafkaSummary()))
    monkeypatch.setattr(cycles, "_build", run_build)
    monkeypatch.setattr(loop, "is_running", lambda spark: True)
    pauses = []
    with cycles.shutdown:
        for _ in range(5):
            cycles.run_cycle()
            pauses.append(cycles.get_pause())
    assert pauses == [0, 1, 2, 4, 0] and limits == [7, 7, 7, math.inf, math.inf]
    assert re.findall(r" cycle=(\d) .* backlog=yes", capsys.readouterr().err) == ["1", "3", "5"]


@pytest.mark.parametrize(
    ("options", "limit"),
    [([], math.inf), (["--continuous"], 2_000_000),
     (["--interval", "1s", "--max-cycle-messages", "5"], 5)],
)  # fmt: skip
def test_only_the_cycles_of_a_loop_are_bounded(options, limit):
    """Nothing would land the rest after a single cycle."""
    source = ["--bootstrap-servers", "broker:9092", "--topics", "t"]
    arguments = build_parser().parse_args(["run", *source, *options])
    cycles, limits = loop.Loop(None, arguments, Shutdown(), None), []
    cycles.topics.run = lambda report, limit: limits.append(limit)
    cycles._land(loop.Landed())
    assert limits == [limit]


@pytest.mark.parametrize(
    ("failing", "messages", "reasons"),
    [({"topics"}, 2, "no broker"), ({"files"}, 3, "no file"),
     ({"topics", "files"}, 0, "no broker / no file")],
)  # fmt: skip
def test_a_source_that_fails_does_not_stop_the_other(
    monkeypatch, capsys, failing, messages, reasons
):
    """What the other one has lands and is built. The cycle fails and logs the reasons."""
    arguments = argparse.Namespace(
        continuous=True, interval=1.0, files=["f"], topics=[], max_cycle_messages=7
    )
    cycles = loop.Loop(None, arguments, Shutdown(), Alerts(None, Path("none"), None))
    summary, failed, built = KafkaSummary(), set(), []

    def land_topics(report, limit):
        summary.topics = {}
        if "topics" in failed:
            raise LandingError("no broker")
        summary.topics = {"t": Size(3, 30)}

    def land_files(options, shutdown, files, *, is_cycle):
        if "files" in failed:
            raise LandingError("no file")
        files.landed["f", 0] = 2

    def run_build(self, facts):
        built.append(facts["cycle"])

    cycles.topics = SimpleNamespace(run=land_topics, progress=SimpleNamespace(summary=summary))
    monkeypatch.setattr(loop.files_command, "land", land_files)
    monkeypatch.setattr(loop, "is_running", lambda spark: True)
    monkeypatch.setattr(loop.Loop, "_build", run_build)
    with cycles.shutdown:
        assert cycles.run_cycle() == exit_codes.SUCCESS
        failed |= failing
        assert cycles.run_cycle() == exit_codes.FAILURE
    lines = capsys.readouterr().err
    assert re.findall(r"landing=(\w+) messages=(\d+)", lines) == [
        ("done", "5"),
        ("failed", f"{messages}"),
    ]
    assert re.findall(r'landing_failed note="(.*)"', lines) == [reasons]
    assert built == [1, 2]


def test_what_landed_before_a_failure_is_built(monkeypatch, capsys):
    """One topic always fails. Others land before it, and are built, also after a failed build.

    The log has the failure of each cycle, and the pause grows. A build without changes is skipped.
    A landing that succeeds ends the failures.
    """
    arguments = argparse.Namespace(continuous=True, interval=1.0, files=["f"], topics=[])
    cycles = loop.Loop(None, arguments, Shutdown(), Alerts(None, Path("none"), None))
    fails, succeeds = build.BuildResult(is_successful=False), build.BuildResult(is_successful=True)
    built, steps = [], [
        # messages, whether the landing succeeds, result of the build
        (1, True, succeeds),
        (2, False, succeeds),
        (0, False, None),
        (3, False, fails),
        (0, False, RuntimeError("catalog")),
        (0, False, None),
        (0, True, None),
    ]  # fmt: skip
    results = iter(steps)

    def land(landed):
        landed.messages, is_successful, cycles.result = next(results)
        if not is_successful:
            raise LandingError("topic bad: no commit succeeds")

    def run_build(facts):
        built.append(facts["cycle"])
        if isinstance(cycles.result, Exception):
            raise cycles.result
        return cycles.result

    monkeypatch.setattr(cycles, "_land", land)
    monkeypatch.setattr(cycles, "_build", run_build)
    monkeypatch.setattr(loop, "is_running", lambda spark: True)
    codes, failures = [], []
    with cycles.shutdown:
        for _ in steps:
            codes.append(cycles.run_cycle())
            failures.append(cycles.failures)
    assert codes == [0, 1, 1, 1, 1, 1, 0] and failures == [0, 1, 2, 3, 4, 5, 0]
    assert built == [1, 2, 3, 4, 5, 6, 7]
    lines = capsys.readouterr().err
    assert re.findall(r" landing=(\w+)", lines) == ["done", *["failed"] * 5, "done"]
    assert re.findall(r'landing_failed note="(.*)"', lines) == ["topic bad: no commit succeeds"] * 5


def test_a_signal_ends_the_pause(monkeypatch):
    """It does not wait for the next cycle."""
    monkeypatch.setattr(loop.session, "check_can_build", lambda: None)
    monkeypatch.setattr(loop.session, "start", lambda **_: None)
    monkeypatch.setattr(loop, "open_alerts", lambda: None)
    monkeypatch.setattr(loop.Loop, "run_cycle", lambda self: 0)
    began = time.monotonic()
    arguments = argparse.Namespace(continuous=True, interval=600.0, files=[], topics=[])
    with Shutdown() as shutdown, pytest.raises(KeyboardInterrupt):
        threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGTERM]).start()
        loop.run(arguments, shutdown)
    assert time.monotonic() - began < 60


def test_monitoring_is_built_when_it_is_due(monkeypatch):
    """After the first build, at its interval, after a failure, and if project or hold has changed.

    If nothing lands any more, one full build follows the last messages. After it, only the
    expectations of topics are tested at the interval, because a silent topic changes nothing.
    """
    arguments = argparse.Namespace(
        continuous=True, interval=1.0, files=["f"], topics=[], vars="{}", report=None,
        monitoring_interval=3600.0, schema="raw", table="kafka_messages",
    )  # fmt: skip
    cycles = loop.Loop(None, arguments, Shutdown(), Alerts(None, Path("none"), None))
    raw, project, is_successful, holds, held = 1, {"dbt_project.yml": 1}, True, 7, set()

    parsed = []

    def parse(variables, changed):
        parsed.append(object())
        return parsed[-1]

    def run_build(variables, changed, *, manifest, selected, excluded):
        assert manifest is parsed[-1]
        built.append("watch" if selected else "quick" if excluded else "full")
        message = f"published: events={raw}, table_holds={holds}"
        return build.BuildResult(is_successful=is_successful, messages=["found", message])

    monkeypatch.setattr(build, "parse", parse)
    monkeypatch.setattr(build, "run", run_build)
    monkeypatch.setattr(build, "fingerprint", lambda: dict(project))
    monkeypatch.setattr(loop, "refresh_tables", lambda spark: None)
    monkeypatch.setattr(loop, "read_holds", lambda spark: held)
    monkeypatch.setattr(loop.Loop, "_get_state", lambda self, project: (raw, project))
    monkeypatch.setattr(loop.Loop, "_send_lineage", lambda self: None)

    def builds():
        built.clear()
        cycles._build({})
        return built[-1] if built else "none"

    built = []
    assert [builds(), builds(), builds()] == ["quick", "full", "none"]
    raw = 2
    assert builds() == "quick"
    assert builds() == "none"
    arguments.monitoring_interval = 0.0
    assert [builds(), builds(), builds()] == ["full", "watch", "watch"]
    arguments.monitoring_interval = 3600.0
    assert builds() == "none"
    raw, is_successful = 3, False
    assert [builds(), builds()] == ["quick", "full"]
    is_successful = True
    assert [builds(), builds()] == ["full", "none"]
    assert len(parsed) == 1
    project["dbt_project.yml"] = 2
    assert [builds(), builds()] == ["full", "none"]
    assert len(parsed) == 2
    raw, holds, held = 4, 8, {"orders"}
    assert [builds(), builds(), builds()] == ["quick", "full", "none"]
    raw, holds = 5, 9  # the same table withholds another landing batch
    assert [builds(), builds()] == ["quick", "none"]
    raw, holds, held = 6, 10, set()
    assert [builds(), builds()] == ["quick", "full"]
    arguments.continuous, arguments.interval, raw = False, None, 7
    assert loop.Loop(None, arguments, Shutdown(), None)._needs_full_build(project)


def test_a_changed_file_of_the_project_is_noticed(looped):
    """And a new one."""
    before = build.fingerprint()
    assert {Path(path).name for path in before} >= {"dbt_project.yml", "profiles.yml", "events.sql"}
    file = looped.copy / "models" / "new_model.sql"
    file.write_text("select 1 as one")
    assert build.fingerprint().keys() - before.keys() == {str(file)}
    file.unlink()
    assert build.fingerprint() == before


@pytest.mark.parametrize(
    ("text", "seconds"), [("15s", 15), ("15", 15), ("0.5s", 0.5), ("5m", 300), ("1h", 3600)]
)
def test_times(text, seconds):
    assert parse_seconds(text) == seconds


@pytest.mark.parametrize("text", ["0", "0s", "-1", "15 s", "1d", "", "s", "1e3"])
def test_texts_that_are_no_times(text):
    with pytest.raises(argparse.ArgumentTypeError):
        parse_seconds(text)

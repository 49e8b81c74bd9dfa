"""Builds and landings that are killed at any moment or run at the same time: one rerun repairs everything.

They are separate processes with their own JVM. They share a lake with this process, whose session does the reruns and the checks.
The moments are spread over the time that the nodes of a build take, or over the whole time of a landing. KAFKA_CDC_SEED repeats
them. KAFKA_CDC_KILLS=0.2 runs a fifth of them.
"""

import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from test_runs import NOW, messages, own_lake, rows_of  # noqa: F401  (a fixture)

from conftest import HOME, Project, long

SEED = int(os.environ.get("KAFKA_CDC_SEED", time.time_ns()))
pytestmark = long
KILLS, LANDINGS, PAIRS = (
    round(number * float(os.environ.get("KAFKA_CDC_KILLS", "1"))) for number in (120, 80, 20)
)
BATCH = 300  # messages
LINES = 500  # of each file that lands
BUILD = ["build"]
SHORT_BUILD = [
    "build",
    "--select",
    "+current_state",
    "row_history",
    "--exclude",
    "staging",
]  # most kills hit it: what it leaves out are views
SEEN = [
    "events",
    "event_batch_stats",
    "changelog",
    "current_rows",
    "current_state",
    "row_history",
    "schema_changes",
    "quarantine",
    "message_accounting",
    "source_types",
]


class Process:
    """A command in its own process group, and its output."""

    def __init__(self, lake, *command, **environment):
        self.process = subprocess.Popen(
            [sys.executable, "-m", *map(str, command)],
            cwd=HOME,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            env={
                **os.environ,
                "KAFKA_CDC_LAKE": str(lake),
                "KAFKA_CDC_MEMORY": "1g",
                "PYTHONUNBUFFERED": "1",
                **environment,
            },
        )
        self.lines = []
        self.reader = threading.Thread(
            target=lambda: self.lines.extend(self.process.stdout), daemon=True
        )
        self.reader.start()

    def kill(self):
        """Kill the whole group. Return whether it was still running."""
        lived = self.process.poll() is None
        if lived:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.end()
        return lived

    def end(self):
        """Wait for the process and its JVM. Return the exit code."""
        self.reader.join(900)
        return self.process.wait(10)

    def output_text(self):
        return "".join(self.lines)


class Builder:
    """Builds of a project in separate processes (builder.py)."""

    def __init__(self, project, lake, folder):
        variables = {"raw_schema": f"raw_{project.name}", **project.settings}
        self.folder, self.builds = folder, 0
        self.options = [
            "--target-path",
            str(folder / "target"),
            "--log-path",
            str(folder / "logs"),
            "--vars",
            json.dumps(variables),
            "--project-dir",
            str(project.home),
        ]
        self.process = subprocess.Popen(
            [sys.executable, Path(__file__).parent / "builder.py"],
            cwd=HOME,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "KAFKA_CDC_LAKE": str(lake),
                "KAFKA_CDC_MEMORY": "1g",
                "PYTHONUNBUFFERED": "1",
                "KAFKA_CDC_SCHEMA": f"cdc_{project.name}",
            },
        )
        assert self.ask(options=self.options) == "ready"

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def start(self, *arguments):
        self.builds += 1
        output = self.folder / f"output{self.builds}"
        own = [
            "--target-path",
            str(self.folder / f"target{self.builds}"),
            "--no-use-colors",
        ]  # dbt takes the last of an option
        return Build(
            self, int(self.ask(start=[*arguments, *self.options, *own], output=str(output))), output
        )

    def end(self):
        """End it after its builds have ended."""
        self.process.stdin.close()
        self.process.wait(60)


class Build:
    """A running build, by its process id."""

    def __init__(self, builder, identity, output):
        self.builder, self.identity, self.output = builder, identity, output

    def output_text(self):
        return self.output.read_text() if self.output.exists() else ""

    @property
    def lines(self):
        return self.output_text().splitlines()

    def wait_for(self, node, patience=300):
        """Wait until dbt starts a node or has ended."""
        patience += time.monotonic()
        while (
            not re.search(rf" START .*\b{node}\b|Done\. PASS", self.output_text())
            and time.monotonic() < patience
        ):
            time.sleep(0.02)

    def kill(self):
        """Kill its whole process group. Return whether it was still running."""
        os.killpg(self.identity, signal.SIGKILL)
        return self.end() == -signal.SIGKILL

    def end(self):
        """Wait for the process. Return the exit code."""
        return int(self.builder.ask(wait=self.identity))


def land(project, lake, folder):
    """Start landing the files of a folder."""
    return Process(lake, "kafka_cdc", "land", "files", folder, "--schema", f"raw_{project.name}")


class Streams:
    """A disturbed and an undisturbed project with the same batches. Both belong to one test, as Delta tests share a lake."""

    pairs = itertools.count(1)

    def __init__(self, lake, session):
        self.lake, self.landed, self.number = lake, 0, 0
        pair = next(self.pairs)
        self.project, self.alone = (
            Project(
                session,
                f"{name}{pair}",
                {"topics": [{"topic": ["drs", "files_drs"], "format": "huawei_drs_json"}]},
            )
            for name in ("disturbed", "alone")
        )
        for project in (self.project, self.alone):
            project.manifest = project.dbt("parse").result

    def land(self):
        """Land a batch in both."""
        new_messages = messages(self.landed, self.landed + BATCH)
        landed_at = NOW + timedelta(minutes=self.number)
        batch = self.project.land(new_messages, landed_at=landed_at)
        self.alone.land(new_messages, batch=batch, landed_at=landed_at)
        self.landed, self.number = self.landed + BATCH, self.number + 1

    def assert_nothing_twice(self, where):
        """Before a rerun, each event exists once or not yet, and analysts read a published state."""
        found = self.project.query(
            "select kafka_offset, row_index, count(*) as n from {cdc}.events group by 1, 2 having n > 1"
        )
        assert found == [], f"{where}: events twice"
        (seen,) = self.project.query(
            "select count(*) as n, count(distinct kafka_offset) as messages from {cdc}.changelog"
        )
        assert seen["n"] in [
            len([1 for at, _ in rows_of(0, landed) if at % 11])
            for landed in range(0, self.landed + 1, BATCH)
        ], f"{where}: a part of a batch is published"

    def assert_whole(self, where):
        """After a rerun, everything exists once, is published, and equals the undisturbed project."""
        self.alone.dbt(*BUILD)
        assert [
            (row["kafka_offset"], row["row_index"])
            for row in self.project.query(
                "select kafka_offset, row_index from {cdc}.events order by all"
            )
        ] == rows_of(0, self.landed), where
        for name in SEEN:
            columns = [row["col_name"] for row in self.project.query(f"describe {{cdc}}.{name}")]
            compared_columns = ", ".join(
                f"`{column}`"
                for column in columns
                if column != "events_version"
                and not column.startswith("#")
                and column
                and column != "Part 0"
            )
            rows = [
                sorted(
                    row["row"]
                    for row in one.query(
                        f"select to_json(struct({compared_columns}), map('ignoreNullFields', 'false')) as row from {{cdc}}.{name}"
                    )
                )
                for one in (self.project, self.alone)
            ]
            assert rows[0] == rows[1], f"{where}: {name} differs"
        for name in ("events", "event_batch_stats"):
            assert (
                self.project.published("{cdc}." + name)
                == self.project.snapshots("{cdc}." + name)[-1]
            ), f"{where}: {name} is not published"
        for one in ("schema", "views"):
            names = [
                sorted(
                    row["tableName" if one == "schema" else "viewName"]
                    for row in p.query(
                        f"show {'tables' if one == 'schema' else 'views'} in cdc_{p.name}"
                    )
                )
                for p in (self.project, self.alone)
            ]
            assert names[0] == names[1], where


@pytest.fixture
def streams(own_lake, tmp_path):  # noqa: F811
    lake, session = own_lake
    streams = Streams(lake, session)
    streams.land()
    streams.project.dbt(*BUILD)
    streams.builder = Builder(streams.project, lake, tmp_path)
    yield streams
    streams.builder.end()


def test_builds_killed_at_any_moment(streams):
    chance = random.Random(SEED)
    streams.land()
    nodes = {}
    for arguments in (BUILD, SHORT_BUILD):
        ran = streams.project.dbt(*arguments).result
        nodes[len(arguments)] = [
            (r.node.name, max(r.execution_time, 0.05))
            for r in ran
            if r.node.resource_type != "operation"
        ]
        streams.land()
    killed = tried = 0
    while tried < KILLS:
        arguments = chance.choices([BUILD, SHORT_BUILD], [1, 9])[0]
        for _ in range(chance.choice([1, 1, 2, 3])):  # the next one finds what killed ones left
            tried += 1
            node, seconds = chance.choices(
                nodes[len(arguments)], [seconds for _, seconds in nodes[len(arguments)]]
            )[0]
            running = streams.builder.start(*arguments)
            running.wait_for(node)
            time.sleep(chance.uniform(0, seconds))
            killed += running.kill()
            where = f"seed {SEED}, kill {tried} in {node}"
            streams.assert_nothing_twice(where)
        print(f"{where}: {killed} killed", flush=True)
        streams.project.dbt(*arguments)
        if tried % 10 == 0:
            streams.assert_whole(where)
        streams.land()
    assert killed > KILLS / 2, running.output_text()
    streams.project.dbt(*BUILD)
    streams.assert_whole(f"seed {SEED}")


def test_landings_killed_at_any_moment(streams, tmp_path):
    chance = random.Random(SEED)
    folder = tmp_path / "files"
    folder.mkdir()
    expected, took = {}, None
    for number in range(LANDINGS + 1):
        for at in range(3):
            lines = [
                json.dumps({"file": at, "line": line, "text": f"{number} {chance.random()}"})
                for line in range(LINES)
            ]
            with (folder / f"topic{at}.jsonl").open("a") as file:
                file.write("".join(line + "\n" for line in lines))
            expected.update(
                {(f"topic{at}", number * LINES + line): text for line, text in enumerate(lines)}
            )
        began = time.monotonic()
        running = land(streams.project, streams.lake, folder)
        if took:
            time.sleep(chance.uniform(took * 0.3, took))
            running.kill()
            if number % 2:
                streams.project.dbt(*BUILD)  # a build in between reads whole commits alone
            running = land(streams.project, streams.lake, folder)
        assert running.end() == 0, f"seed {SEED}: {running.output_text()}"
        took = took or time.monotonic() - began
        found = [
            ((row["topic"], row["offset"]), row["value"])
            for row in streams.project.query(
                "select topic, offset, value from {raw}.kafka_messages where topic like 'topic%'"
            )
        ]
        assert len(found) == len(expected) and dict(found) == expected, f"seed {SEED}"
    streams.project.dbt(*BUILD)
    assert (
        streams.project.query(
            "select * from {cdc}.message_accounting where unaccounted_messages <> 0"
        )
        == []
    )
    assert streams.project.query(
        "select count(*) as n from {cdc}.quarantine where kafka_topic like 'topic%'"
    ) == [{"n": len(expected)}]


def test_two_concurrent_builds(streams):
    for number in range(PAIRS):
        streams.land()
        both = [streams.builder.start(*BUILD) for _ in range(2)]
        codes = [one.end() for one in both]
        print(f"two builds ended with {codes}")
        for code, one in zip(codes, both):
            lines = [
                line
                for line in one.lines
                if "kafka_cdc: another run wrote the same tables at the same time" in line
            ]
            assert code == 0 and lines == [] or code == 1 and len(lines) == 1, one.output_text()
        streams.assert_nothing_twice(f"builds {number}")
        if codes != [0, 0]:
            streams.project.dbt(*BUILD)
        streams.assert_whole(f"builds {number} that ended with {codes}")


def test_builds_while_files_land(streams, tmp_path):
    """Each build reads whole commits. A last build has all of them."""
    folder = tmp_path / "files"
    folder.mkdir()
    is_over, landings = threading.Event(), []

    def land_again_and_again():
        while not is_over.is_set() or len(landings) < 2:
            with (folder / "drs.jsonl").open("a") as file:
                begin = len(landings) * 50
                file.write(
                    "".join(message["value"] + "\n" for message in messages(begin, begin + 50))
                )
            one = Process(
                streams.lake,
                "kafka_cdc",
                "land",
                "files",
                folder,
                "--schema",
                f"raw_{streams.project.name}",
                "--topic-prefix",
                "files_",
            )
            assert one.end() == 0, one.output_text()
            landings.append(one)

    landing = threading.Thread(target=land_again_and_again)
    landing.start()
    try:
        for _ in range(10):
            one = streams.builder.start(*BUILD)
            assert one.end() == 0, one.output_text()
    finally:
        is_over.set()
        landing.join(600)
    streams.project.dbt(*BUILD)
    found = [
        (row["kafka_offset"], row["row_index"])
        for row in streams.project.query(
            "select kafka_offset, row_index from {cdc}.events where kafka_topic = 'files_drs' order by all"
        )
    ]
    assert found == rows_of(0, 50 * len(landings))
    assert (
        streams.project.query(
            "select * from {cdc}.message_accounting where unaccounted_messages <> 0"
        )
        == []
    )

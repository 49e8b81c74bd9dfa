"""The benchmark runs rarely, so that a broken import would stay for long."""

import json
import subprocess
import sys
import time

import pytest

from conftest import HOME

pytestmark = pytest.mark.rules


@pytest.mark.parametrize("module", ["benchmarks.__main__", "benchmarks.peers.__main__"])
def test_the_benchmark_can_be_imported(module):
    run = subprocess.run(
        [sys.executable, "-c", f"import {module}"], cwd=HOME, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr


STAGES = """
from unittest import mock
from benchmarks import measures

class Stages(list):
    apply = list.__getitem__
    size = list.__len__

def stage(number, seconds):
    ids = {"stageId.return_value": number, "attemptId.return_value": 0}
    return mock.Mock(**ids, **{"executorCpuTime.return_value": seconds * 1e9})

with mock.patch.object(measures.session, "start") as start:
    store = start().sparkContext._jsc.sc().statusStore()
    for stages in ([stage(1, 3), stage(2, 1)], [stage(2, 2), stage(3, 4)]):
        store.stageList.return_value = Stages(stages)
        print(measures.processor_seconds())
"""


def test_stages_that_spark_has_removed_still_count():
    run = subprocess.run([sys.executable, "-c", STAGES], cwd=HOME, capture_output=True, text=True)
    assert run.stdout.split() == ["4.0", "9.0"], run.stderr


def replay(format_, messages):
    """Return the rows that messages leave, read from their texts alone."""
    rows = {}
    for message in messages:
        value = json.loads(message.value) if message.value else {}
        if format_ == "canal":
            [row] = value["data"]
            rows[row["id"]] = None if value["type"] == "DELETE" else row
        elif value:
            rows[str((value["after"] or value["before"])["id"])] = value["after"]
    return [row for row in rows.values() if row]


@pytest.mark.parametrize("format_", ["canal", "debezium"])
def test_the_expected_rows_of_the_peers_are_those_that_the_messages_leave(format_):
    from benchmarks.peers.changes import PARTITIONS, Changes

    changes = Changes(format_)
    messages = list(changes.next(2_000))
    rows = replay(format_, messages)
    assert (len(rows), sum(int(row["version"]) for row in rows)) == changes.expected()
    assert {message.partition for message in messages} == set(range(PARTITIONS))


def test_the_cases_of_the_peers_expect_the_order_of_the_source():
    from benchmarks.peers.fidelity import CASES, FIRST, LATE

    status = {
        case.name: {key - FIRST: row["status"] for key, row in case.expected().items()}
        for case in [*CASES, LATE]
    }
    assert status["a delete"] == {}
    assert status["a primary-key update"] == {301: "moved"}
    assert status["a late update, after a newer one"] == {400: "newer"}
    assert status["an insert that is sent again after an update"] == {410: "newer"}
    assert status["an insert that is sent again after the delete"] == {}


@pytest.mark.parametrize(
    ("expected", "found", "is_right"),
    [
        ("12345678901234567890.0123456789", "12345678901234567890.0123456789", True),
        ("12345678901234567890.0123456789", 1.2345678901234567e19, False),
        (0.5, "0.50", True),
        (1, "x", False),
        (None, "null", False),
        ("null", None, False),
        ("", "", True),
    ],
)
def test_a_value_of_a_peer_is_right_only_if_it_is_exact(expected, found, is_right):
    from benchmarks.peers.fidelity import is_equal

    assert is_equal(expected, found) is is_right


def test_the_processor_time_of_a_pipeline_has_its_children(tmp_path):
    from benchmarks.peers.processes import Pipeline

    burn = "import time; end = time.process_time() + 0.5\nwhile time.process_time() < end: pass"
    both = f"import subprocess, sys, time; subprocess.run([sys.executable, '-c', {burn!r}]); print(1); time.sleep(60)"
    with Pipeline([sys.executable, "-c", both], tmp_path / "log", {"PYTHONUNBUFFERED": "1"}) as one:
        deadline = time.monotonic() + 60
        while not one.last_words() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert 0.5 <= one.sample() < 3
        assert one.peak > 1_000_000
    assert not one.is_running()


def test_a_part_of_the_comparison_with_peers_keeps_the_other(tmp_path):
    from benchmarks.peers.report import END_TO_END, FLATTENING, write_section

    path = tmp_path / "RESULTS.md"
    for section, text in [(END_TO_END, "one"), (FLATTENING, "two\n\n| a |"), (END_TO_END, "three")]:
        write_section(section, text, path)
    assert path.read_text() == (
        f"# Comparison with peers\n\n## {FLATTENING}\n\ntwo\n\n| a |\n\n## {END_TO_END}\n\nthree\n"
    )


def test_a_recorded_part_keeps_the_results_of_the_others(tmp_path):
    from benchmarks.measures import Measure
    from benchmarks.report import Result, read_results, record

    def result(run, name, measured):
        measure = Measure(name, f"what of {name}", "≤ 2", measured, "1 run", "3 s against 2")
        return Result(run, "2 cores", [measure])

    (tmp_path / "results.json").write_text("{}")
    for part, one in [
        ("P5", result("monday", "P5", "1.5")),
        ("removed", result("monday", "P0", "1.5")),
        ("P1", result("tuesday", "P1", "2.5")),
        ("P5", result("tuesday", "P5", "1.25")),
    ]:
        order = ["P1", "P5"] + ["removed"] * (part == "removed")
        record(part, one, order, tmp_path)
    assert list(read_results(tmp_path)) == ["P1", "P5"]
    page = (tmp_path / "RESULTS.md").read_text()
    assert "| P5 | what of P5 | ≤ 2 | 1.25 | 1 run | tuesday |" in page
    assert "1.5" not in page
    assert "* tuesday: 2 cores. Parts: P1, P5." in page
    assert [line for line in page.splitlines() if line.endswith("missed")][0].startswith("P1")


def test_the_page_of_results_is_printed_from_their_file():
    from benchmarks.report import FOLDER, page, read_results

    assert (FOLDER / "RESULTS.md").read_text() == page(read_results())

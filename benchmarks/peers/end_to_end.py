"""Run pipelines end to end: from messages in Kafka to rows in a table, with the same bytes and cores.

Each pipeline runs alone, as a process of its own. It reads a backlog, and then small batches while it
runs. `Run` has what is measured.
"""

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kafka_cdc import environment

from .changes import PARTITIONS, Changes, Message
from .fidelity import (
    AFTER_CASES,
    AFTER_LATE,
    BAD,
    CASES,
    FIRST,
    LAST,
    LATE,
    Case,
    fault_of,
    messages_of,
)
from .pipelines import PIPELINES, Job
from .processes import Pipeline
from .tables import Table

sys.path.append(str(environment.project_home() / "tests" / "helpers"))
MESSAGES = int(os.environ.get("BENCH_PEERS_END_TO_END", "200000"))  # of all formats together
BATCHES = int(os.environ.get("BENCH_PEERS_BATCHES", "3"))  # after the backlog and the cases
NEW = int(os.environ.get("BENCH_PEERS_NEW", "2000"))  # changes of a batch
FORMATS = ("canal", "debezium")
LIMIT = float(os.environ.get("BENCH_PEERS_LIMIT", "900"))  # seconds that a pipeline may take
LIMIT_OF_CASES = LIMIT / 6  # seconds after which a case has blocked a pipeline
POLL_SECONDS = 0.1
BLOCKED = "the pipeline is blocked"


@dataclass
class Run:
    """What is measured of a pipeline and a format.

    Attributes:
        seconds, processor: From the start of the process until each row of the backlog is queryable.
        fresh: Seconds from the last message of each batch until its rows are queryable.
        batches: Processor seconds of the batches, from their first message on.
        peak: Peak memory of all processes in bytes.
        faults: The wrong results, by case.
        failure: Why the pipeline did not finish.
    """

    pipeline: str
    format_: str
    messages: int
    size: int
    seconds: float = 0.0
    processor: float = 0.0
    fresh: list[float] = field(default_factory=list)
    batches: list[float] = field(default_factory=list)
    peak: int = 0
    faults: dict[str, str] = field(default_factory=dict)
    failure: str = ""


class Failure(Exception):
    """A pipeline ended, or did not finish in time."""


def wait_for(pipeline: Pipeline, table: Table, is_done: Callable[[], bool], limit: float) -> None:
    """Wait until the table fulfills a condition. It is read after each commit.

    Raises:
        Failure: The pipeline ended, or the time is over.
    """
    began, seen = time.monotonic(), None
    while time.monotonic() - began < limit:
        if (state := table.state()) is not None and state != seen:
            seen = state
            if is_done():
                return
        if not pipeline.is_running():
            raise Failure(f"the process ended: {pipeline.last_words()}")
        time.sleep(POLL_SECONDS)
    raise Failure(f"not finished after {limit:.0f} s")


def has_rows(table: Table, expected: tuple[int, int]) -> bool:
    """Return whether the table has as many rows as expected, with the same sum of versions."""
    versions = [int(str(version)) for version in table.versions_before(FIRST)]
    return (len(versions), sum(versions)) == expected


def produce(broker: object, topic: str, messages: Iterable[Message]) -> tuple[int, int]:
    """Write messages, and return their number and bytes."""
    records = [{"key": one.key, "value": one.value, "partition": one.partition} for one in messages]
    broker.produce(topic, records)
    return len(records), sum(len(one["key"]) + len(one["value"] or "") for one in records)


def measure(broker: object, name: str, format_: str, folder: Path) -> Run:
    """Let a pipeline read a backlog, the cases, some batches, and bad messages, which may block it."""
    topic = broker.create(folder.name, PARTITIONS)
    changes = Changes(format_)
    run = Run(name, format_, *produce(broker, topic, changes.next(MESSAGES // len(FORMATS))))
    folder.mkdir(parents=True)
    began = time.monotonic()
    pipeline, table = PIPELINES[name](Job(broker.servers, topic, format_, folder))
    with pipeline:
        try:
            wait_for(pipeline, table, lambda: has_rows(table, changes.expected()), LIMIT)
            run.seconds, run.processor = time.monotonic() - began, pipeline.sample()
            run.faults |= check(broker, topic, format_, [*CASES, LAST], pipeline, table)
            changes.number = AFTER_CASES
            for _ in range(BATCHES):
                before = pipeline.sample()
                produce(broker, topic, changes.next(NEW))
                sent = time.monotonic()
                wait_for(pipeline, table, lambda: has_rows(table, changes.expected()), LIMIT)
                run.fresh.append(time.monotonic() - sent)
                run.batches.append(pipeline.sample() - before)
            run.peak = pipeline.peak
            run.faults |= check(broker, topic, format_, BAD, pipeline, table)
            run.faults |= check(broker, topic, format_, [LATE, AFTER_LATE], pipeline, table)
        except Exception as failure:  # the other pipelines go on
            run.failure = f"{type(failure).__name__}: {failure}"
    return run


def check(
    broker: object, topic: str, format_: str, cases: list[Case], pipeline: Pipeline, table: Table
) -> dict[str, str]:
    """Send cases through a pipeline until the last one is in the table, and return what is wrong."""
    for case in cases:
        for key, value in messages_of(format_, case):
            broker.produce(topic, [{"key": key, "value": value, "partition": 0}])
    rows: dict[int, Mapping[str, object]] = {}
    last = max(cases[-1].keys())

    def has_last() -> bool:
        rows.clear()
        rows.update({int(str(row["id"])): row for row in table.rows_from(FIRST)})
        return last in rows

    is_blocked = False
    try:
        wait_for(pipeline, table, has_last, LIMIT_OF_CASES)
    except Failure:
        is_blocked = True
    faults = {case.name: fault_of(case, rows) for case in cases}
    return {name: BLOCKED if is_blocked else fault for name, fault in faults.items() if fault}


def end_to_end(names: Iterable[str] = PIPELINES) -> Iterator[Run]:
    """Yield the run of each pipeline and format."""
    from broker import Broker  # of the tests

    # The default would leave the broker and the pipeline running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="kafka_cdc_peers_") as path:
        folder = Path(path)
        (folder / "broker").mkdir()
        broker = Broker(folder / "broker")
        try:
            for format_ in FORMATS:
                for name in names:
                    own = f"{name.replace(' ', '_').lower()}_{format_}"
                    run = measure(broker, name, format_, folder / own)
                    print(run, flush=True)
                    yield run
        finally:
            broker.stop()

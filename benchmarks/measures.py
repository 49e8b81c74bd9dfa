"""What a measure is, the clocks, and how two things are compared."""

import contextlib
import io
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FOLDER = tempfile.TemporaryDirectory(prefix="kafka_cdc_bench_", ignore_cleanup_errors=True)
os.environ["KAFKA_CDC_LAKE"] = f"{FOLDER.name}/lake"
os.environ.setdefault("KAFKA_CDC_MEMORY", "4g")

from dbt.artifacts.schemas.results import RunStatus
from dbt.cli.main import dbtRunner
from pyspark.sql import SparkSession

from kafka_cdc import environment, session

RUNS = int(os.environ.get("BENCH_RUNS", "5"))


@dataclass
class Measure:
    """A row of the result: what is compared, the goal, the ratio and its spread, and the absolute figures beside it."""

    name: str
    what: str
    goal: str
    measured: str
    spread: str
    beside: str


def processor_seconds() -> float:
    """Return the processor time of all Spark tasks so far: planning and other processes do not count."""
    context = session.start().sparkContext._jsc.sc()
    gateway = session.start().sparkContext._gateway
    context.listenerBus().waitUntilEmpty(60_000)
    stages = context.statusStore().stageList(
        None,
        False,
        False,
        gateway.new_array(gateway.jvm.double, 0),
        gateway.jvm.java.util.ArrayList(),
    )
    return sum(stages.apply(at).executorCpuTime() for at in range(stages.size())) / 1e9


def _of_process(file: str, name: str) -> int:
    """Return the number behind a name in what Linux says of Spark's process in a file of /proc."""
    said = Path(f"/proc/{session.start().sparkContext._gateway.proc.pid}/{file}").read_text()
    return int(said.partition(f"{name}:")[2].split()[0])


def peak_memory() -> int:
    """Return the most memory that Spark's process has had so far, in bytes."""
    return 1024 * _of_process("status", "VmHWM")


def bytes_read() -> int:
    """Return the bytes that Spark's process has read so far, from whatever file. (Spark's own count leaves out what Iceberg reads of larger files.)"""
    return _of_process("io", "rchar")


def measure(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Return the seconds that `work` takes by a clock."""
    begin = clock()
    work()
    return clock() - begin


def compare(
    one: Callable[[], object],
    other: Callable[[], object],
    clock: Callable[[], float],
    warm_ups: int = 2,
) -> tuple[list[float], list[float]]:
    """Return the seconds of RUNS runs of each, taken in turn after a warm-up of both, so that a noisy machine hits both."""
    for _ in range(warm_ups):
        one(), other()
    pairs = [(measure(one, clock), measure(other, clock)) for _ in range(RUNS)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def ratio_of(ones: list[float], others: list[float]) -> tuple[str, str]:
    """Return the median of the ratios of two series taken in turn, and their lowest and highest."""
    ratios = sorted(one / other for one, other in zip(ones, others))
    return f"{statistics.median(ratios):.2f}", f"{ratios[0]:.2f}-{ratios[-1]:.2f}"


def against(ones: list[float], others: list[float], unit: str = "s") -> str:
    """Return the medians of two series as words."""
    one, other = (statistics.median(series) for series in (ones, others))
    digits = 0 if min(one, other) >= 20 else 2 if min(one, other) < 1 else 1
    return f"{one:.{digits}f} {unit} against {other:.{digits}f}"


def in_processor_time(
    name: str,
    what: str,
    goal: str,
    one: Callable[[], object],
    other: Callable[[], object],
    size: int,
    invert: bool = False,
) -> Measure:
    """Return the ratio of the processor time of `one` to that of `other` (inverted: of their throughputs), and both in MB a second."""
    ones, others = compare(
        one, other, processor_seconds, warm_ups=5
    )  # Java's best compiler is held back (profiles.yml): a backlog has it, a few runs have not
    rates = ([size / 1e6 / seconds for seconds in series] for series in (ones, others))
    return Measure(
        name,
        what,
        goal,
        *(ratio_of(others, ones) if invert else ratio_of(ones, others)),
        against(*rates, "MB/s of one core"),
    )


def dbt(*arguments: str, schema: str, **variables: object):
    """Run dbt in this process, into a target schema, and return the results of its nodes; an error ends the bench."""
    os.environ["KAFKA_CDC_SCHEMA"] = schema
    with contextlib.redirect_stdout(io.StringIO()):  # dbt compile prints what it compiled
        ran = dbtRunner().invoke([
            "--quiet", *arguments, "--project-dir", str(environment.project_home()), "--target-path", f"{FOLDER.name}/target", "--vars", json.dumps(variables),
        ])  # fmt: skip
    if not ran.success:
        failed = (
            [each.message for each in ran.result if each.status in (RunStatus.Error, "fail")]
            if ran.result
            else []
        )
        sys.exit(f"dbt {' '.join(arguments)} failed: {ran.exception or failed}")
    return ran.result


def no_sink(spark: SparkSession, query: str) -> Callable[[], None]:
    """Return a function that runs a query and throws its rows away."""
    return lambda: spark.sql(query).write.format("noop").mode("overwrite").save()


def in_seconds(work: Callable[[], object]) -> float:
    """Return the seconds that `work` takes on the wall clock."""
    return measure(work, time.perf_counter)

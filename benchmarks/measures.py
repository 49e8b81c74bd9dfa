"""Measures, clocks, and the comparison of two series."""

import contextlib
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = tempfile.TemporaryDirectory(prefix="kafka_cdc_bench_", ignore_cleanup_errors=True)
os.environ["KAFKA_CDC_LAKE"] = f"{FOLDER.name}/lake"
os.environ.setdefault("KAFKA_CDC_MEMORY", "4g")
os.environ.setdefault("KAFKA_CDC_MASK_SECRET", "a-secret-of-the-benchmarks")

from dbt.artifacts.schemas.results import RunStatus
from dbt.cli.main import dbtRunner
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from kafka_cdc import environment, session

START_SPARK = [  # a command that only starts Spark
    sys.executable,
    "-c",
    "from kafka_cdc import session; session.start().sql('select 1').collect()",
]
RUNS = int(os.environ.get("BENCH_RUNS", "3"))
seconds_of_stages: dict[tuple[int, int], float] = {}  # by the numbers of a stage and its attempt


@dataclass
class Measure:
    """A row of the result: the comparison, its goal, ratio, spread and absolute figures."""

    name: str
    what: str
    goal: str
    measured: str
    spread: str
    figures: str


def processor_seconds() -> float:
    """Return the processor time of all Spark tasks so far, without planning and other processes.

    Spark removes its oldest stages. Those that an earlier call has seen still count.
    """
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
    for at in range(stages.size()):
        stage = stages.apply(at)
        seconds_of_stages[stage.stageId(), stage.attemptId()] = stage.executorCpuTime() / 1e9
    return sum(seconds_of_stages.values())


def _of_process(file: str, name: str) -> int:
    """Return the number after a name in a /proc file of Spark's process."""
    text = Path(f"/proc/{session.start().sparkContext._gateway.proc.pid}/{file}").read_text()
    return int(text.partition(f"{name}:")[2].split()[0])


def peak_memory() -> int:
    """Return the peak memory of Spark's process in bytes."""
    return 1024 * _of_process("status", "VmHWM")


def bytes_read() -> int:
    """Return the bytes that Spark's process has read. Spark's own count misses some of Iceberg's."""
    return _of_process("io", "rchar")


def measure(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Return the seconds that `work` takes by the given clock."""
    begin = clock()
    work()
    return clock() - begin


def compare(
    one: Callable[[], object],
    other: Callable[[], object],
    clock: Callable[[], float],
    warm_ups: int = 2,
) -> tuple[list[float], list[float]]:
    """Return the seconds of RUNS runs of each. They alternate, so that a noisy machine slows both."""
    for _ in range(warm_ups):
        one(), other()
    pairs = [(measure(one, clock), measure(other, clock)) for _ in range(RUNS)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def ratio_of(ones: list[float], others: list[float]) -> tuple[str, str]:
    """Return the median, the lowest and the highest ratio of two alternating series."""
    ratios = sorted(one / other for one, other in zip(ones, others))
    return f"{statistics.median(ratios):.2f}", f"{ratios[0]:.2f}-{ratios[-1]:.2f}"


def against(ones: list[float], others: list[float], unit: str = "s") -> str:
    """Return the medians of two series as text."""
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
    warm_ups: int = 5,
) -> Measure:
    """Compare the processor times (inverted: the throughputs), with both rates in MB per second.

    Five runs warm up: profiles.yml delays Java's C2 compiler, which a few runs do not reach.
    """
    ones, others = compare(one, other, processor_seconds, warm_ups)
    rates = ([size / 1e6 / seconds for seconds in series] for series in (ones, others))
    return Measure(
        name,
        what,
        goal,
        *(ratio_of(others, ones) if invert else ratio_of(ones, others)),
        against(*rates, "MB/s of one core"),
    )


def dbt(*arguments: str, schema: str, project: Path | None = None, **variables: object):
    """Run dbt in this process and return the results of its nodes. An error ends the benchmark.

    A project is a folder with other macros or models than this project.
    """
    project = project or environment.project_home()
    os.environ["KAFKA_CDC_SCHEMA"] = schema
    with contextlib.redirect_stdout(io.StringIO()):  # dbt compile prints the compiled SQL
        ran = dbtRunner().invoke([
            "--quiet", *arguments, "--project-dir", str(project), "--target-path", f"{FOLDER.name}/target", "--vars", json.dumps(variables),
        ])  # fmt: skip
    if not ran.success:
        failed = (
            [each.message for each in ran.result if each.status in (RunStatus.Error, "fail")]
            if ran.result
            else []
        )
        sys.exit(f"dbt {' '.join(arguments)} failed: {ran.exception or failed}")
    return ran.result


def append_to_raw(messages: DataFrame, schema: str, batch: int) -> None:
    """Append messages of partition 0 to raw, in one landing batch.

    Their columns are topic, offset, timestamp, value and landed_at.
    """
    messages.withColumns({
        "partition": F.lit(0),
        "key": F.lit(None).cast("string"),
        "headers": F.lit(None).cast("array<struct<key: string, value: binary>>"),
        "landing_batch": F.lit(batch).cast("bigint"),
        "topic_incarnation": F.lit(0),
    }).writeTo(f"{schema}.kafka_messages").append()  # fmt: skip


def run_alone(command: Sequence[str], **variables: str) -> None:
    """Run a command in a process of its own, without its output. An error ends the benchmark."""
    subprocess.run(
        command,
        cwd=environment.project_home(),
        env={**os.environ, **variables},
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def run_module(name: str, *arguments: str, **variables: str) -> str:
    """Run a module in a process of its own, and return the last line that it prints.

    An error ends the benchmark.
    """
    output = subprocess.run(
        [sys.executable, "-m", name, *arguments],
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    return output.splitlines()[-1]


def copy_project(folder: Path) -> None:
    """Copy the project's models and macros to a new folder, for a part that adds or removes some."""
    home = environment.project_home()
    folder.mkdir(parents=True)
    for part in ["macros", "models", "seeds", "profiles", "dbt_project.yml", "profiles.yml"]:
        copy = shutil.copytree if (home / part).is_dir() else shutil.copy
        copy(home / part, folder / part)


def project_copy(name: str) -> Path:
    """Return the folder of a new copy of the project."""
    folder = Path(FOLDER.name) / "projects" / name
    copy_project(folder)
    return folder


def no_sink(spark: SparkSession, query: str) -> Callable[[], None]:
    """Return a function that runs a query and discards its rows."""
    return lambda: spark.sql(query).write.format("noop").mode("overwrite").save()


def in_seconds(work: Callable[[], object]) -> float:
    """Return the wall time of `work` in seconds."""
    return measure(work, time.perf_counter)


def commit() -> str:
    """Return the commit of the project, in short."""
    return subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=environment.project_home(),
        capture_output=True,
        text=True,
    ).stdout.strip()

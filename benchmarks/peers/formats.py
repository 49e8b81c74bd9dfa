"""Compare the flattening of kafka_cdc with Flink's formats on the same messages.

Two warmed-up processes run alternately.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import SparkSession

from kafka_cdc import environment

from ..flattening import flattening, land_messages
from ..measures import FOLDER, RUNS, Measure, no_sink, processor_seconds
from ..messages import lines

PEERS = {
    "canal": "canal-json",
    "debezium": "debezium-json",
    "maxwell": "maxwell-json",
}  # message format → Flink's name of it
PYTHON = environment.project_home() / ".peers" / "bin" / "python"
COLUMNS = ["id", *(f"column_{at}" for at in range(9))]
DECIMALS = 0.1  # share of messages with bare fractions
MESSAGES = int(os.environ.get("BENCH_PEERS_MESSAGES", "100000"))  # of each format
GOAL = "≥ 0.6"  # by processor time
WARM_UPS = 3
CLOCKS = {
    "job": ("wall time of the job alone", "MB/s"),
    "whole": (
        "wall time with planning, and with the start of Flink's cluster in its process",
        "MB/s",
    ),
    "processor": ("processor time of the tasks", "MB/s of one core"),
}


@dataclass
class Seconds:
    """Seconds of a run: the job's wall time, that with planning, and its tasks' processor time.

    `whole` includes the start of Flink's mini cluster.
    """

    job: float
    whole: float
    processor: float


@dataclass
class Comparison:
    """A format, the bytes of its messages, and the seconds of our runs and of the peer's runs."""

    format_: str
    size: int
    ours: list[Seconds]
    theirs: list[Seconds]


def write(folder: Path, format_: str, count: int, parts: int) -> int:
    """Write `count` messages of a format to `parts` files and return the bytes of the payloads.

    The folder ours/ has kcat lines, theirs/ has only the payloads.
    """
    size = 0
    for part in range(parts):
        first, last = (count * bound // parts for bound in (part, part + 1))
        for name in ("ours", "theirs"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        with (
            open(folder / "ours" / f"{part}.kcat.jsonl", "w", encoding="utf-8") as ours,
            open(folder / "theirs" / f"{part}.jsonl", "w", encoding="utf-8") as theirs,
        ):
            for at, (key, value) in enumerate(lines(format_, last - first, DECIMALS, first), first):
                message = {
                    "topic": f"{format_}_orders",
                    "partition": part,
                    "offset": at,
                    "ts": 1700000000000 + at,
                    "key": key,
                    "payload": value,
                }
                ours.write(json.dumps(message) + "\n")
                size += (
                    theirs.write(value + "\n") - 1
                )  # json.dumps writes ASCII, one byte per character
    return size


class Flink:
    """The process of flink_job.py, with the memory and the garbage collector of our Spark."""

    def __init__(self, format_: str, folder: Path, slots: int) -> None:
        self.log = tempfile.TemporaryFile("w+", errors="replace")
        command = [
            PYTHON,
            "-I",
            Path(__file__).with_name("flink_job.py"),
            PEERS[format_],
            folder,
            str(slots),
            *COLUMNS,
        ]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
            env=os.environ | {"JVM_ARGS": f"-Xmx{os.environ['KAFKA_CDC_MEMORY']} -XX:+UseSerialGC"},
        )  # fmt: skip

    def __enter__(self) -> "Flink":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()  # closes its standard input, which ends it
        self.log.close()

    def run(self) -> Seconds:
        """Run the job once and return its seconds. An error ends the benchmark."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("{"):
                return Seconds(**json.loads(line))
        self.log.seek(0)
        sys.exit(f"Flink failed: {self.log.read()[-2000:]}")


class Ours:
    """A Spark query whose rows are discarded."""

    def __init__(self, spark: SparkSession, query: str) -> None:
        self.context, self.work, self.runs, self.tasks = (
            spark.sparkContext,
            no_sink(spark, query),
            0,
            0,
        )

    def run(self) -> Seconds:
        """Run the query once and return its seconds."""
        self.runs += 1
        group = f"{id(self)} {self.runs}"
        self.context.setJobGroup(group, "peers")
        processor, begin = processor_seconds(), time.perf_counter()
        self.work()
        whole, processor = (
            time.perf_counter() - begin,
            processor_seconds() - processor,
        )  # Spark has recorded the end of the jobs by now
        jobs = [
            self.context._jsc.sc().statusStore().job(number)
            for number in self.context.statusTracker().getJobIdsForGroup(group)
        ]
        self.tasks = max(job.numTasks() for job in jobs)
        begins, ends = zip(
            *(
                (job.submissionTime().get().getTime(), job.completionTime().get().getTime())
                for job in jobs
            )
        )
        return Seconds((max(ends) - min(begins)) / 1000, whole, processor)


def compare(format_: str, size: int, ours: Ours, theirs: Flink, runs: int) -> Comparison:
    """Warm up both, then run them alternately, so that a noisy machine slows both."""
    for _ in range(WARM_UPS):
        ours.run(), theirs.run()
    pairs = [(ours.run(), theirs.run()) for _ in range(runs)]
    return Comparison(format_, size, [pair[0] for pair in pairs], [pair[1] for pair in pairs])


def comparison(spark: SparkSession, format_: str) -> Comparison:
    """Land MESSAGES messages of a format and compare our parsing with Flink's."""
    folder, schema, slots = (
        Path(FOLDER.name) / "peers" / format_,
        f"raw_peers_{format_}",
        spark.sparkContext.defaultParallelism,
    )
    size = write(folder, format_, MESSAGES, slots)
    land_messages(spark, schema, folder / "ours")
    # One task per file, even for small files, as in Flink.
    spark.sql(
        f"alter table {schema}.kafka_messages set tblproperties ('read.split.open-file-cost' = '134217728')"
    )
    query = flattening(schema, [{"topic": f"{format_}_orders", "format": format_}])
    read = spark.sql(
        f"select count(distinct kafka_partition, kafka_offset) from ({query})"
    ).first()[0]
    if read != MESSAGES:
        sys.exit(f"{format_}: events of {read:,} of {MESSAGES:,} messages")
    ours = Ours(spark, query)
    with Flink(format_, folder / "theirs", slots) as theirs:
        found = compare(format_, size, ours, theirs, RUNS)
    if ours.tasks < slots:
        sys.exit(f"{format_}: our query had {ours.tasks} tasks for {slots} slots of Flink")
    return found


def measures_of(found: Comparison) -> Iterator[Measure]:
    """Yield the ratio of the throughputs for each clock."""
    for clock, (words, unit) in CLOCKS.items():
        ours, theirs = (
            [getattr(run, clock) for run in runs] for runs in (found.ours, found.theirs)
        )
        ratios = sorted(their / our for our, their in zip(ours, theirs))
        figures = f"{found.size / 1e6 / statistics.median(ours):.0f} {unit} against {found.size / 1e6 / statistics.median(theirs):.0f}"
        what = f"throughput of raw → events rows (no-op sink) ÷ that of Flink's {PEERS[found.format_]} (blackhole), {words}"
        yield Measure(
            "P2",
            what,
            GOAL if clock == "processor" else "",
            f"{statistics.median(ratios):.2f}",
            f"{ratios[0]:.2f}-{ratios[-1]:.2f}",
            figures,
        )


def peers(spark: SparkSession, formats: Iterable[str] = PEERS) -> list[Measure]:
    """Compare our flattening with Flink's formats. Needs .peers, which `make bench-peers` creates."""
    return [measure for format_ in formats for measure in measures_of(comparison(spark, format_))]

"""Our flattening beside the formats of Flink, each on the same messages: two processes that run in turn, as warm as each other."""

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
}  # a format → Flink's of the same messages
PYTHON = environment.project_home() / ".peers" / "bin" / "python"
COLUMNS = ["id", *(f"column_{at}" for at in range(9))]
DECIMALS = 0.1  # share of messages with bare fractions
MESSAGES = int(os.environ.get("BENCH_PEERS_MESSAGES", "100000"))  # of each format
GOAL = "≥ 1.5"
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
    """What a run took: its job alone on the clock, that with planning (and with the start of Flink's little cluster), the processor time of its tasks."""

    job: float
    whole: float
    processor: float


@dataclass
class Comparison:
    """A format, the bytes of its messages, and the seconds of our runs and of the peer's, taken in turn."""

    format_: str
    size: int
    ours: list[Seconds]
    theirs: list[Seconds]


def write(folder: Path, format_: str, count: int, parts: int) -> int:
    """Write `count` messages of a format, in so many files of a folder: ours/ as kcat lines, theirs/ as their payloads alone; return the payloads' bytes."""
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
                )  # json.dumps writes ASCII: a character is a byte
    return size


class Flink:
    """The process of flink_job.py on a folder of payloads, with as much memory and the garbage collector that our Spark has."""

    def __init__(self, format_: str, folder: Path, slots: int) -> None:
        self.said = tempfile.TemporaryFile("w+", errors="replace")
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
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said, text=True,
            env=os.environ | {"JVM_ARGS": f"-Xmx{os.environ['KAFKA_CDC_MEMORY']} -XX:+UseSerialGC"},
        )  # fmt: skip

    def __enter__(self) -> "Flink":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.communicate()  # its standard input ends, and so does it
        self.said.close()

    def run(self) -> Seconds:
        """Run the job once; return its seconds. An error of it ends the benchmark."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("{"):
                return Seconds(**json.loads(line))
        self.said.seek(0)
        sys.exit(f"Flink failed: {self.said.read()[-2000:]}")


class Ours:
    """A query of Spark, whose rows are thrown away."""

    def __init__(self, spark: SparkSession, query: str) -> None:
        self.context, self.work, self.runs, self.tasks = (
            spark.sparkContext,
            no_sink(spark, query),
            0,
            0,
        )

    def run(self) -> Seconds:
        """Run the query once; return its seconds."""
        self.runs += 1
        group = f"{id(self)} {self.runs}"
        self.context.setJobGroup(group, "peers")
        processor, begin = processor_seconds(), time.perf_counter()
        self.work()
        whole, processor = (
            time.perf_counter() - begin,
            processor_seconds() - processor,
        )  # Spark knows by then that the jobs have ended
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
    """Return so many runs of each, taken in turn after warming up both, so that a noisy machine hits both."""
    for _ in range(WARM_UPS):
        ours.run(), theirs.run()
    pairs = [(ours.run(), theirs.run()) for _ in range(runs)]
    return Comparison(format_, size, [pair[0] for pair in pairs], [pair[1] for pair in pairs])


def comparison(spark: SparkSession, format_: str) -> Comparison:
    """Land MESSAGES messages of a format and compare our reading of them with Flink's."""
    folder, schema, slots = (
        Path(FOLDER.name) / "peers" / format_,
        f"raw_peers_{format_}",
        spark.sparkContext.defaultParallelism,
    )
    size = write(folder, format_, MESSAGES, slots)
    land_messages(spark, schema, folder / "ours")
    # A task for each file, as Flink has them, however small they are.
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
        sys.exit(f"{format_}: {ours.tasks} tasks of ours beside {slots} slots")
    return found


def measures_of(found: Comparison) -> Iterator[Measure]:
    """Yield the rows of a comparison: the ratio of the throughputs by each clock."""
    for clock, (words, unit) in CLOCKS.items():
        ours, theirs = (
            [getattr(run, clock) for run in runs] for runs in (found.ours, found.theirs)
        )
        ratios = sorted(their / our for our, their in zip(ours, theirs))
        beside = f"{found.size / 1e6 / statistics.median(ours):.0f} {unit} against {found.size / 1e6 / statistics.median(theirs):.0f}"
        what = f"throughput of raw → events rows (no-op sink) ÷ that of Flink's {PEERS[found.format_]} (blackhole), {words}"
        yield Measure(
            "P2",
            what,
            GOAL if clock == "job" else "",
            f"{statistics.median(ratios):.2f}",
            f"{ratios[0]:.2f}-{ratios[-1]:.2f}",
            beside,
        )


def peers(spark: SparkSession, formats: Iterable[str] = PEERS) -> list[Measure]:
    """Return what our flattening and Flink's formats do on the same bytes; needs .peers, which `make bench-peers` makes."""
    return [measure for format_ in formats for measure in measures_of(comparison(spark, format_))]

"""Our flattening beside the formats of Flink, each on the same messages: two processes that run in turn, as warm as each other."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from landing import environment

from . import messages

PEERS = {"canal": "canal-json", "debezium": "debezium-json", "maxwell": "maxwell-json"}  # a format → Flink's of the same messages
PYTHON = environment.HOME / ".peers" / "bin" / "python"
COLUMNS, DECIMALS = 10, 0.1  # of a message: how many columns, and the share of messages with one more that is a number with a fraction
WARM_UPS = 3


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
            for at, (key, value) in enumerate(messages.lines(format_, last - first, DECIMALS, first, COLUMNS), first):
                message = {"topic": f"{format_}_orders", "partition": part, "offset": at, "ts": 1700000000000 + at, "key": key, "payload": value}
                ours.write(json.dumps(message) + "\n")
                size += theirs.write(value + "\n") - 1  # json.dumps writes ASCII: a character is a byte
    return size


class Flink:
    """The process of flink_job.py on a folder of payloads, with as much memory and the garbage collector that our Spark has."""

    def __init__(self, format_: str, folder: Path, slots: int) -> None:
        self.said = tempfile.TemporaryFile("w+", errors="replace")
        columns = ["id", *(f"column_{at}" for at in range(COLUMNS - 1)), "price"]
        command = [PYTHON, "-I", Path(__file__).with_name("flink_job.py"), PEERS[format_], folder, str(slots), *columns]
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

    def __init__(self, spark: SparkSession, work: Callable[[], None], processor_seconds: Callable[[], float]) -> None:
        self.context, self.work, self.processor_seconds, self.runs = spark.sparkContext, work, processor_seconds, 0
        self.tasks = 0  # of the last run

    def run(self) -> Seconds:
        """Run the query once; return its seconds."""
        self.runs += 1
        group = f"{id(self)} {self.runs}"
        self.context.setJobGroup(group, "peers")
        processor, begin = self.processor_seconds(), time.perf_counter()
        self.work()
        whole, processor = time.perf_counter() - begin, self.processor_seconds() - processor
        jobs = [self.get_job(number) for number in self.context.statusTracker().getJobIdsForGroup(group)]
        self.tasks = max(job.numTasks() for job in jobs)
        begins, ends = ([moment.get().getTime() / 1000 for moment in moments] for moments in zip(*((job.submissionTime(), job.completionTime()) for job in jobs)))
        return Seconds(max(ends) - min(begins), whole, processor)

    def get_job(self, number: int) -> Any:
        """Return what Spark knows of a job, once it knows that it has ended."""
        while True:
            job: Any = self.context._jsc.sc().statusStore().job(number)
            if job.completionTime().isDefined():
                return job
            time.sleep(0.1)


def compare(format_: str, size: int, ours: Ours, theirs: Flink, runs: int) -> Comparison:
    """Return so many runs of each, taken in turn after warming up both, so that a noisy machine hits both."""
    for _ in range(WARM_UPS):
        ours.run(), theirs.run()
    pairs = [(ours.run(), theirs.run()) for _ in range(runs)]
    return Comparison(format_, size, [pair[0] for pair in pairs], [pair[1] for pair in pairs])


def comparisons(spark: SparkSession, bench: Any, folder: Path, count: int) -> list[Comparison]:
    """Land `count` messages of each format, and compare; `bench` is the module benchmarks.__main__, which knows how to land, to compile and to measure."""
    slots = spark.sparkContext.defaultParallelism
    found = []
    for format_ in PEERS:
        schema, topics = f"raw_peers_{format_}", [{"topic": f"{format_}_orders", "format": format_}]
        size = write(folder / format_, format_, count, slots)
        bench.land(["files", str(folder / format_ / "ours"), "--schema", schema])
        # A task for each file, as Flink has them, however small they are.
        spark.sql(f"alter table {schema}.kafka_messages set tblproperties ('read.split.open-file-cost' = '134217728')")
        os.environ["KAFKA_CDC_SCHEMA"] = f"cdc_peers_{format_}"
        query = bench.flattening(topics=topics, raw_schema=schema)
        if (events := spark.sql(query).count()) != count:
            sys.exit(f"{format_}: {events:,} events of {count:,} messages")
        ours = Ours(spark, bench.no_sink(spark, query), bench.processor_seconds)
        with Flink(format_, folder / format_ / "theirs", slots) as theirs:
            found.append(compare(format_, size, ours, theirs, bench.RUNS))
        if ours.tasks < slots:
            sys.exit(f"{format_}: {ours.tasks} tasks of ours beside {slots} slots")
    return found

"""`make bench`: measures what the project promises, each as a ratio of two things in one run, and writes benchmarks/RESULTS.md; `python -m benchmarks history` prints a part alone."""

import contextlib
import io
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

FOLDER = tempfile.TemporaryDirectory(prefix="kafka_cdc_bench_")
os.environ["KAFKA_CDC_LAKE"] = f"{FOLDER.name}/lake"
os.environ["KAFKA_CDC_MEMORY"] = "4g"

from dbt.cli.main import dbtRunner
from pyspark.sql import SparkSession

from landing import environment, session
from landing.__main__ import main as land

from . import backlog, history
from .messages import COLUMNS, FORMATS, lines

MESSAGES = int(os.environ.get("BENCH_MESSAGES", "60000"))  # of each format
BACKLOG = int(os.environ.get("BENCH_BACKLOG", "400000"))  # messages in Kafka
RUNS = int(os.environ.get("BENCH_RUNS", "5"))
DECIMALS = 0.1  # share of messages with a bare fraction
TOPICS = [{"topic": f"{name}_orders", "format": name} for name in FORMATS]
ENVELOPES = {
    "huawei_drs_json": "mysqlType map<string, string>, id string, es string, ts string, database string, `table` string, type string, "
    "isDdl string, sql string, data array<map<string, string>>, `old` array<map<string, string>>, pkNames array<string>",
    "alibaba_dataworks": "schema struct<dataColumn array<struct<name string, type string>>, primaryKey array<string>, source struct<dbType "
    "string, dbName string, schemaName string, tableName string>>, payload struct<before struct<dataColumn map<string, string>>, after "
    "struct<dataColumn map<string, string>>, sequenceId string, op string, timestamp struct<eventTime string, systemTime string>>",
    "debezium": "before map<string, string>, after map<string, string>, source struct<connector string, name string, ts_ms string, db string, "
    "`table` string, file string, pos string, `row` string>, op string, ts_ms string",
}
ROW_PATHS = {
    "huawei_drs_json": ["$.old[0].", "$.data[0]."],
    "alibaba_dataworks": ["$.payload.before.dataColumn.", "$.payload.after.dataColumn."],
    "debezium": ["$.before.", "$.after."],
}
ENVELOPE_PATHS = {
    "huawei_drs_json": ["$.id", "$.es", "$.ts", "$.database", "$.table", "$.type", "$.isDdl", "$.pkNames"],
    "alibaba_dataworks": ["$.schema.source.dbName", "$.schema.source.tableName", "$.schema.primaryKey", "$.payload.sequenceId", "$.payload.op",
                          "$.payload.timestamp.eventTime", "$.payload.timestamp.systemTime"],
    "debezium": ["$.source.connector", "$.source.name", "$.source.db", "$.source.table", "$.source.file", "$.source.pos", "$.source.row",
                 "$.source.ts_ms", "$.op", "$.ts_ms"],
}


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
    """Return the processor time that Spark's task threads have used: planning, the JIT compiler and other processes do not count."""
    ticks = 0
    for thread in Path(f"/proc/{session.start().sparkContext._gateway.proc.pid}/task").iterdir():
        stat = (thread / "stat").read_text()
        if "(Executor task" in stat:
            user, system = stat.rpartition(")")[2].split()[11:13]
            ticks += int(user) + int(system)
    return ticks / os.sysconf("SC_CLK_TCK")


def measure(work: Callable[[], object], clock: Callable[[], float]) -> float:
    """Return the seconds that `work` takes by a clock."""
    begin = clock()
    work()
    return clock() - begin


def compare(one: Callable[[], object], other: Callable[[], object], clock: Callable[[], float]) -> tuple[list[float], list[float]]:
    """Return the seconds of RUNS runs of each, taken in turn after a warm-up of both, so that a noisy machine hits both."""
    for _ in range(2):
        one(), other()
    pairs = [(measure(one, clock), measure(other, clock)) for _ in range(RUNS)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def ratio(name: str, what: str, goal: str, one: Callable[[], object], other: Callable[[], object], size: int, invert: bool = False) -> Measure:
    """Return the ratio of the processor time of `one` to that of `other` (inverted: of their throughputs), and both in MB a second."""
    ones, others = compare(one, other, processor_seconds)
    ratios = sorted((b / a if invert else a / b) for a, b in zip(ones, others))
    beside = f"{size / 1e6 / statistics.median(ones):.0f} MB/s of one core against {size / 1e6 / statistics.median(others):.0f}"
    return Measure(name, what, goal, f"{statistics.median(ratios):.2f}", f"{ratios[0]:.2f}-{ratios[-1]:.2f}", beside)


def dbt(*arguments: str, **variables: object) -> None:
    """Run dbt in this process; an error ends the bench."""
    with contextlib.redirect_stdout(io.StringIO()):  # dbt compile prints what it compiled
        result = dbtRunner().invoke([
            "--quiet", *arguments, "--project-dir", str(environment.HOME), "--target-path", f"{FOLDER.name}/target", "--vars", json.dumps(variables),
        ])
    if not result.success:
        sys.exit(f"dbt {' '.join(arguments)} failed: {result.exception or [r.message for r in result.result]}")


def write_messages(count: int, first: int, part: str) -> Path:
    """Write `count` messages of each format as kcat lines; return their folder."""
    folder = Path(FOLDER.name) / part
    folder.mkdir()
    for name in FORMATS:
        with open(folder / f"{name}.kcat.jsonl", "w", encoding="utf-8") as file:
            for at, (key, value) in enumerate(lines(name, count, DECIMALS, first), first):
                message = {"topic": f"{name}_orders", "partition": 0, "offset": at, "ts": 1700000000000 + at, "key": key, "payload": value}
                file.write(json.dumps(message) + "\n")
    return folder


def no_sink(spark: SparkSession, query: str) -> Callable[[], None]:
    """Return a function that runs a query and throws its rows away."""
    return lambda: spark.sql(query).write.format("noop").mode("overwrite").save()


def by_topic(expression: Callable[[str], str]) -> str:
    """Return a query with one column for each format, null for the messages of the others."""
    columns = ", ".join(f"case when topic = '{name}_orders' then {expression(name)} end as {name}" for name in FORMATS)
    return f"select topic, `partition`, `offset`, {columns} from raw.kafka_messages"


def one_path_per_field(name: str) -> str:
    """Return a struct of one get_json_object for each field of the envelope and of both images."""
    paths = ENVELOPE_PATHS[name] + [f"{row}{column}" for row in ROW_PATHS[name] for column in ["id", *(f"column_{n}" for n in range(COLUMNS - 1))]]
    return f"struct({', '.join(f'get_json_object(value, {path!r}) as p{at}' for at, path in enumerate(paths))})"


def flattening(**variables: object) -> str:
    """Return the SELECT of events as dbt compiles it before the table exists: all of raw."""
    dbt("compile", "--select", "events", **variables)
    return (Path(FOLDER.name) / "target/compiled/kafka_cdc/models/changelog/events.sql").read_text(encoding="utf-8")


def bytes_read(spark: SparkSession) -> int:
    """Return the bytes that all tasks of the session have read from tables so far."""
    time.sleep(2)  # Spark counts a moment later
    executors = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    return sum(executors.apply(at).totalInputBytes() for at in range(executors.size()))


def raw_bytes(spark: SparkSession) -> int:
    """Return the size of raw's data files."""
    return spark.sql("select sum(file_size_in_bytes) from raw.kafka_messages.files").first()[0]


def bytes_of_a_run(spark: SparkSession) -> Measure:
    """Land a tenth more, run events, and compare what the run read with what landed."""
    before = raw_bytes(spark)
    land(["files", str(write_messages(MESSAGES // 10, MESSAGES, "more"))])
    landed = raw_bytes(spark) - before
    read = bytes_read(spark)
    dbt("run", "--select", "events", topics=TOPICS)
    read = bytes_read(spark) - read
    what = "bytes read by a run (raw and events) ÷ bytes landed since the last run, every format enabled, three in the data"
    return Measure("bytes", what, "≤ 1.1", f"{read / landed:.2f}", "1 run", f"{read / 1e6:.2f} MB against {landed / 1e6:.2f} MB")


def nothing_new() -> Measure:
    """Run `dbt build` with nothing new, and Spark alone, as processes of their own."""
    home = environment.HOME
    build = [f"{home}/.venv/bin/dbt", "build", "--quiet", "--target-path", f"{FOLDER.name}/target"]
    bare = [sys.executable, "-c", "from landing import session; session.start().sql('select 1').collect()"]
    run = lambda command: subprocess.run(command, cwd=home, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    builds, starts = compare(lambda: run(build), lambda: run(bare), time.perf_counter)
    ratios = sorted(a / b for a, b in zip(builds, starts))
    beside = f"{statistics.median(builds):.1f} s against {statistics.median(starts):.1f} s"
    what = "a second dbt build with nothing new, wall time ÷ Spark's bare start"
    return Measure("nothing new", what, "15 s", f"{statistics.median(ratios):.2f}", f"{ratios[0]:.2f}-{ratios[-1]:.2f}", beside)


def beside_history(spark: SparkSession) -> list[Measure]:
    """Run `dbt build` with few new messages beside much and beside little history, and with ten times the messages."""
    beside_long, beside_short, once, ten_times = history.measures(spark, dbt, RUNS)
    median, lowest, highest = history.ratio_of(beside_long, beside_short)
    what = f"a dbt build of {history.NEW:,} new messages beside {history.LONG:,} rows ÷ beside {history.SHORT:,}"
    seconds = f"{statistics.median(beside_long):.1f} s against {statistics.median(beside_short):.1f} s"
    return [
        Measure("history", what, "≤ 1.3", f"{median:.2f}", f"{lowest:.2f}-{highest:.2f}", seconds),
        Measure("ten times", f"the first dbt build of {history.LONG:,} messages ÷ that of {history.LONG // 10:,}", "≤ 10.5", f"{ten_times / once:.2f}", "1 run", f"{ten_times:.0f} s against {once:.0f} s"),
    ]


def after_small_runs(spark: SparkSession) -> list[Measure]:
    """Run `dbt build` and read the state before and after many small runs, and after maintenance."""
    before, *later = history.after_small_runs(spark, dbt, RUNS)
    return [
        Measure(f"{when}, {what}", f"{what} {when} ÷ before them", "≤ 1.3", f"{seconds[at] / before[at]:.2f}", "1 series", f"{seconds[at]:.1f} s against {before[at]:.1f} s")
        for when, seconds in zip((f"after {history.SMALL_RUNS} small runs", "after these and maintain_tables"), later)
        for at, what in enumerate(("a dbt build", "reading current_state"))
    ]


def land_a_backlog(spark: SparkSession) -> list[Measure]:
    """Land messages of Kafka, and let Spark read them alone, in turn."""
    with backlog.backlog(BACKLOG) as (broker, size):
        lands, reads = compare(backlog.landing(broker.servers), backlog.bare(spark, broker.servers), time.perf_counter)
    ratios = sorted(b / a for a, b in zip(lands, reads))
    what = f"{BACKLOG:,} messages of Kafka: MB/s of `python -m landing kafka` ÷ MB/s of Spark's reading them into a no-op sink, wall time"
    beside = f"{size / 1e6 / statistics.median(lands):.0f} MB/s against {size / 1e6 / statistics.median(reads):.0f}"
    return [Measure("landing", what, "≥ 0.7", f"{statistics.median(ratios):.2f}", f"{ratios[0]:.2f}-{ratios[-1]:.2f}", beside)]


def report(measures: list[Measure]) -> str:
    """Return the result as Markdown."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=environment.HOME, capture_output=True, text=True).stdout.strip()
    rows = "\n".join(f"| {m.name} | {m.what} | {m.goal} | {m.measured} | {m.spread} | {m.beside} |" for m in measures)
    return f"""# Measured
{date.today()}, commit {commit}: {os.cpu_count()} cores, Python {platform.python_version()}, {MESSAGES:,} messages of each of {", ".join(FORMATS)},
{COLUMNS} columns, both images, {DECIMALS:.0%} with a bare fraction; medians of {RUNS} runs taken in turn after a warm-up. The ratio counts;
the absolute figures beside it are this machine's.

| measure | what | goal | measured | spread | beside |
|---|---|---|---|---|---|
{rows}
"""


def flattening_and_runs(spark: SparkSession) -> list[Measure]:
    """Land messages of some formats; compare reading them with simpler reading, and a run that has nothing to do with Spark's start."""
    land(["files", str(write_messages(MESSAGES, 0, "first"))])
    size = spark.sql("select sum(octet_length(value)) from raw.kafka_messages").first()[0]
    bare = no_sink(spark, by_topic(lambda name: f"from_json(value, '{ENVELOPES[name]}')"))
    mapped, unmapped = (no_sink(spark, flattening(topics=topics)) for topics in (TOPICS, []))
    flat = "flatten raw → events rows (no-op sink) ÷ one bare from_json pass over the same bytes, topics "
    measures = [
        ratio("flatten", flat + "mapped", "≤ 1.7", mapped, bare, size),
        ratio("flatten, auto", flat + "recognised message by message", "", unmapped, bare, size),
        ratio("by path", "throughput ÷ that of one get_json_object per field", "≥ 5", mapped, no_sink(spark, by_topic(one_path_per_field)), size, invert=True),
    ]
    dbt("build", topics=TOPICS)
    measures.append(bytes_of_a_run(spark))
    dbt("build")
    return [*measures, nothing_new()]


PARTS = {"flattening": flattening_and_runs, "history": beside_history, "small_runs": after_small_runs, "landing": land_a_backlog}


def main(names: list[str]) -> None:
    """Measure all and write the result; or only the parts that are named, and print theirs."""
    if unknown := set(names) - PARTS.keys():
        sys.exit(f"{', '.join(sorted(unknown))}: no such part; there are {', '.join(PARTS)}")
    spark = session.start()
    text = report([measure for name in names or PARTS for measure in PARTS[name](spark)])
    if not names:
        (environment.HOME / "benchmarks" / "RESULTS.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(sys.argv[1:])

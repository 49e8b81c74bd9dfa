"""Measure typed tables: questions, increments, many models, memory, and what users write today."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import SparkSession

from .history import LONG, NEW, SHORT, Lake
from .measures import (
    FOLDER,
    RUNS,
    Measure,
    against,
    compare,
    in_seconds,
    peak_memory,
    project_copy,
    ratio_of,
    run_module,
    session,
)
from .peers import merge_model, stream_merge

INCREMENTS = int(os.environ.get("BENCH_INCREMENTS", "100"))  # with ten messages each
MANY = int(os.environ.get("BENCH_MODELS", "500"))
CHANGED = 10  # models whose tables change
KEPT = 20  # typed tables next to a build
HEAP = "1536m"  # the default of KAFKA_CDC_MEMORY
STATE = ["+current_state", "--exclude", "staging"]
QUESTIONS = {
    "count": "select count(*) from {}",
    "one row": "select * from {} where id = 4711",
    "sum": "select sum(amount) from {}",
}
# The columns that what users write today must declare. DRS sends the envelope of Canal.
SHAPE = "canal"
COLUMNS = {"id": "bigint", "name": "string", "amount": "decimal(18,4)", "note": "string"}


class TypedLake(Lake):
    """A lake whose project has a typed model per table, and perhaps other models."""

    def __init__(self, spark: SparkSession, rows: int, name: str, tables: int = 1) -> None:
        names = [f"orders_{at}" for at in range(tables)] if tables > 1 else ["orders"]
        super().__init__(spark, rows, name, names)
        self.project = project_copy(self.name)
        self.models = self.project / "models" / "typed"
        self.models.mkdir()
        for table in self.tables:
            text = f"{{{{ kafka_cdc.current_table('shop.{table}', source='bench') }}}}\n"
            (self.models / f"typed_{table}.sql").write_text(text, encoding="utf-8")
        self.dbt("seed", "--select", "source_types")

    def dbt(self, *arguments: str, **variables: object):
        """Run dbt on the lake's own project."""
        return super().dbt(*arguments, project=self.project, **variables)

    def publish(self) -> None:
        """Build and publish the state of all messages."""
        self.dbt("run", "--select", *STATE)

    def increment(self, count: int = NEW) -> None:
        """Land and publish messages."""
        self.land(count)
        self.publish()

    def typed(self, *arguments: str) -> float:
        """Build the typed model of the first table and return its seconds."""
        name = f"typed_{self.tables[0]}"
        ran = self.dbt("run", "--select", name, *arguments)
        return next(each.execution_time for each in ran if each.node.name == name)

    def seconds_of(self, *arguments: str) -> float:
        """Run dbt and return its seconds."""
        return in_seconds(lambda: self.dbt(*arguments))

    def name_of(self, model: str) -> str:
        """Return the name of a model's table in Spark."""
        return f"cdc_{self.name}.{model}"


def ask(lake: TypedLake, when: str, goal: str) -> list[Measure]:
    """Compare questions to the typed table with questions to a plain table of the same rows."""
    typed, plain = lake.name_of("typed_orders"), lake.name_of("plain")
    lake.spark.sql(f"create or replace table {plain} using iceberg as select * from {typed}")
    measures = []
    for name, question in QUESTIONS.items():
        queries = [question.format(table) for table in (typed, plain)]
        runs = [lambda query=query: lake.spark.sql(query).collect() for query in queries]
        ones, others = compare(*runs, time.perf_counter, warm_ups=3)
        what = f"{name}: typed table {when} ÷ a plain table of the same {lake.rows:,} rows"
        measures.append(
            Measure("typed: ask", what, goal, *ratio_of(ones, others), against(ones, others))
        )
    return measures


def ask_typed_tables(spark: SparkSession) -> list[Measure]:
    """Ask a typed table after many increments, and after maintenance."""
    lake = TypedLake(spark, LONG // 10, "typed_asked")
    lake.increment(lake.rows)
    lake.typed()
    for _ in range(INCREMENTS):
        lake.increment(10)
        lake.typed()
    measures = ask(lake, f"after {INCREMENTS} increments without maintenance", "≤ 1.5")
    lake.dbt("run-operation", "maintain_tables", "--args", "{keep_days: 0}")
    return measures + ask(lake, "after maintenance", "≤ 1.1")


def stream(lake: Lake) -> Callable[[], None]:
    """Return a function that merges new messages by Structured Streaming's foreachBatch."""
    spark, target = lake.spark, f"cdc_{lake.name}.by_stream"
    stream_merge.create_target(spark, target, COLUMNS)
    checkpoint = Path(FOLDER.name) / f"checkpoint_{lake.name}"

    def run() -> None:
        messages = spark.readStream.table(f"raw_{lake.name}.kafka_messages")
        query = messages.writeStream.foreachBatch(
            lambda batch, _: stream_merge.merge(SHAPE, batch, target, COLUMNS)
        ).trigger(availableNow=True)
        query.option("checkpointLocation", str(checkpoint)).start().awaitTermination()

    return run


def by_merge_model(lake: TypedLake) -> Callable[[], None]:
    """Return a function that runs a dbt incremental model of one path per column."""
    text = merge_model.model_of(SHAPE, COLUMNS, f"raw_{lake.name}")
    (lake.models / "by_merge.sql").write_text(text, encoding="utf-8")
    return lambda: lake.dbt("run", "--select", "by_merge")


def series(lake: TypedLake, work: Callable[[], float]) -> list[float]:
    """Return the seconds of `work` after each of some increments. The first warms up."""
    seconds = []
    for _ in range(RUNS + 1):
        lake.increment()
        seconds.append(work())
    return seconds[1:]


def compare_with_users(lake: TypedLake) -> list[Measure]:
    """Compare an increment of the state and a typed table with what users write for one table."""
    works = {"streaming MERGE": stream(lake), "dbt merge model": by_merge_model(lake)}
    for work in works.values():
        work()
    ours: list[float] = []
    theirs: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(RUNS):
        lake.land(NEW)
        ours.append(in_seconds(lambda: (lake.publish(), lake.typed())))
        for name, work in works.items():
            theirs[name].append(in_seconds(work))
    what = f"{NEW:,} new messages into {lake.rows:,} rows: state and typed table ÷"
    return [
        Measure(
            "typed: users",
            f"{what} {name}, one table",
            "",
            *ratio_of(ours, seconds),
            against(ours, seconds),
        )
        for name, seconds in theirs.items()
    ]


def increment_typed_tables(spark: SparkSession) -> list[Measure]:
    """Merge changed keys into large and small tables, rebuild one, and compare what users write."""
    increments, of_users = {}, []
    for rows in (SHORT, LONG // 10, LONG):
        lake = TypedLake(spark, rows, "typed_increments")
        lake.increment(rows)
        first = lake.typed()
        increments[rows] = series(lake, lake.typed)
        rebuilt = lake.typed("--full-refresh")
        print(f"{rows:,} rows: {first:.1f} s, increments {increments[rows]}", flush=True)
        if rows == LONG // 10:
            of_users = compare_with_users(lake)
    text = f"{NEW:,} changed keys into a typed table of {LONG:,} rows ÷"
    measures = [
        Measure(
            "typed: merge", f"{text} {other}", goal, *ratio_of(ones, others), against(ones, others)
        )
        for other, goal, ones, others in (
            ("rebuilding that table", "≤ 0.1", increments[LONG], [rebuilt] * RUNS),
            (f"into {SHORT:,} rows", "≤ 4", increments[LONG], increments[SHORT]),
        )
    ]
    return [*measures, *of_users]


def compare_memory(_: SparkSession) -> list[Measure]:
    """Build a large and a small typed table, each in a process of its own with the default heap."""
    large, small = (
        int(run_module("benchmarks.typed", str(rows), KAFKA_CDC_MEMORY=HEAP))
        for rows in (LONG, LONG // 10)
    )
    what = (
        f"peak memory of the JVM with a heap of {HEAP}, state and first typed table of {LONG:,}"
        f" rows ÷ of {LONG // 10:,}"
    )
    megabytes = against([large / 1e6], [small / 1e6], "MB")
    return [Measure("typed: memory", what, "≤ 1.2", f"{large / small:.2f}", "1 run", megabytes)]


def keep_many_models(spark: SparkSession) -> list[Measure]:
    """Build many typed models that include few with changes, and those few alone."""
    lake = TypedLake(spark, MANY * 20, "typed_many", MANY)
    lake.increment(lake.rows)
    lake.dbt("run", "--select", "path:models/typed")
    few = lake.tables[:CHANGED]
    selections = {"all": ["path:models/typed"], "few": [f"typed_{table}" for table in few]}
    seconds: dict[str, list[float]] = {name: [] for name in selections}
    for _ in range(RUNS + 1):
        for name, selection in selections.items():
            lake.land(NEW, few)
            lake.publish()
            seconds[name].append(lake.seconds_of("run", "--select", *selection))
    ones, others = seconds["all"][1:], seconds["few"][1:]
    what = f"building {MANY} typed models, {CHANGED} with changes ÷ building these {CHANGED}"
    return [Measure("typed: models", what, "≤ 1.3", *ratio_of(ones, others), against(ones, others))]


def keep_typed_tables(spark: SparkSession) -> list[Measure]:
    """Run `dbt build` with and without typed tables, after new messages."""
    lakes = {name: TypedLake(spark, SHORT, f"typed_{name}", KEPT) for name in ("kept", "left_out")}
    seconds: dict[str, list[float]] = {name: [] for name in lakes}
    for run in range(RUNS + 2):  # the first run reads all rows, and the second warms up
        for name, lake in lakes.items():
            lake.land(NEW if run else lake.rows)
            excluded = ["staging"] if name == "kept" else ["staging", "path:models/typed"]
            seconds[name].append(lake.seconds_of("build", "--exclude", *excluded))
    ones, others = seconds["kept"][2:], seconds["left_out"][2:]
    what = f"a dbt build of {NEW:,} new messages with {KEPT} typed tables ÷ without them"
    return [Measure("typed: kept", what, "≤ 1.5", *ratio_of(ones, others), against(ones, others))]


if __name__ == "__main__":  # build the state and a typed table, and print the peak memory in bytes
    lake = TypedLake(session.start(), int(sys.argv[1]), "typed_memory")
    lake.increment(lake.rows)
    lake.typed()
    print(peak_memory())

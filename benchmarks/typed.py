"""Measure typed tables: questions, increments, many models, memory, and what users write today."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

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
)

INCREMENTS = int(os.environ.get("BENCH_INCREMENTS", "100"))  # with ten messages each
MANY = int(os.environ.get("BENCH_MODELS", "500"))
CHANGED = 10  # models whose tables change
KEPT = 20  # typed tables next to a build
STATE = ["+current_state", "--exclude", "staging"]
QUESTIONS = {
    "count": "select count(*) from {}",
    "one row": "select * from {} where id = 4711",
    "sum": "select sum(amount) from {}",
}
# What users write today: the newest message of each row, one get_json_object per column.
COLUMNS = {"id": "bigint", "name": "string", "amount": "decimal(18,4)", "note": "string"}
MERGE_MODEL = """{{ config(materialized='incremental', incremental_strategy='merge', unique_key='id', file_format='iceberg') }}
select %s, landing_batch
from (
    select *, row_number() over (partition by get_json_object(value, '$.data[0].id') order by offset desc) as newest
    from %s.kafka_messages
    {%% if is_incremental() %%}
    where landing_batch > (select max(landing_batch) from {{ this }})
    {%% endif %%}
)
where newest = 1
"""


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
    columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    spark.sql(f"create table {target} ({columns}) using iceberg")
    row = ", ".join(f"{name}: string" for name in COLUMNS)
    checkpoint = Path(FOLDER.name) / f"checkpoint_{lake.name}"

    def merge(batch: DataFrame, _: int) -> None:
        fields = [f"cast(r.{name} as {kind}) as {name}" for name, kind in COLUMNS.items()]
        batch.selectExpr(
            f"from_json(value, 'data array<struct<{row}>>, type string') as message", "offset"
        ).selectExpr("message.data[0] as r", "message.type as type", "offset").selectExpr(
            *fields, "type", "row_number() over (partition by r.id order by offset desc) as newest"
        ).where("newest = 1").drop("newest").createOrReplaceTempView("batch_of_stream")
        batch.sparkSession.sql(
            f"merge into {target} t using (select * from batch_of_stream) s on t.id = s.id"
            " when matched and s.type = 'DELETE' then delete"
            f" when matched then update set {', '.join(f't.{name} = s.{name}' for name in COLUMNS)}"
            f" when not matched and s.type <> 'DELETE' then insert ({', '.join(COLUMNS)})"
            f" values ({', '.join(f's.{name}' for name in COLUMNS)})"
        )

    def run() -> None:
        messages = spark.readStream.table(f"raw_{lake.name}.kafka_messages")
        query = messages.writeStream.foreachBatch(merge).trigger(availableNow=True)
        query.option("checkpointLocation", str(checkpoint)).start().awaitTermination()

    return run


def by_merge_model(lake: TypedLake) -> Callable[[], None]:
    """Return a function that runs a dbt incremental model of one path per column."""
    fields = ", ".join(
        f"cast(get_json_object(value, '$.data[0].{name}') as {kind}) as {name}"
        for name, kind in COLUMNS.items()
    )
    text = MERGE_MODEL % (fields, f"raw_{lake.name}")
    (lake.models / "by_merge.sql").write_text(text, encoding="utf-8")
    return lambda: lake.dbt("run", "--select", "by_merge")


def series(lake: TypedLake, work: Callable[[], float]) -> list[float]:
    """Return the seconds of `work` after each of some increments. The first warms up."""
    seconds = []
    for _ in range(RUNS + 1):
        lake.increment()
        seconds.append(work())
    return seconds[1:]


def increment_typed_tables(spark: SparkSession) -> list[Measure]:
    """Merge changed keys into large and small tables, rebuild one, and compare what users write."""
    increments, rebuilds, memory, others = {}, {}, {}, {}
    for rows in (SHORT, LONG // 10, LONG):
        lake = TypedLake(spark, rows, "typed_increments")
        lake.increment(rows)
        first = lake.typed()
        memory[rows] = peak_memory()
        increments[rows] = series(lake, lake.typed)
        rebuilds[rows] = lake.typed("--full-refresh")
        print(
            f"{rows:,} rows: first build {first:.1f} s, increments {increments[rows]}", flush=True
        )
        if rows == LONG // 10:
            whole = lambda lake=lake: in_seconds(lambda: (lake.publish(), lake.typed()))
            works = {"streaming MERGE": stream(lake), "dbt merge model": by_merge_model(lake)}
            for work in works.values():
                work()
            timed = {"state and typed table": []} | {name: [] for name in works}
            for _ in range(RUNS):
                lake.land(NEW)
                timed["state and typed table"].append(whole())
                for name, work in works.items():
                    timed[name].append(in_seconds(work))
            others = timed
    text = f"{NEW:,} changed keys into a typed table"
    ones, small = increments[LONG], increments[SHORT]
    rebuilt = [rebuilds[LONG]] * RUNS
    return [
        Measure("typed: merge", f"{text} of {LONG:,} rows ÷ rebuilding that table", "≤ 0.1", *ratio_of(ones, rebuilt), against(ones, rebuilt)),
        Measure("typed: merge", f"{text} of {LONG:,} rows ÷ into {SHORT:,} rows", "≤ 4", *ratio_of(ones, small), against(ones, small)),
        Measure("typed: memory", f"peak memory of the JVM, first typed table of {LONG:,} rows ÷ of {LONG // 10:,}", "≤ 1.2", f"{memory[LONG] / memory[LONG // 10]:.2f}", "1 run", against([memory[LONG] / 1e6], [memory[LONG // 10] / 1e6], "MB")),
        *(
            Measure("typed: users", f"{NEW:,} new messages into {LONG // 10:,} rows: state and typed table ÷ {name}, one table", "", *ratio_of(others["state and typed table"], others[name]), against(others["state and typed table"], others[name]))
            for name in list(others)[1:]
        ),
    ]  # fmt: skip


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

"""Measure how the time of a `dbt build` depends on history, small runs and number of messages.

Each lake contains generated rows.
"""

import json
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict

from pyspark.sql import SparkSession

from kafka_cdc.tables import raw, table_format

from .measures import (
    RUNS,
    Measure,
    against,
    append_to_raw,
    dbt,
    in_seconds,
    peak_memory,
    ratio_of,
    run_module,
    session,
)

TOPIC = {"topic": "orders", "format": "huawei_drs_json", "source": "bench"}
SHORT, LONG = 100_000, int(os.environ.get("BENCH_HISTORY", "10000000"))  # rows of the state
SMALL_RUNS = int(os.environ.get("BENCH_SMALL_RUNS", "100"))  # with ten messages each
NEW = 10_000  # messages of a run: half new rows, half updates of rows from the whole history
# A row of the table: %1$d is the message that wrote it, %2$d its key.
ROW = (
    '{"id":"%2$d","name":"name of %2$d","amount":"%1$d.2500","note":"some words about order %2$d"}'
)
VALUE = (
    '{"mysqlType":{"id":"bigint","name":"varchar(40)","amount":"decimal(18,4)","note":"text"},'
    '"id":%1$d,"es":1700000000000,"ts":1700000000001,"database":"shop","table":"%5$s",'
    f'"type":"%3$s","isDdl":false,"sql":"","data":[{ROW}],"old":%4$s,"pkNames":["id"]}}'
)
STEP = 2_654_435_761  # a prime: the updates reach each key once before they reach one again


def land(
    spark: SparkSession,
    schema: str,
    first: int,
    count: int,
    rows: int,
    batch: int,
    tables: Sequence[str] = ("orders",),
) -> None:
    """Append `count` messages to raw: inserts up to `rows`, then inserts and updates alternately.

    The before image of an update is the row that the last message of its key wrote. The key
    determines the table.
    """
    is_update = f"id >= {rows} and id % 2 = 1"
    update = f"(id - {rows}) div 2"
    key = f"if({is_update}, pmod({update} * {STEP}, {rows}), id)"
    writer = f"if({update} < {rows}, {key}, id - 2 * {rows})"
    before = f"if({is_update}, format_string('[{ROW}]', {writer}, {key}), 'null')"
    names = ", ".join(f"'{table}'" for table in tables)
    table = f"element_at(array({names}), cast(1 + pmod({key}, {len(tables)}) as int))"
    code = f"if({is_update}, 'UPDATE', 'INSERT')"
    value = f"format_string('{VALUE}', id, {key}, {code}, {before}, {table})"
    messages = spark.range(first, first + count).selectExpr(
        "'orders' as topic",
        "id as offset",
        "cast(null as timestamp) as timestamp",
        f"{value} as value",
        "current_timestamp() as landed_at",
    )
    append_to_raw(messages, schema, batch)


class Lake:
    """A raw schema and a target schema with a history of `rows` rows."""

    def __init__(
        self,
        spark: SparkSession,
        rows: int,
        name: str = "history",
        tables: Sequence[str] = ("orders",),
    ) -> None:
        self.tables = tables
        self.spark, self.rows, self.messages, self.batch = spark, rows, 0, 0
        self.name = f"{name}_{rows}"
        raw.create(spark, f"raw_{self.name}", "kafka_messages")

    def land(self, count: int, tables: Sequence[str] = ()) -> None:
        """Land `count` messages in batches of at most a million, of all tables or the named ones."""
        for first in range(0, count, 1_000_000):
            self.batch += 1
            part = min(1_000_000, count - first)
            land(
                self.spark,
                f"raw_{self.name}",
                self.messages,
                part,
                self.rows,
                self.batch,
                tables or self.tables,
            )
            self.messages += part

    def dbt(self, *arguments: str, **variables: object):
        """Run dbt on the schemas and return the results of its nodes."""
        return dbt(
            *arguments,
            schema=f"cdc_{self.name}",
            topics=[TOPIC],
            raw_schema=f"raw_{self.name}",
            **variables,
        )

    def build(self) -> float:
        """Run `dbt build` and return its seconds."""
        return in_seconds(lambda: self.dbt("build", "--exclude", "staging"))

    def read(self) -> float:
        """Read every column of current_state and return the seconds."""
        return in_seconds(
            self.spark.sql(
                f"select bit_xor(xxhash64(to_json(struct(*)))) from cdc_{self.name}.current_state"
            ).collect
        )

    def seconds_of_a_run(self, runs: int) -> tuple[float, float]:
        """Return the median seconds of `runs` runs, and of reading the state after each."""
        seconds = []
        for _ in range(runs):
            self.land(NEW)
            seconds.append((self.build(), self.read()))
        return statistics.median(run for run, _ in seconds), statistics.median(
            read for _, read in seconds
        )


def with_history(spark: SparkSession) -> list[Measure]:
    """Run `dbt build` on short and long history (P5), and with ten times the messages (P6)."""
    lakes = [Lake(spark, rows) for rows in (SHORT, LONG // 10, LONG)]
    built, memory = [], []
    for lake in lakes:
        lake.land(lake.rows)
        built.append(lake.build())
        memory.append(peak_memory())
        print(
            f"{lake.rows:,} messages built in {built[-1]:.0f} s, {memory[-1] / 1e6:,.0f} MB",
            flush=True,
        )
    seconds: list[list[float]] = [[], []]
    for _ in range(RUNS + 1):  # the first run warms up
        for lake, of_lake in zip((lakes[2], lakes[0]), seconds):
            lake.land(NEW)
            of_lake.append(lake.build())
    on_long, on_short = seconds[0][1:], seconds[1][1:]
    what = f"a dbt build of {NEW:,} new messages on {LONG:,} rows of history ÷ on {SHORT:,}"
    times = f"the first dbt build of {LONG:,} messages ÷ that of {LONG // 10:,}"
    return [
        Measure(
            "P5",
            what,
            "≤ 1.3",
            *ratio_of(on_long, on_short),
            against(on_long, on_short),
        ),
        Measure(
            "P6",
            times,
            "≤ 10.5",
            f"{built[2] / built[1]:.2f}",
            "1 run",
            against(built[2:], built[1:2]),
        ),
        Measure(
            "P6",
            times + ", peak memory of the JVM",
            "flat",
            f"{memory[2] / memory[1]:.2f}",
            "1 run",
            against([memory[2] / 1e6], [memory[1] / 1e6], "MB"),
        ),
    ]


def after_small_runs(spark: SparkSession) -> list[Measure]:
    """Run `dbt build` and read the state before and after many small runs, and after maintenance."""
    lake = Lake(spark, SHORT, "small_runs")
    lake.land(SHORT)
    lake.build()
    before = lake.seconds_of_a_run(RUNS + 1)
    for _ in range(SMALL_RUNS):
        lake.land(10)
        lake.build()
    later = [lake.seconds_of_a_run(RUNS)]
    lake.dbt("run-operation", "maintain_tables", "--args", "{keep_days: 0}")
    later.append(lake.seconds_of_a_run(RUNS))
    return [
        Measure(
            "small runs",
            f"{what} {when} ÷ before them",
            "≤ 1.3",
            f"{seconds[at] / before[at]:.2f}",
            "1 series",
            against([seconds[at]], [before[at]]),
        )
        for when, seconds in zip(
            (f"after {SMALL_RUNS} small runs", "after them and maintain_tables"), later
        )
        for at, what in enumerate(("a dbt build", "reading current_state"))
    ]


# What a run without held tables does for them.
HOLDS = ["table_holds", "held_tables", "tables_are_not_held_held_tables_"]


def check_chains_and_hold(spark: SparkSession) -> list[Measure]:
    """Run `dbt build` with and without the check of chains, on two lakes of the same rows (P10).

    The runs without it show the share of what serves held tables, although none is held (P12).
    """
    lakes = {check: Lake(spark, SHORT, f"chains_{check}") for check in ("warn", "off")}
    seconds: dict[str, list[float]] = {check: [] for check in lakes}
    of_holds, of_others = [], []
    for lake in lakes.values():
        lake.land(lake.rows)
    for run in range(RUNS + 2):  # the first run reads all rows, and the second warms up
        for check, lake in lakes.items():
            if run:
                lake.land(NEW)
            begin = time.perf_counter()
            ran = lake.dbt("build", "--exclude", "staging", check_chains=check)
            seconds[check].append(time.perf_counter() - begin)
            if run > 1 and check == "off":
                times = {each.node.name: each.execution_time for each in ran}
                of_holds.append(sum(times[name] for name in HOLDS))
                of_others.append(sum(times.values()) - of_holds[-1])
    breaks = spark.table(f"cdc_{lakes['warn'].name}.broken_chains").count()
    if breaks:
        sys.exit(f"{breaks} chains are broken, but the messages of P10 are a healthy stream")
    ones, others = seconds["warn"][2:], seconds["off"][2:]
    first = {check: of_lake[:1] for check, of_lake in seconds.items()}
    of_all = [one + other for one, other in zip(of_holds, of_others)]
    what = f"a dbt build of {NEW:,} new messages on {SHORT:,} rows"
    return [
        Measure(
            "P10",
            f"{what} with check_chains: warn ÷ with off",
            "≤ 1.15",
            *ratio_of(ones, others),
            against(ones, others),
        ),
        Measure(
            "P10",
            f"the first dbt build of {SHORT:,} messages with check_chains: warn ÷ with off",
            "≤ 1.15",
            f"{first['warn'][0] / first['off'][0]:.2f}",
            "1 run",
            against(first["warn"], first["off"]),
        ),
        Measure(
            "P12",
            f"all nodes of {what}, none held, ÷ without {', '.join(HOLDS[:2])} and its test",
            "≤ 1.02",
            *ratio_of(of_all, of_others),
            against(of_all, of_others),
        ),
    ]


def merge(spark: SparkSession) -> list[Measure]:
    """Merge new events, a tenth of the number of rows, and write the result to another table (P9).

    The two alternate, so that a noisy machine slows both.
    """
    measures = []
    for rows in (SHORT, LONG // 10):
        lake = Lake(spark, rows, "merge")
        lake.land(rows)
        lake.build()
        merges, writes = [], []
        for _ in range(RUNS + 1):  # the first run warms up
            lake.land(rows // 10)
            ran = lake.dbt(
                "run",
                "--select",
                "events",
                "event_batch_stats",
                "sequence_resets",
                "table_holds",
                "merged_rows",
                "changelog",  # publishes: the next merge starts from this one
                compaction_threshold=0,
            )
            merges += [each.execution_time for each in ran if each.node.name == "merged_rows"]
            bare = f"create or replace table cdc_{lake.name}.bare using {table_format.NAME} as select * from cdc_{lake.name}.merged_rows"
            writes.append(in_seconds(lambda bare=bare: spark.sql(bare)))
        what = f"merging {rows // 10:,} events into {rows:,} rows of merged_rows ÷ a bare write of the resulting rows, {table_format.NAME}"
        measures.append(
            Measure(
                "P9",
                what,
                "≤ 3",
                *ratio_of(merges[1:], writes[1:]),
                against(merges[1:], writes[1:]),
            )
        )
    return measures


def merge_on_delta(_: SparkSession) -> list[Measure]:
    """Measure P9 on Delta tables, in a separate process with its own session."""
    measured = run_module("benchmarks.history", KAFKA_CDC_FILE_FORMAT="delta")
    return [Measure(**measure) for measure in json.loads(measured)]


if __name__ == "__main__":  # P9 as JSON
    print(json.dumps([asdict(measure) for measure in merge(session.start())]))

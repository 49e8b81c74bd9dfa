"""Measure which steps of a `dbt build` grow faster than 100 million changes of 1,000 tables.

`python -m benchmarks scale` takes two hours and prints each round.
"""

import os
import time
from collections import defaultdict
from pathlib import Path

from pyspark.sql import SparkSession

from kafka_cdc.tables import raw

from .measures import FOLDER, Measure, append_to_raw, dbt, in_seconds, peak_memory

CHANGES = int(os.environ.get("BENCH_SCALE", "100000000"))
ROUNDS = int(os.environ.get("BENCH_SCALE_ROUNDS", "10"))  # each lands and builds its share
BATCH = 1_000_000  # messages of a landing batch
TABLES, TOPICS = 1_000, 200
ROWS = int(os.environ.get("BENCH_SCALE_ROWS", "2000000"))  # of the state, of all tables
STEP = 2_654_435_761  # a prime: each key is updated once before one is updated again
SMALL = 10_000  # messages of a run after the last round
# %1$d is the number of the message, %2$d its key, %3$d the table.
VALUE = (
    '{"database":"shop","table":"orders_%3$04d","type":"%4$s","ts":1700000000,'
    '"primary_key_columns":["id"],"position":"binlog.1:%1$d",'
    '"data":{"id":%2$d,"name":"name of %2$d","amount":"%1$d.25",'
    '"note":"some words about %2$d"}%5$s}'
)
OLD = ',"old":{"amount":"%d.25"}'
STEPS = {
    "events": "events",
    "event_batch_stats": "statistics",
    "merged_rows": "compaction",
    "table_holds": "holds",
    "held_tables": "holds",
}
NAME = "scale"


def land(spark: SparkSession, first: int, count: int, batch: int) -> None:
    """Append messages to raw: an insert of each key, then updates of all keys in turn."""
    key = f"pmod(id * {STEP}, {ROWS})"
    is_update = f"id >= {ROWS}"
    table = f"pmod({key}, {TABLES})"
    topic = f"pmod({table}, {TOPICS})"  # one message in so many, whose offset is the quotient
    old = f"if({is_update}, format_string('{OLD}', id - {ROWS}), '')"
    code = f"if({is_update}, 'update', 'insert')"
    value = f"format_string('{VALUE}', id, {key}, {table}, {code}, {old})"
    messages = spark.range(first, first + count).selectExpr(
        f"format_string('shop.%03d', {topic}) as topic",
        f"id div {TOPICS} as offset",
        "cast(null as timestamp) as timestamp",
        f"{value} as value",
        "current_timestamp() as landed_at",
    )
    append_to_raw(messages, f"raw_{NAME}", batch)


def size_of(folder: Path) -> float:
    """Return the gigabytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e9


def build() -> tuple[float, dict[str, float]]:
    """Run `dbt build`. Return its seconds, and those of each step."""
    topics = [{"topic": "shop.*", "format": "maxwell", "source": "shop"}]
    begin = time.perf_counter()
    ran = dbt(
        *("build", "--exclude", "staging"),
        schema=f"cdc_{NAME}",
        topics=topics,
        raw_schema=f"raw_{NAME}",
        silence_factor=0,
    )
    seconds = time.perf_counter() - begin
    steps: dict[str, float] = defaultdict(float)
    for each in ran:
        kind = "tests" if each.node.resource_type == "test" else "other models"
        steps[STEPS.get(each.node.name, kind)] += each.execution_time
    print(
        "  nodes: "
        + ", ".join(
            f"{each.node.name} {each.execution_time:.1f}"
            for each in sorted(ran, key=lambda each: -each.execution_time)[:14]
        ),
        flush=True,
    )
    return seconds, dict(steps)


def grow(spark: SparkSession) -> list[Measure]:
    """Land and build all changes in rounds. Compare the last round with the second one."""
    raw.create(spark, f"raw_{NAME}", "kafka_messages")
    lake = Path(FOLDER.name) / "lake"
    landed = batch = 0
    rounds: list[dict[str, float]] = []
    for at in range(1, ROUNDS + 1):
        begin = time.perf_counter()
        while landed < CHANGES * at // ROUNDS:
            count = min(BATCH, CHANGES * at // ROUNDS - landed)
            batch += 1
            land(spark, landed, count, batch)
            landed += count
        landing = time.perf_counter() - begin
        seconds, steps = build()
        rounds.append({"build": seconds, **steps})
        sizes = ", ".join(
            f"{folder.name} {size_of(folder):.1f} GB"
            for folder in (lake / f"raw_{NAME}", lake / f"cdc_{NAME}")
        )
        times = ", ".join(f"{name} {value:.0f}" for name, value in steps.items())
        print(
            f"round {at}: {landed:,} changes; written to raw in {landing:.0f} s,"
            f" built in {seconds:.0f} s ({times}); {sizes};"
            f" peak memory {peak_memory() / 1e6:,.0f} MB",
            flush=True,
        )
    land(spark, landed, SMALL, batch + 1)
    small, _ = build()
    state = f"cdc_{NAME}.current_state"
    counted = in_seconds(spark.sql(f"select count(*) from {state}").collect)
    one = (
        f"select * from {state} where source_table = 'orders_0007' and row_key = '{{\"id\":\"7\"}}'"
    )
    asked = in_seconds(spark.sql(one).collect)
    print(
        f"a build of {SMALL:,} more {small:.1f} s; count {counted:.1f} s; one row {asked:.1f} s",
        flush=True,
    )
    last, early = rounds[-1], rounds[min(1, ROUNDS - 1)]
    return [
        Measure(
            "scale",
            f"{name} of the last of {ROUNDS} builds, {CHANGES:,} changes of {TABLES:,} tables"
            " in all, ÷ the second one",
            "",
            f"{last[name] / early[name]:.2f}",
            "1 run",
            f"{last[name]:.0f} s against {early[name]:.0f}",
        )
        for name in early
    ]

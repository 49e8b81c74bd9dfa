"""What a run costs beside a long history and after many small runs, and how its time follows the messages: whole `dbt build`s in lakes of made-up rows."""

import os
import statistics
import time
from collections.abc import Callable

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from landing import table

TOPIC = {"topic": "orders", "format": "huawei_drs_json", "source": "bench"}
SHORT, LONG = 100_000, int(os.environ.get("BENCH_HISTORY", "10000000"))  # rows of the state
SMALL_RUNS = int(os.environ.get("BENCH_SMALL_RUNS", "100"))  # of ten messages each
NEW = 10_000  # messages of a run, half of them new rows, half updates of rows anywhere in the history
VALUE = (
    '\'{"mysqlType":{"id":"bigint","name":"varchar(40)","amount":"decimal(18,4)","note":"text"},"id":%1$d,"es":1700000000000,"ts":1700000000001,\' || '
    '\'"database":"shop","table":"orders","type":"%2$s","isDdl":false,"sql":"","data":[{"id":"%3$d","name":"name of %3$d","amount":"%1$d.2500",\' || '
    '\'"note":"some words about order %3$d"}],"old":%4$s,"pkNames":["id"]}\''
)


def land(spark: SparkSession, schema: str, first: int, count: int, rows: int, batch: int) -> None:
    """Append `count` messages from an offset on to raw: inserts up to `rows`, beyond them every second one an update of a row before."""
    known = f"id >= {rows} and id % 2 = 1"
    key = f"if({known}, pmod(xxhash64(id), {rows}), id)"
    value = f"format_string({VALUE}, id, if({known}, 'UPDATE', 'INSERT'), {key}, if({known}, '[{{\"note\":\"before\"}}]', 'null'))"
    spark.range(first, first + count).select(
        F.lit("orders").alias("topic"), F.lit(0).alias("partition"), F.col("id").alias("offset"), F.lit(None).cast("timestamp").alias("timestamp"),
        F.lit(None).cast("string").alias("key"), F.expr(value).alias("value"), F.lit(None).cast("array<struct<key: string, value: binary>>").alias("headers"),
        F.current_timestamp().alias("landed_at"), F.lit(batch).cast("bigint").alias("landing_batch"), F.lit(0).alias("topic_incarnation"),
    ).writeTo(f"{schema}.kafka_messages").append()  # fmt: skip


class Lake:
    """A pair of schemas with a history of so many rows, and how many messages they have."""

    def __init__(self, spark: SparkSession, dbt: Callable[..., None], rows: int, name: str = "history") -> None:
        self.spark, self.dbt, self.rows, self.messages, self.batch = spark, dbt, rows, 0, 0
        self.name = f"{name}_{rows}"
        table.create(spark, f"raw_{self.name}", "kafka_messages")

    def land(self, count: int) -> None:
        """Land so many messages, in batches of at most a million."""
        for first in range(0, count, 1_000_000):
            self.batch += 1
            part = min(1_000_000, count - first)
            land(self.spark, f"raw_{self.name}", self.messages, part, self.rows, self.batch)
            self.messages += part

    def build(self) -> float:
        """Run `dbt build`; return its seconds."""
        os.environ["KAFKA_CDC_SCHEMA"] = f"cdc_{self.name}"
        begin = time.perf_counter()
        self.dbt("build", "--exclude", "staging", topics=[TOPIC], raw_schema=f"raw_{self.name}")
        return time.perf_counter() - begin

    def read(self) -> float:
        """Read every column of current_state; return the seconds."""
        begin = time.perf_counter()
        self.spark.sql(f"select bit_xor(xxhash64(to_json(struct(*)))) from cdc_{self.name}.current_state").collect()
        return time.perf_counter() - begin

    def seconds_of_a_run(self, runs: int) -> tuple[float, float]:
        """Return the median seconds of so many runs of NEW messages, and of reading the state after each."""
        seconds = []
        for _ in range(runs):
            self.land(NEW)
            seconds.append((self.build(), self.read()))
        return statistics.median(run for run, _ in seconds), statistics.median(read for _, read in seconds)


def after_small_runs(spark: SparkSession, dbt: Callable[..., None], runs: int) -> list[tuple[float, float]]:
    """Return the median seconds of a run of NEW messages and of reading the state: before SMALL_RUNS small runs, after them, and after maintenance."""
    lake = Lake(spark, dbt, SHORT, "small_runs")
    lake.land(SHORT)
    lake.build()
    found = [lake.seconds_of_a_run(runs + 1)]
    for _ in range(SMALL_RUNS):
        lake.land(10)
        lake.build()
    found.append(lake.seconds_of_a_run(runs))
    dbt("run-operation", "maintain_tables", "--args", "{keep_days: 0}", topics=[TOPIC], raw_schema=f"raw_{lake.name}")
    return [*found, lake.seconds_of_a_run(runs)]


def measures(spark: SparkSession, dbt: Callable[..., None], runs: int) -> tuple[list[float], list[float], float, float]:
    """Return the seconds of runs of NEW messages beside LONG and SHORT rows, in turn; then those of building a tenth of LONG messages, and LONG."""
    lakes = [Lake(spark, dbt, rows) for rows in (SHORT, LONG // 10, LONG)]
    built = []
    for lake in lakes:
        lake.land(lake.rows)
        built.append(lake.build())
        print(f"{lake.rows:,} messages built in {built[-1]:.0f} s", flush=True)
    seconds: list[list[float]] = [[], []]
    for _ in range(runs + 1):
        for lake, of_lake in zip((lakes[2], lakes[0]), seconds):
            lake.land(NEW)
            of_lake.append(lake.build())
    print("runs:", [[round(second, 1) for second in of_lake] for of_lake in seconds], flush=True)
    return seconds[0][1:], seconds[1][1:], built[1], built[2]


def ratio_of(ones: list[float], others: list[float]) -> tuple[float, float, float]:
    """Return the median, the lowest and the highest of the ratios of two series taken in turn."""
    ratios = sorted(one / other for one, other in zip(ones, others))
    return statistics.median(ratios), ratios[0], ratios[-1]

"""Measure the first build of messages of five vendors, and what it costs beyond flattening them."""

import os
import shutil
import time

from pyspark.sql import SparkSession

from .flattening import TOPICS, flattening, land_messages, write_messages
from .measures import Measure, against, dbt, in_seconds, no_sink, peak_memory
from .messages import FORMATS

MESSAGES = int(os.environ.get("BENCH_FIRST_BUILD", "2000000"))  # of all formats together
PART = 100_000  # messages of each format in a landing batch
SCHEMA = "raw_first_build"


def build_first(spark: SparkSession) -> list[Measure]:
    """Flatten all messages into a no-op sink, then build them in an empty lake."""
    size = 0
    each = MESSAGES // len(FORMATS)
    for first in range(0, each, PART):
        folder = write_messages(min(PART, each - first), first, "first_build")
        size = land_messages(spark, SCHEMA, folder)
        shutil.rmtree(folder)
    count = spark.table(f"{SCHEMA}.kafka_messages").count()
    flatten = in_seconds(no_sink(spark, flattening(SCHEMA, TOPICS)))
    schema = f"cdc_{SCHEMA}"
    begin = time.perf_counter()
    ran = dbt(
        "build",
        "--exclude",
        "staging",
        schema=schema,
        topics=TOPICS,
        raw_schema=SCHEMA,
    )
    seconds = time.perf_counter() - begin
    rejected = spark.sql(
        f"select reject_code from {schema}.events where event_kind = 'rejected'"
    ).first()
    assert rejected is None, f"the generated messages are invalid: {rejected}"
    times = {node.node.name: node.execution_time for node in ran}
    written = times["events"] + times["event_batch_stats"]
    what = f"the first dbt build of {count:,} messages of {len(FORMATS)} formats"
    rate = f"{size / 1e6 / seconds:.1f} MB/s, {size / count:,.0f} bytes a message"
    return [
        Measure(
            "first build",
            f"messages per second of {what}",
            "≥ 40000",
            f"{count / seconds:.0f}",
            "1 run",
            f"{rate}, {seconds:.0f} s, peak memory {peak_memory() / 1e6:,.0f} MB",
        ),
        Measure(
            "first build",
            f"events and their statistics in {what} ÷ flattening them into a no-op sink",
            "≤ 2",
            f"{written / flatten:.2f}",
            "1 run",
            against([written], [flatten]),
        ),
        Measure(
            "first build",
            f"events alone in {what} ÷ flattening them into a no-op sink",
            "",
            f"{times['events'] / flatten:.2f}",
            "1 run",
            against([times["events"]], [flatten]),
        ),
    ]

"""Measure how long `kafka-cdc report` takes beyond Spark's start."""

import os
import statistics
import sys
import time

from pyspark.sql import SparkSession

from kafka_cdc.tables import raw as table

from .measures import FOLDER, START_SPARK, Measure, append_to_raw, compare, dbt, run_alone

MESSAGES, PER_BATCH = int(os.environ.get("BENCH_REPORT_MESSAGES", "1000000")), 50_000
TOPICS = 200  # topics, each with one table
REJECTED = 1000  # one message of so many is cut
GOAL_SECONDS = 20
VALUE = (
    '{"database":"shop","table":"orders_%1$03d","type":"insert","ts":%2$d,'
    '"primary_key_columns":["id"],"position":"binlog.1:%3$d",'
    '"data":{"id":%3$d,"name":"name of %3$d","amount":"%2$d.25"}}'
)
NAME = "report"


def land(spark: SparkSession, first: int, count: int, batch: int, batches: int) -> None:
    """Append messages of all topics to raw, an hour later than the batch before."""
    at = f"timestamp_seconds(unix_seconds(current_timestamp()) - {(batches - batch) * 3600})"
    topic = f"int(id % {TOPICS})"
    value = f"format_string('{VALUE}', {topic}, unix_seconds({at}), id)"
    messages = spark.range(first, first + count).selectExpr(
        f"format_string('shop.orders_%03d', {topic}) as topic",
        f"id div {TOPICS} as offset",
        f"{at} as timestamp",
        f"if(id % {REJECTED} = 7, left({value}, 99), {value}) as value",
        f"{at} as landed_at",
    )
    append_to_raw(messages, f"raw_{NAME}", batch)


def write_report(spark: SparkSession) -> list[Measure]:
    """Write the report and start Spark alone, alternately, in separate processes."""
    table.create(spark, f"raw_{NAME}", "kafka_messages")
    batches = MESSAGES // PER_BATCH
    for batch in range(batches):
        land(spark, batch * PER_BATCH, PER_BATCH, batch, batches)
    topics = [{"topic": "shop.*", "format": "maxwell", "source": "shop"}]
    settings = {"topics": topics, "raw_schema": f"raw_{NAME}", "silence_factor": 0}
    dbt("build", "--exclude", "staging", schema=f"cdc_{NAME}", **settings)

    page = f"{FOLDER.name}/report.html"
    report = [sys.executable, "-m", "kafka_cdc", "report", "--output", page]
    variables = {
        "KAFKA_CDC_SCHEMA": f"cdc_{NAME}",
        "DBT_TARGET_PATH": f"{FOLDER.name}/target",
    }
    reports, starts = compare(
        lambda: run_alone(report, **variables),
        lambda: run_alone(START_SPARK, **variables),
        time.perf_counter,
        warm_ups=1,
    )
    beyond = sorted(one - other for one, other in zip(reports, starts))
    what = (
        f"seconds of kafka-cdc report beyond Spark's start, {MESSAGES:,} messages of"
        f" {TOPICS} topics in {batches} batches"
    )
    figures = (
        f"{statistics.median(reports):.1f} s against {statistics.median(starts):.1f},"
        f" a page of {os.path.getsize(page) / 1e6:.1f} MB"
    )
    return [
        Measure(
            "report",
            what,
            f"≤ {GOAL_SECONDS}",
            f"{statistics.median(beyond):.1f}",
            f"{beyond[0]:.1f}-{beyond[-1]:.1f}",
            figures,
        )
    ]

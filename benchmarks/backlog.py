"""Measure how fast a Kafka backlog lands, compared with Spark reading it without writing."""

import contextlib
import io
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import SparkSession

from kafka_cdc import environment
from kafka_cdc.cli import main as land

from .measures import Measure, against, compare, ratio_of
from .messages import lines

sys.path.append(str(environment.project_home() / "tests" / "helpers"))
TOPIC, PARTITIONS = "backlog", 4
MESSAGES = int(os.environ.get("BENCH_BACKLOG", "400000"))
SCHEMAS = (f"backlog_{number}" for number in itertools.count())


@contextlib.contextmanager
def backlog(count: int):
    """Start a broker with `count` messages of one topic. Yield it and the bytes of keys and values."""
    from broker import Broker  # of the tests

    with tempfile.TemporaryDirectory(prefix="kafka_cdc_bench_broker_") as folder:
        broker = Broker(Path(folder))
        try:
            broker.create(TOPIC, PARTITIONS)
            size = 0
            for partition in range(PARTITIONS):
                messages = [
                    {"key": key, "value": value}
                    for key, value in lines("debezium", count // PARTITIONS, 0.1, partition)
                ]
                size += sum(len(message["key"]) + len(message["value"]) for message in messages)
                broker.produce(TOPIC, messages, partition=partition)
            yield broker, size
        finally:
            broker.stop()


def landing(servers: str) -> Callable[[], None]:
    """Return a function that lands the backlog in a new schema."""

    def run() -> None:
        with (
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()) as log,
        ):
            code = land(
                [
                    "land",
                    "kafka",
                    "--bootstrap-servers",
                    servers,
                    "--topics",
                    TOPIC,
                    "--schema",
                    next(SCHEMAS),
                ]
            )
        if code:
            sys.exit(f"landing failed: {log.getvalue()}")

    return run


def bare(spark: SparkSession, servers: str) -> Callable[[], None]:
    """Return a function in which Spark reads the backlog with headers and writes nothing."""
    options = {
        "kafka.bootstrap.servers": servers,
        "subscribe": TOPIC,
        "startingOffsets": "earliest",
        "endingOffsets": "latest",
        "includeHeaders": "true",
    }
    return lambda: (
        spark.read.format("kafka")
        .options(**options)
        .load()
        .write.format("noop")
        .mode("overwrite")
        .save()
    )


def land_a_backlog(spark: SparkSession) -> list[Measure]:
    """Land messages from Kafka and let Spark only read them, alternately."""
    with backlog(MESSAGES) as (broker, size):
        lands, reads = compare(
            landing(broker.servers), bare(spark, broker.servers), time.perf_counter
        )
    what = f"{MESSAGES:,} messages from Kafka: MB/s of `kafka-cdc land kafka` ÷ MB/s of Spark reading them into a no-op sink, wall time"
    rates = ([size / 1e6 / seconds for seconds in series] for series in (lands, reads))
    return [Measure("landing", what, "≥ 0.7", *ratio_of(reads, lands), against(*rates, "MB/s"))]

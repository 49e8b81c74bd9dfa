"""raw.kafka_messages: how it is made, and how messages get into it exactly once.

A message's identity is topic, topic_incarnation, partition, offset. Appends never conflict, and neither do MERGEs that
only insert, so two landings of one message would leave it twice. `commit` therefore merges with an update clause.
"""

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from pyspark.sql import DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F

from .errors import CHANGED_MEANWHILE, is_conflict
from .sql import literal, quote
from .table_format import create_raw

Result = TypeVar("Result")

HEADERS = "array<struct<key: string, value: binary>>"
COLUMNS = (
    ("topic", "string", "Kafka topic, behind the prefix given at landing, such as eu/"),
    ("partition", "int", "Kafka partition; 0 for messages from <topic>.jsonl"),
    ("offset", "bigint", "Kafka offset; for messages from <topic>.jsonl the line number, from 0"),
    ("timestamp", "timestamp", "Kafka's timestamp of the message; null where there is none"),
    ("key", "string", "Kafka key as text"),
    ("value", "string", "Kafka payload as text, exactly as it arrived; null is a tombstone"),
    ("headers", HEADERS, "Kafka headers in their order; null where there are none"),
    ("landed_at", "timestamp", "When the message landed; one value for each commit"),
    ("landing_batch", "bigint", "The commit that landed the message: unique, not ordered"),
    ("topic_incarnation", "int", "0; one more each time landing sees that the topic was deleted and made anew"),
)
IDENTITY = ("topic", "topic_incarnation", "partition", "offset")
CONTENT = ("timestamp", "key", "headers", "value")
MESSAGE = tuple(name for name, _, _ in COLUMNS if name not in ("landed_at", "landing_batch"))
REWRITTEN = '{"kafka_cdc_rewritten":'  # how a payload begins that dbt run-operation forget_row has rewritten: what it said is not there to compare
PRUNABLE_TOPICS = 200  # Iceberg prunes by a longer IN list no more


@dataclass(frozen=True)
class Range:
    """The offsets `first` to `last` of one partition of one topic; `count` is how many of them hold a message."""

    topic: str
    partition: int
    first: int
    last: int
    count: int


def bounds(ranges: Iterable[Range], table: str) -> str:
    """Return a SQL condition on `table` that holds for every message of `ranges`: literals only, since those prune files."""
    ranges = list(ranges)
    topics = sorted({part.topic for part in ranges})
    if len(topics) <= PRUNABLE_TOPICS:
        topic = f"in ({', '.join(map(literal, topics))})"
    else:
        topic = f"between {literal(topics[0])} and {literal(topics[-1])}"
    partitions = [part.partition for part in ranges]
    return (
        f"{table}.topic {topic} and {table}.partition between {min(partitions)} and {max(partitions)}"
        f" and {table}.offset between {min(part.first for part in ranges)} and {max(part.last for part in ranges)}"
    )


def retry(work: Callable[[], Result], attempts: int = 12) -> Result:
    """Return what `work` returns, trying again after random pauses of at most 8 s while it meets a conflict."""
    for attempt in range(attempts):
        try:
            return work()
        except Exception as error:
            if attempt == attempts - 1 or not is_conflict(error):
                raise
        time.sleep(random.uniform(0.1, 1) * min(8, 0.25 * 2**attempt))
    raise AssertionError("unreachable")


def create(spark: SparkSession, schema: str, table: str) -> str:
    """Create the namespace and the table where they are missing; return the table's quoted name in the default catalog."""
    name = quote(*schema.split("."), table)
    columns = ",\n".join(f"  {quote(column)} {type_} comment {literal(comment)}" for column, type_, comment in COLUMNS)

    def work() -> None:
        if spark.catalog.tableExists(name):
            return
        spark.sql(f"create namespace if not exists {quote(*schema.split('.'))}")
        create_raw(spark, name, columns, literal("One row per Kafka message, as it arrived"))

    retry(work)
    return name


def is_rewritten(value: str) -> str:
    """Return SQL for whether a payload of raw (SQL) is one that forget_row has rewritten, so that a message at its coordinates has landed, whatever it says."""
    return f"coalesce(startswith({value}, {literal(REWRITTEN)}), false)"


def compare(messages: DataFrame, held: DataFrame) -> list[Row]:
    """Compare `messages` (MESSAGE, file, line) with one another, in the order of file and line, and with `held`, rows of raw.

    One row per file, topic, partition and status: new; repeated (as in an earlier line); held (in raw, or rewritten there); changed (an
    earlier line or raw has other content for the coordinates). In it: how many messages, the first and last offset, and `where`: the
    first line, its offset, whether raw holds that, and if not, the file and line that said it first.
    """
    content = F.struct(*CONTENT[:-1], F.sha2("value", 256)).alias("content")
    by_coordinates = Window.partitionBy(*IDENTITY).orderBy("file", "line")
    earliest = F.first(F.struct("content", "file", "line")).over(by_coordinates).alias("earliest")
    ours = messages.select(*IDENTITY, "file", "line", content).select("*", earliest)
    joined = ours.join(held.select(*IDENTITY, content.alias("held"), F.expr(is_rewritten("value")).alias("is_rewritten")), [*IDENTITY], "left")
    is_earliest = (F.col("earliest.file") == F.col("file")) & (F.col("earliest.line") == F.col("line"))
    status = (
        F.when(F.col("held").isNotNull(), F.when(F.col("is_rewritten") | (F.col("held") == F.col("content")), "held").otherwise("changed"))
        .when(is_earliest, "new")
        .when(F.col("earliest.content") == F.col("content"), "repeated")
        .otherwise("changed")
    )
    is_held = F.col("held").isNotNull().alias("is_held")
    where = F.struct("line", "offset", is_held, "earliest.file", F.col("earliest.line").alias("first"))
    grouped = joined.groupBy("file", "topic", "partition", status.alias("status"))
    return grouped.agg(
        F.min("offset").alias("first"),
        F.max("offset").alias("last"),
        F.count("*").alias("messages"),
        F.min(where).alias("where"),
    ).collect()


def new_batch() -> int:
    """Return a value for landing_batch: 63 random bits, so that landings on any machine need not agree."""
    return random.SystemRandom().getrandbits(63)


def commit(spark: SparkSession, table: str, messages: DataFrame, ranges: Iterable[Range], landing_batch: int) -> None:
    """Land in one atomic commit those of `messages` (the columns MESSAGE, an identity once) that `table` does not hold.

    `ranges` must cover all their offsets. An error for which is_conflict() is true means that nothing landed, because
    another landing wrote the same offsets meanwhile or holds other content for them: compare again, then commit again.
    """
    messages = messages.select(
        *MESSAGE,
        F.timestamp_micros(F.lit(time.time_ns() // 1000)).alias("landed_at"),
        F.lit(landing_batch).cast("bigint").alias("landing_batch"),
    )
    same_identity = " and ".join(f"landed.{name} = message.{name}" for name in IDENTITY)
    same_content = " and ".join(f"landed.{name} <=> message.{name}" for name in CONTENT)
    rewritten = is_rewritten("landed.value").replace("{", "{{")  # Spark formats the text
    columns = ", ".join(name for name, _, _ in COLUMNS)
    spark.sql(
        f"merge into {table} as landed using {{messages}} as message on {same_identity} and {bounds(ranges, 'landed')}"
        f" when matched and not ({same_content}) and not {rewritten} then update set landing_batch = raise_error('{CHANGED_MEANWHILE}')"
        f" when not matched then insert ({columns}) values ({', '.join(f'message.{name}' for name, _, _ in COLUMNS)})",
        messages=messages,
    )


def landed(spark: SparkSession, table: str, landing_batch: int) -> list[Range]:
    """Return what the commit `landing_batch` added to `table`."""
    rows = spark.table(table).where(F.col("landing_batch") == landing_batch).groupBy("topic", "partition")
    counted = rows.agg(F.min("offset"), F.max("offset"), F.count("*")).collect()
    return [Range(*row) for row in counted]

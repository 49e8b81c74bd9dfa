"""raw.kafka_messages: its columns, and commits that add each message exactly once.

A message is identified by topic, topic_incarnation, partition and offset. Appends never conflict,
and neither do MERGEs that only insert. Two landings of one message would add it twice.
merge_messages() therefore merges with an update clause.
"""

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from pyspark.sql import DataFrame, Row, SparkSession, Window
from pyspark.sql import functions as F

from kafka_cdc.errors import CHANGED_MEANWHILE, is_conflict
from kafka_cdc.tables.sql import literal, quote
from kafka_cdc.tables.table_format import create_raw

Result = TypeVar("Result")

HEADERS = "array<struct<key: string, value: binary>>"
COLUMNS = (
    ("topic", "string", "Kafka topic, with the topic prefix of the landing, for example eu/"),
    ("partition", "int", "Kafka partition; 0 for messages from <topic>.jsonl"),
    ("offset", "bigint", "Kafka offset; for <topic>.jsonl the line number, starting at 0"),
    ("timestamp", "timestamp", "Kafka's timestamp of the message; null if it has none"),
    ("key", "string", "Kafka key as text"),
    ("value", "string", "Kafka payload as text, exactly as it arrived; null is a tombstone"),
    ("headers", HEADERS, "Kafka headers in their order; null if there are none"),
    ("landed_at", "timestamp", "When the message landed; the same value for a whole commit"),
    ("landing_batch", "bigint", "The commit that landed the message: unique, not ordered"),
    (
        "topic_incarnation",
        "int",
        "0; incremented each time landing finds that the topic was deleted and recreated",
    ),
)
IDENTITY = ("topic", "topic_incarnation", "partition", "offset")
PARTITION = IDENTITY[:3]
CONTENT = ("timestamp", "key", "headers", "value")
MESSAGE = tuple(name for name, _, _ in COLUMNS if name not in ("landed_at", "landing_batch"))
# Prefix of payloads that the erasure of a row has rewritten. Their original content is gone, so
# they are never compared.
REWRITTEN = '{"kafka_cdc_rewritten":'
MAX_PRUNABLE_TOPICS = 200  # Iceberg does not prune by longer IN lists
MAX_PAUSE_SECONDS = 8


@dataclass(frozen=True)
class OffsetRange:
    """The offsets `first` to `last` of a partition. `count` of them are messages."""

    topic: str
    partition: int
    first: int
    last: int
    count: int


def offset_range_condition(ranges: Iterable[OffsetRange], table: str) -> str:
    """Return a SQL condition on `table` that is true for every message of `ranges`.

    It compares with literals only, because only those prune files.
    """
    ranges = list(ranges)
    topics = sorted({part.topic for part in ranges})
    if len(topics) <= MAX_PRUNABLE_TOPICS:
        topic = f"in ({', '.join(map(literal, topics))})"
    else:
        topic = f"between {literal(topics[0])} and {literal(topics[-1])}"
    partitions = [part.partition for part in ranges]
    first, last = min(part.first for part in ranges), max(part.last for part in ranges)
    return (
        f"{table}.topic {topic}"
        f" and {table}.partition between {min(partitions)} and {max(partitions)}"
        f" and {table}.offset between {first} and {last}"
    )


def retry(work: Callable[[], Result], attempts: int = 12) -> Result:
    """Return the result of `work`.

    After a conflict it is repeated, with random pauses of at most 8 seconds.
    """
    for attempt in range(attempts):
        try:
            return work()
        except Exception as error:
            if attempt == attempts - 1 or not is_conflict(error):
                raise
        time.sleep(random.uniform(0.1, 1) * min(MAX_PAUSE_SECONDS, 0.25 * 2**attempt))
    raise AssertionError("unreachable")


def create(spark: SparkSession, schema: str, table: str) -> str:
    """Create the schema and the table if they do not exist, and return the table's quoted name."""
    name = quote(*schema.split("."), table)
    columns = ",\n".join(
        f"  {quote(column)} {type_} comment {literal(comment)}"
        for column, type_, comment in COLUMNS
    )

    def work() -> None:
        if spark.catalog.tableExists(name):
            return
        spark.sql(f"create namespace if not exists {quote(*schema.split('.'))}")
        create_raw(
            spark,
            name,
            columns=columns,
            comment=literal("One row per Kafka message, as it arrived"),
        )

    retry(work)
    return name


def rewritten_condition(value: str) -> str:
    """Return SQL for whether a payload (SQL) was rewritten by the erasure of a row.

    A message with the same coordinates has landed then. Its content does not matter.
    """
    return f"coalesce(startswith({value}, {literal(REWRITTEN)}), false)"


def compare(messages: DataFrame, existing: DataFrame) -> list[Row]:
    """Compare messages with one another, in the order of file and line, and with rows of raw.

    Args:
        messages: The columns MESSAGE, file and line.
        existing: The rows of raw that may be the same messages.

    Returns:
        One row per file, topic, partition and status, with the number of `messages`, the `first`
        and `last` offset, and `where`. That is the first line, its offset and whether raw has it.
        If raw lacks it, `where` has the file and line that had it first. The status is `new`;
        `repeated` (equal to an earlier line); `held` (in raw, or rewritten there); or `changed`
        (raw or an earlier line has other content for the same coordinates).
    """
    content = F.struct(*CONTENT[:-1], F.sha2("value", 256)).alias("content")
    by_coordinates = Window.partitionBy(*IDENTITY).orderBy("file", "line")
    earliest = F.first(F.struct("content", "file", "line")).over(by_coordinates).alias("earliest")
    ours = messages.select(*IDENTITY, "file", "line", content).select("*", earliest)
    is_rewritten = F.expr(rewritten_condition("value")).alias("is_rewritten")
    theirs = existing.select(*IDENTITY, content.alias("held"), is_rewritten)
    joined = ours.join(theirs, [*IDENTITY], "left")
    is_held = F.col("held").isNotNull()
    is_same_as_held = F.col("is_rewritten") | (F.col("held") == F.col("content"))
    is_earliest = (F.col("earliest.file") == F.col("file")) & (
        F.col("earliest.line") == F.col("line")
    )
    status = (
        F.when(is_held, F.when(is_same_as_held, "held").otherwise("changed"))
        .when(is_earliest, "new")
        .when(F.col("earliest.content") == F.col("content"), "repeated")
        .otherwise("changed")
    )
    first_line = F.col("earliest.line").alias("first")
    where = F.struct("line", "offset", is_held.alias("is_held"), "earliest.file", first_line)
    grouped = joined.groupBy("file", "topic", "partition", status.alias("status"))
    return grouped.agg(
        F.min("offset").alias("first"),
        F.max("offset").alias("last"),
        F.count("*").alias("messages"),
        F.min(where).alias("where"),
    ).collect()


def new_batch() -> int:
    """Return a new landing_batch: 63 random bits, so that landings need not agree."""
    return random.SystemRandom().getrandbits(63)


def with_landing(messages: DataFrame, landing_batch: int) -> DataFrame:
    """Return the columns MESSAGE with landed_at, which is now, and landing_batch."""
    return messages.select(
        *MESSAGE,
        F.timestamp_micros(F.lit(time.time_ns() // 1000)).alias("landed_at"),
        F.lit(landing_batch).cast("bigint").alias("landing_batch"),
    )


def merge_messages(
    spark: SparkSession,
    table: str,
    messages: DataFrame,
    *,
    ranges: Iterable[OffsetRange],
    landing_batch: int,
) -> None:
    """Land in one atomic commit the messages that the table does not contain.

    Args:
        spark: The session.
        table: The quoted name of raw.
        messages: The columns MESSAGE, each identity once.
        ranges: They cover all offsets of the messages.
        landing_batch: The batch of the commit.

    Raises:
        Exception: If is_conflict() is true for it, nothing landed: another landing wrote the same
            offsets at the same time, or has other content for them. Compare again, then commit
            again.
    """
    same_identity = " and ".join(f"landed.{name} = message.{name}" for name in IDENTITY)
    same_content = " and ".join(f"landed.{name} <=> message.{name}" for name in CONTENT)
    rewritten = rewritten_condition("landed.value").replace("{", "{{")  # Spark formats the text
    columns = ", ".join(name for name, _, _ in COLUMNS)
    values = ", ".join(f"message.{name}" for name, _, _ in COLUMNS)
    spark.sql(
        f"merge into {table} as landed using {{messages}} as message"
        f" on {same_identity} and {offset_range_condition(ranges, 'landed')}"
        f" when matched and not ({same_content}) and not {rewritten}"
        f" then update set landing_batch = raise_error('{CHANGED_MEANWHILE}')"
        f" when not matched then insert ({columns}) values ({values})",
        messages=with_landing(messages, landing_batch),
    )


def read_landed_ranges(
    spark: SparkSession, table: str, landing_batch: int, within: Iterable[OffsetRange]
) -> list[OffsetRange]:
    """Return the offset ranges that a commit added to the table.

    Args:
        spark: The session.
        table: The quoted name of raw.
        landing_batch: The batch of the commit.
        within: Ranges that cover the messages of the commit. The random number of a batch prunes no
            file that maintenance has compacted.
    """
    within = list(within)
    if not within:
        return []
    landed = spark.table(table).alias("landed").where(offset_range_condition(within, "landed"))
    rows = landed.where(F.col("landing_batch") == landing_batch)
    counted = (
        rows.groupBy("topic", "partition")
        .agg(F.min("offset"), F.max("offset"), F.count("*"))
        .collect()
    )
    return [OffsetRange(*row) for row in counted]

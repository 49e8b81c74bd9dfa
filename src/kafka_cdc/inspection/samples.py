"""Samples of topics, from files and from Kafka: at most some messages of each topic."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F

from kafka_cdc.errors import LandingError
from kafka_cdc.files import lines
from kafka_cdc.files.lines import File, FileGroup
from kafka_cdc.kafka.client import KafkaClient, PartitionEnds, TopicPartition
from kafka_cdc.kafka.offsets import PartitionKey
from kafka_cdc.kafka.options import KafkaOptions
from kafka_cdc.kafka.reader import MessageReader
from kafka_cdc.kafka.topics import compile_globs
from kafka_cdc.tables import raw

SIZE = "coalesce(octet_length(value), 0) + coalesce(octet_length(key), 0)"


@dataclass(frozen=True)
class SampleSize:
    """How much to read.

    Attributes:
        messages: How many messages of a topic, at most.
        is_from_end: Whether they are the newest, else the oldest.
    """

    messages: int
    is_from_end: bool


@dataclass
class Sample:
    """Messages of topics.

    Attributes:
        messages: The columns raw.MESSAGE.
        available: How many messages each topic has. For Kafka these are offsets.
        problems: What could not be read, one line for each.
    """

    messages: DataFrame
    available: dict[str, int]
    problems: list[str] = field(default_factory=list)


@contextmanager
def sample_files(
    spark: SparkSession, files: list[File], prefix: str, size: SampleSize
) -> Iterator[Sample]:
    """Yield the sample of the topics in files, which are read while the context is open.

    Args:
        spark: The session.
        files: The files. A file that is no dump gets an error.
        prefix: The topic prefix.
        size: How much to read.
    """
    accepted = [file for file in files if not file.error]
    with tempfile.TemporaryDirectory(prefix="kafka_cdc_inspection_") as folder:
        texts = lines.read(spark, accepted, Path(folder), skip_partial_line=False)
        group = FileGroup(accepted, texts, prefix)
        lines.scan(group)
        problems = [file.error for file in files if file.error]
        if not any(file.ranges for file in group.accepted()):
            yield Sample(get_no_messages(spark), {}, problems)
            return
        messages = lines.get_messages(spark, group).select(*raw.MESSAGE)
        if "kcat" in texts:  # a dump may repeat messages
            messages = messages.dropDuplicates([*raw.IDENTITY])
        counted = messages.groupBy("topic").count().collect()
        available = {row["topic"]: row["count"] for row in counted}
        yield Sample(select_sample(messages, size), available, problems)


def get_no_messages(spark: SparkSession) -> DataFrame:
    """Return no rows with the columns raw.MESSAGE."""
    types = {name: type_ for name, type_, _ in raw.COLUMNS}
    return spark.createDataFrame([], ", ".join(f"`{name}` {types[name]}" for name in raw.MESSAGE))


def select_sample(messages: DataFrame, size: SampleSize) -> DataFrame:
    """Return at most `size.messages` messages of each topic, from all of its partitions."""
    offset = F.desc("offset") if size.is_from_end else F.asc("offset")
    in_partition = Window.partitionBy("topic", "partition").orderBy(offset)
    in_topic = Window.partitionBy("topic").orderBy("position", "partition")
    numbered = messages.withColumn("position", F.row_number().over(in_partition))
    numbered = numbered.where(F.col("position") <= size.messages)
    numbered = numbered.withColumn("position", F.row_number().over(in_topic))
    return numbered.where(F.col("position") <= size.messages).select(*raw.MESSAGE)


def sample_kafka(
    spark: SparkSession, client: KafkaClient, options: KafkaOptions, size: SampleSize
) -> Sample:
    """Return the sample of topics of a cluster.

    Raises:
        LandingError: No topic matches.
    """
    found = client.find_topics(compile_globs(options.topics))
    problems = [
        f"no topic matches {glob}"
        for glob in options.topics
        if not any(compile_globs([glob]).fullmatch(name) for name in found)
    ]
    if not found:
        why = ", ".join(problems) or "no topic is named"
        raise LandingError(f"{client.servers}: {why}. Hint: check --topics")
    partitions = [
        (name, number) for name, topic in found.items() for number in range(topic.partitions)
    ]
    ends = client.get_ends(partitions)
    available: dict[str, int] = {options.topic_prefix + name: 0 for name in found}
    ranges = {}
    for name in found:
        own = {source: end for source, end in ends.items() if source[0] == name}
        available[options.topic_prefix + name] = sum(
            end.latest - end.earliest for end in own.values()
        )
        for (_, number), bounds in get_ranges(own, size).items():
            ranges[PartitionKey(options.topic_prefix + name, 0, number)] = bounds
    if not ranges:
        return Sample(get_no_messages(spark), available, problems)
    messages = MessageReader(spark, client, options).read(ranges)
    return Sample(messages.select(*raw.MESSAGE), available, problems)


def get_ranges(
    ends: dict[TopicPartition, PartitionEnds], size: SampleSize
) -> dict[TopicPartition, tuple[int, int]]:
    """Return the offsets to read of each partition of a topic: the first, and the one after."""
    shares = divide(
        {partition: end.latest - end.earliest for partition, end in ends.items()}, size.messages
    )
    ranges = {}
    for partition, share in shares.items():
        end = ends[partition]
        if share:
            first = end.latest - share if size.is_from_end else end.earliest
            ranges[partition] = (first, first + share)
    return ranges


def divide(available: dict[TopicPartition, int], total: int) -> dict[TopicPartition, int]:
    """Return how many of `total` messages each partition gives: equal shares, if it has them."""
    shares = {}
    left = total
    by_size = sorted(available, key=lambda partition: (available[partition], partition))
    for index, partition in enumerate(by_size):
        shares[partition] = min(available[partition], left // (len(by_size) - index))
        left -= shares[partition]
    return shares

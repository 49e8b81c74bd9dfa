"""The progress line, the log and the summary of a landing from Kafka."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pyspark.sql import Column, Observation
from pyspark.sql import functions as F

from kafka_cdc.kafka.offsets import OffsetRanges, PartitionKey
from kafka_cdc.progress import ProgressLine, format_bytes, format_table

MAX_PARTITIONS_SHOWN = 4  # of a topic, in the summary


class Size(NamedTuple):
    """Messages, and the bytes of their keys and values."""

    messages: int
    bytes: int


def size_metrics(topics: list[str]) -> list[Column]:
    """Return metrics for an Observation: messages, and bytes of keys and values, by topic."""
    size = F.coalesce(F.octet_length("value"), F.lit(0)) + F.coalesce(
        F.octet_length("key"), F.lit(0)
    )
    is_topic = [F.col("topic") == topic for topic in topics] if len(topics) > 1 else [F.lit(True)]
    counts = [
        F.count(F.when(condition, 1)).alias(f"messages {index}")
        for index, condition in enumerate(is_topic)
    ]
    sizes = [
        F.sum(F.when(condition, size)).alias(f"bytes {index}")
        for index, condition in enumerate(is_topic)
    ]
    return counts + sizes


def read_size_metrics(observed: Observation, topics: list[str]) -> dict[str, Size]:
    """Return the sizes by topic that size_metrics() has observed."""
    metrics = observed.get
    return {
        topic: Size(metrics[f"messages {index}"], metrics[f"bytes {index}"] or 0)
        for index, topic in enumerate(topics)
    }


@dataclass
class KafkaSummary:
    """What a command has landed.

    Attributes:
        topics: Messages and bytes by topic.
        offsets: The first and the last offset that was read, by partition.
        batches: The landing batches.
        errors: Why partitions were rejected.
    """

    topics: dict[str, Size] = field(default_factory=dict)
    offsets: dict[PartitionKey, tuple[int, int]] = field(default_factory=dict)
    batches: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def add(self, ranges: OffsetRanges, sizes: Mapping[str, tuple[int, int]]) -> None:
        """Add a commit: the offset ranges that it read, and its messages and bytes by topic."""
        for topic, (messages, size) in sizes.items():
            before = self.topics.get(topic, Size(0, 0))
            self.topics[topic] = Size(before.messages + messages, before.bytes + size)
        for key, (first, until) in ranges.items():
            self.offsets[key] = self.offsets.get(key, (first, 0))[0], until - 1

    def count_messages(self) -> int:
        """Return how many messages have landed."""
        return sum(size.messages for size in self.topics.values())

    def text(self, lags: Mapping[str, int]) -> str:
        """Return a table of the topics that were read or lag, and the landing batches."""
        rows = [("topic", "landed", "bytes", "lag", "offsets read")]
        for topic, lag in lags.items():
            ranges = [
                f"{key[2]}: {first}-{last}"
                for key, (first, last) in sorted(self.offsets.items())
                if key[0] == topic
            ]
            if not ranges and not lag:
                continue
            size = self.topics.get(topic, Size(0, 0))
            hidden = len(ranges) - MAX_PARTITIONS_SHOWN
            more = f", and {hidden} partitions" if hidden > 0 else ""
            shown = ", ".join(ranges[:MAX_PARTITIONS_SHOWN]) + more
            rows.append((topic, str(size.messages), str(size.bytes), str(lag), shown))
        batches = ", ".join(map(str, self.batches))
        last_line = f"landing_batch: {batches}" if self.batches else "nothing new"
        return "\n".join([*([format_table(rows)] if len(rows) > 1 else []), last_line])


class KafkaProgress(ProgressLine):
    """Shows a line on a terminal. Without a terminal, each commit is a line of the log."""

    def __init__(self) -> None:
        """Begin with an empty summary."""
        super().__init__()
        self.begin()

    def begin(self) -> None:
        """Begin a landing with an empty summary."""
        self.summary = KafkaSummary()
        self.phase, self.lag, self.began = "starting", 0, time.monotonic()

    def set_phase(self, phase: str, *, lag: int) -> None:
        """Begin a phase, with the number of offsets that are left to read."""
        self.phase, self.lag = phase, lag

    def line(self) -> str | None:
        """Return the text to show on a terminal."""
        if not self.is_terminal:
            return None
        sizes = list(self.summary.topics.values())
        messages, size = sum(one.messages for one in sizes), sum(one.bytes for one in sizes)
        rate = format_bytes(size / max(time.monotonic() - self.began, 0.001))
        return (
            f"{self.phase}: {messages:,} messages landed, {format_bytes(size)}, {rate}/s;"
            f" lag {self.lag:,}"
        )

"""What raw already contains of the offsets that are still to be read."""

from collections.abc import Mapping

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from kafka_cdc.kafka.offsets import OffsetRanges, PartitionKey
from kafka_cdc.kafka.reader import get_base64
from kafka_cdc.tables import raw
from kafka_cdc.tables.sql import literal
from kafka_cdc.tables.table_format import AnyTable


class LandedOffsets:
    """The last offsets that raw contains at a snapshot, of partitions that were not read that far.

    Raw is ahead of the offsets table if files or another landing wrote the messages. So it is if a
    landing was killed before it recorded its progress. A commit is valid only against the snapshot
    that was checked.
    """

    def __init__(self, table: AnyTable) -> None:
        """Begin unchecked. `table` is raw."""
        self.table = table
        self.snapshot: int | None = None
        self._checked: set[PartitionKey] = set()
        self._last_offsets: dict[PartitionKey, int] = {}

    def invalidate(self) -> None:
        """Require another check before the next commit."""
        self._checked = set()

    def has_checked(self, ranges: OffsetRanges) -> bool:
        """Return whether the last check covers the partitions of the ranges."""
        return ranges.keys() <= self._checked

    def check(self, next_offsets: Mapping[PartitionKey, int]) -> None:
        """Look up what the latest snapshot contains at or after the next offsets."""
        self.snapshot = self.table.snapshot()
        self._last_offsets = self.find_last_offsets(next_offsets, self.snapshot)
        self._checked = set(next_offsets)

    def overlaps(self, ranges: OffsetRanges) -> bool:
        """Return whether raw may contain messages of the ranges."""
        return any(first <= self._last_offsets.get(key, -1) for key, (first, _) in ranges.items())

    def find_extremes(
        self, next_offsets: Mapping[PartitionKey, int], snapshot: int | None
    ) -> dict[PartitionKey, tuple[int, int]]:
        """Return the first and last offset at or after the next one, of partitions with any."""
        if snapshot is None or not next_offsets:
            return {}
        wanted = ", ".join(
            f"({literal(key.topic)}, {key.incarnation}, {key.partition}, {first}L)"
            for key, first in next_offsets.items()
        )
        names = ", ".join([*raw.PARTITION, "next_offset"])
        rows = self._read_after(next_offsets, snapshot).join(
            self.table.spark.sql(f"select * from values {wanted} as wanted ({names})"),
            [*raw.PARTITION],
        )
        ends = rows.where("offset >= next_offset").groupBy(*raw.PARTITION)
        return {
            PartitionKey(*row[:3]): (row[3], row[4])
            for row in ends.agg(F.min("offset"), F.max("offset")).collect()
        }

    def find_last_offsets(
        self, next_offsets: Mapping[PartitionKey, int], snapshot: int | None
    ) -> dict[PartitionKey, int]:
        """Return the last offset at a snapshot, of partitions with one at or after the next."""
        if snapshot is None or not next_offsets:
            return {}
        rows = self._read_after(next_offsets, snapshot).groupBy(*raw.PARTITION)
        last_offsets = {
            PartitionKey(row[0], row[1], row[2]): row[3]
            for row in rows.agg(F.max("offset")).collect()
        }
        return {
            key: last_offsets[key]
            for key, first in next_offsets.items()
            if last_offsets.get(key, -1) >= first
        }

    def _read_after(self, next_offsets: Mapping[PartitionKey, int], snapshot: int) -> DataFrame:
        """Return the messages of topics at or after the lowest next offset of their partitions."""
        lowest: dict[str, int] = {}
        for key, offset in next_offsets.items():
            lowest[key.topic] = min(offset, lowest.get(key.topic, offset))
        if len(lowest) <= raw.MAX_PRUNABLE_TOPICS:
            condition = " or ".join(
                f"(topic = {literal(topic)} and offset >= {offset})"
                for topic, offset in lowest.items()
            )
        else:
            first, last = literal(min(lowest)), literal(max(lowest))
            condition = f"topic between {first} and {last} and offset >= {min(lowest.values())}"
        return self.table.at(snapshot).where(condition)

    def drop_landed(
        self, messages: DataFrame, ranges: OffsetRanges
    ) -> tuple[DataFrame, dict[PartitionKey, str]]:
        """Drop the messages that raw contains at the checked snapshot.

        Returns:
            The other messages, and why partitions cannot land: raw contains other messages at their
            offsets. Payloads that an erasure has rewritten are not compared. A message is the same
            if only the encoding of its topic has changed since it landed.
        """
        parts = [
            raw.OffsetRange(key.topic, key.partition, first, until - 1, until - first)
            for key, (first, until) in ranges.items()
        ]
        condition = raw.offset_range_condition(parts, "held")
        held = self.table.at(self.snapshot).alias("held").where(condition)
        content = F.struct(*raw.CONTENT)
        both = messages.select(*raw.IDENTITY, content.alias("ours")).join(
            held.select(*raw.IDENTITY, content.alias("theirs")), [*raw.IDENTITY]
        )
        is_rewritten = F.expr(raw.rewritten_condition("theirs.value"))
        is_same = is_rewritten | F.col("ours").eqNullSafe(F.col("theirs")) | is_encoded_otherwise()
        conflicts = both.where(~is_same).groupBy(*raw.PARTITION)
        rows = conflicts.agg(F.min("offset").alias("first"), F.count("*").alias("messages"))
        reasons = {
            PartitionKey(row.topic, row.topic_incarnation, row.partition): (
                f"raw has other messages at {row.messages} of its offsets,"
                f" the first is {row.first}; land the topic with a --topic-prefix of its own"
            )
            for row in rows.collect()
        }
        others = messages.join(held.select(*raw.IDENTITY), [*raw.IDENTITY], "left_anti")
        return others, reasons


def is_encoded_otherwise() -> Column:
    """Return whether one payload is the other in base64, and the rest of the content is equal.

    A topic may get or lose its encoding after a landing that was killed before it recorded its
    progress. The messages in raw keep the encoding that they landed with.
    """
    is_base64 = (get_base64("ours.value") == F.col("theirs.value")) | (
        F.col("ours.value") == get_base64("theirs.value")
    )
    for name in raw.CONTENT:
        if name != "value":
            is_base64 &= F.col(f"ours.{name}").eqNullSafe(F.col(f"theirs.{name}"))
    return F.coalesce(is_base64, F.lit(False))

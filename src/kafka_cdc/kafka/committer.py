"""Commits of messages from Kafka to raw."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pyspark.sql import Observation

from kafka_cdc import log_events
from kafka_cdc.errors import causes, is_conflict
from kafka_cdc.kafka.client import find_unauthorized
from kafka_cdc.kafka.landed import LandedOffsets
from kafka_cdc.kafka.offsets import OffsetRanges, OffsetRow, OffsetStore, PartitionKey
from kafka_cdc.kafka.planner import CommitPlanner
from kafka_cdc.kafka.progress import KafkaProgress, Size, read_size_metrics, size_metrics
from kafka_cdc.kafka.reader import MessageReader
from kafka_cdc.kafka.watcher import TopicWatcher
from kafka_cdc.schema_registry.frames import read_schema_names
from kafka_cdc.schema_registry.store import SchemaStore
from kafka_cdc.shutdown import Shutdown
from kafka_cdc.tables import raw
from kafka_cdc.tables.table_format import certainly_failed

UNREADABLE = "ArithmeticException"  # of Spark's Kafka source, for a timestamp beyond its range
UNAUTHORIZED = (
    "this user may not read the topic. Hint: allow it the operation READ, or leave the topic out of"
    " --topics"
)
RETRY_UNREADABLE_SECONDS = 3600  # after which landing tries such a message again
RETRY_UNAUTHORIZED_SECONDS = 300  # likewise, for a topic that this user may not read
FILE_BYTES = 16_000_000  # of payload; a commit below it gets one file


class Stop(NamedTuple):
    """The offset at which a partition stops, why, and when (monotonic seconds) to try it again."""

    offset: int
    reason: str
    retry_at: float


@dataclass
class RejectedPartitions:
    """Partitions that do not land any more in this command, or in this cycle of a loop.

    Attributes:
        progress: Has the summary and the log.
        keys: The partitions.
        reasons: Why they are rejected.
        earlier_reasons: Those of the last cycle, or of the partitions that were released last.
        stops: Partitions that are tried again at a time, and not in each cycle.
    """

    progress: KafkaProgress
    keys: set[PartitionKey] = field(default_factory=set)
    reasons: dict[PartitionKey, str] = field(default_factory=dict)
    earlier_reasons: dict[PartitionKey, str] = field(default_factory=dict)
    stops: dict[PartitionKey, Stop] = field(default_factory=dict)

    def begin(self, next_offsets: Mapping[PartitionKey, int]) -> None:
        """Begin a cycle, which tries rejected partitions again.

        An unreadable message does not change, and many jobs fail until it is found. For each topic
        that this user may not read, one job fails. They are reported in each cycle. The partition
        waits until the time has come, or until its next offset changes: compaction may remove the
        message, and the user may get the permission.
        """
        self.keys.clear()
        self.earlier_reasons, self.reasons = self.reasons, {}
        for key in self._find_due(next_offsets):
            del self.stops[key]
        for key, stop in self.stops.items():
            self.reject(key, stop.reason)

    def release(self, next_offsets: Mapping[PartitionKey, int]) -> None:
        """Let a continuous landing try the partitions again whose waiting has ended."""
        due = self._find_due(next_offsets)
        self.earlier_reasons = {key: self.reasons.pop(key) for key in due}
        for key, why in self.earlier_reasons.items():
            del self.stops[key]
            self.keys.remove(key)
            self.progress.summary.errors.remove(describe(key, why))

    def _find_due(self, next_offsets: Mapping[PartitionKey, int]) -> list[PartitionKey]:
        """Return the stopped partitions to try again: after their time, or at another offset."""
        now = time.monotonic()
        return [
            key
            for key, stop in self.stops.items()
            if next_offsets.get(key) != stop.offset or now >= stop.retry_at
        ]

    def reject_unreadable(self, key: PartitionKey, offset: int) -> None:
        """Land nothing more of a partition, whose message at this offset Spark cannot read."""
        why = (
            f"Spark cannot read the message at offset {offset},"
            " probably because of its timestamp; the partition stops there"
        )
        self._stop(key, offset, why, RETRY_UNREADABLE_SECONDS)

    def reject_unauthorized(self, key: PartitionKey, offset: int) -> None:
        """Land nothing of a partition from this offset on, whose topic this user may not read."""
        self._stop(key, offset, UNAUTHORIZED, RETRY_UNAUTHORIZED_SECONDS)

    def reject(self, key: PartitionKey, why: str) -> None:
        """Land nothing more of a partition, and report why. A loop logs it once."""
        self.keys.add(key)
        self.reasons[key] = why
        self.progress.summary.errors.append(describe(key, why))
        if self.earlier_reasons.get(key) != why:
            self.progress.log(
                log_events.REJECTED, topic=key.topic, partition=key.partition, note=f'"{why}"'
            )

    def _stop(self, key: PartitionKey, offset: int, why: str, seconds: float) -> None:
        """Reject a partition, also in the cycles of the next seconds."""
        self.stops[key] = Stop(offset, why, time.monotonic() + seconds)
        self.reject(key, why)


@dataclass(frozen=True)
class Committer:
    """Commits offset ranges.

    A commit is a Spark batch read of explicit offset ranges. Its files are added only if they are
    new: raw contained nothing at or after those offsets at a snapshot, and nobody has landed
    anything of the same topics since.

    Attributes:
        reader: Reads the messages.
        watcher: The topics.
        planner: Estimates the bytes of ranges, and learns from each commit.
        offsets: The table in which progress is recorded.
        landed: What raw already contains, and raw itself.
        schemas: The table of schemas; None without a schema registry.
        rejected: Partitions that do not land.
        progress: The progress line.
        shutdown: Reports when to stop.
    """

    reader: MessageReader
    watcher: TopicWatcher
    planner: CommitPlanner
    offsets: OffsetStore
    landed: LandedOffsets
    schemas: SchemaStore | None
    rejected: RejectedPartitions
    progress: KafkaProgress
    shutdown: Shutdown

    def commit_readable(self, ranges: OffsetRanges) -> None:
        """Land the ranges in one commit.

        If Spark cannot read a message, land them in several, up to that message. If this user may
        not read a topic, land the others.
        """
        while ranges:
            self.shutdown.check()
            try:
                self.commit(ranges)
                return
            except Exception as error:
                denied = self._find_unauthorized(ranges, error)
                if not denied:
                    if not any(name == UNREADABLE for name, _ in causes(error)):
                        raise
                    self._split(ranges)
                    return
            for key in denied:
                self.rejected.reject_unauthorized(key, ranges[key][0])
            ranges = {key: ends for key, ends in ranges.items() if key not in denied}

    def commit(self, ranges: OffsetRanges) -> None:
        """Land the ranges in one commit, and record that they are read.

        Raises:
            TopicsChanged: The topics changed while they were read. Nothing landed.
            Exception: If is_conflict() is true for it, another landing was faster.
        """
        began, batch = time.monotonic(), raw.new_batch()
        if not self.landed.has_checked(ranges):
            self.landed.check(self.watcher.get_next_offsets())
        messages = self.reader.read(ranges)
        has_landed = self.landed.overlaps(ranges)
        if has_landed:
            messages, reasons = self.landed.drop_landed(messages, ranges)
            for key, why in reasons.items():
                self.rejected.reject(key, why)
            if self.rejected.keys & ranges.keys():
                return
        topics = sorted({key.topic for key in ranges})
        observed = Observation()
        metrics = size_metrics(topics)
        if self.schemas:
            metrics += self.schemas.get_metrics({(key.topic, key.incarnation) for key in ranges})
        rows = raw.with_landing(messages, batch).observe(observed, *metrics)
        rows = rows.select(*(name for name, _, _ in raw.COLUMNS))
        try:
            staged = self.landed.table.stage(rows.coalesce(self._count_files(ranges)))
        except Exception:
            # If the topics changed, that is the error to report.
            self.watcher.verify_ranges(ranges)
            raise
        try:
            if self.schemas and staged:
                self.schemas.fetch_missing(read_schema_names(observed.get))
            self.watcher.verify_ranges(ranges)
        except BaseException:
            self.landed.table.discard(staged)
            raise
        if staged:
            self._add(staged, batch)
        sizes = read_size_metrics(observed, topics) if staged else {}
        count = self.landed.table.row_count(staged)
        self.record_progress(ranges, sizes)
        if not has_landed:
            self.planner.observe(ranges, sizes)
        if staged and not self.progress.is_terminal:
            seconds, size = time.monotonic() - began, sum(one.bytes for one in sizes.values())
            self.progress.log(
                log_events.LANDED,
                landing_batch=batch,
                topics=len(topics),
                partitions=len(ranges),
                messages=count,
                bytes=size,
                seconds=f"{seconds:.1f}",
                bytes_per_second=int(size / seconds),
                lag=self.watcher.lag(),
            )

    def record_progress(self, ranges: OffsetRanges, sizes: Mapping[str, Size]) -> None:
        """Record that the ranges are read, and the messages and bytes of their commit by topic."""
        self.progress.summary.add(ranges, sizes)

        def get_row(key: PartitionKey, until: int) -> OffsetRow:
            row = self.offsets.read[key]
            size = sizes.get(key.topic, Size(0, 0))
            average = get_average_bytes(row.average_bytes, size)
            return replace(row, next_offset=until, average_bytes=average)

        def record() -> None:
            self.offsets.record([get_row(key, until) for key, (_, until) in ranges.items()])

        def reload_and_record() -> None:
            self.offsets.load()
            record()

        try:
            record()
        except Exception as error:
            if not is_conflict(error):
                raise
            raw.retry(reload_and_record)

    def _find_unauthorized(self, ranges: OffsetRanges, error: Exception) -> list[PartitionKey]:
        """Return the partitions of the topics that this user may not read, if that is the error."""
        names = find_unauthorized(error)
        return [key for key in ranges if self.watcher.options.get_source(key)[0] in names]

    def _split(self, ranges: OffsetRanges) -> None:
        """Land both parts of ranges with a message that Spark cannot read.

        Rejects the partition of that message.
        """
        items = list(ranges.items())
        if len(items) > 1:
            half = len(items) // 2
            self.commit_readable(dict(items[:half]))
            self.commit_readable(dict(items[half:]))
            return
        [(key, (first, until))] = items
        if until - first == 1:
            self.rejected.reject_unreadable(key, first)
            return
        middle = (first + until) // 2
        self.commit_readable({key: (first, middle)})
        if key not in self.rejected.keys:
            self.commit_readable({key: (middle, until)})

    def _count_files(self, ranges: OffsetRanges) -> int:
        """Return how many files the commit of the ranges gets."""
        read = self.offsets.read
        total = sum(
            (until - first) * self.planner.get_offset_bytes(read[key])
            for key, (first, until) in ranges.items()
        )
        return min(self.reader.parallelism, 1 + int(total / FILE_BYTES))

    def _add(self, staged: list[Any], batch: int) -> None:
        """Add staged files to raw, unless another landing has added messages of the topics."""
        topics = {key.topic for key in self.watcher.ends}
        try:
            self.landed.snapshot = self.landed.table.commit(
                staged, after=self.landed.snapshot, topics=topics, marker=str(batch)
            )
        except Exception as error:
            if certainly_failed(error):
                self.landed.table.discard(staged)
            raise
        self.progress.summary.batches.append(batch)


def describe(key: PartitionKey, why: str) -> str:
    """Return the line of the summary for a rejected partition."""
    return f"topic {key.topic}, partition {key.partition}: {why}"


def get_average_bytes(before: float | None, size: Size) -> float | None:
    """Return the message size for planning the next commit.

    A few small messages reduce it only to a quarter.
    """
    if not size.messages:
        return before
    return max(1.0, size.bytes / size.messages, (before or 0) / 4)

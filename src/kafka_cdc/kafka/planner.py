"""Which offsets the next commit reads."""

import math
from collections.abc import Container, Mapping
from typing import NamedTuple

from kafka_cdc.kafka.client import PartitionEnds
from kafka_cdc.kafka.offsets import OffsetRanges, OffsetRow, PartitionKey
from kafka_cdc.kafka.progress import Size

DEFAULT_MESSAGE_BYTES = 256_000  # before a message of the partition has landed
MIN_COMMIT_BYTES = 1_000_000  # after failures in a row
MAX_TOPICS_PER_COMMIT = 300  # their bytes are counted separately
# Messages per offset of a sparse topic, at least. A commit that meets a dense part of the topic is
# at most 16 times as large. Spark streams it and sorts it on disk, so that it needs no more memory.
MIN_DENSITY = 1 / 16
MAX_DENSITY_DROP = 4  # from one commit to the next, because a few offsets may be sparse by chance


class Backlog(NamedTuple):
    """What is left to read of a partition, ordered by its estimated bytes."""

    total_bytes: float
    offset_bytes: float
    key: PartitionKey
    next_offset: int
    latest: int


class CommitPlanner:
    """Plans commits of bounded size."""

    def __init__(self, max_bytes: int) -> None:
        """Begin with commits of the largest size: about `max_bytes` of payload."""
        self.max_bytes = max_bytes
        self.bytes = max_bytes
        self.densities: dict[str, float] = {}  # messages per offset, by topic
        self.commits = 0
        self.latest_commits: dict[str, int] = {}  # by topic: the last commit with it

    def grow(self) -> None:
        """Double the size of commits after a success."""
        self.bytes = min(self.max_bytes, self.bytes * 2)

    def shrink(self) -> None:
        """Halve the size of commits after a failure, so that the next one takes less time."""
        self.bytes = max(MIN_COMMIT_BYTES, self.bytes // 2)

    def begin(self, ranges: OffsetRanges) -> None:
        """Note that a commit begins, so that its topics have had their turn. It may fail."""
        self.commits += 1
        self.latest_commits |= dict.fromkeys((key.topic for key in ranges), self.commits)

    def observe(self, ranges: OffsetRanges, sizes: Mapping[str, Size]) -> None:
        """Learn from a commit how many of the offsets of each topic are messages.

        A compacted topic, or one with transactions, may have millions of offsets without a message.
        """
        offsets: dict[str, int] = {}
        for key, (first, until) in ranges.items():
            offsets[key.topic] = offsets.get(key.topic, 0) + until - first
        for topic, count in offsets.items():
            messages = sizes[topic].messages if topic in sizes else 0
            least = max(MIN_DENSITY, self.densities.get(topic, 1.0) / MAX_DENSITY_DROP)
            self.densities[topic] = min(1.0, max(least, messages / count))

    def get_offset_bytes(self, row: OffsetRow) -> float:
        """Return the bytes of payload that an offset of a partition has, as estimated."""
        density = self.densities.get(row.topic, 1.0)
        return (row.average_bytes or DEFAULT_MESSAGE_BYTES) * density

    def plan(
        self,
        ends: Mapping[PartitionKey, PartitionEnds],
        read: Mapping[PartitionKey, OffsetRow],
        rejected: Container[PartitionKey],
        max_offsets: float = math.inf,
    ) -> OffsetRanges:
        """Return the offset ranges of the next commit, with some of each partition that lags.

        Small backlogs come first. What they leave of the commit is shared by the larger ones. So
        are `max_offsets`, but each partition gets at least one. If more topics lag than a commit
        may have, see _choose_topics.
        """
        backlogs = []
        for key, end in ends.items():
            row = read[key]
            if key not in rejected and end.earliest <= row.next_offset < end.latest:
                size = self.get_offset_bytes(row)
                total = (end.latest - row.next_offset) * size
                backlogs.append(Backlog(total, size, key, row.next_offset, end.latest))
        largest_first = sorted(backlogs, reverse=True)
        chosen = self._choose_topics([*dict.fromkeys(one.key.topic for one in largest_first)])
        backlogs = sorted(backlog for backlog in backlogs if backlog.key.topic in chosen)
        ranges: OffsetRanges = {}
        left, offsets_left = float(self.bytes), max_offsets
        for index, backlog in enumerate(backlogs):
            waiting = len(backlogs) - index
            share = min(backlog.total_bytes, left / waiting)
            count = max(1, int(min(share / backlog.offset_bytes, offsets_left / waiting)))
            count = min(count, backlog.latest - backlog.next_offset)
            ranges[backlog.key] = backlog.next_offset, backlog.next_offset + count
            left = max(0, left - count * backlog.offset_bytes)
            offsets_left = max(0, offsets_left - count)
        return ranges

    def _choose_topics(self, largest_first: list[str]) -> set[str]:
        """Return the topics of the next commit.

        Half of them have waited longest, so that none waits for all larger ones. The others are the
        largest ones, which keep commits large.
        """
        longest_first = sorted(largest_first, key=lambda topic: self.latest_commits.get(topic, 0))
        waiting = longest_first[: MAX_TOPICS_PER_COMMIT // 2]
        return {*list(dict.fromkeys([*waiting, *largest_first]))[:MAX_TOPICS_PER_COMMIT]}

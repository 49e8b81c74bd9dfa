"""The progress line and the summary of a landing from files."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from pyspark.sql import SparkSession

from kafka_cdc.progress import ProgressLine, format_bytes, format_table
from kafka_cdc.tables.raw import OffsetRange

SHORT_BYTES = 100_000_000  # land in seconds, so that they need no progress line


class FilesProgress(ProgressLine):
    """Shows how many bytes Spark's own counters report as read. Short inputs show nothing.

    A group of files is read once in each phase: checking, comparing (if raw may contain some of
    it), landing.
    """

    def __init__(self, spark: SparkSession, total: int) -> None:
        """Prepare the line. `total` is the number of bytes of all files."""
        super().__init__()
        self.status: Any = spark.sparkContext._jsc.sc().statusStore()
        self.total, self.finished, self.size = total, 0, 0
        self.set_phase("starting")

    def begin_group(self, size: int) -> None:
        """Begin a group of files of `size` bytes. The group before it is finished."""
        self.finished, self.size = self.finished + self.size, size

    def set_phase(self, phase: str) -> None:
        """Begin a phase."""
        self.phase, self.began = phase, time.monotonic()
        self.read: dict[int, int] = {}

    def line(self) -> str | None:
        """Return the text to show now."""
        if self.total < SHORT_BYTES:
            return None
        stages = self.status.activeStages()
        for stage in (stages.apply(index) for index in range(stages.size())):
            self.read[stage.stageId()] = max(stage.inputBytes(), self.read.get(stage.stageId(), 0))
        read = min(sum(self.read.values()), self.size)
        done, rate = self.finished + read, read / (time.monotonic() - self.began)
        percent = 100 * done / self.total
        total = format_bytes(self.total)
        speed = f"{format_bytes(rate)}/s"
        return f"{self.phase}: {format_bytes(done)} of {total} ({percent:.0f} %), {speed}"


class FilesSummary:
    """What a landing from files has landed, by topic and partition, and why files were rejected."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.groups = 0
        self.batches: list[int] = []
        self.errors: list[str] = []
        self.given: Counter[tuple[str, int]] = Counter()
        self.landed: Counter[tuple[str, int]] = Counter()
        self.offsets: dict[tuple[str, int], list[int]] = defaultdict(list)

    def add(self, batch: int, landed: Iterable[OffsetRange], given: Iterable[OffsetRange]) -> None:
        """Add a group: its landing_batch, the ranges that landed, and those in its files."""
        self.groups += 1
        landed = list(landed)
        self.batches += [batch] if landed else []
        for part in given:
            self.given[part.topic, part.partition] += part.count
        for part in landed:
            self.landed[part.topic, part.partition] += part.count
            self.offsets[part.topic, part.partition] += [part.first, part.last]

    def text(self) -> str:
        """Return a table with a row for each topic and partition, and the landing batches."""
        rows = [("topic", "partition", "landed", "already there", "offsets landed")]
        for key, given in sorted(self.given.items()):
            offsets, landed = self.offsets[key], self.landed[key]
            shown = f"{min(offsets)}-{max(offsets)}" if offsets else "-"
            rows.append((key[0], str(key[1]), str(landed), str(given - landed), shown))
        batches = ", ".join(map(str, self.batches))
        last = f"landing_batch: {batches}" if self.batches else "nothing new"
        return "\n".join([*([format_table(rows)] if self.given else []), last])

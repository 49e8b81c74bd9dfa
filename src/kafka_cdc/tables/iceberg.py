"""Iceberg tables, and commits on a condition: files are written first, looked at, and then added only if nobody else has landed the like.

A MERGE would have the same effect, but reads what the table holds for every commit; Iceberg's own Java interface does not.
"""

import contextlib
import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from .errors import causes
from .sql import properties

FAST = {"compression-level": "1"}  # half the time of the table's own level; compaction compresses as the table says
MARK = "landing_batch"  # in the summary of a snapshot
PRUNABLE = 200  # Iceberg compares a longer list of values with a file's bounds no more
RAW_PROPERTIES = {
    "format-version": "2",
    "write.distribution-mode": "none",
    "write.merge.distribution-mode": "none",
    "write.merge.mode": "merge-on-read",
    "write.merge.isolation-level": "serializable",  # what makes two landings of one message conflict
    "write.parquet.compression-codec": "zstd",
    "write.parquet.row-group-size-bytes": str(32 << 20),
    "write.parquet.row-group-check-min-record-count": "1",  # a message may have 25 MB
    "write.parquet.dict-encoding-enabled.column.value": "false",
    "write.parquet.stats-enabled.column.value": "false",
    "write.metadata.metrics.column.value": "counts",
    "write.metadata.delete-after-commit.enabled": "true",
    "write.metadata.previous-versions-max": "20",
}
SMALL_PROPERTIES = {
    "format-version": "2",
    "write.distribution-mode": "none",
    "write.metadata.delete-after-commit.enabled": "true",
    "write.metadata.previous-versions-max": "20",
}


@dataclass
class Table:
    """An Iceberg table by its quoted name, and Iceberg's object for it."""

    spark: SparkSession
    name: str

    def __post_init__(self) -> None:
        self.jvm: Any = self.spark._jvm
        self.java = self.jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(self.spark._jsparkSession, self.name)

    def snapshot(self) -> int | None:
        """Return the id of the newest snapshot, None while the table is empty."""
        self.java.refresh()
        current = self.java.currentSnapshot()
        return current.snapshotId() if current else None

    def at(self, snapshot: int | None) -> DataFrame:
        """Return the table as it was at a snapshot."""
        if snapshot is None:
            return self.spark.table(self.name).limit(0)
        self.spark.catalog.refreshTable(self.name)  # Spark's own object of the table may not know the snapshot yet
        return self.spark.sql(f"select * from {self.name} version as of {snapshot}")

    def stage(self, rows: DataFrame) -> list[Any]:
        """Write rows as data files of the table that no snapshot has; return them."""
        cache = self.jvm.org.apache.iceberg.spark.SparkTableCache.get()
        coordinator = self.jvm.org.apache.iceberg.spark.FileRewriteCoordinator.get()
        name = str(uuid.uuid4())
        cache.add(name, self.java)
        try:
            rows.write.format("iceberg").options(**FAST).mode("append").save(name)
            return list(coordinator.fetchNewFiles(self.java, name))
        finally:
            coordinator.clearRewrite(self.java, name)
            cache.remove(name)

    def row_count(self, files: Iterable[Any]) -> int:
        """Return how many rows staged files hold."""
        return sum(file.recordCount() for file in files)

    def discard(self, files: Iterable[Any]) -> None:
        """Delete staged files that were not committed; what cannot be deleted is left as an orphan."""
        for file in files:
            with contextlib.suppress(Exception):
                self.java.io().deleteFile(file.location())

    def commit(self, files: Iterable[Any], snapshot: int | None, topics: Iterable[str], mark: str) -> int:
        """Add staged files in one atomic commit, unless files that came after `snapshot` may hold messages of the topics.

        Return the new snapshot. `mark` is unique; the snapshot's summary says it. An error for which is_conflict()
        is true means that the files must be read and compared again; after certainly_failed() they are not in the table.
        """
        topics = sorted(topics)
        expressions = self.jvm.org.apache.iceberg.expressions.Expressions
        if len(topics) <= PRUNABLE:
            values = self.jvm.java.util.ArrayList()
            for topic in topics:
                values.add(topic)
            condition = getattr(expressions, "in")("topic", values)
        else:
            lowest, highest = (getattr(expressions, side)("topic", topic) for side, topic in (("greaterThanOrEqual", topics[0]), ("lessThanOrEqual", topics[-1])))
            condition = getattr(expressions, "and")(lowest, highest)
        delta = self.java.newRowDelta().conflictDetectionFilter(condition).validateNoConflictingDataFiles().set(MARK, mark)
        if snapshot is not None:
            delta.validateFromSnapshot(snapshot)
        for file in files:
            delta.addRows(file)
        delta.commit()
        self.spark.catalog.refreshTable(self.name)
        return self.find(mark)

    def replace(self, files: Iterable[Any], snapshot: int | None) -> int:
        """Let staged files be the whole table in one atomic commit, unless something was committed after `snapshot`.

        Return the new snapshot. An error for which is_conflict() is true means that something was, or that nobody knows.
        """
        everything = self.jvm.org.apache.iceberg.expressions.Expressions.alwaysTrue()
        overwrite = self.java.newOverwrite().overwriteByRowFilter(everything).conflictDetectionFilter(everything)
        overwrite.validateNoConflictingData().validateNoConflictingDeletes()
        if snapshot is not None:
            overwrite.validateFromSnapshot(snapshot)
        for file in files:
            overwrite.addFile(file)
        mark = str(uuid.uuid4())
        overwrite.set(MARK, mark).commit()
        self.spark.catalog.refreshTable(self.name)
        return self.find(mark)

    def expire(self, seconds: float) -> None:
        """Forget the snapshots but for the newest and those of so many last seconds, and delete their files; now and then, when it is worth it."""
        now = int(time.time() * 1000)
        if self.java.history().get(0).timestampMillis() < now - 2000 * seconds:
            with contextlib.suppress(Exception):  # the next one does it
                self.java.expireSnapshots().expireOlderThan(now - int(1000 * seconds)).retainLast(1).commit()

    def find(self, mark: str) -> int:
        """Return the snapshot whose summary says `mark`: others may have come behind it already."""
        self.java.refresh()
        current = self.java.currentSnapshot()
        while current.summary().get(MARK) != mark:
            current = self.java.snapshot(current.parentId())
        id_: int = current.snapshotId()
        return id_


def certainly_failed(error: BaseException) -> bool:
    """Return whether the error of a commit means that it has not happened, and not only that nobody knows."""
    return any(name in ("ValidationException", "CommitFailedException") for name, _ in causes(error))


def create(spark: SparkSession, name: str, columns: str, comment: str, values: Mapping[str, str], partitions: str = "") -> None:
    """Create a table where it is missing. columns, comment, partitions: SQL. values: its properties."""
    spark.sql(f"create table if not exists {name} (\n{columns}\n) using iceberg {partitions} comment {comment} tblproperties ({properties(values)})")


def create_raw(spark: SparkSession, name: str, columns: str, comment: str) -> None:
    """Create raw.kafka_messages. columns, comment: SQL."""
    create(spark, name, columns, comment, RAW_PROPERTIES, "partitioned by (days(landed_at))")
    spark.sql(f"alter table {name} write locally ordered by topic, partition, offset")

"""Iceberg tables, and commits that happen only if no other landing has added the same messages.

A commit writes its files first and then adds them on a condition. MERGE has the same effect, but
reads the table's rows in every commit. Iceberg's Java interface does not.
"""

import contextlib
import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from kafka_cdc.errors import causes
from kafka_cdc.tables.sql import format_properties, quote

FAST_WRITE = {"compression-level": "1"}  # half the time; compaction compresses at the table's level
MARKER = "landing_batch"  # key in the summary of a snapshot
MAX_PRUNABLE_VALUES = 200  # Iceberg does not compare longer lists of values with a file's bounds
RAW_PROPERTIES = {
    "format-version": "2",
    "write.distribution-mode": "none",
    "write.merge.distribution-mode": "none",
    "write.merge.mode": "merge-on-read",
    "write.merge.isolation-level": "serializable",  # makes two landings of one message conflict
    "write.parquet.compression-codec": "zstd",
    "write.parquet.row-group-size-bytes": str(32 << 20),
    "write.parquet.row-group-check-min-record-count": "1",  # a message may have 25 MB
    "write.parquet.dict-encoding-enabled.column.value": "false",
    "write.parquet.stats-enabled.column.value": "false",
    "write.metadata.metrics.column.value": "counts",
    "write.metadata.delete-after-commit.enabled": "true",
    "write.metadata.previous-versions-max": "20",
    # Flattening is bound by the processor, and payloads compress well: one task per row group.
    "read.split.target-size": str(512 << 10),
    "read.split.open-file-cost": str(64 << 10),
}
METADATA_PROPERTIES = {
    "format-version": "2",
    "write.distribution-mode": "none",
    "write.metadata.delete-after-commit.enabled": "true",
    "write.metadata.previous-versions-max": "20",
}


@dataclass
class Table:
    """An Iceberg table by its quoted name, with Iceberg's Java object for it."""

    spark: SparkSession
    name: str

    def __post_init__(self) -> None:
        """Load the Java object."""
        spark: Any = self.spark
        self.jvm: Any = spark._jvm
        self.java: Any = self.jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(
            spark._jsparkSession, self.name
        )

    def snapshot(self) -> int | None:
        """Return the id of the latest snapshot, or None if the table has none."""
        self.java.refresh()
        current = self.java.currentSnapshot()
        return current.snapshotId() if current else None

    def at(self, snapshot: int | None) -> DataFrame:
        """Return the table as of a snapshot."""
        if snapshot is None:
            return self.spark.table(self.name).limit(0)
        # Spark's own object of the table may not know the snapshot yet.
        self.spark.catalog.refreshTable(self.name)
        return self.spark.sql(f"select * from {self.name} version as of {snapshot}")

    def stage(self, rows: DataFrame) -> list[Any]:
        """Write rows as data files that no snapshot contains, and return the files."""
        cache = self.jvm.org.apache.iceberg.spark.SparkTableCache.get()
        coordinator = self.jvm.org.apache.iceberg.spark.FileRewriteCoordinator.get()
        name = str(uuid.uuid4())
        cache.add(name, self.java)
        try:
            rows.write.format("iceberg").options(**FAST_WRITE).mode("append").save(name)
            return list(coordinator.fetchNewFiles(self.java, name))
        finally:
            coordinator.clearRewrite(self.java, name)
            cache.remove(name)

    def row_count(self, files: Iterable[Any]) -> int:
        """Return the number of rows in staged files."""
        return sum(file.recordCount() for file in files)

    def discard(self, files: Iterable[Any]) -> None:
        """Delete staged files that were not committed.

        A file that cannot be deleted stays as an orphan.
        """
        for file in files:
            with contextlib.suppress(Exception):
                self.java.io().deleteFile(file.location())

    def commit(
        self, files: Iterable[Any], *, after: int | None, topics: Iterable[str], marker: str
    ) -> int:
        """Add staged files atomically, unless later files may contain messages of the topics.

        Args:
            files: The staged files.
            after: The snapshot that the caller has read. The condition covers what was committed
                after it.
            topics: The topics that the condition covers.
            marker: A unique text for the summary of the snapshot.

        Returns:
            The new snapshot.

        Raises:
            Exception: If is_conflict() is true for it, the messages must be read and compared
                again. If certainly_failed() is true for it, the files are not in the table.
        """
        topics = sorted(topics)
        expressions = self.jvm.org.apache.iceberg.expressions.Expressions
        if len(topics) <= MAX_PRUNABLE_VALUES:
            values = self.jvm.java.util.ArrayList()
            for topic in topics:
                values.add(topic)
            condition = getattr(expressions, "in")("topic", values)
        else:
            condition = getattr(expressions, "and")(
                expressions.greaterThanOrEqual("topic", topics[0]),
                expressions.lessThanOrEqual("topic", topics[-1]),
            )
        delta = self.java.newRowDelta().conflictDetectionFilter(condition)
        delta = delta.validateNoConflictingDataFiles().set(MARKER, marker)
        if after is not None:
            delta.validateFromSnapshot(after)
        for file in files:
            delta.addRows(file)
        delta.commit()
        self.spark.catalog.refreshTable(self.name)
        return self._find(marker)

    def replace(self, files: Iterable[Any], *, after: int | None) -> int:
        """Replace all rows atomically, unless something was committed after a snapshot.

        Returns:
            The new snapshot.

        Raises:
            Exception: If is_conflict() is true for it, something was committed, or the outcome is
                unknown.
        """
        everything = self.jvm.org.apache.iceberg.expressions.Expressions.alwaysTrue()
        overwrite = self.java.newOverwrite().overwriteByRowFilter(everything)
        overwrite = overwrite.conflictDetectionFilter(everything)
        overwrite.validateNoConflictingData().validateNoConflictingDeletes()
        if after is not None:
            overwrite.validateFromSnapshot(after)
        for file in files:
            overwrite.addFile(file)
        marker = str(uuid.uuid4())
        overwrite.set(MARKER, marker).commit()
        self.spark.catalog.refreshTable(self.name)
        return self._find(marker)

    def expire(self, seconds: float) -> None:
        """Delete snapshots older than some seconds with their files, except the latest one.

        It does so only if the oldest snapshot is twice as old, because expiring costs time.
        """
        now = int(time.time() * 1000)
        if self.java.history().get(0).timestampMillis() < now - 2000 * seconds:
            with contextlib.suppress(Exception):  # a later call does it
                oldest = now - int(1000 * seconds)
                self.java.expireSnapshots().expireOlderThan(oldest).retainLast(1).commit()

    def _find(self, marker: str) -> int:
        """Return the snapshot whose summary contains `marker`.

        Other commits may have followed it.
        """
        self.java.refresh()
        current = self.java.currentSnapshot()
        while current.summary().get(MARKER) != marker:
            current = self.java.snapshot(current.parentId())
        snapshot: int = current.snapshotId()
        return snapshot


def certainly_failed(error: BaseException) -> bool:
    """Return whether the error of a commit means that it did not happen.

    Other errors leave that unknown.
    """
    names = {name for name, _ in causes(error)}
    # The cause of an unknown state may be a failure, for example of a check after the commit.
    is_known = "CommitStateUnknownException" not in names
    return is_known and bool(names & {"ValidationException", "CommitFailedException"})


def refresh_tables(spark: SparkSession) -> None:
    """Let the session see what other processes have written to its tables.

    Spark's catalog caches a table until it was not used for 30 seconds. A loop uses it more often.
    A table that cannot be refreshed may have been dropped, or belong to another project. If a
    build reads it, the build reports what is wrong with it.
    """
    for namespace in spark.sql("show namespaces").collect():
        schema = quote(*namespace[0].split("."))
        with contextlib.suppress(PySparkException):
            for table in spark.sql(f"show tables in {schema}").collect():
                if not table.isTemporary:
                    with contextlib.suppress(PySparkException, Py4JJavaError):
                        spark.catalog.refreshTable(f"{schema}.{quote(table.tableName)}")


def create(
    spark: SparkSession,
    name: str,
    *,
    columns: str,
    comment: str,
    properties: Mapping[str, str],
    partitions: str = "",
) -> None:
    """Create a table if it does not exist.

    Args:
        spark: The session.
        name: The quoted name of the table.
        columns: The columns with types and comments, as SQL.
        comment: The comment of the table, as a SQL string.
        properties: The properties of the table.
        partitions: The clause `partitioned by`, as SQL.
    """
    spark.sql(
        f"create table if not exists {name} (\n{columns}\n) using iceberg {partitions}"
        f" comment {comment} tblproperties ({format_properties(properties)})"
    )


def create_raw(spark: SparkSession, name: str, *, columns: str, comment: str) -> None:
    """Create raw.kafka_messages if it does not exist. `columns` and `comment` are SQL."""
    create(
        spark,
        name,
        columns=columns,
        comment=comment,
        properties=RAW_PROPERTIES,
        partitions="partitioned by (days(landed_at))",
    )
    spark.sql(f"alter table {name} write locally ordered by topic, partition, offset")

"""Delta tables, and commits that happen only if nobody else has written to the table.

A commit writes its files first and then adds them on a condition, with Delta's Java transactions.
These conflict with every commit after the version that they began with. Delta's SQL has only
MERGE, which reads the table's rows.
"""

import contextlib
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlparse

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from kafka_cdc.errors import LandingConflict, causes
from kafka_cdc.tables.sql import format_properties, literal

PROPERTIES = {
    "delta.isolationLevel": "Serializable",  # makes two landings of one message conflict
    "delta.enableDeletionVectors": "false",  # an erased row must disappear from its file
    "delta.enableChangeDataFeed": "false",
    "delta.autoOptimize.autoCompact": "false",
}
RAW_PROPERTIES = {
    **PROPERTIES,
    "delta.dataSkippingStatsColumns": (
        "topic,partition,offset,landed_at,landing_batch,topic_incarnation"
    ),
    "delta.logRetentionDuration": "interval 7 days",
    "delta.deletedFileRetentionDuration": "interval 7 days",
}
METADATA_PROPERTIES = {
    **PROPERTIES,
    "delta.logRetentionDuration": "interval 1 days",
    "delta.deletedFileRetentionDuration": "interval 1 hours",
}
VERSIONS_PER_VACUUM = 200  # of a metadata table
CREATION_SECONDS = 10  # between a table's first version and its name in the catalog


@dataclass
class Table:
    """A Delta table by its quoted name, with Delta's Java object for its log."""

    spark: SparkSession
    name: str

    def __post_init__(self) -> None:
        """Load the Java object."""
        spark: Any = self.spark
        self.jvm: Any = spark._jvm
        self.replaced: list[tuple[float, Any]] = []  # when a file was replaced, and the file
        session = spark._jsparkSession
        identifier = session.sessionState().sqlParser().parseTableIdentifier(self.name)
        # A commit that finds itself in the log has happened.
        self.spark.conf.set("spark.databricks.delta.commit.idempotencyCheck.enabled", "true")
        delta = self.jvm.org.apache.spark.sql.delta
        self.log: Any = delta.DeltaLog.forTable(session, identifier)

    def snapshot(self) -> int | None:
        """Return the latest version."""
        version: int = call_with_defaults(self.log, "update").version()
        return version

    def at(self, snapshot: int | None) -> DataFrame:
        """Return the table as of a version."""
        return self.spark.sql(f"select * from {self.name} version as of {snapshot or 0}")

    def stage(self, rows: DataFrame) -> list[Any]:
        """Write rows as data files that no version contains, and return the files."""
        files = call_with_defaults(self.log, "startTransaction").writeFiles(rows._jdf)
        return list(self.jvm.scala.jdk.javaapi.CollectionConverters.asJava(files))

    def row_count(self, files: Iterable[Any]) -> int:
        """Return the number of rows in staged files."""
        return sum(file.numPhysicalRecords().get() for file in files)

    def discard(self, files: Iterable[Any]) -> None:
        """Delete staged files that were not committed.

        Maintenance deletes files that cannot be deleted now.
        """
        files = list(files)
        with contextlib.suppress(Exception):
            latest = DataFrame(call_with_defaults(self.log, "update").allFiles().toDF(), self.spark)
            staged = latest.where(F.col("path").isin([file.path() for file in files]))
            # A commit whose answer was lost has happened.
            committed = {row.path for row in staged.select("path").collect()}
            self._delete(file for file in files if file.path() not in committed)

    def commit(
        self, files: Iterable[Any], *, after: int | None, topics: Iterable[str], marker: str
    ) -> int:
        """Add staged files atomically, unless something was committed after a version.

        Args:
            files: The staged files.
            after: The version that the caller has read.
            topics: Not used: Delta's condition covers the whole table.
            marker: Not used: Delta returns the version.

        Returns:
            The new version.

        Raises:
            Exception: If is_conflict() is true for it, the messages must be read and compared
                again. If certainly_failed() is true for it, the files are not in the table.
        """
        transaction = self._begin(after)
        transaction.readWholeTable()
        return self._commit(transaction, list(files))

    def replace(self, files: Iterable[Any], *, after: int | None) -> int:
        """Replace all rows atomically, unless something was committed after a version.

        Returns:
            The new version.

        Raises:
            Exception: If is_conflict() is true for it, something was committed, or the outcome is
                unknown.
        """
        transaction = self._begin(after)
        converters = self.jvm.scala.jdk.javaapi.CollectionConverters
        existing = list(converters.asJava(transaction.filterFiles()))
        version = self._commit(transaction, [*files, *(file.remove() for file in existing)])
        self.replaced += [(time.monotonic(), file) for file in existing]
        return version

    def expire(self, seconds: float) -> None:
        """Delete files that this object replaced more than some seconds ago.

        Sometimes it deletes those of other writers, too.
        """
        old = [file for moment, file in self.replaced if moment < time.monotonic() - seconds]
        self._delete(old)
        self.replaced = [(moment, file) for moment, file in self.replaced if file not in old]
        version = self.snapshot()
        if version and version % VERSIONS_PER_VACUUM == 0:
            with contextlib.suppress(Exception):  # a later call does it
                self.spark.sql(f"vacuum {self.name}")

    def _delete(self, files: Iterable[Any]) -> None:
        """Delete files. A file that cannot be deleted stays."""
        for file in files:
            with contextlib.suppress(Exception):
                name = unquote(urlparse(file.path()).path)
                path = self.jvm.org.apache.hadoop.fs.Path(self.log.dataPath(), name)
                configuration = call_with_defaults(self.log, "newDeltaHadoopConf")
                path.getFileSystem(configuration).delete(path, False)

    def _begin(self, version: int | None) -> Any:
        """Return a transaction that begins with a version.

        Raises:
            LandingConflict: Delta has deleted the log of the version, because there are later ones.
        """
        try:
            began = call_with_defaults(self.log, "getSnapshotAt", version or 0)
        except Exception as error:
            if self.snapshot() == (version or 0):
                raise
            raise LandingConflict(f"{self.name} has newer versions than the one read") from error
        option = self.jvm.scala.Option
        return self.log.startTransaction(option.empty(), option.apply(began))

    def _commit(self, transaction: Any, actions: list[Any]) -> int:
        """Commit a transaction and return the new version."""
        chosen = self.jvm.java.util.ArrayList()
        for action in actions:
            chosen.add(action)
        operations = self.jvm.org.apache.spark.sql.delta
        operation = getattr(getattr(operations, "DeltaOperations$ManualUpdate$"), "MODULE$")
        converters = self.jvm.scala.jdk.javaapi.CollectionConverters
        version: int = transaction.commit(converters.asScala(chosen).toSeq(), operation)
        return version


def call_with_defaults(java: Any, method: str, *arguments: Any) -> Any:
    """Call a Scala method with its first arguments. Scala's own defaults follow them."""
    values = list(arguments)
    while f"{method}$default${len(values) + 1}" in dir(java):
        values.append(getattr(java, f"{method}$default${len(values) + 1}")())
    return getattr(java, method)(*values)


def certainly_failed(error: BaseException) -> bool:
    """Return whether the error of a commit means that it did not happen.

    Other errors leave that unknown.
    """
    return isinstance(error, LandingConflict) or any(
        name.startswith("Concurrent")
        or name in ("MetadataChangedException", "ProtocolChangedException")
        for name, _ in causes(error)
    )


def refresh_tables(_spark: SparkSession) -> None:
    """Do nothing: a query of a Delta table reads its log, and sees what others have written."""


def create(
    spark: SparkSession, name: str, *, columns: str, comment: str, properties: Mapping[str, str]
) -> None:
    """Create a table if it does not exist.

    Delta writes a table's log before the catalog has its name, and then does not create another
    table in that folder. If no other process adds the name within CREATION_SECONDS, its creation
    was killed, and the existing folder gets the name.

    Args:
        spark: The session.
        name: The quoted name of the table.
        columns: The columns with types and comments, as SQL.
        comment: The comment of the table, as a SQL string.
        properties: The properties of the table.
    """
    statement = (
        f"create table if not exists {name} (\n{columns}\n) using delta"
        f" comment {comment} tblproperties ({format_properties(properties)})"
    )
    for _ in range(CREATION_SECONDS):
        try:
            spark.sql(statement)
            return
        except AnalysisException as error:
            if error.getCondition() != "DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION":
                raise
        time.sleep(1)
    state: Any = spark._jsparkSession.sessionState()
    identifier = state.sqlParser().parseTableIdentifier(name)
    folder = state.catalog().defaultTablePath(identifier).toString()
    spark.sql(f"{statement} location {literal(folder)}")


def create_raw(spark: SparkSession, name: str, *, columns: str, comment: str) -> None:
    """Create raw.kafka_messages if it does not exist. `columns` and `comment` are SQL."""
    create(spark, name, columns=columns, comment=comment, properties=RAW_PROPERTIES)

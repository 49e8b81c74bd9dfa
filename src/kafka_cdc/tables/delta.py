"""Delta tables, and commits on a condition: files are written first, looked at, and then added only if nobody else has written meanwhile.

Delta's own transaction does it, in Java: it conflicts with every commit behind the version that it began with. Its SQL has no such thing
but MERGE, which reads what the table holds.
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

from .errors import causes
from .sql import literal, properties

PROPERTIES = {
    "delta.isolationLevel": "Serializable",  # what makes two landings of one message conflict
    "delta.enableDeletionVectors": "false",  # a row that is forgotten goes from its file
    "delta.enableChangeDataFeed": "false",
    "delta.autoOptimize.autoCompact": "false",
}
RAW_PROPERTIES = {
    **PROPERTIES,
    "delta.dataSkippingStatsColumns": "topic,partition,offset,landed_at,landing_batch,topic_incarnation",
    "delta.logRetentionDuration": "interval 7 days",
    "delta.deletedFileRetentionDuration": "interval 7 days",
}
SMALL_PROPERTIES = {
    **PROPERTIES,
    "delta.logRetentionDuration": "interval 1 days",
    "delta.deletedFileRetentionDuration": "interval 1 hours",
}
VERSIONS = 200  # of a small table, after which all of its files are looked through
CREATION_SECONDS = 10  # that another process may take from a table's first version to its name in the catalog


@dataclass
class Table:
    """A Delta table by its quoted name, and Delta's object for its log."""

    spark: SparkSession
    name: str

    def __post_init__(self) -> None:
        self.jvm: Any = self.spark._jvm
        self.replaced: list[tuple[float, Any]] = []  # when, and the file
        identifier = self.spark._jsparkSession.sessionState().sqlParser().parseTableIdentifier(self.name)
        self.spark.conf.set("spark.databricks.delta.commit.idempotencyCheck.enabled", "true")  # a commit that finds itself in the log has happened
        self.log: Any = self.jvm.org.apache.spark.sql.delta.DeltaLog.forTable(self.spark._jsparkSession, identifier)

    def snapshot(self) -> int | None:
        """Return the newest version."""
        version: int = with_defaults(self.log, "update").version()
        return version

    def at(self, snapshot: int | None) -> DataFrame:
        """Return the table as it was at a version."""
        return self.spark.sql(f"select * from {self.name} version as of {snapshot or 0}")

    def stage(self, rows: DataFrame) -> list[Any]:
        """Write rows as data files of the table that no version has; return them."""
        files = with_defaults(self.log, "startTransaction").writeFiles(rows._jdf)
        return list(self.jvm.scala.jdk.javaapi.CollectionConverters.asJava(files))

    def row_count(self, files: Iterable[Any]) -> int:
        """Return how many rows staged files hold."""
        return sum(file.numPhysicalRecords().get() for file in files)

    def discard(self, files: Iterable[Any]) -> None:
        """Delete staged files that were not committed; what cannot be deleted is left for maintenance."""
        files = list(files)
        with contextlib.suppress(Exception):
            newest = DataFrame(with_defaults(self.log, "update").allFiles().toDF(), self.spark)
            committed = {row.path for row in newest.where(F.col("path").isin([file.path() for file in files])).select("path").collect()}
            self.delete(file for file in files if file.path() not in committed)  # a commit whose answer was lost has happened

    def delete(self, files: Iterable[Any]) -> None:
        """Delete files, as far as that can be done."""
        for file in files:
            with contextlib.suppress(Exception):
                path = self.jvm.org.apache.hadoop.fs.Path(self.log.dataPath(), unquote(urlparse(file.path()).path))
                path.getFileSystem(with_defaults(self.log, "newDeltaHadoopConf")).delete(path, False)

    def commit(self, files: Iterable[Any], snapshot: int | None, topics: Iterable[str], mark: str) -> int:
        """Add staged files in one atomic commit, unless something was written after the version `snapshot`, of whatever topics.

        Return the new version. An error for which is_conflict() is true means that the files must be read and compared again; after
        certainly_failed() they are not in the table. `mark` is the commit's name where the format keeps one; Delta tells its version.
        """
        transaction = self.transaction(snapshot)
        transaction.readWholeTable()
        return self.end(transaction, list(files))

    def replace(self, files: Iterable[Any], snapshot: int | None) -> int:
        """Let staged files be the whole table in one atomic commit, unless something was committed after the version `snapshot`.

        Return the new version. An error for which is_conflict() is true means that something was, or that nobody knows.
        """
        transaction = self.transaction(snapshot)
        held = list(self.jvm.scala.jdk.javaapi.CollectionConverters.asJava(transaction.filterFiles()))
        version = self.end(transaction, [*files, *(file.remove() for file in held)])
        self.replaced += [(time.monotonic(), file) for file in held]
        return version

    def transaction(self, snapshot: int | None) -> Any:
        """Return a transaction that began with a version."""
        began = with_defaults(self.log, "getSnapshotAt", snapshot or 0)
        return self.log.startTransaction(self.jvm.scala.Option.empty(), self.jvm.scala.Option.apply(began))

    def end(self, transaction: Any, actions: list[Any]) -> int:
        """Commit a transaction; return the new version."""
        chosen = self.jvm.java.util.ArrayList()
        for action in actions:
            chosen.add(action)
        operation = getattr(getattr(self.jvm.org.apache.spark.sql.delta, "DeltaOperations$ManualUpdate$"), "MODULE$")
        version: int = transaction.commit(self.jvm.scala.jdk.javaapi.CollectionConverters.asScala(chosen).toSeq(), operation)
        return version

    def expire(self, seconds: float) -> None:
        """Delete the files that this object replaced more than so many seconds ago; now and then those of others, after the hour of the table's properties."""
        old = [file for moment, file in self.replaced if moment < time.monotonic() - seconds]
        self.delete(old)
        self.replaced = [(moment, file) for moment, file in self.replaced if file not in old]
        version = self.snapshot()
        if version and version % VERSIONS == 0:
            with contextlib.suppress(Exception):  # the next one does it
                self.spark.sql(f"vacuum {self.name}")


def with_defaults(java: Any, method: str, *arguments: Any) -> Any:
    """Call a method of Scala's with these first arguments, and with its own defaults for those behind them."""
    found = list(arguments)
    while f"{method}$default${len(found) + 1}" in dir(java):
        found.append(getattr(java, f"{method}$default${len(found) + 1}")())
    return getattr(java, method)(*found)


def certainly_failed(error: BaseException) -> bool:
    """Return whether the error of a commit means that it has not happened, and not only that nobody knows."""
    return any(name.startswith("Concurrent") or name in ("MetadataChangedException", "ProtocolChangedException") for name, _ in causes(error))


def create(spark: SparkSession, name: str, columns: str, comment: str, values: Mapping[str, str]) -> None:
    """Create a table where it is missing. columns, comment: SQL. values: its properties.

    Delta writes a table's log before the catalog has its name, and then makes no other table in that folder. Where no other process comes
    to name it, its creation was killed: the folder is named as it is.
    """
    statement = f"create table if not exists {name} (\n{columns}\n) using delta comment {comment} tblproperties ({properties(values)})"
    for _ in range(CREATION_SECONDS):
        try:
            spark.sql(statement)
            return
        except AnalysisException as error:
            if error.getCondition() != "DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION":
                raise
        time.sleep(1)
    catalog: Any = spark._jsparkSession.sessionState()
    folder = catalog.catalog().defaultTablePath(catalog.sqlParser().parseTableIdentifier(name)).toString()
    spark.sql(f"{statement} location {literal(folder)}")


def create_raw(spark: SparkSession, name: str, columns: str, comment: str) -> None:
    """Create raw.kafka_messages. columns, comment: SQL."""
    create(spark, name, columns, comment, RAW_PROPERTIES)

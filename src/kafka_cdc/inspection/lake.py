"""A temporary lake, in which an inspection reads its sample by the SQL of the staging views."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import uuid4

import yaml
from pyspark import SparkContext, StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from kafka_cdc import environment, session
from kafka_cdc.errors import LandingError
from kafka_cdc.operation import OperationError, run_operation
from kafka_cdc.tables.sql import quote

TABLE = "kafka_messages"
HEAP = "1536m"
WITHOUT_KEYS = 1  # the topic incarnation of the sample's copy without Kafka keys


@dataclass(frozen=True)
class SampleEvents:
    """The events of a sample.

    Attributes:
        events: The columns that the macro print_inspection_query documents. The copy of the
            messages without their Kafka keys has the topic incarnation WITHOUT_KEYS.
        mapped_formats: The formats that the setting topics already names.
        lookalikes: A format to the other formats whose rows `auto` reads as it.
    """

    events: DataFrame
    mapped_formats: list[str]
    lookalikes: dict[str, list[str]]


class TemporaryLake:
    """A lake in a temporary folder, and the Spark session that uses it.

    If this process has a session already, its lake gets a schema that is dropped at the end.
    """

    def __init__(self) -> None:
        """Name the folder and the schema."""
        self.folder = Path(tempfile.mkdtemp(prefix="kafka_cdc_inspection_"))
        self.schema = f"inspection_{uuid4().hex}"
        self.is_shared = SparkContext._active_spark_context is not None
        self.spark: SparkSession | None = None

    def start(self) -> SparkSession:
        """Start the session."""
        if not self.is_shared:
            os.environ[environment.LAKE.name] = str(self.folder / "lake")
            is_delta = environment.FILE_FORMAT.get() == "delta"
            os.environ[environment.TARGET.name] = "local_delta" if is_delta else "local"
            os.environ[environment.MEMORY.name] = environment.MEMORY.get() or HEAP
        self.spark = session.start()
        return self.spark

    def __enter__(self) -> "TemporaryLake":
        """Return the lake, which has no session yet."""
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        """Remove the sample."""
        if self.is_shared and self.spark and self.spark.catalog.databaseExists(self.schema):
            for row in self.spark.sql(f"show tables in {quote(self.schema)}").collect():
                self.spark.sql(f"drop table {quote(self.schema, row.tableName)} purge")
            self._drop_schema(self.spark)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _drop_schema(self, spark: SparkSession) -> None:
        """Drop the empty schema.

        Hive's metastore in H2, which holds the names of Delta tables, drops it and then fails: it
        looks for tables of Hive's transactions.
        """
        try:
            spark.sql(f"drop namespace {quote(self.schema)}")
        except Exception:
            if spark.catalog.databaseExists(self.schema):
                raise

    def write(self, table: str, messages: DataFrame) -> None:
        """Add messages, and a copy of those that have a Kafka key, without it.

        Args:
            table: The quoted name of raw.
            messages: All columns of raw.
        """
        messages.writeTo(table).append()
        assert self.spark
        copy = self.spark.table(table).where("key is not null")
        copy = copy.withColumn("key", F.lit(None).cast("string"))
        copy = copy.withColumn("topic_incarnation", F.lit(WITHOUT_KEYS))
        copy.writeTo(table).append()

    @contextlib.contextmanager
    def read_events(self, batch: int, settings: dict[str, Any]) -> Iterator[SampleEvents]:
        """Yield the events of a landing batch, as dbt's macros read them.

        Args:
            batch: The landing batch of the sample.
            settings: Settings that replace those of dbt_project.yml.

        Raises:
            LandingError: dbt does not accept the settings.
        """
        printed = self._print_query(batch, settings)
        assert self.spark
        events = self.spark.sql(printed["query"]).persist(StorageLevel.DISK_ONLY)
        try:
            yield SampleEvents(events, printed["mapped_formats"], printed["lookalikes"])
        finally:
            events.unpersist()

    def _print_query(self, batch: int, settings: dict[str, Any]) -> dict[str, Any]:
        """Return what the macro print_inspection_query prints."""
        variables = settings | {
            "raw_schema": self.schema,
            "raw_table": TABLE,
            "raw_column_mapping": {},
        }
        options = ["--vars", yaml.safe_dump(variables, sort_keys=False)]
        options += ["--target-path", str(self.folder / "target")]
        options += ["--log-path", str(self.folder / "logs")]
        try:
            query: dict[str, Any] = run_operation(
                "kafka_cdc.print_inspection_query", {"batch": batch}, *options
            )
        except OperationError as error:
            raise LandingError(str(error)) from error
        return query

"""Metadata tables: tables of few rows next to raw, each replaced as a whole by every commit."""

import json
from collections.abc import Iterable
from datetime import datetime, timezone
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

from kafka_cdc.tables.raw import retry
from kafka_cdc.tables.sql import literal, quote
from kafka_cdc.tables.table_format import Table, certainly_failed, create_metadata_table

Columns = tuple[tuple[str, str, str], ...]  # name, type, comment
RETENTION_SECONDS = 600  # how long a reader finds the files that it has begun to read


class MetadataTable:
    """A metadata table, and the snapshot of it that was last read or written."""

    def __init__(
        self, spark: SparkSession, schema: str, table: str, *, columns: Columns, comment: str
    ) -> None:
        """Create the table with these columns if it does not exist."""
        self.spark, self.columns, self.comment = spark, columns, comment
        self.name = quote(*schema.split("."), table)
        retry(self._create)
        self.table = Table(spark, self.name)
        self.snapshot: int | None = None

    def load(self) -> list[Row]:
        """Read the table again and return its rows."""
        self.snapshot = self.table.snapshot()
        return [] if self.snapshot is None else self.table.at(self.snapshot).collect()

    def replace(self, rows: Iterable[dict[str, Any]]) -> None:
        """Replace the table by rows (column to value), unless another process has written it since.

        Raises:
            Exception: If is_conflict() is true for it, another process has, or the outcome is
                unknown.
        """
        staged = self.table.stage(self._to_data_frame(rows))
        try:
            self.snapshot = self.table.replace(staged, after=self.snapshot)
        except Exception as error:
            if certainly_failed(error):
                self.table.discard(staged)
            raise
        self.table.expire(RETENTION_SECONDS)

    def _create(self) -> None:
        """Create the table if it does not exist."""
        if not self.spark.catalog.tableExists(self.name):
            columns = ", ".join(
                f"{name} {type_} comment {literal(comment)}"
                for name, type_, comment in self.columns
            )
            create_metadata_table(
                self.spark, self.name, columns=columns, comment=literal(self.comment)
            )

    def _to_data_frame(self, rows: Iterable[dict[str, Any]]) -> DataFrame:
        """Return rows as a DataFrame that Spark builds without a Python process."""
        values = [{name: to_json(value) for name, value in row.items()} for row in rows]
        schema = ", ".join(f"{name} {type_}" for name, type_, _ in self.columns)
        parsed = F.from_json(F.lit(json.dumps(values)), f"array<struct<{schema}>>")
        return self.spark.range(1, numPartitions=1).select(F.inline(parsed))


def to_json(value: Any) -> Any:
    """Return a value as JSON represents it. A time becomes text in UTC."""
    return value.astimezone(timezone.utc).isoformat() if isinstance(value, datetime) else value

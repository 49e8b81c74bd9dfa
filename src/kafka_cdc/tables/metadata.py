"""Tables of few rows beside raw, each written as a whole in one commit."""

import json
from collections.abc import Iterable
from datetime import datetime, timezone
from typing import Any

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

from .sql import literal, quote
from .table import retry
from .table_format import Table, certainly_failed, create_small

Columns = tuple[tuple[str, str, str], ...]  # name, type, comment
KEPT_SECONDS = 600  # how long a reader finds what it has begun to read


class SmallTable:
    """The table, and the snapshot of it that was last read or written."""

    def __init__(self, spark: SparkSession, schema: str, table: str, columns: Columns, comment: str) -> None:
        """Make the table with these columns where it is missing."""
        self.spark, self.columns, self.comment = spark, columns, comment
        self.name = quote(*schema.split("."), table)
        retry(self.create)
        self.table = Table(spark, self.name)
        self.snapshot: int | None = None

    def create(self) -> None:
        """Create the table where it is missing."""
        if not self.spark.catalog.tableExists(self.name):
            columns = ", ".join(f"{name} {type_} comment {literal(comment)}" for name, type_, comment in self.columns)
            create_small(self.spark, self.name, columns, literal(self.comment))

    def load(self) -> list[Row]:
        """Read the table anew; return its rows."""
        self.snapshot = self.table.snapshot()
        return [] if self.snapshot is None else self.table.at(self.snapshot).collect()

    def replace(self, rows: Iterable[dict[str, Any]]) -> None:
        """Let rows (column → value) be the whole table, unless another has written it since.

        An error for which is_conflict() is true means that another has, or that nobody knows.
        """
        staged = self.table.stage(self.rows_of(rows))
        try:
            self.snapshot = self.table.replace(staged, self.snapshot)
        except Exception as error:
            if certainly_failed(error):
                self.table.discard(staged)
            raise
        self.table.expire(KEPT_SECONDS)

    def rows_of(self, rows: Iterable[dict[str, Any]]) -> DataFrame:
        """Return rows as a DataFrame that Spark makes without a process of Python's."""
        values = [{name: plain(value) for name, value in row.items()} for row in rows]
        schema = ", ".join(f"{name} {type_}" for name, type_, _ in self.columns)
        parsed = F.from_json(F.lit(json.dumps(values)), f"array<struct<{schema}>>")
        return self.spark.range(1, numPartitions=1).select(F.inline(parsed))


def plain(value: Any) -> Any:
    """Return a value as JSON has it; a time as text in UTC."""
    return value.astimezone(timezone.utc).isoformat() if isinstance(value, datetime) else value

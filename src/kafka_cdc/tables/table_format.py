"""The table format of raw, which KAFKA_CDC_FILE_FORMAT selects: iceberg or delta."""

from typing import TypeAlias

from pyspark.sql import SparkSession

from kafka_cdc import environment
from kafka_cdc.errors import LandingError
from kafka_cdc.tables import delta, iceberg

FORMATS = {"iceberg": iceberg, "delta": delta}
NAME = environment.FILE_FORMAT.get() or "iceberg"
if NAME not in FORMATS:
    raise LandingError(f"KAFKA_CDC_FILE_FORMAT is {NAME}. Hint: set it to {' or '.join(FORMATS)}")
Table: type[iceberg.Table] | type[delta.Table] = iceberg.Table if NAME == "iceberg" else delta.Table
AnyTable: TypeAlias = iceberg.Table | delta.Table
certainly_failed = FORMATS[NAME].certainly_failed
create_raw = FORMATS[NAME].create_raw
refresh_tables = FORMATS[NAME].refresh_tables


def create_metadata_table(spark: SparkSession, name: str, *, columns: str, comment: str) -> None:
    """Create a table of few rows, which every commit replaces, if it does not exist.

    Args:
        spark: The session.
        name: The quoted name of the table.
        columns: The columns with types and comments, as SQL.
        comment: The comment of the table, as a SQL string.
    """
    table_format = FORMATS[NAME]
    table_format.create(
        spark, name, columns=columns, comment=comment, properties=table_format.METADATA_PROPERTIES
    )

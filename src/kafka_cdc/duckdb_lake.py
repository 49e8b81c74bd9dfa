"""Typed Iceberg tables of the embedded lake in DuckDB, without Spark and without Java.

DuckDB is an optional package: `pip install 'kafka_cdc[duckdb]'`. `make setup` installs it.
"""

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kafka_cdc import environment
from kafka_cdc.errors import LandingError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

EXTENSIONS = ("avro", "iceberg")
HINT = "Hint: pip install 'kafka_cdc[duckdb]'"


def connect(*tables: str) -> "DuckDBPyConnection":
    """Return a connection to DuckDB that has a view for each table.

    A view shows the table as it is now. Connect again to see later rows.

    Args:
        tables: Names of tables in the schema of the public tables.

    Raises:
        LandingError: DuckDB is not installed, or the lake has no such table.
    """
    sources = [get_source(name) for name in tables]
    connection = open_duckdb()
    for name, source in zip(tables, sources, strict=True):
        connection.execute(f'create view "{name}" as select * from {source}')
    return connection


def open_duckdb() -> "DuckDBPyConnection":
    """Return a connection to DuckDB that can read Iceberg tables.

    Raises:
        LandingError: DuckDB or an extension is not installed.
    """
    try:
        import duckdb
        from duckdb_extensions import import_extension

        connection = duckdb.connect()
        for extension in EXTENSIONS:
            import_extension(extension, con=connection)
            connection.load_extension(extension)
    except ImportError as error:
        raise LandingError(f"DuckDB or its extension is not installed ({error}). {HINT}") from error
    return connection


def get_source(name: str) -> str:
    """Return the SQL with which DuckDB reads a table.

    Raises:
        LandingError: The lake has no such table, or its tables are not Iceberg tables.
    """
    if environment.FILE_FORMAT.get() not in (None, "iceberg"):
        raise LandingError("the tables are Delta tables. Hint: read them with delta-rs")
    schema = environment.schema_name()
    lake = environment.lake_folder()
    if file := find_metadata(lake / "catalog.db", schema, name):
        return f"iceberg_scan('{quoted(file)}')"
    raise LandingError(f"the lake {lake} has no table {schema}.{name}. Hint: run dbt build")


def find_metadata(catalog: Path, schema: str, name: str) -> str | None:
    """Return the metadata file of a table in the catalog of the embedded lake, or None."""
    query = (
        "select metadata_location from iceberg_tables where table_namespace = ? and table_name = ?"
    )
    if not catalog.is_file():
        return None
    with contextlib.closing(
        sqlite3.connect(f"{catalog.absolute().as_uri()}?mode=ro", uri=True)
    ) as connection:
        found = connection.execute(query, [schema, name]).fetchone()
    return str(found[0]).removeprefix("file:") if found else None


def quoted(path: str) -> str:
    """Return a path as the content of a SQL string."""
    return path.replace("'", "''")


def read_rows(tables: Sequence[str], query: str) -> tuple[list[str], list[tuple[object, ...]]]:
    """Return the columns and rows of a query on tables.

    Raises:
        LandingError: See connect().
    """
    with contextlib.closing(connect(*tables)) as connection:
        answer = connection.execute(query)
        return [column[0] for column in answer.description or []], answer.fetchall()

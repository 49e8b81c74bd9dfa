"""Read the tables of the pipelines from outside, as a user does: Iceberg by DuckDB, Paimon by pypaimon."""

import contextlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from kafka_cdc import environment
from kafka_cdc.duckdb_lake import find_metadata, open_duckdb, quoted

PAIMON = environment.project_home() / ".paimon"
Rows = list[Mapping[str, object]]


class Table(Protocol):
    """A table that a pipeline writes."""

    def state(self) -> str | None:
        """Return what changes with each commit, or None before the first."""

    def versions_before(self, key: int) -> list[object]:
        """Return the column `version` of the rows with keys before this one."""

    def rows_from(self, key: int) -> Rows:
        """Return the rows with keys from this one on."""


class IcebergTable:
    """A table of an embedded lake. `condition` selects the live rows, if the writer keeps deleted ones."""

    def __init__(self, lake: Path, schema: str, name: str, condition: str = "true") -> None:
        self.lake, self.schema, self.name, self.condition = lake, schema, name, condition
        self.connection = open_duckdb()

    def state(self) -> str | None:
        """Return the metadata file."""
        import sqlite3

        with contextlib.suppress(sqlite3.Error):  # the catalog is created now
            return find_metadata(self.lake / "catalog.db", self.schema, self.name)
        return None

    def versions_before(self, key: int) -> list[object]:
        """Return the column `version` of the live rows with keys before this one."""
        return [row["version"] for row in self._ask("version", f"id::bigint < {key}")]

    def rows_from(self, key: int) -> Rows:
        """Return the live rows with keys from this one on."""
        return self._ask("*", f"id::bigint >= {key}")

    def _ask(self, columns: str, condition: str) -> Rows:
        source = f"iceberg_scan('{quoted(self.state() or '')}')"
        query = f"select {columns} from {source} where ({self.condition}) and ({condition})"
        return self.connection.execute(query).arrow().read_all().to_pylist()


class PaimonTable:
    """A table of a Paimon warehouse in a folder."""

    def __init__(self, warehouse: Path, database: str, name: str) -> None:
        sys.path.append(str(PAIMON / "python"))
        self.warehouse, self.database, self.name = warehouse, database, name

    def state(self) -> str | None:
        """Return the number of the last snapshot."""
        latest = self.warehouse / f"{self.database}.db" / self.name / "snapshot" / "LATEST"
        return latest.read_text() if latest.is_file() else None

    def versions_before(self, key: int) -> list[object]:
        """Return the column `version` of the rows with keys before this one."""
        return [row["version"] for row in self._read("id", "version") if int(str(row["id"])) < key]

    def rows_from(self, key: int) -> Rows:
        """Return the rows with keys from this one on."""
        return [row for row in self._read() if int(str(row["id"])) >= key]

    def _read(self, *columns: str) -> Rows:
        from pypaimon import CatalogFactory

        catalog = CatalogFactory.create({"warehouse": f"file://{self.warehouse}"})
        reader = catalog.get_table(f"{self.database}.{self.name}").new_read_builder()
        if columns:
            reader = reader.with_projection(list(columns))
        return reader.new_read().to_arrow(reader.new_scan().plan().splits()).to_pylist()

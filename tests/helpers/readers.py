"""The tables of a lake as others read them, without Spark and without Java: PyIceberg, or delta-rs where the tests run on Delta."""

from pathlib import Path

from deltalake import DeltaTable
from pyiceberg.catalog import load_catalog

from kafka_cdc import duckdb_lake
from kafka_cdc.tables import table_format


class IcebergReader:
    """A table of the lake in a folder."""

    def __init__(self, folder, schema, name):
        uri = f"sqlite:///{folder}/catalog.db"
        self.table = load_catalog(
            "lake", type="sql", uri=uri, warehouse=f"file://{folder}"
        ).load_table(f"{schema}.{name}")

    def rows(self, *columns):
        """Return the rows as mappings, of these columns or of all."""
        return self.table.scan(selected_fields=columns or ("*",)).to_arrow().to_pylist()

    def files(self):
        """Return how many data files the table has."""
        return len(self.table.inspect.files())

    def snapshots(self):
        """Return the numbers of the table's snapshots that have data, in order."""
        return [snapshot.snapshot_id for snapshot in self.table.snapshots()]

    def columns(self):
        """Return the names of the columns and their comments."""
        return [(field.name, field.doc) for field in self.table.schema().fields]

    def properties(self):
        """Return the table's properties."""
        return self.table.properties


class DeltaReader:
    """A table of the lake in a folder."""

    def __init__(self, folder, schema, name):
        self.table = DeltaTable(folder_of(folder, schema, name))

    def rows(self, *columns):
        """Return the rows as mappings, of these columns or of all."""
        return self.table.to_pyarrow_table(columns=[*columns] or None).to_pylist()

    def files(self):
        """Return how many data files the table has."""
        return len(self.table.file_uris())

    def snapshots(self):
        """Return the numbers of the table's versions that have data, in order."""
        return [version for version in range(1, self.table.version() + 1)]

    def columns(self):
        """Return the names of the columns and their comments."""
        return [(field.name, field.metadata.get("comment")) for field in self.table.schema().fields]

    def properties(self):
        """Return the table's properties."""
        return self.table.metadata().configuration


Reader = {"iceberg": IcebergReader, "delta": DeltaReader}[table_format.NAME]


def folder_of(folder, schema, name="kafka_messages"):
    """Return the folder of a table, which need not be there."""
    return Path(folder, schema if table_format.NAME == "iceberg" else f"{schema}.db", name)


def data_files(folder, schema, name="kafka_messages"):
    """Return the data files of a table, those too that no snapshot has."""
    return [
        *folder_of(folder, schema, name).glob(
            "data/**/*.parquet" if table_format.NAME == "iceberg" else "*.parquet"
        )
    ]


def read_with_duckdb(name):
    """Return the rows of a typed Iceberg table as DuckDB reads them, as mappings."""
    columns, rows = duckdb_lake.read_rows([name], f'select * from "{name}"')
    return [dict(zip(columns, row)) for row in rows]

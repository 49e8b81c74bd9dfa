"""The tables of a lake as others read them, without Spark and without Java: PyIceberg, or delta-rs where the tests run on Delta."""

import contextlib
import importlib.util
import os
from pathlib import Path

import trino_server
from deltalake import DeltaTable
from pyiceberg.catalog import load_catalog

from kafka_cdc import duckdb_lake, environment
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


def read_with_duckdb(schema, name):
    """Return the rows of a typed table as DuckDB reads them, as mappings."""
    if table_format.NAME == "iceberg":
        assert environment.schema_name() == schema
        columns, rows = duckdb_lake.read_rows([name], f'select * from "{name}"')
        return [dict(zip(columns, row)) for row in rows]

    import duckdb
    from duckdb_extensions import import_extension

    with duckdb.connect() as connection:
        import_extension("delta", con=connection)
        connection.load_extension("delta")
        folder = folder_of(environment.lake_folder(), schema, name)
        found = connection.execute("select * from delta_scan(?)", [str(folder)])
        columns = [column[0] for column in found.description]
        return [dict(zip(columns, row)) for row in found.fetchall()]


def read_with_arrow(schema, name):
    """Return the rows of a typed table as PyIceberg or delta-rs reads them, as mappings."""
    return Reader(environment.lake_folder(), schema, name).rows()


def read_with_polars(schema, name):
    """Return the rows of a typed table as Polars reads them, as mappings."""
    import polars

    lake = environment.lake_folder()
    if table_format.NAME == "iceberg":
        metadata = duckdb_lake.find_metadata(lake / "catalog.db", schema, name)
        return polars.scan_iceberg(metadata).collect().to_dicts()
    return polars.scan_delta(str(folder_of(lake, schema, name))).collect().to_dicts()


def read_with_clickhouse(schema, name):
    """Return the rows of a typed table as ClickHouse reads them, as mappings."""
    import chdb

    function = {"iceberg": "icebergLocal", "delta": "deltaLakeLocal"}[table_format.NAME]
    folder = folder_of(environment.lake_folder(), schema, name)
    with contextlib.chdir(folder):  # ClickHouse reads Delta tables only in the current folder
        found = chdb.query(
            f"select * from {function}('{folder}/') settings output_format_arrow_string_as_string = 0",
            "ArrowTable",
        )
    return [decoded(row) for row in found.to_pylist()]


def read_with_trino(schema, name):
    """Return the rows of a typed table as Trino reads them, as mappings."""
    lake = environment.lake_folder()
    if table_format.NAME == "delta":
        return trino_server.read(folder_of(lake, schema, name), None, name)
    metadata = Path(duckdb_lake.find_metadata(lake / "catalog.db", schema, name))
    return trino_server.read(metadata.parent.parent, metadata.name, name)


def decoded(value):
    """Return a value of ClickHouse with text instead of bytes, where the bytes are UTF-8."""
    if isinstance(value, bytes):
        with contextlib.suppress(UnicodeDecodeError):
            return value.decode()
    if isinstance(value, (list, tuple)):
        return type(value)(map(decoded, value))
    if isinstance(value, dict):
        return {decoded(name): decoded(each) for name, each in value.items()}
    return value


# The reader of each engine, and the package that it needs. tests/engines has those that are large:
# `make test-readers` installs them and sets KAFKA_CDC_READERS, so that none is left out.
ENGINES = {
    "arrow": (read_with_arrow, "deltalake"),
    "duckdb": (
        read_with_duckdb,
        "duckdb" if table_format.NAME == "iceberg" else "duckdb_extension_delta",
    ),
    "polars": (read_with_polars, "polars"),
    "clickhouse": (read_with_clickhouse, "chdb"),
    "trino": (read_with_trino, None),
}


def why_not(engine):
    """Return why a test cannot read with an engine, or None."""
    if engine == "trino":
        return trino_server.why_not()
    return None if is_installed(engine) else f"{engine} is not installed: run make test-readers"


def is_installed(engine):
    """Return whether a test can read with an engine. KAFKA_CDC_READERS requires all but Trino."""
    package = ENGINES[engine][1]
    if engine == "trino":
        return trino_server.why_not() is None
    return bool(os.environ.get("KAFKA_CDC_READERS")) or bool(importlib.util.find_spec(package))

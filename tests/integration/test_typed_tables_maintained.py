"""Maintenance compacts typed tables. An erasure leaves no file with the row."""

import gzip
import json
import re

import fastavro
import pytest
from pyarrow.parquet import ParquetFile
from readers import Reader, data_files, folder_of
from test_typed_tables_are_read import BUILD, Shop, canal, order

from conftest import LAKE, long
from kafka_cdc.tables import table_format

pytestmark = [pytest.mark.delta_long, long]

# A merge that only marks rows as deleted: position deletes, or deletion vectors.
MARKS = {
    "iceberg": {f"write.{name}.mode": "merge-on-read" for name in ("merge", "update", "delete")},
    "delta": {"delta.enableDeletionVectors": "true"},
}[table_format.NAME]
MODELS = {
    "orders": "{{ kafka_cdc.current_table('shop.orders') }}",
    "orders_history": "{{ kafka_cdc.history_table('shop.orders') }}",
    "orders_marked": f"{{{{ config(tblproperties={json.dumps(MARKS)}) }}}}\n"
    "{{ kafka_cdc.current_table('shop.orders') }}",
}


def texts_on_disk(folder):
    """Return the contents of all files of a table, also of those that no version has."""
    for path in folder.rglob("*"):
        if path.suffix == ".parquet":
            yield str(ParquetFile(path).read().to_pylist())
        elif path.suffix == ".avro":
            with path.open("rb") as file:
                yield str([*fastavro.reader(file)])
        elif path.is_file():
            content = path.read_bytes()
            packed = content.startswith(b"\x1f\x8b")
            yield (gzip.decompress(content) if packed else content).decode(errors="replace")


class Tables:
    """The typed tables of a shop."""

    def __init__(self, project, folder, name="typed_kept"):
        shop = Shop(project, folder, name=name)
        self.built, self.schema = shop.built, f"cdc_{shop.built.name}"
        self.models = shop.models
        self.built.dbt("seed", "--select", "source_types")
        shop.models.mkdir()
        for name, text in MODELS.items():
            (shop.models / f"{name}.sql").write_text(text + "\n", encoding="utf-8")
        self.built.manifests.clear()

    def rows(self, name):
        rows = self.built.query(f"select * from {{cdc}}.{name}")
        return sorted(rows, key=str)

    def touch(self, times):
        """Update rows of the table that marks them. The values stay."""
        for _ in range(times):
            self.built.spark.sql(
                f"update {self.schema}.orders_marked set name = name where name <> 'other'"
            )

    def files(self, name):
        return Reader(LAKE.name, self.schema, name).files()

    def on_disk(self, name):
        return len(data_files(LAKE.name, self.schema, name))

    def versions(self, name):
        return len(self.built.snapshots(f"{{cdc}}.{name}"))

    def operate(self, operation, **arguments):
        self.built.dbt("run-operation", operation, "--args", json.dumps(arguments))


def test_maintenance_and_erasure_reach_typed_tables(project, tmp_path, capsys):
    tables = Tables(project, tmp_path)
    built = tables.built
    built.land([canal(number, "INSERT", order(number)) for number in range(3)])
    built.dbt(*BUILD)
    built.land([canal(3, "UPDATE", order(1, name="married"), old=[{"name": "Łódź 1"}])])
    built.dbt(*BUILD)
    rows = {name: tables.rows(name) for name in MODELS}
    assert [len(found) for found in rows.values()] == [3, 4, 3]

    # an explanation of a row names the versions of the tables
    capsys.readouterr()
    tables.operate("explain_row", table="shop.orders", key={"id": str(2**63 + 1)})
    printed = capsys.readouterr().out
    for name, number in (("orders", "1 row"), ("orders_history", "2 rows")):
        version = built.snapshots(f"{{cdc}}.{name}")[-1]
        line = f"{tables.schema}.{name}, version {version}, has {number} with this key\n"
        assert line in printed

    # small files are compacted; old versions stay for keep_days
    tables.touch(5)
    versions = {name: tables.versions(name) for name in MODELS}
    assert min(versions.values()) >= 2
    written = tables.on_disk("orders_marked")
    assert written >= 5
    tables.operate("maintain_tables")
    assert tables.files("orders_marked") == 1
    for name in MODELS:
        assert tables.rows(name) == rows[name]
        assert tables.versions(name) >= versions[name]
    assert tables.on_disk("orders_marked") >= written

    # an erased row is in no file, although a table only marks rows as deleted; old versions go
    tables.touch(1)
    pattern = re.compile(rf"Łódź 1|married|{2**63 + 1}")
    folders = {name: folder_of(LAKE.name, tables.schema, name) for name in MODELS}
    for name, folder in folders.items():
        assert any(pattern.search(text) for text in texts_on_disk(folder)), name
    tables.operate("erase_row", table="shop.orders", key={"id": str(2**63 + 1)})
    for name, folder in folders.items():
        assert not [text[:300] for text in texts_on_disk(folder) if pattern.search(text)], name
        expected = [row for row in rows[name] if row["id"] != 2**63 + 1]
        assert tables.rows(name) == expected
        assert tables.files(name) == 1, name
        # Delta keeps versions in its log, and may have written files without rows.
        if table_format.NAME == "iceberg":
            assert tables.on_disk(name) == tables.versions(name) == 1, name


def test_an_erasure_names_typed_tables_without_a_model(project, tmp_path):
    """Their files were deleted. A table of another source table is not named."""
    tables = Tables(project, tmp_path, name="typed_orphans")
    built, file = tables.built, tables.models / "orders_history.sql"
    items = tables.models / "items.sql"
    items.write_text("{{ kafka_cdc.current_table('shop.items') }}\n", encoding="utf-8")
    built.land([canal(number, "INSERT", order(number)) for number in range(3)])
    built.land([canal(3, "INSERT", order(3), table="items")])
    built.dbt(*BUILD)
    file.unlink()
    items.unlink()
    built.manifests.clear()

    person = {"table": "shop.orders", "key": {"id": str(2**63 + 1)}}
    named = f"may have the rows: {tables.schema}.orders_history. Hint: drop"
    for operation in ("erase_row", "erase_data_subject"):
        tables.operate(operation, **person)
        (warning,) = [line for line in built.log_lines if "without a model" in line]
        assert named in warning, operation
    assert len(tables.rows("orders")) == 2 and len(tables.rows("orders_history")) == 3

    # with its model again, the repeated command erases the row
    file.write_text(MODELS["orders_history"] + "\n", encoding="utf-8")
    built.manifests.clear()
    tables.operate("erase_row", **person)
    assert not [line for line in built.log_lines if "without a model" in line]
    assert len(tables.rows("orders_history")) == 2

"""Each engine reads exact values from typed tables, for each way in which a merge may write.

Maintenance keeps the rows, and an erased row stays erased. `make test` runs this file on Delta, too.

These are the cells of the table of engines in docs/reference/table-formats.md. `make test-readers`
installs the engines that `make setup` leaves out, and `make test-trino` Trino.
"""

import json
import re
from datetime import date, datetime, timezone
from decimal import Decimal

import pytest
from deltalake.exceptions import DeltaProtocolError
from readers import ENGINES, folder_of, why_not
from test_typed_tables_are_read import BUILD, Shop, canal
from test_typed_tables_maintained import MARKS, texts_on_disk

from conftest import LAKE
from kafka_cdc.cli import main
from kafka_cdc.tables import table_format

pytestmark = pytest.mark.delta

COLUMNS = {
    "id": "bigint unsigned",
    "name": "varchar(20)",
    "price": "decimal(38,9)",
    "paid": "tinyint(1)",
    "count": "bigint",
    "ratio": "double",
    "part": "float",
    "flag": "bit(1)",
    "bytes": "varbinary(9)",
    "born": "date",
    "seen": "datetime(6)",
}
FIRST = {
    "id": "18446744073709551615",
    "name": "Łódź\n'\U0001f600",
    "price": "-99999999999999999999999999999.999999999",
    "paid": "-1",
    "count": "-9223372036854775808",
    "ratio": "0.1",
    "part": "0.5",
    "flag": "1",
    "bytes": "\x00\x7f\xff",
    "born": "1969-12-31",
    "seen": "1969-12-31 23:59:59.999999",
}
EMPTY = {"id": "0"} | {name: None for name in COLUMNS if name != "id"}
ODD = EMPTY | {"id": "7", "name": "", "born": "0000-00-00", "price": "0.0000000001"}
CHANGED = ODD | {"name": "changed", "seen": "9999-12-31 23:59:59.000001"}
GONE = FIRST | {"id": "8"}
PYTHON = {
    "id": Decimal,
    "price": Decimal,
    "paid": int,
    "count": int,
    "ratio": float,
    "part": float,
    "flag": lambda text: text == "1",
    "bytes": lambda text: text.encode("latin-1"),
    "born": date.fromisoformat,
    "seen": datetime.fromisoformat,
}
MODELS = {
    "copied": "{{ kafka_cdc.current_table('shop.orders') }}",
    "marked": f"{{{{ config(tblproperties={json.dumps(MARKS)}) }}}}\n"
    "{{ kafka_cdc.current_table('shop.orders') }}",
    "versions": "{{ kafka_cdc.history_table('shop.orders') }}",
}


def exact(row):
    """Return the values of a row of the source as Python has them."""
    bad = {"born", "price"} if row["id"] == "7" else set()
    return {
        name: None if row[name] is None or name in bad else PYTHON.get(name, str)(row[name])
        for name in COLUMNS
    }


def found(row):
    """Return a row of an engine, with times in UTC and a map as a dictionary."""
    values = dict(row)
    for name, value in values.items():
        if isinstance(value, datetime) and value.tzinfo:
            values[name] = value.astimezone(timezone.utc).replace(tzinfo=None)
    undecoded = values["undecoded"]
    if isinstance(undecoded, list):  # Arrow and Polars: a list of entries
        pairs = [tuple(each.values()) if isinstance(each, dict) else each for each in undecoded]
        undecoded = dict(pairs)
    return {**values, "undecoded": {name: each["text"] for name, each in undecoded.items()}}


@pytest.fixture(scope="module")
def tables(project, tmp_path_factory):
    """Typed tables after inserts, and after a merge that updates, inserts and deletes."""
    shop = Shop(project, tmp_path_factory.mktemp("engines"), name="engines")
    built = shop.built
    built.dbt("seed", "--select", "source_types")
    shop.models.mkdir()
    for name, text in MODELS.items():
        (shop.models / f"{name}.sql").write_text(text + "\n", encoding="utf-8")
    built.manifests.clear()
    land = lambda at, code, row, **more: built.land([canal(at, code, row, COLUMNS, **more)])
    for at, row in enumerate([FIRST, ODD, GONE]):
        land(at, "INSERT", row)
    built.dbt(*BUILD)
    land(3, "UPDATE", CHANGED, old=[{"name": ODD["name"], "seen": None}])
    land(4, "DELETE", GONE)
    land(5, "INSERT", EMPTY)
    built.dbt(*BUILD)
    return built


def test_the_marked_table_marks_deleted_rows(tables):
    """Otherwise the engines would read the same files as of the other table."""
    if table_format.NAME == "iceberg":
        for name, number in (("copied", 0), ("marked", 1)):
            files = tables.query(f"select * from {{cdc}}.{name}.delete_files")
            assert (len(files) > 0) == number, name
    else:
        metrics = tables.query("describe history {cdc}.marked")
        assert any(
            int(row["operationMetrics"].get("numTargetDeletionVectorsAdded", 0)) for row in metrics
        )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", MODELS)
def test_an_engine_reads_exact_values(tables, engine, name):
    if reason := why_not(engine):
        pytest.skip(reason)
    if (table_format.NAME, engine, name) == ("delta", "arrow", "marked"):
        with pytest.raises(DeltaProtocolError, match="deletionVectors"):
            ENGINES[engine][0](f"cdc_{tables.name}", name)
        return
    rows = [found(row) for row in ENGINES[engine][0](f"cdc_{tables.name}", name)]
    expected = [exact(row) for row in (EMPTY, CHANGED, FIRST)]
    undecoded = {Decimal(7): {"born": "0000-00-00", "price": "0.0000000001"}}
    if name == "versions":
        expected += [exact(row) for row in (ODD, GONE)]
        times = {(row["id"], row["name"]): (row["valid_from"], row["valid_to"]) for row in rows}
        assert times[Decimal(7), ""] == (
            datetime(2026, 1, 1, 0, 1),
            datetime(2026, 1, 1, 0, 3),
        )
        assert {row["id"] for row in rows if row["is_current"]} == {0, 7, 2**64 - 1}
    order = lambda row: (row["id"], row["name"] or "")
    rows.sort(key=order)
    assert [{column: row[column] for column in COLUMNS} for row in rows] == sorted(
        expected, key=order
    )
    assert [row["undecoded"] for row in rows] == [undecoded.get(row["id"], {}) for row in rows]


def rows_of(tables):
    """Return the keys in each typed table."""
    query = "select id from {{cdc}}.{} order by id, name"
    return {name: [row["id"] for row in tables.query(query.format(name))] for name in MODELS}


def test_maintenance_keeps_the_rows(tables):
    before = rows_of(tables)
    tables.dbt("run-operation", "maintain_tables")
    assert rows_of(tables) == before
    for name in MODELS:
        assert any(f"cdc_{tables.name}.{name}: " in line for line in tables.log_lines), name


def test_an_erased_row_stays_erased(tables, tmp_path):
    """In raw, events and typed tables. One of these only marks rows as deleted."""
    schema, pattern = f"cdc_{tables.name}", re.compile(r"0\.0000000001|9999-12-31")
    names = {**{name: schema for name in (*MODELS, "events")}, "kafka_messages": "raw_engines"}
    folders = {name: folder_of(LAKE.name, its_schema, name) for name, its_schema in names.items()}
    for name, folder in folders.items():
        assert any(pattern.search(text) for text in texts_on_disk(folder)), name
    row = {"table": "shop.orders", "key": {"id": "7"}}
    tables.dbt("run-operation", "erase_row", "--args", json.dumps(row))
    for name, folder in folders.items():
        assert not [text[:300] for text in texts_on_disk(folder) if pattern.search(text)], name
    others = rows_of(tables)
    assert others == {
        "copied": [0, 2**64 - 1],
        "marked": [0, 2**64 - 1],
        "versions": [0, 8, 2**64 - 1],
    }

    # A file that still has the row lands only the new message, which is a duplicate.
    offsets = "select offset from {raw}.kafka_messages order by offset"
    before = tables.query(offsets)
    lines = [
        {"topic": "shop", "partition": 0, "offset": at, "payload": one["value"]}
        for at in (1, 100)
        for one in [canal(at, "INSERT", ODD, COLUMNS)]
    ]
    (tmp_path / "dump.kcat.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["land", "files", str(tmp_path), "--schema", "raw_engines"]) == 0
    assert tables.query(offsets) == [*before, {"offset": 100}]
    tables.dbt(*BUILD, replay="all")
    assert rows_of(tables) == others

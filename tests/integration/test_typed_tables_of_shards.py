"""Shards of a table, chosen by a glob, are one typed table. The rows are computed here."""

import json
import random
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import pytest
from test_typed_tables_are_read import BUILD, Shop, canal

from conftest import long
from kafka_cdc.tables import table_format

pytestmark = [pytest.mark.delta_long, long]

FIRST = {
    "id": "int",
    "amount": "int",
    "code": "int",
    "size": "int",
    "ratio": "float",
    "span": "int",
}
SECOND = {
    "id": "bigint",
    "amount": "decimal(6,2)",
    "code": "varchar(9)",
    "size": "bigint",
    "ratio": "double",
    "span": "time",  # becomes text, but no text of an int is a time
    "note": "varchar(9)",
}
TYPES = {"shop_1": FIRST, "shop_2": SECOND, "shop_3": FIRST | {"late": "date"}}
MODELS = {
    "live": "current_table('shop_?.orders')",
    "soft": "current_table('shop_?.orders', deletes='soft')",
    "versions": "history_table('shop_?.orders')",
    "one": "current_table('shop_2.orders')",
}
PYTHON = {
    "id": int,
    "amount": lambda text: Decimal(text).quantize(Decimal("0.01")),
    "size": int,
    "ratio": float,
    "late": str,
}


class Shards:
    """Random changes of shards whose keys repeat, and the rows that they leave."""

    def __init__(self, chance):
        self.chance, self.offset = chance, 0
        self.rows, self.deleted, self.versions = {}, {}, []

    def row(self, shard, key):
        number = self.chance.randrange(100)
        text = {
            "id": str(key),
            "amount": f"{number}.25" if shard == "shop_2" else str(number),
            "code": f"c{number}" if shard == "shop_2" else str(number),
            "size": str(2**40 + number) if shard == "shop_2" else str(number),
            "ratio": "0.1" if shard == "shop_2" else "0.5",
            "span": "-01:30:00" if shard == "shop_2" else str(number),
            "note": None if number % 2 else f"n{number}",
            "late": "2020-02-29",
        }
        return {name: text[name] for name in TYPES[shard]}

    def change(self, *shards):
        """Return a message of a random change in one of the shards."""
        shard, key = self.chance.choice(shards), self.chance.randrange(4)
        before = self.rows.get((shard, key))
        code = "INSERT" if not before else self.chance.choice(["UPDATE", "UPDATE", "DELETE"])
        row = before if code == "DELETE" else self.row(shard, key)
        self.deleted.pop((shard, key), None)
        if code == "DELETE":
            self.deleted[shard, key] = self.rows.pop((shard, key))
        else:
            self.rows[shard, key] = row
            self.versions.append((shard, key, row))
        self.offset += 1
        old = [before] if code == "UPDATE" else None
        return canal(self.offset, code, row, TYPES[shard], old=old, database=shard)


def make_shop(project, folder, name):
    """Return a project with the typed models of the shards."""
    shop = Shop(project, folder, name=name)
    shop.built.settings["topics"] = [{"topic": "shop", "format": "canal", "source": "canal"}]
    shop.models.mkdir()
    for model, call in MODELS.items():
        text = f"{{{{ kafka_cdc.{call} }}}}\n"
        (shop.models / f"{model}.sql").write_text(text, encoding="utf-8")
    shop.built.dbt("seed", "--select", "source_types")
    return shop.built


def typed(shard, row):
    """Return a row as Python has its values, of all columns of all shards."""
    names = dict.fromkeys(name for types in TYPES.values() for name in types)
    values = {name: row.get(name) for name in names}
    return shard, *(
        None if text is None else PYTHON.get(name, str)(text) for name, text in values.items()
    )


def found(built, name):
    """Return the rows of a typed table: shard, values, and is_deleted of the table that has it."""
    rows = built.query(f"select * from {{cdc}}.{name}")
    if name == "one":
        return sorted(row["id"] for row in rows)
    assert all(row["undecoded"] == {} for row in rows)
    names = dict.fromkeys(name for types in TYPES.values() for name in types)
    values = lambda row: [
        str(row[name]) if name == "late" and row.get(name) else row.get(name) for name in names
    ]
    more = ["is_deleted"] if name == "soft" else []
    return sorted(
        ((row["source_database"], *values(row), *(row[name] for name in more)) for row in rows),
        key=str,
    )


def expected(shards):
    """Return the rows that each typed table must have."""
    live = [typed(shard, row) for (shard, _), row in shards.rows.items()]
    deleted = [typed(shard, row) for (shard, _), row in shards.deleted.items()]
    versions = [typed(shard, row) for shard, _, row in shards.versions]
    return {
        "live": sorted(live, key=str),
        "soft": sorted(
            [(*row, False) for row in live] + [(*row, True) for row in deleted], key=str
        ),
        "versions": sorted(versions, key=str),
        "one": sorted(key for shard, key in shards.rows if shard == "shop_2"),
    }


def assert_shards(built, shards):
    """Compare the typed tables with the rows of the shards."""
    for name, rows in expected(shards).items():
        assert found(built, name) == rows, name


def merges(built, name):
    """Return how many commits of a typed table changed single rows."""
    if table_format.NAME == "delta":
        history = built.query(f"describe history {{cdc}}.{name}")
        return sum(row["operation"] == "MERGE" for row in history)
    commits = built.query(f"select parent_id from {{cdc}}.{name}.snapshots")
    return sum(row["parent_id"] is not None for row in commits)  # a new table has no parent


def test_shards_are_one_table(project, tmp_path):
    built = make_shop(project, tmp_path, "typed_shards")
    shards = Shards(random.Random(7))
    built.land([shards.change("shop_1", "shop_2") for _ in range(30)])
    built.dbt(*BUILD)
    assert_shards(built, shards)
    types = {
        field.name: field.dataType.simpleString()
        for field in built.spark.table(f"cdc_{built.name}.live").schema
    }
    assert (
        types.items()
        >= {
            "id": "bigint",
            "amount": "decimal(12,2)",
            "code": "string",
            "size": "bigint",
            "ratio": "double",
            "span": "string",
            "note": "string",
            "source_schema": "string",
            "source_table": "string",
        }.items()
    )

    # changes of one shard do not touch equal keys of the other
    before = {name: merges(built, name) for name in MODELS}
    built.land([shards.change("shop_1") for _ in range(6)])
    built.dbt("run", *BUILD[1:])
    assert_shards(built, shards)
    assert {name: merges(built, name) - before[name] for name in MODELS} == {
        "live": 1,
        "soft": 1,
        "versions": 1,
        "one": 0,
    }

    # a landing that began long ago commits only now: the tables are written again
    began = datetime.now(timezone.utc) - timedelta(hours=1)
    built.land([shards.change("shop_1") for _ in range(4)], landed_at=began)
    built.dbt("run", *BUILD[1:])
    assert_shards(built, shards)

    # another shard comes, with another column
    built.land([shards.change("shop_3", "shop_2") for _ in range(12)])
    built.dbt("run", *BUILD[1:])
    assert_shards(built, shards)

    # most rows change: the table is written again, without a merge
    limits = built.home / "macros" / "typed_tables" / "has_many_changes.sql"
    text = limits.read_text(encoding="utf-8")
    assert "min_rows = 100000" in text
    limits.write_text(text.replace("min_rows = 100000", "min_rows = 1"), encoding="utf-8")
    built.manifests.clear()
    before = {name: merges(built, name) for name in ("live", "soft")}
    built.land([shards.change(*TYPES) for _ in range(30)])
    built.dbt("run", *BUILD[1:])
    assert_shards(built, shards)
    assert {name: merges(built, name) for name in before} == before

    # the row with an equal key of another shard is not erased
    (key,) = [key for shard, key in shards.rows if shard == "shop_1"][:1]
    assert ("shop_2", key) in shards.rows or ("shop_3", key) in shards.rows
    arguments = {"table": "shop_1.orders", "key": {"id": str(key)}}
    built.dbt("run-operation", "erase_row", "--args", json.dumps(arguments))
    del shards.rows["shop_1", key]
    shards.versions = [each for each in shards.versions if each[:2] != ("shop_1", key)]
    assert_shards(built, shards)

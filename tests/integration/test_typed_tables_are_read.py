"""Other engines read the rows of the source in the typed tables of the command typed-models.

The readers share no code with Spark: PyIceberg and DuckDB, or delta-rs on Delta. `make test-readers`
adds Polars and ClickHouse.
"""

import json
import sys
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from dbt.adapters.sql.connections import SQLConnectionManager
from project_copy import copy_project
from readers import ENGINES, is_installed

from conftest import iceberg, long
from kafka_cdc import duckdb_lake, exit_codes, typed_models
from kafka_cdc.errors import LandingError

TYPES = {
    "id": "bigint unsigned",
    "name": "varchar(20)",
    "price": "decimal(38,9)",
    "paid": "tinyint(1)",
    "born": "date",
    "seen": "datetime(6)",
}
BUILD = [
    "build",
    "--select",
    "+current_state",
    "row_history",
    "applied_schema_changes",
    "path:models/typed",
    "--exclude",
    "staging",
]
BEGIN = datetime(2026, 1, 1, tzinfo=timezone.utc)


def canal(offset, code, row, types=TYPES, **more):
    return {
        "topic": "shop",
        "offset": offset,
        "value": json.dumps(
            {
                "data": row and [row],
                "database": "shop",
                "es": int((BEGIN + timedelta(minutes=offset)).timestamp() * 1000),
                "gtid": "",
                "id": offset + 1,
                "isDdl": False,
                "mysqlType": types,
                "old": None,
                "pkNames": ["id"],
                "sql": "",
                "sqlType": {},
                "table": "orders",
                "ts": 1767225600000,
                "type": code,
                **more,
            }
        ),
    }


def order(number, **values):
    return {
        "id": str(2**63 + number),
        "name": f"Łódź {number}",
        "price": f"{number}.000000001",
        "paid": "1",
        "born": "2020-02-29",
        "seen": "2021-06-25 17:51:53.000001",
        **values,
    }


def typed(row):
    """Return the values of a row as Python has them."""
    seen = row["seen"] and datetime.fromisoformat(row["seen"])
    return {
        "id": Decimal(row["id"]),
        "name": row["name"],
        "price": Decimal(row["price"]),
        "paid": int(row["paid"]),
        "born": date.fromisoformat(row["born"]),
        "seen": seen,
    } | {name: row[name] for name in row if name not in TYPES}


class Shop:
    """A project in a folder of its own, with the models that typed-models writes."""

    def __init__(self, project, folder, name="typed_readers"):
        self.built = project(name, topics=[{"topic": "shop", "format": "canal"}])
        self.built.home = copy_project(folder)
        self.models = folder / "models" / "typed"

    def write_models(self, check=False, contracts=False):
        """Run the command typed-models. Return its exit code."""
        self.built.manifests.clear()
        return typed_models.run(
            typed_models.Request(
                tables=["shop.*"],
                exclude=["*.orders2"],
                source=None,
                history=True,
                into=self.models,
                check=check,
                contracts=contracts,
            )
        )

    def rows(self, name):
        """Return the rows of a table as each reader finds them."""
        schema = f"cdc_{self.built.name}"
        return [read(schema, name) for engine, (read, _) in ENGINES.items() if is_installed(engine)]

    def assert_orders(self, expected):
        """Compare the typed table with rows of the source, in every reader."""
        expected = sorted(map(typed, expected), key=lambda row: row["id"])
        for rows in self.rows("shop_orders"):
            found = sorted(rows, key=lambda row: row["id"])
            assert [dict(row["undecoded"]) for row in found] == [{} for _ in found]
            names = [name for name in found[0] if name not in ("undecoded", "row_key")]
            assert [{name: row[name] for name in names} for row in found] == [
                {name: row.get(name) for name in names} for row in expected
            ]
            assert set(names) >= set(expected[0])


@long
@pytest.mark.delta_long
def test_other_engines_read_the_rows_of_the_source(project, tmp_path, capsys):
    shop = Shop(project, tmp_path)
    types = TYPES | {"is_deleted": "varchar(3)"}  # a merge must find another name for its mark
    orders = [order(number, is_deleted="no") for number in range(3)]
    shop.built.dbt("seed", "--select", "source_types")
    shop.built.land([canal(n, "INSERT", row, types) for n, row in enumerate(orders)])
    shop.built.dbt(*BUILD)
    assert shop.write_models(check=True) == exit_codes.FAILURE
    assert not shop.models.exists()
    assert shop.write_models() == exit_codes.SUCCESS
    assert sorted(file.name for file in shop.models.iterdir()) == [
        "shop_orders.sql",
        "shop_orders.yml",
        "shop_orders_history.sql",
        "shop_orders_history.yml",
    ]
    assert shop.write_models(check=True) == exit_codes.SUCCESS
    shop.built.dbt(*BUILD)
    shop.assert_orders(orders)

    # an update, a deletion, an insert, a changed key
    changed, new = orders[1] | {"name": "changed", "price": "0.5"}, order(7, paid="0")
    moved = orders[2] | {"id": str(2**63 + 3)}
    shop.built.land(
        [
            canal(3, "UPDATE", changed, types, old=[orders[1]]),
            canal(4, "DELETE", orders[0], types),
            canal(5, "INSERT", new, types),
            canal(6, "UPDATE", moved, types, old=[{"id": orders[2]["id"]}]),
        ]
    )
    shop.built.dbt(*BUILD)
    shop.assert_orders([changed, moved, new])
    for rows in shop.rows("shop_orders_history"):
        versions = sorted((row["id"] - 2**63, row["name"], row["is_current"]) for row in rows)
        assert versions == [
            (0, "Łódź 0", False),
            (1, "changed", True),
            (1, "Łódź 1", False),
            (2, "Łódź 2", False),
            (3, "Łódź 2", True),
            (7, "Łódź 7", True),
        ]

    # the source gets a column
    types |= {
        "note": "text",
        "password_url": "text",
    }  # Spark hides properties with such words
    noted = order(8, note="new", password_url="x")
    shop.built.land([canal(7, "INSERT", noted, types)])
    shop.built.dbt(*BUILD)
    shop.assert_orders([changed, moved, new, noted])
    check_contracts(shop, capsys, types, [changed, moved, new, noted])


def check_contracts(shop, capsys, types, orders):
    """The models get a contract. It admits new rows, and stops a run before a column comes."""
    capsys.readouterr()
    assert shop.write_models(check=True) == exit_codes.FAILURE
    assert "+  - name: note" in capsys.readouterr().out
    assert shop.write_models(contracts=True) == exit_codes.SUCCESS
    assert shop.write_models(check=True, contracts=True) == exit_codes.SUCCESS
    assert "+    contract:" in capsys.readouterr().out
    shop.built.dbt("run", "--select", "path:models/typed")  # every type of the yml is right

    last = order(10, note="last")
    shop.built.land([canal(8, "INSERT", last, types)])
    shop.built.dbt(*BUILD)
    shop.assert_orders([*orders, last])
    types["more"] = "int"
    shop.built.land([canal(9, "INSERT", order(9, more="1"), types)])
    result = shop.built.invoke(*BUILD)
    failed = {run.node.name: run.message for run in result.result if run.status == "error"}
    assert sorted(failed) == ["shop_orders", "shop_orders_history"]
    assert "This model has an enforced contract that failed." in failed["shop_orders"]
    shop.assert_orders([*orders, last])


@iceberg
@long
def test_a_run_asks_once_for_all_typed_tables(project, tmp_path, monkeypatch):
    """One thread reads the new events of three tables for their columns, in one query."""
    shop = Shop(project, tmp_path, name="typed_once")
    tables = ["a", "b", "c"]
    shop.built.dbt("seed", "--select", "source_types")
    shop.models.mkdir()
    for table in tables:
        model = "{{ kafka_cdc.current_table('shop." + table + "') }}\n"
        (shop.models / f"typed_{table}.sql").write_text(model, encoding="utf-8")
    shop.built.manifests.clear()
    statements = []
    execute = SQLConnectionManager.execute

    def record(self, sql, *arguments, **options):
        statements.append(sql)
        return execute(self, sql, *arguments, **options)

    monkeypatch.setattr(SQLConnectionManager, "execute", record)
    for build in range(2):  # the first one creates the tables, the second one merges
        changes = [
            canal(3 * build + at, "INSERT", order(build, name=f"{table}{build}"), table=table)
            for at, table in enumerate(tables)
        ]
        shop.built.land(changes)
        statements.clear()
        shop.built.dbt(*BUILD, "--threads", "1")
        assert sum("posexplode(array_union(" in sql for sql in statements) == 1
        assert sum(sql.lstrip().startswith("merge into") for sql in statements) == 3 * build
        for table in tables:
            found = shop.built.query(f"select name from {{cdc}}.typed_{table} order by id")
            assert [row["name"] for row in found] == [f"{table}{n}" for n in range(build + 1)]


@iceberg
def test_duckdb_names_what_is_missing(monkeypatch):
    monkeypatch.setenv("KAFKA_CDC_SCHEMA", "nowhere")
    with pytest.raises(LandingError, match="has no table nowhere.orders. Hint: run dbt build"):
        duckdb_lake.connect("orders")
    monkeypatch.setattr(duckdb_lake, "get_source", lambda *_: "nothing")
    monkeypatch.setitem(sys.modules, "duckdb_extensions", None)
    with pytest.raises(LandingError, match=r"Hint: pip install 'kafka_cdc\[duckdb\]'"):
        duckdb_lake.connect("orders")


@pytest.mark.delta_long
def test_duckdb_reads_no_delta_tables(monkeypatch):
    monkeypatch.setenv("KAFKA_CDC_FILE_FORMAT", "delta")
    with pytest.raises(LandingError, match="the tables are Delta tables. Hint: "):
        duckdb_lake.connect("orders")


@long
@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("current_table('shop.orders', source='other')", "of source other"),
        ("current_table('shop.orders', deletes='never')", "valid values are hard and soft"),
        (
            "history_table('shop.orders', on_schema_change='x')",
            "valid values are evolve, try_evolve, lenient, ignore and exception",
        ),
    ],
)
def test_a_wrong_argument_is_one_sentence(project, tmp_path, call, message):
    shop = Shop(project, tmp_path)
    if not shop.built.spark.catalog.tableExists(f"cdc_{shop.built.name}.changelog"):
        shop.built.land([canal(0, "INSERT", order(0))])
        shop.built.dbt("seed", "--select", "source_types")
        shop.built.dbt(*BUILD)
        shop.built.manifests.clear()
    shop.models.mkdir()
    (shop.models / "wrong.sql").write_text("{{ kafka_cdc." + call + " }}\n", encoding="utf-8")
    shop.built.manifests.clear()
    result = shop.built.invoke("run", "--select", "wrong")
    assert not result.success
    text = str(result.exception or [one.message for one in result.result])
    assert message in text

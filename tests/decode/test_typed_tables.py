"""Typed models of generate_table_model: equal rows from every vendor, and no loss if a value does not fit."""

import contextlib
import io
import json
import os
import re
import sys
from datetime import date, datetime
from decimal import Decimal

import pytest
import yaml
from dbt.cli.main import dbtRunner
from format_files import typed_tables
from project_copy import copy_project

from conftest import FEW_SAMPLES, HOME, LAKE, SAMPLES, samples

MYSQL = {"id": "int", "balance": "decimal(38,9)"}
ORACLE = {"id": "number(10)", "balance": "number(38,9)"}
# What the streams do not say of their columns.
UNSAID = [
    {"table": "inventory.customers", "source": "alibaba_dts_shareplex", "column_types": ORACLE},
    {
        "table": "inventory.customers",
        "source": "aws_dms",
        "column_types": {"id": "INT4", "balance": "NUMERIC(38,9)"},
    },
    {"table": "inventory.customers", "source": "ckafka-inventory", "column_types": MYSQL},
    {"table": "inventory.customers", "source": "goldengate", "column_types": ORACLE},
    {"table": "inventory.customers", "source": "maxwell", "column_types": MYSQL},
    {"table": "inventory.customers", "source": "oceanbase_oms_default", "column_types": MYSQL},
    {
        "table": "inventory.customers",
        "source": "oceanbase_oms_shareplex",
        "column_types": MYSQL,
        "database_type": "mysql",
    },
    {
        "table": "inventory.customers",
        "source": "cloudcanal",
        "database_type": "mysql",
    },
    {
        "table": "inventory.inventory.customers",
        "source": "cockroachdb_changefeed",
        "column_types": {"id": "int", "balance": "decimal(38,9)"},
    },
    {
        "table": "qlik.inventory.customers",
        "source": "qlik_replicate",
        "column_types": MYSQL,
        "database_type": "mysql",
    },
    {
        "table": "inventory.customers",
        "source": "custom_inventory",
        "column_types": MYSQL,
        "database_type": "mysql",
    },
    {
        "table": "inventory.public.customers",
        "source": "sequin_inventory",
        "column_types": {"id": "integer", "balance": "numeric(38,9)"},
    },
    {
        "table": "inventory.public.customers",
        "source": "shop",
        "column_types": {"id": "integer", "balance": "numeric(38,9)"},
    },
    {"table": "shop.public.as_numbers", "column_types": {"n": "numeric(10,0)"}},
    {"table": "shop.public.as_base64", "column_types": {"n": "numeric(10,0)"}},
    {"table": "shop.misspelt", "column_types": {"n": "wormhole(2)"}},
    {
        "table": "inventory.customers",
        "source": "store.inventory.customers",
        "column_types": MYSQL,
        "database_type": "mysql",
    },
    *typed_tables(),
]


def canal(at, table, types, row):
    """Return a message of canal that inserts a row."""
    return {
        "topic": "odd",
        "offset": at,
        "value": json.dumps(
            {
                "data": [row],
                "database": "shop",
                "es": 1735689681000,
                "gtid": "",
                "id": at + 1,
                "isDdl": False,
                "mysqlType": types,
                "old": None,
                "pkNames": ["id"],
                "sql": "",
                "sqlType": {},
                "table": table,
                "ts": 1735689681420,
                "type": "INSERT",
            }
        ),
    }


def debezium(at, table, row):
    """Return a message of Debezium, without its schema, that inserts a row."""
    return {
        "topic": "connect",
        "offset": at,
        "key": json.dumps({"id": row["id"]}),
        "value": json.dumps(
            {
                "before": None,
                "after": row,
                "op": "c",
                "ts_ms": 1735689681420,
                "source": {
                    "connector": "postgresql",
                    "name": "connect",
                    "ts_ms": 1735689681000,
                    "db": "shop",
                    "schema": "public",
                    "table": table,
                    "lsn": at + 1,
                },
            }
        ),
    }


ODD_TYPES = {
    "id": "int(11)",
    "D": "datetime",
    "n": "decimal(10,2)",
    "big": "int(11)",
    "b": "blob",
    "e": "enum('it''s','M')",
    "order": "varchar(9)",
    "it's": "date",
    "a.b": "tinyint(1)",
    "free": "json",
    "库": "int",
}
ODD_ROWS = [
    {
        "id": "1",
        "D": "0000-00-00 00:00:00",
        "n": "1.234",
        "big": "9999999999",
        "b": "库",
        "e": "7",
        "order": "x",
        "it's": "2020-02-30",
        "a.b": "1",
        "free": "{}",
        "库": "5",
    },
    {
        "id": "2",
        "D": "2021-06-25 17:51:53",
        "n": "1.10",
        "big": "7",
        "b": "\u00ff",
        "e": "1",
        "order": "0000-00-00",
        "it's": "2020-02-29",
        "a.b": "0",
        "free": None,
        "库": "6",
    },
    {
        "id": "3",
        "D": None,
        "n": None,
        "big": None,
        "b": None,
        "e": None,
        "order": None,
        "it's": "10000-01-01",
        "a.b": None,
        "free": None,
        "库": None,
    },
]


@pytest.fixture(scope="module")
def typed(project):
    """The project, its tables built and its seed loaded."""
    settings = yaml.safe_load((SAMPLES / "settings.yml").read_text(encoding="utf-8"))
    typed = project(
        "typed",
        topics=[{"topic": "odd", "format": "canal", "source": "odd"}, *settings["topics"]],
        tables=[*UNSAID, *settings["tables"]],
    )
    changed = [
        canal(
            10,
            "changed",
            {"id": "int", "n": "int", "s": "set('x','y')", "e": "enum('a','b')"},
            {"id": "1", "n": "1", "s": "2", "e": "2"},
        ),
        canal(
            11,
            "changed",
            {"id": "int", "n": "bigint", "s": "set('y','x')", "e": "enum('a','b','c')"},
            {"id": "2", "n": "9999999999", "s": "1", "e": "3"},
        ),
    ]
    typed.land(
        [
            *samples(*LANDED_SAMPLES),
            *(canal(at, "odd rows", ODD_TYPES, row) for at, row in enumerate(ODD_ROWS)),
            *changed,
            debezium(0, "as_numbers", {"id": 1, "n": 1050}),
            debezium(1, "as_numbers", {"id": 2, "n": 7}),
            debezium(2, "as_base64", {"id": 1, "n": "1050"}),
            debezium(3, "as_base64", {"id": 2, "n": "Bw=="}),
            canal(12, "misspelt", {"id": "int"}, {"id": "1", "n": "1"}),
        ]
    )
    typed.dbt("seed")
    typed.dbt("run", "--select", "+current_state", "--exclude", "staging", "gates")
    typed.query("cache table {cdc}.events")  # many small queries follow
    typed.query("cache table {cdc}.current_state")
    yield typed
    typed.query("uncache table {cdc}.current_state")
    typed.query("uncache table {cdc}.events")


# The final customers in the story of the sample messages, which every vendor reports.
CUSTOMERS = {
    ("1001", "Sally", Decimal("10.10")),
    ("1004", "Anne Marie", Decimal("-7.50")),
    ("1005", "George", Decimal("0.00")),
}

# A query of many typed models takes minutes to plan: make test asks one format of each kind, make test-long all.
not_shown = yaml.safe_load((SAMPLES / "settings.yml").read_text(encoding="utf-8"))["not_shown"]
FORMATS = sorted(
    {file.stem for file in (HOME / "macros" / "formats").glob("*.sql")}
    - {"format_list"}
    - not_shown.keys()
)
LANDED_SAMPLES = []  # all
if "KAFKA_CDC_LONG" not in os.environ:
    FORMATS = sorted(FEW_SAMPLES)
    LANDED_SAMPLES = [*FEW_SAMPLES.values(), "maxwell.kcat.jsonl"]

MODELS = """
-- depends_on: {{ ref('events') }}, {{ ref('source_types') }}
{%- set models = [] -%}
{%- for row in (run_query("select distinct source_name, source_format, " ~ table_path() ~ " as path from " ~ ref('events')
    ~ " where source_format in ('" ~ FORMATS | join("', '") ~ "') and event_kind = 'change' and element_at(split(source_table, '[.]'), -1) = 'customers' and contains(concat_ws('.', source_database, source_schema, source_table), 'inventory.') order by 1").rows if execute else []) -%}
    {%- set stream = get_table_stream(row.path, row.source_name) -%}
    {%- do models.append([row.source_format, typed_model(stream, get_typed_columns(stream))]) -%}
{%- endfor %}
{{ tojson(models) }}"""


def compiled(project, sql):
    return project.dbt("compile", "--inline", sql).result.results[0].node.compiled_code


@pytest.fixture(scope="module")
def customers(typed, spark):
    """Return the typed customers by format: their columns' types, and their rows."""
    models = json.loads(
        compiled(typed, f"{{%- set FORMATS = {FORMATS} -%}}" + MODELS).splitlines()[-1]
    )
    union = "\n\nunion all\n\n".join(
        f"select '{slug}' as format, to_json(struct(typeof(coalesce(id, _id)) as id, typeof(balance) as balance)) as types, cast(coalesce(id, _id) as string) as id, first_name, "
        f"cast(balance as decimal(38, 9)) as balance, size(undecoded) as undecoded\nfrom (\n{model}\n)".replace(
            "coalesce(id, _id)", "_id" if "'_id'" in model else "id"
        )
        for slug, model in models
    )
    found = {}
    spark.conf.set(
        "spark.sql.codegen.wholeStage", "false"
    )  # twenty models for a few rows: Java code for them takes longer than they
    try:
        for row in spark.sql(compiled(typed, union)).collect():
            found.setdefault(row["format"], []).append(row)
    finally:
        spark.conf.unset("spark.sql.codegen.wholeStage")
    return found


def test_every_vendor_yields_the_same_typed_rows(customers):
    assert sorted(customers) == FORMATS
    for slug, rows in customers.items():
        assert {(row["id"], row["first_name"], row["balance"]) for row in rows} == CUSTOMERS, slug
        assert [row for row in rows if row["undecoded"]] == [], slug
        types = json.loads(rows[0]["types"])
        assert types["id"] in ("int", "bigint", "decimal(10,0)", "decimal(20,0)"), slug
        assert types["balance"] in ("decimal(38,9)", "decimal(38,18)", "double"), slug


def generate(project, **arguments):
    """Return whether generate_table_model succeeded, and what it printed."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        result = project.invoke(
            "run-operation", "generate_table_model", "--args", json.dumps(arguments)
        )
    return result.success, printed.getvalue().strip()


@pytest.mark.parametrize(
    ("arguments", "phrases"),
    [
        (
            {"table": "inventory.customers"},
            [
                "several streams",
                "of source canal (canal)",
                "of source maxwell (maxwell)",
                "{table: inventory.customers, source: ",
            ],
        ),
        (
            {"table": "inventory.customer", "source": "canal"},
            ["no table inventory.customer of source canal in", "inventory.customers of source"],
        ),
    ],
)
def test_a_model_that_cannot_be_generated_is_reported(typed, arguments, phrases):
    success, printed = generate(typed, **arguments)
    assert not success
    assert [phrase for phrase in phrases if phrase not in printed] == []


def test_a_type_of_no_database_is_reported(typed):
    success, printed = generate(typed, table="shop.misspelt")
    assert not success
    assert "n of shop.misspelt is wormhole(2), which mysql does not have" in printed


@pytest.fixture(scope="module")
def saved(typed, tmp_path_factory):
    """A copy of the project with the typed models of two odd tables, saved as they were printed, and built: folder and what dbt printed."""
    folder = copy_project(tmp_path_factory.mktemp("saved"))
    (folder / "models" / "typed").mkdir()
    for table, name in [
        ("shop.odd rows", "shop_odd_rows"),
        ("shop.changed", "shop_changed"),
        ("shop.public.as_numbers", "shop_public_as_numbers"),
        ("shop.public.as_base64", "shop_public_as_base64"),
    ]:
        success, printed = generate(typed, table=table)
        assert success, printed
        model, place, properties = re.split(
            r"\n\n(# The model above is for \S+, this for \S+)\n", printed
        )
        assert place.endswith(f"this for models/typed/{name}.yml")
        (folder / "models" / "typed" / f"{name}.sql").write_text(model + "\n", encoding="utf-8")
        (folder / "models" / "typed" / f"{name}.yml").write_text(
            properties + "\n", encoding="utf-8"
        )
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        result = dbtRunner().invoke(
            [
                "build",
                "--select",
                "path:models/typed",
                "--project-dir",
                str(folder),
                "--target-path",
                f"{LAKE.name}/target_saved",
                "--log-path",
                f"{LAKE.name}/logs",
                "--vars",
                json.dumps({"raw_schema": "raw_typed", **typed.settings}),
            ]
        )
    assert result.success, printed.getvalue()
    return folder, printed.getvalue()


def test_a_generated_model_begins_with_its_grain_and_key(saved):
    model = (saved[0] / "models" / "typed" / "shop_odd_rows.sql").read_text(encoding="utf-8")
    assert model.startswith("-- One row per live row of shop.odd rows (id), of the source odd.\n")
    assert model[model.index("\nselect\n") :].startswith("\nselect\n    id,\n    `D`,\n")


def test_a_generated_yml_describes_every_column(saved, typed):
    (model,) = yaml.safe_load(
        (saved[0] / "models" / "typed" / "shop_odd_rows.yml").read_text(encoding="utf-8")
    )["models"]
    assert model["name"] == "shop_odd_rows"
    columns = {column["name"]: column for column in model["columns"]}
    assert list(columns) == [
        "id",
        "D",
        "n",
        "big",
        "b",
        "e",
        "order",
        "it's",
        "a.b",
        "free",
        "库",
        "undecoded",
    ]
    assert [name for name, column in columns.items() if not column["description"]] == []
    assert columns["e"]["description"] == "The source's type: enum('it''s','M')."
    types = {
        row["col_name"]: row["data_type"] for row in typed.query("describe {cdc}.shop_odd_rows")
    }
    assert {name: column["data_type"].replace(" ", "") for name, column in columns.items()} == {
        name: type_.replace(" ", "") for name, type_ in types.items()
    }


def test_values_that_do_not_fit_are_retained_and_reported(saved, typed):
    first, second, third = typed.query("select * from {cdc}.shop_odd_rows order by id")
    reasons = {
        name: (value["text"], value["reason"]) for name, value in first.pop("undecoded").items()
    }
    assert reasons == {
        "D": ("0000-00-00 00:00:00", "a zero date is not a valid timestamp_ntz"),
        "n": ("1.234", "out of range, too precise, or not a valid decimal(10, 2)"),
        "big": ("9999999999", "out of range, too precise, or not a valid int"),
        "b": ("库", "not a valid binary"),
        "e": ("7", "out of range, too precise, or not a valid string"),
        "it's": ("2020-02-30", "not a valid date"),
    }
    assert first == {
        "id": 1,
        "D": None,
        "n": None,
        "big": None,
        "b": None,
        "e": None,
        "order": "x",
        "it's": None,
        "a.b": 1,
        "free": "{}",
        "库": 5,
    }
    assert second == {
        "id": 2,
        "D": datetime(2021, 6, 25, 17, 51, 53),
        "n": Decimal("1.10"),
        "big": 7,
        "b": b"\xff",
        "e": "it's",
        "order": "0000-00-00",
        "it's": date(2020, 2, 29),
        "a.b": 0,
        "free": None,
        "库": 6,
        "undecoded": {},
    }
    assert {name: value["reason"] for name, value in third["undecoded"].items()} == {
        "it's": "a year outside 1 to 9999 is not a valid date"
    }
    assert (
        "warning: column D of shop_odd_rows is null in 1 rows, and the column undecoded has the"
        " text (a zero date is not a valid timestamp_ntz), for example 0000-00-00 00:00:00"
        in saved[1]
    )


def test_decimals_of_one_column_are_all_numbers_or_all_base64(saved, typed):
    """1050 is a number to decimal.format NUMERIC; in base64 it is three bytes, d7 4e 74 (by hand: 1=53, 0=52, 5=57, 0=52), a negative number."""
    assert [
        row["n"] for row in typed.query("select n from {cdc}.shop_public_as_numbers order by id")
    ] == [Decimal(1050), Decimal(7)]
    assert [
        row["n"] for row in typed.query("select n from {cdc}.shop_public_as_base64 order by id")
    ] == [Decimal(0xD74E74 - 2**24), Decimal(7)]


def test_a_changed_type(saved, typed):
    """MySQL numbers the labels of an enum from 1. A label at the end leaves the others' numbers."""
    rows = typed.query("select * from {cdc}.shop_changed order by id")
    assert rows == [
        {"id": 1, "n": 1, "s": "2", "e": "b", "undecoded": {}},
        {"id": 2, "n": 9999999999, "s": "1", "e": "c", "undecoded": {}},
    ]
    (model,) = yaml.safe_load(
        (saved[0] / "models" / "typed" / "shop_changed.yml").read_text(encoding="utf-8")
    )["models"]
    assert {column["name"]: column["description"] for column in model["columns"]}["s"] == (
        "The source's type: set('x','y'), then set('y','x'). Text, because texts of its earlier and its current type cannot be distinguished."
    )


def test_a_generated_model_passes_lint(saved, monkeypatch):
    from sqlfluff.core import FluffConfig, Linter

    monkeypatch.chdir(saved[0])
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        linted = Linter(config=FluffConfig.from_root()).lint_paths(
            (str(saved[0] / "models" / "typed"),)
        )
    finally:
        sys.setrecursionlimit(before)
    assert sorted(os.path.basename(file.path) for path in linted.paths for file in path.files) == [
        "shop_changed.sql",
        "shop_odd_rows.sql",
        "shop_public_as_base64.sql",
        "shop_public_as_numbers.sql",
    ]
    assert [
        (violation.rule_code(), violation.line_no, violation.desc())
        for violation in linted.get_violations()
    ] == []

"""Other projects: one that installs kafka_cdc as a package, and the dbt unit tests of the macros.

The first has its own settings, format and schema names.
"""

import contextlib
import io
import itertools
import json
import os
import shutil
import subprocess
from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from dbt.cli.main import dbtRunner

from conftest import HOME, LAKE, failure
from kafka_cdc import exit_codes
from kafka_cdc.cli import main
from kafka_cdc.tables import table_format


def message(number, kind, data, old=None):
    return {
        "topic": "orders_eu",
        "offset": number,
        "value": json.dumps(
            {
                "mysqlType": {"id": "int", "amount": "decimal"},
                "id": number + 1,
                "es": 1624614713000 + number,
                "ts": 1624614714000,
                "database": "shop",
                "table": "orders",
                "type": kind,
                "isDdl": False,
                "sql": "",
                "data": data,
                "old": old,
                "pkNames": ["id"],
            }
        ),
    }


def acme(number, operation, row):
    """Return a message of the format that the consumer has of its own, in a topic that no line names."""
    return {
        "topic": "acme",
        "offset": number,
        "value": json.dumps(
            {
                "acme": 1,
                "table": "stocks",
                "op": operation,
                "at": 1700000000000 + number,
                "n": number,
                "row": row,
            }
        ),
    }


def invoke(folder, schema, *arguments):
    """Run dbt in a project's folder; return its result without judging it."""
    os.environ["KAFKA_CDC_SCHEMA"] = schema
    return dbtRunner().invoke(
        [
            "--quiet",
            *arguments,
            "--project-dir",
            str(folder),
            "--log-path",
            f"{LAKE.name}/logs",
            "--target-path",
            f"{LAKE.name}/target_{schema}",
        ]
    )


def build(folder, schema, *selection):
    """Run `dbt build` in a project's folder; return the results by node name."""
    result = invoke(folder, schema, "build", *selection)
    assert not result.exception, failure(result)
    assert {
        r.node.name: (r.message or "")[:1500]
        for r in result.result
        if r.status not in ("success", "pass", "no-op")
    } == {}
    return {each.node.name: each for each in result.result}


def run_command(*arguments):
    """Run `kafka-cdc` in this process; return what it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main([str(argument) for argument in arguments]) == exit_codes.SUCCESS
    return printed.getvalue()


@pytest.mark.delta_long
def test_a_consumer_builds_on_the_package(project, tmp_path, monkeypatch):
    folder = tmp_path / "shop"
    shutil.copytree(HOME / "tests" / "consumer", folder)
    (folder / "packages.yml").write_text(f"packages:\n  - local: {HOME}\n")
    shop = project("shop")
    shop.land(
        [
            message(0, "INSERT", [{"id": "1", "amount": "1.10"}]),
            message(1, "INSERT", [{"id": "2", "amount": "2.00"}]),
            message(2, "DELETE", None, [{"id": "2", "amount": "2.00"}]),
            acme(0, "put", {"id": 1, "amount": "9.90"}),
            acme(1, "put", {"id": 2, "amount": "0.10"}),
            acme(2, "gone", {"id": 2, "amount": "0.10"}),
        ]
    )
    assert (
        dbtRunner()
        .invoke(
            ["--quiet", "deps", "--project-dir", str(folder), "--log-path", f"{LAKE.name}/logs"]
        )
        .success
    )
    assert {"live_orders", "events", "current_state"} <= build(folder, "cdc_shop").keys()
    assert shop.query("select * from {cdc}.live_orders") == [{"id": "1", "amount": "1.10"}]
    # the project's own model events is no model of the package
    assert shop.query("select number from shop_marts.events") == [{"number": 6}]
    # the type is that of the setting tables, which dbt shows to nodes of the package alone
    assert shop.query("select id, amount, typeof(amount) as type from {cdc}.orders_table") == [
        {"id": 1, "amount": Decimal("1.10"), "type": "decimal(9,2)"}
    ]
    assert shop.query(
        "select distinct source_name, source_format from {cdc}.events order by 1"
    ) == [
        {"source_name": "acme_json", "source_format": "acme_json"},
        {"source_name": "shop", "source_format": "huawei_drs_json"},
    ]
    assert shop.query(
        "select source_database, source_table, row_key, row_values['amount'] as amount from {cdc}.current_state where source_database = 'acme'"
    ) == [
        {
            "source_database": "acme",
            "source_table": "stocks",
            "row_key": '{"id":"1"}',
            "amount": "9.90",
        }
    ]
    assert (
        shop.query("show views in shop_staging like 'stg_canal__events'") != []
    )  # its own generate_schema_name

    # dbt parses an inline query in the same graph that it then runs in, and shows no settings to
    # the parse.
    inline = (
        "select {{ kafka_cdc.topic_settings('topic') }}, {{ kafka_cdc.table_setting('key') }},"
        " {{ kafka_cdc.get_formats()[:1] }}"
    )
    compiled = invoke(folder, "cdc_shop", "compile", "--inline", inline)
    assert compiled.success, failure(compiled)
    text = compiled.result.results[0].node.compiled_code
    assert "startswith(topic, 'orders_')" in text and "shop.notes" in text
    assert "['acme_json']" in text

    # The commands read the settings and the formats of the project, not those of the checkout.
    monkeypatch.setenv("DBT_PROJECT_DIR", str(folder))
    run_command("typed-models", "--tables", "shop.orders", "--into", tmp_path / "typed")
    [described] = yaml.safe_load((tmp_path / "typed" / "shop_orders.yml").read_text())["models"]
    types = {column["name"]: column["data_type"] for column in described["columns"]}
    assert types["amount"].replace(" ", "") == "decimal(9,2)"
    dumps = tmp_path / "dumps"
    dumps.mkdir()
    for each in (message(0, "INSERT", [{"id": "1", "amount": "1.10"}]), acme(0, "put", {"id": 1})):
        (dumps / f"{each['topic']}.jsonl").write_text(each["value"] + "\n")
    inspected = json.loads(run_command("inspect", dumps, "--json"))
    assert {
        topic["topic"]: [(part["format"], part["chosen_by"]) for part in topic["formats"]]
        for topic in inspected["topics"]
    } == {"acme": [("acme_json", "recognized")], "orders_eu": [("huawei_drs_json", "topics")]}
    monkeypatch.delenv("DBT_PROJECT_DIR")

    other = {"iceberg": "delta", "delta": "iceberg"}[table_format.NAME]
    with (folder / "dbt_project.yml").open("a", encoding="utf-8") as settings:
        settings.write(f"\nmodels:\n  +file_format: {other}\n")
    rejected = invoke(folder, "cdc_shop", "run", "--select", "events")
    assert (
        f"kafka_cdc: file_format of cdc_shop.events is {other}, and KAFKA_CDC_FILE_FORMAT is {table_format.NAME}. Hint: set KAFKA_CDC_FILE_FORMAT={other}"
        in failure(rejected)
    )


def test_the_package_installs_by_git(tmp_path):
    """As documented: packages.yml names a repository and a revision, here this project's newest commit."""
    folder, repository = tmp_path / "shop", tmp_path / "kafka_cdc.git"
    shutil.copytree(HOME / "tests" / "consumer", folder)
    subprocess.run(["git", "clone", "--quiet", "--bare", HOME, repository], check=True)
    revision = subprocess.run(
        ["git", "-C", HOME, "rev-parse", "HEAD"], check=True, text=True, capture_output=True
    ).stdout.strip()
    (folder / "packages.yml").write_text(
        f"packages:\n  - git: file://{repository}\n    revision: {revision}\n"
    )
    options = ["--project-dir", str(folder), "--log-path", f"{LAKE.name}/logs"]
    assert dbtRunner().invoke(["--quiet", "deps", *options]).success
    parsed = dbtRunner().invoke(
        ["--quiet", "parse", "--target-path", f"{LAKE.name}/target_git", *options]
    )
    assert parsed.success, failure(parsed)
    known = [
        *parsed.result.nodes.values(),
        *itertools.chain(*parsed.result.disabled.values()),
    ]  # mapped_messages is for a raw table of another tool
    models = {
        node.name
        for node in known
        if node.package_name == "kafka_cdc" and node.resource_type == "model"
    }
    committed = subprocess.run(
        ["git", "-C", HOME, "ls-tree", "-r", "--name-only", "HEAD", "models"],
        check=True,
        text=True,
        capture_output=True,
    ).stdout.split()
    assert models == {Path(name).stem for name in committed if name.endswith(".sql")} and models


def test_the_macros_pass_their_unit_tests(spark):
    results = build(HOME / "tests" / "unit", "cdc_unit")
    assert sum(each.node.resource_type == "unit_test" for each in results.values()) >= 4

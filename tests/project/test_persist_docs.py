"""dbt's persist_docs in a project that installs this one: tables and views get descriptions, and publication works."""

import json

import pytest
from dbt.cli.main import dbtRunner
from readers import Reader
from test_consumer import build, message

from conftest import HOME, LAKE, long

MODELS = [
    "recognized_messages",
    "stg_huawei_drs_json__events",
    "events",
    "event_batch_stats",
    "sequence_resets",
    "outdated_topic_mappings",
    "table_holds",
    "merged_rows",
    "changelog",
    "current_rows",
    "current_state",
    "row_history",
    "held_tables",
    "quarantine",
]
SELECTION = [
    "--select",
    *MODELS,
    "--exclude-resource-type",
    "test",
]  # what tests find does not depend on descriptions
PROJECT = """
name: described
config-version: 2
profile: kafka_cdc
models: {kafka_cdc: {+persist_docs: {relation: true, columns: true}}}
vars: {kafka_cdc: {raw_schema: raw_described, compaction_threshold: 0, topics: [{topic: 'orders_*', format: huawei_drs_json}]}}
"""


@pytest.fixture(scope="module")
def described(project, tmp_path_factory):
    """A project with persist_docs, built with one message."""
    tmp_path = tmp_path_factory.mktemp("described")
    (tmp_path / "dbt_project.yml").write_text(PROJECT)
    (tmp_path / "packages.yml").write_text(f"packages:\n  - local: {HOME}\n")
    assert (
        dbtRunner()
        .invoke(
            ["--quiet", "deps", "--project-dir", str(tmp_path), "--log-path", f"{LAKE.name}/logs"]
        )
        .success
    )
    shop = project("described")
    shop.land([message(0, "INSERT", [{"id": "1", "amount": "1.10"}])])
    build(tmp_path, "cdc_described", *SELECTION)
    return shop, tmp_path


def wanted():
    """Yield schema, name, description and columns (name → description) of each model, as dbt reads them in the project's files."""
    with open(f"{LAKE.name}/target_cdc_described/manifest.json", encoding="utf-8") as file:
        nodes = json.load(file)["nodes"]
    for name in MODELS:
        node = nodes[f"model.kafka_cdc.{name}"]
        yield (
            node["schema"],
            name,
            node["description"],
            {column["name"]: column["description"] for column in node["columns"].values()},
        )


def comments_of(shop, schema, name):
    """Return the comment of a relation and those of its columns, as the catalog has them."""
    rows = shop.query(f"describe extended {schema}.{name}")
    end = next(
        at for at, row in enumerate(rows) if not row["col_name"] or row["col_name"].startswith("#")
    )
    [comment] = [row["data_type"] for row in rows[end:] if row["col_name"] == "Comment"] or [None]
    return comment, {row["col_name"]: row["comment"] for row in rows[:end]}


def check(shop):
    """Fail where a relation's comments are not the model's descriptions."""
    for schema, name, description, columns in wanted():
        comment, comments = comments_of(shop, schema, name)
        assert comment == (description or None), name
        assert {column: comments.get(column) for column in columns} == columns, name
        assert columns or name.startswith("stg_")  # a staging view's are those of events


@long
def test_descriptions_reach_the_catalog(described):
    check(described[0])


@long
def test_a_later_build_keeps_the_descriptions(described):
    """More messages are published, and other engines read the descriptions."""
    shop, folder = described
    published = shop.published("cdc_described.events")
    shop.land(
        [
            message(1, "INSERT", [{"id": "2", "amount": "2.00"}]),
            message(2, "DELETE", None, [{"id": "1", "amount": "1.10"}]),
        ]
    )
    build(folder, "cdc_described", *SELECTION)
    check(shop)
    assert shop.published("cdc_described.events") != published
    other = Reader(LAKE.name, "cdc_described", "events")
    assert (
        len(other.rows("kafka_offset")) == 3
        and dict(other.columns()) == comments_of(shop, "cdc_described", "events")[1]
    )
    assert shop.query(
        "select row_key, row_values['amount'] as amount from {cdc}.current_state"
    ) == [{"row_key": '{"id":"2"}', "amount": "2.00"}]
    assert build(folder, "cdc_described", *SELECTION)["events"].message == "nothing new"

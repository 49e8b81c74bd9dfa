"""A newer version of this package with a new column of events, on the same lake.

The newer version is a copy of this project whose contract has one more column. Each message decides its value, so that the correct value is known.
"""

import copy
import json
import os
import re

from dbt.adapters.spark.session import Cursor
from project_copy import copy_project

from conftest import long, samples
from kafka_cdc.tables import table_format

IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
BUILD = [
    "build",
    "--select",
    "+current_state",
    "+row_history",
    "merged_rows",
    "--exclude",
    "staging",
]
TOPICS = [{"topic": "drs_erp", "format": "huawei_drs_json"}]
MESSAGES = [message for message in samples() if message["topic"] == "drs_erp"]
VIEWS = ["changelog", "current_rows", "current_state", "row_history"]


def newer(older, folder):
    """Return a project of a newer version of this package: events has the column required_image, and event_batch_stats counts inserts."""
    copy_project(folder)
    for name, line in (
        ("events/contract/get_event_columns", "'required_image': 'string',"),
        ("statistics/get_event_counts", "'inserts': \"operation = 'insert'\","),
    ):
        macro = folder / "macros" / f"{name}.sql"
        text = macro.read_text(encoding="utf-8")
        macro.write_text(
            re.sub(r"(return\(\{\n.*\n)", rf"\1        {line}\n", text), encoding="utf-8"
        )
        assert line in macro.read_text(encoding="utf-8")
    made = copy.copy(older)
    made.home, made.manifests = folder, {}
    return made


def in_another_schema(project):
    """Return a project that builds the landed messages of another one into its own schema."""
    made = copy.copy(project)
    made.name, made.settings, made.manifests = (
        f"{project.name}_parallel",
        {"raw_schema": f"raw_{project.name}", **project.settings},
        {},
    )
    return made


def seen(project, columns):
    """Return what analysts see, in the given columns, as text."""
    return {
        name: sorted(
            map(str, project.query(f"select {', '.join(columns[name])} from {{cdc}}.{name}"))
        )
        for name in VIEWS
    }


def known_columns(project):
    """Return the columns of what analysts see."""
    return {name: project.spark.table(f"cdc_{project.name}.{name}").columns for name in VIEWS}


def test_a_new_column_is_added_even_if_nothing_has_landed(project, tmp_path, monkeypatch):
    older = project("upgraded", topics=TOPICS, compaction_threshold=0)
    older.land(MESSAGES[:-2])
    older.dbt(*BUILD)
    new, columns = newer(older, tmp_path), known_columns(older)
    before, execute, during = seen(older, columns), Cursor.execute, []

    def cut(cursor, sql, *arguments):
        if re.search(r"insert into cdc_upgraded.events", sql):
            raise ConnectionError("the line is cut")
        return execute(cursor, sql, *arguments)

    def look(cursor, sql, *arguments):
        done = execute(cursor, sql, *arguments)
        if re.search(
            r"cdc_upgraded.events create or replace tag published|alter view cdc_upgraded.published_events",
            sql,
        ):
            during.append(seen(older, columns))
        return done

    monkeypatch.setattr(Cursor, "execute", cut)
    assert not new.invoke(
        *BUILD
    ).success  # the table has the column now, but none of its versions has
    assert seen(older, columns) == before
    monkeypatch.setattr(Cursor, "execute", look)
    new.dbt(*BUILD)
    assert during == [before]  # through the previous views and the published version
    assert seen(older, columns) == before and before["current_state"]
    for table in ("changelog", "events"):
        assert new.query(f"select distinct required_image from {{cdc}}.{table}") == [
            {"required_image": None}
        ], table

    assert new.query("select distinct inserts from {cdc}.event_batch_stats") == [{"inserts": None}]

    if IS_LONG:  # a run without news
        snapshots = new.snapshots("{cdc}.events")
        new.dbt(*BUILD)
        assert new.snapshots("{cdc}.events") == snapshots
    new.land(MESSAGES[-2:])
    new.dbt(*BUILD)
    query = "select distinct required_image from {cdc}.changelog where required_image is not null order by required_image"
    assert {row["required_image"] for row in new.query(query)} <= {
        "after_row",
        "before_row",
    } and new.query(query)
    assert (
        len(
            new.query(
                "select distinct inserts from {cdc}.event_batch_stats where inserts is not null"
            )
        )
        == 1
    )

    if IS_LONG:  # A version that breaks the contract is built in another schema, from all of raw.
        other = in_another_schema(new)
        other.dbt(*BUILD)
        assert seen(other, columns) == seen(new, columns)
        assert other.query("select * from {cdc}.changelog where required_image is null") == []


@long
def test_a_build_in_another_schema_contains_no_erased_row(project):
    """The list of erased rows is copied, as docs/guides/upgrade.md describes."""
    older = project("forgetful", topics=TOPICS, compaction_threshold=0)
    older.land(MESSAGES)
    older.dbt(*BUILD)
    (row,) = older.query(
        "select row_key from {cdc}.current_state where source_table = 'customers' order by row_key limit 1"
    )
    older.dbt(
        "run-operation",
        "erase_row",
        "--args",
        json.dumps({"table": "inventory.customers", "key": json.loads(row["row_key"])}),
    )
    other = in_another_schema(older)
    other.query("create schema {cdc}")
    other.query(
        f"create table {{cdc}}.erased_rows using {table_format.NAME} as select * from cdc_forgetful.erased_rows"
    )
    other.dbt(*BUILD)
    columns = known_columns(older)
    assert seen(other, columns) == seen(older, columns)
    assert row["row_key"] not in str(seen(other, columns))

"""A build of a healthy stream sends few statements, and notices messages that are lost or doubled.

A count does not depend on the machine. dbt's own statements list schemas, tables and views. A budget may only fall.
"""

import json

import pytest

from conftest import FEW_SAMPLES, SAMPLES, long

# Statements of `dbt build`, without those by which dbt and the project list schemas, tables and views.
NOTHING_NEW = 14
NEW_MESSAGES = 30
CHARACTERS_OF_ONE_FORMAT = 115_000
NODES = 90
LISTING = ("show databases", "show table extended", "show views", "show tables")


def canal(offset, *, name="tea", kind="INSERT"):
    """Return a message of Canal about one row."""
    row = {"id": str(offset % 100), "name": name, "price": "1.10"}
    return {
        "topic": "shop_items",
        "offset": offset,
        "value": json.dumps(
            {
                "database": "shop",
                "table": "items",
                "type": kind,
                "isDdl": False,
                "es": 1_700_000_000_000 + offset,
                "ts": 1_700_000_000_500 + offset,
                "id": offset,
                "gtid": "",
                "sql": "",
                "mysqlType": {"id": "int", "name": "varchar(20)", "price": "decimal(10,2)"},
                "pkNames": ["id"],
                "data": [row],
                "old": [{"name": "old"}] if kind == "UPDATE" else None,
            }
        ),
    }


def statements_of(project, *arguments):
    """Run dbt and return the statements that it sends, without those that list what exists."""
    sent = []
    collect = project.collect_log_line

    def collect_statement(event):
        collect(event)
        if event.info.name == "SQLQuery":
            sql = event.data.sql.split("*/", 1)[-1].strip()
            if not sql.startswith(LISTING):
                sent.append(sql)

    project.collect_log_line = collect_statement
    try:
        result = project.dbt(*arguments, "--threads", "1")  # two threads may ask the same at once
    finally:
        project.collect_log_line = collect
    return sent, result


@pytest.fixture(scope="module")
def healthy(project):
    """A project with one topic of Canal, built twice."""
    healthy = project("healthy")
    healthy.land([canal(offset) for offset in range(100)])
    healthy.dbt("build")
    healthy.land([canal(offset, name="milk", kind="UPDATE") for offset in range(100, 150)])
    healthy.dbt("build")
    return healthy


def test_a_build_with_new_messages_sends_few_statements(healthy):
    healthy.land([canal(offset, name="rice", kind="UPDATE") for offset in range(150, 200)])
    sent, result = statements_of(healthy, "build")
    assert len(sent) <= NEW_MESSAGES, "\n".join(sql[:100] for sql in sent)
    assert sum(map(len, sent)) <= CHARACTERS_OF_ONE_FORMAT
    assert len(result.result) <= NODES
    rows = healthy.query(
        "select row_values.name, count(*) as rows from {cdc}.current_state group by 1"
    )
    assert sorted((row["name"], row["rows"]) for row in rows) == [("milk", 50), ("rice", 50)]


def test_a_build_with_nothing_new_sends_few_statements(healthy):
    sent, _ = statements_of(healthy, "build")
    assert len(sent) <= NOTHING_NEW, "\n".join(sql[:100] for sql in sent)
    writes = ("insert", "create", "alter", "merge", "delete", "drop")
    assert [sql for sql in sent if sql.lower().startswith(writes)] == []


@long
def test_more_formats_send_no_more_statements(healthy):
    messages = []
    for name in FEW_SAMPLES.values():
        for at, line in enumerate((SAMPLES / name).read_text(encoding="utf-8").splitlines()):
            if not name.endswith(".kcat.jsonl"):
                messages.append({"topic": f"few_{name.split('.')[0]}", "offset": at, "value": line})
    healthy.land(messages)
    sent, _ = statements_of(healthy, "build")
    views = [
        sql for sql in sent if sql.lower().startswith(("create or replace view", "create view"))
    ]
    assert len(sent) - len(views) <= NEW_MESSAGES + 4, "\n".join(sql[:100] for sql in sent)


def failed(result):
    """Return the names of the tests that failed."""
    return [r.node.test_metadata.name for r in result.result if r.status == "fail"]


def test_doubled_events_fail_the_build(healthy):
    healthy.query("insert into {cdc}.events select * from {cdc}.events limit 1")
    assert failed(healthy.invoke("test", "--select", "events")) == ["every_message_has_one_outcome"]
    healthy.dbt("run", "--select", "events", replay="all")


def test_lost_messages_fail_the_build(healthy):
    healthy.query("delete from {raw}.kafka_messages where offset = 3")
    assert failed(healthy.invoke("test", "--select", "events")) == ["every_message_has_one_outcome"]

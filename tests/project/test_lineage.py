"""OpenLineage events, with a receiver on loopback.

The expected fields are those of OpenLineage's specification of a RunEvent.
"""

import argparse
import json
import os
import uuid
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from json_server import JsonServer

from kafka_cdc import environment, exit_codes, session
from kafka_cdc.cli import build_parser, main
from kafka_cdc.kafka.command import TopicLanding
from kafka_cdc.lineage import client, command, events
from kafka_cdc.tables import iceberg

pytest.importorskip("openlineage.client", reason="the extra kafka_cdc[lineage] is not installed")

SECRET = "a-secret-of-the-receiver"
INVOCATION = "0b6a1c1e-6f0e-4d43-9f56-3f8a2b1c0d9e"
MANIFEST = {
    "metadata": {"project_name": "kafka_cdc"},
    "nodes": {
        "model.kafka_cdc.events": {
            "resource_type": "model",
            "schema": "cdc",
            "name": "events",
            "relation_name": "cdc.events",
            "compiled_code": f"select '{SECRET}'",
            "columns": {
                "row_key": {"name": "row_key", "data_type": "string"},
                "after_row": {"name": "after_row", "data_type": "map<string, string>"},
            },
            "depends_on": {
                "nodes": ["source.kafka_cdc.raw.kafka_messages", "model.kafka_cdc.inlined"]
            },
        },
        "model.kafka_cdc.inlined": {
            "resource_type": "model",
            "schema": "cdc",
            "name": "inlined",
            "relation_name": None,
            "columns": {},
        },
        "model.kafka_cdc.changelog": {
            "resource_type": "model",
            "schema": "cdc",
            "name": "changelog",
            "alias": "changes",
            "relation_name": "cdc.changes",
            "columns": {},
            "depends_on": {"nodes": ["model.kafka_cdc.events"]},
        },
        "model.shop.orders": {
            "resource_type": "model",
            "schema": "cdc",
            "name": "orders",
            "relation_name": "cdc.orders",
            "config": {"materialized": "typed_table"},
            "columns": {},
            "depends_on": {"nodes": ["model.kafka_cdc.events"]},
        },
        "test.kafka_cdc.keys.1": {"resource_type": "test", "schema": "x", "name": "keys"},
    },
    "sources": {
        "source.kafka_cdc.raw.kafka_messages": {
            "resource_type": "source",
            "schema": "raw",
            "name": "kafka_messages",
            "identifier": "kafka_messages",
            "relation_name": "raw.kafka_messages",
            "columns": {"value": {"name": "value", "data_type": "string"}},
        }
    },
}


def results(*statuses):
    """Return dbt's run_results.json with these states of events, changelog and the test."""
    names = ("model.kafka_cdc.events", "model.kafka_cdc.changelog", "test.kafka_cdc.keys.1")
    return {
        "metadata": {
            "invocation_id": INVOCATION,
            "generated_at": "2026-11-21T12:00:09Z",
            "invocation_started_at": "2026-11-21T12:00:00Z",
        },
        "args": {"which": "build", "vars": SECRET},
        "elapsed_time": 9.0,
        "results": [
            {
                "unique_id": name,
                "status": status,
                "message": f"failed at the value {SECRET}",
                "timing": [
                    {
                        "started_at": "2026-11-21T12:00:01Z",
                        "completed_at": "2026-11-21T12:00:04Z",
                    }
                ],
            }
            for name, status in zip(names, statuses)
        ],
    }


class Receiver:
    """A receiver of events. `code` is what it answers."""

    def __init__(self):
        self.code, self.events, self.authorizations = 201, [], []
        self.server = JsonServer(self.receive, with_body=True)
        self.url = self.server.url

    def receive(self, path, authorization, body):
        """Keep an event, if it is accepted."""
        assert path == "/api/v1/lineage"
        self.authorizations.append(authorization)
        if self.code == 201:
            self.events.append(json.loads(body))
        return self.code, {}


@pytest.fixture
def receiver(monkeypatch, tmp_path):
    """A receiver whose address is in the environment, and an empty target folder."""
    running = Receiver()
    monkeypatch.setenv("OPENLINEAGE_URL", running.url)
    monkeypatch.setenv("OPENLINEAGE_API_KEY", SECRET)
    monkeypatch.setenv("DBT_TARGET_PATH", str(tmp_path))
    monkeypatch.delenv("KAFKA_CDC_TARGET", raising=False)
    monkeypatch.setattr(client, "retry_at", 0.0)
    yield running
    running.server.stop()


def write_run(folder, *statuses):
    """Write dbt's files of a run."""
    (folder / "manifest.json").write_text(json.dumps(MANIFEST))
    (folder / "run_results.json").write_text(json.dumps(results(*statuses)))


def summary(received):
    """Return job and state of events."""
    return [(event["job"]["name"], event["eventType"]) for event in received]


def assert_valid(received):
    """Each event has what the specification requires, and nothing has a secret."""
    for event in received:
        assert {"eventTime", "producer", "schemaURL", "run", "job", "eventType"} <= event.keys()
        assert datetime.fromisoformat(event["eventTime"].replace("Z", "+00:00")).tzinfo
        assert uuid.UUID(event["run"]["runId"])
        assert event["job"]["namespace"] == "kafka_cdc"
        assert event["eventType"] in ("START", "COMPLETE", "FAIL", "ABORT")
        for facets in [event["run"]["facets"], event["job"]["facets"]]:
            assert all({"_producer", "_schemaURL"} <= facet.keys() for facet in facets.values())
    assert SECRET not in json.dumps(received)


def test_a_dbt_run(receiver, tmp_path, capsys):
    """The events of nodes have the events of dbt as their parent, which fails with a test."""
    write_run(tmp_path, "success", "skipped", "fail")
    assert main(["lineage"]) == exit_codes.SUCCESS
    assert capsys.readouterr().out == "6 events sent\n"
    received = receiver.events
    assert_valid(received)
    dbt, model, view = "kafka_cdc.dbt_build", "kafka_cdc.cdc.events", "kafka_cdc.cdc.changelog"
    assert summary(received) == [
        (dbt, "START"),
        (model, "START"),
        (model, "COMPLETE"),
        (view, "START"),
        (view, "ABORT"),
        (dbt, "FAIL"),
    ]
    assert len({event["run"]["runId"] for event in received}) == 3
    parent = received[1]["run"]["facets"]["parent"]
    assert parent["run"]["runId"] == received[0]["run"]["runId"]
    assert (parent["job"]["namespace"], parent["job"]["name"]) == ("kafka_cdc", dbt)
    assert received[0]["job"]["facets"]["jobType"]["jobType"] == "DBT_RUN"

    [raw] = received[2]["inputs"]
    [events_table] = received[2]["outputs"]
    assert raw["name"] == "raw.kafka_messages" and events_table["name"] == "cdc.events"
    assert raw["namespace"] == events_table["namespace"] and raw["namespace"].startswith("file:///")
    fields = events_table["facets"]["schema"]["fields"]
    assert [(field["name"], field["type"]) for field in fields] == [
        ("row_key", "string"),
        ("after_row", "map<string, string>"),
    ]
    assert received[4]["outputs"][0]["name"] == "cdc.changes"
    assert receiver.authorizations == [f"Bearer {SECRET}"] * 6


def test_the_columns_of_a_typed_table(receiver, tmp_path):
    """They come from row_values. A comment in the SQL names the source's columns."""
    known = {"from": "cdc.current_state", "columns": {"price": "Price", "a_b": "a\n\u0024{b}"}}
    sql = f"-- One row per live row.\n-- Columns: {json.dumps(known)}\nwith rows as (select 1)"
    run = results("success")
    run["results"] = [
        {**run["results"][0], "unique_id": f"model.{name}", "compiled_code": sql}
        for name in ("shop.orders", "kafka_cdc.events")
    ]
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST))
    (tmp_path / "run_results.json").write_text(json.dumps(run))
    assert main(["lineage"]) == exit_codes.SUCCESS
    assert_valid(receiver.events)
    outputs = {one["job"]["name"]: one["outputs"] for one in receiver.events if one["outputs"]}
    [orders] = outputs["kafka_cdc.cdc.orders"]
    [other] = outputs["kafka_cdc.cdc.events"]
    assert "columnLineage" not in other["facets"]
    fields = orders["facets"]["columnLineage"]["fields"]
    assert {name: len(field["inputFields"]) for name, field in fields.items()} == {
        "price": 1,
        "a_b": 1,
    }
    [price] = fields["price"]["inputFields"]
    assert (price["namespace"], price["name"], price["field"]) == (
        orders["namespace"],
        "cdc.current_state",
        "row_values",
    )
    assert [step["description"] for step in price["transformations"]] == [
        "column Price of the source"
    ]


@pytest.mark.parametrize(
    ("statuses", "state"),
    [(("success", "success", "warn"), "COMPLETE"), (("error", "skipped", "skipped"), "FAIL")],
)
def test_the_state_of_a_dbt_run(receiver, tmp_path, statuses, state):
    """A run that is sent again has the same ids."""
    write_run(tmp_path, *statuses)
    for _ in range(2):
        assert main(["lineage"]) == exit_codes.SUCCESS
    half = len(receiver.events) // 2
    assert receiver.events[:half] == receiver.events[half:]
    assert receiver.events[-1]["eventType"] == state


LAND = argparse.Namespace(schema="raw", table="kafka_messages")


def land(*topics, error=None, is_cycle=False):
    """Run a landing that reads topics, and return what is logged."""
    failures = []
    servers = "broker:9093,other:9093"

    def get_inputs():
        return events.get_kafka_datasets(servers, topics, "eu/")

    try:
        with command.landing("land_kafka", LAND, get_inputs, failures.append, is_cycle=is_cycle):
            if error:
                raise error
    except BaseException as raised:
        assert raised is error
    return failures


def test_a_landing(receiver):
    assert land("eu/shop.orders", "eu/shop.items") == []
    assert_valid(receiver.events)
    start, complete = receiver.events
    assert summary([start, complete]) == [("land_kafka", "START"), ("land_kafka", "COMPLETE")]
    assert start["run"] == complete["run"]
    assert [(one["namespace"], one["name"]) for one in complete["inputs"]] == [
        ("kafka://broker:9093", "shop.items"),
        ("kafka://broker:9093", "shop.orders"),
    ]
    [raw] = complete["outputs"]
    assert raw["name"] == "raw.kafka_messages"
    assert "value" in [field["name"] for field in raw["facets"]["schema"]["fields"]]


@pytest.mark.parametrize(
    ("error", "state"), [(ValueError(SECRET), "FAIL"), (KeyboardInterrupt(), "ABORT")]
)
def test_a_landing_that_ends_early(receiver, error, state):
    assert land("a", error=error) == []
    assert_valid(receiver.events)
    assert [event["eventType"] for event in receiver.events] == ["START", state]


def test_a_cycle_without_messages_sends_nothing(receiver):
    land(is_cycle=True)
    assert receiver.events == []
    land("a", is_cycle=True)
    assert [event["eventType"] for event in receiver.events] == ["START", "COMPLETE"]


def test_a_receiver_that_fails_stops_no_landing(receiver, monkeypatch):
    """The log names no secret. A landing of the next minute does not wait for the receiver."""
    receiver.code = 400
    failures = land("a")
    assert len(failures) == 1 and "Hint: check OPENLINEAGE_URL" in failures[0]
    assert land("a") == []
    receiver.server.stop()
    monkeypatch.setattr(client, "retry_at", 0.0)
    failures += land("a")
    assert len(failures) == 2
    assert not any(SECRET in line or receiver.url in line for line in failures)
    assert not [name for name in os.environ if name.startswith("OPENLINEAGE__")]


def test_without_a_receiver(receiver, monkeypatch, capsys):
    monkeypatch.setenv("OPENLINEAGE_DISABLED", "true")
    assert land("a") == [] and receiver.events == []
    assert main(["lineage"]) == exit_codes.FAILURE
    assert "Hint: set OPENLINEAGE_URL" in capsys.readouterr().err
    assert main(["lineage", "--if-enabled"]) == exit_codes.SUCCESS
    assert capsys.readouterr() == ("", "")


def test_without_a_run(receiver, capsys):
    assert main(["lineage"]) == exit_codes.FAILURE
    assert "Hint: run dbt build" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("target", "variables", "namespace"),
    [
        ("cluster", {"KAFKA_CDC_THRIFT_HOST": "thrift"}, "spark://thrift:10000"),
        (
            "connect",
            {"SPARK_REMOTE": f"sc://connect:15002/;token={SECRET}"},
            "spark://connect:15002",
        ),
    ],
)
def test_the_namespace_of_tables(monkeypatch, target, variables, namespace):
    """It has no token."""
    monkeypatch.setenv("KAFKA_CDC_TARGET", target)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert events.get_lake_namespace() == namespace


def test_a_warm_session_and_landing_name_the_same_lake(monkeypatch):
    """The session has another port after each start, and the lake stays."""
    monkeypatch.delenv("KAFKA_CDC_TARGET", raising=False)
    embedded = events.get_lake_namespace()
    monkeypatch.setenv("KAFKA_CDC_TARGET", "session")
    monkeypatch.setenv("SPARK_REMOTE", "sc://localhost:15002")
    assert events.get_lake_namespace() == embedded == f"file://{environment.lake_folder()}"


def test_landing_names_the_server_that_dbt_uses(receiver, monkeypatch):
    """The session of landing removes the address, which PySpark would connect to."""
    monkeypatch.setenv("KAFKA_CDC_TARGET", "connect")
    monkeypatch.setenv("SPARK_REMOTE", f"sc://connect:15002/;token={SECRET}")
    monkeypatch.setattr(session, "start", lambda: os.environ.pop("SPARK_REMOTE"))
    options = ["land", "kafka", "--bootstrap-servers", "broker:9092", "--topics", "orders"]
    landing = TopicLanding(build_parser().parse_args(options), SimpleNamespace(run=lambda do: do()))
    landing.client = SimpleNamespace(properties={"bootstrap.servers": "broker:9092"})
    landing.landing = SimpleNamespace(run=lambda _: False, watcher=SimpleNamespace(topics={}))
    landing.run(lambda _: None)
    assert_valid(receiver.events)
    assert [event["outputs"][0]["namespace"] for event in receiver.events] == [
        "spark://connect:15002"
    ] * 2


def test_the_columns_of_raw_are_those_that_landing_creates():
    text = Path(iceberg.__file__).with_name("raw.py").read_text(encoding="utf-8")
    text += Path(iceberg.__file__).read_text(encoding="utf-8")
    assert [name for name, _ in events.RAW_COLUMNS if name not in text] == []


def test_the_client_is_optional(monkeypatch):
    """Without a receiver, nothing imports it."""
    monkeypatch.delenv("OPENLINEAGE_URL", raising=False)
    assert not client.is_enabled()
    monkeypatch.setenv("OPENLINEAGE_URL", "")
    assert not client.is_enabled()

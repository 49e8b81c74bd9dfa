"""Rejected messages and lost offsets: each batch warns once by topic, and the settings accept some.

The sentences are compared with what was landed, which is known by hand.
"""

import os
from datetime import datetime, timedelta, timezone

import pytest

from conftest import long
from kafka_cdc.tables import table_format

IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
BUILD = ["build", "--select", "source_types", "+changelog", "--exclude", "staging"]
TOPICS = [{"topic": "*", "format": "huawei_drs_json", "source": "drs"}]
LANDED = datetime(2026, 11, 21, 12, tzinfo=timezone.utc)


@pytest.fixture(scope="module")
def faults(project):
    """A lake with two topics of damaged messages, in one batch that is not built."""
    faults = project("new_faults", topics=TOPICS)
    messages = [("a", "no JSON"), ("a", "{}"), ("a", "{"), ("b", "no JSON")]
    faults.land(
        [
            {"topic": topic, "offset": at, "value": value}
            for at, (topic, value) in enumerate(messages)
        ],
        landed_at=LANDED,
    )
    return faults


def warnings(project, **settings):
    """Build, and return what the test's warnings begin with, by topic. The build succeeds."""
    project.dbt(*BUILD, **settings)
    lines = [line for line in project.log_lines if line.startswith("warning: topic ")]
    return {line.split()[2].rstrip(":"): line.split(": ", 2)[2] for line in lines}


def lose(project, *ranges):
    """Write what landing writes of lost offsets: topic, partition, first, next, minutes."""
    table = "{raw}.kafka_messages_offsets"
    rows = ", ".join(
        f"('{topic}', 0, {partition}, 'lost', {first}L, {end}L, "
        f"timestamp '{LANDED + timedelta(minutes=minutes)}')"
        for topic, partition, first, end, minutes in ranges
    )
    project.query(f"drop table if exists {table}")
    project.query(
        f"create table {table} using {table_format.NAME} as select * from values {rows} as t "
        "(topic, topic_incarnation, `partition`, outcome, first_offset, next_offset, recorded_at)"
    )


def test_a_batch_warns_once(faults):
    first = warnings(faults)
    assert first.keys() == {"a", "b"}
    assert first["a"].startswith("3 new messages were rejected (") and "offset 0." in first["a"]
    assert "max_rejected: 3" in first["a"]
    assert first["b"].startswith("1 new message was rejected (invalid_json 1), ")
    assert "partition 0, offset 3." in first["b"]
    if IS_LONG:  # a retry of the first build is not one: the batch is published then
        assert warnings(faults) == {}

    faults.land([{"topic": "b", "offset": 4, "value": "["}], landed_at=LANDED + timedelta(hours=1))
    assert warnings(faults).keys() == {"b"}


@long
def test_a_build_without_a_new_batch_does_not_warn(faults):
    assert warnings(faults) == {}


@long
def test_a_topic_accepts_some(faults):
    """max_rejected is the number of a topic and a build."""
    accepted = [{**TOPICS[0], "expect": {"max_rejected": 1}}]
    for hours, topics in ((2, "ab"), (3, "abb")):
        faults.land(
            [
                {"topic": topic, "offset": 10 * hours + at, "value": "["}
                for at, topic in enumerate(topics)
            ],
            landed_at=LANDED + timedelta(hours=hours),
        )
        expected = {"b"} if topics == "abb" else set()
        assert warnings(faults, topics=accepted).keys() == expected


def test_lost_offsets_warn(faults):
    """Those that were noticed before the newest published batch are old."""
    lose(faults, ("a", 0, 1, 9, 30), ("a", 1, 20, 25, 9000), ("b", 0, 30, 33, 9001))
    lost = warnings(faults)
    assert lost.keys() == {"a", "b"}
    assert lost["a"].startswith("Kafka deleted 5 offsets before landing read them")
    assert "partition 1, offset 20." in lost["a"] and "max_lost: 5" in lost["a"]
    accepted = [{**TOPICS[0], "expect": {"max_lost": 4}}]
    assert warnings(faults, topics=accepted).keys() == {"a"}


@long
def test_lost_offsets_warn_until_a_later_batch_is_published(faults):
    faults.land(
        [{"topic": "c", "offset": 0, "value": None}], landed_at=LANDED + timedelta(minutes=9500)
    )
    assert warnings(faults).keys() == {"a", "b"}
    assert warnings(faults) == {}

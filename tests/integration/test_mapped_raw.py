"""A raw table that another tool writes at least once: mapped columns, deduplicated messages, batches that grow.

The result is compared with a project in which `kafka-cdc land` landed the same messages.
"""

import base64
import json
import random
from datetime import datetime, timedelta, timezone

import pytest

from conftest import CASES, long
from kafka_cdc.tables import table_format

BEGIN = datetime(2026, 11, 20, 7, 50, tzinfo=timezone.utc)
SINK = "topic_name string, part int, position bigint, happened timestamp, record_key binary, record_value binary, written timestamp, chunk string"
COLUMNS = {
    "topic": "topic_name",
    "partition": "part",
    "offset": "position",
    "timestamp": "happened",
    "key": "record_key",
    "value": "record_value",
    "landed_at": "written",
    "landing_batch": "unix_seconds(happened) div 3600",
}
TOPICS = [
    {"topic": "drs", "format": "huawei_drs_json"},
    {"topic": "d*", "format": "alibaba_dts_avro", "encoding": "base64"},
]  # the first matching entry counts
BUILD = [
    "build",
    "--select",
    "+current_state",
    "row_history",
    "quarantine",
    "message_accounting",
    "--exclude",
    "staging",
]
SAME = {
    "current_state": "source_name, source_database, source_table, row_key, to_json(row_values) as row_values, to_json(column_types) as column_types, kafka_offset",
    "changelog": "kafka_topic, kafka_partition, kafka_offset, row_index, kafka_timestamp, operation, row_key, to_json(after_row) as after_row",
    "row_history": "source_table, row_key, to_json(row_values) as row_values, valid_from, valid_to, is_current",
    "quarantine": "kafka_topic, kafka_offset, reject_code, message_key, message_value",
}


def change(at, operation):
    """Return a message of Huawei DRS about one of five rows. One in nine is invalid."""
    row = {"id": str(at % 5), "amount": f"{at}.{at % 7}0"}
    change = {
        "mysqlType": {"id": "int", "amount": "decimal(9,2)"},
        "id": at,
        "es": 1624614713000 + at,
        "ts": 1625058726990,
        "database": "shop",
        "table": "orders",
        "type": operation,
        "isDdl": False,
        "sql": "",
        "data": None if operation == "DELETE" else [row],
        "old": [row] if operation == "DELETE" else None,
        "pkNames": ["id"],
    }
    return {
        "topic": "drs",
        "offset": at,
        "timestamp": BEGIN + timedelta(minutes=at),
        "key": f"k{at}",
        "value": json.dumps(change if at % 9 else {"type": "INSERT"}),
    }


def binary():
    """Return the messages of an Avro case, which are base64 in their file."""
    lines = (
        (CASES / "alibaba_dts_avro" / "customers" / "messages.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    return [
        {"topic": "dts", "offset": at, "timestamp": BEGIN + timedelta(hours=at), "value": line}
        for at, line in enumerate(lines)
    ]


@pytest.fixture(scope="module")
def dumped():
    """The messages in the order of their offsets. The third one is a tombstone."""
    messages = [
        change(at, random.Random(at).choice(["INSERT", "UPDATE", "UPDATE", "DELETE"]))
        for at in range(60)
    ]
    return [*messages[:2], {**messages[2], "value": None}, *messages[3:], *binary()]


def sink(project, messages, chunk="a", written=None):
    """Append messages to the other tool's table in one commit. `written` is its time of writing, by default now."""
    rows = []
    for message in messages:
        value = message["value"] and (
            base64.b64decode(message["value"])
            if message["topic"] == "dts"
            else message["value"].encode()
        )
        rows.append(
            (
                message["topic"],
                0,
                message["offset"],
                message["timestamp"],
                message.get("key") and message["key"].encode(),
                value,
                written or datetime.now(timezone.utc),
                chunk,
            )
        )
    project.spark.createDataFrame(rows, SINK).coalesce(1).writeTo(
        f"raw_{project.name}.sink"
    ).append()


def sinking(project, name, **settings):
    """Return a project whose raw table another tool writes, and that table."""
    made = project(
        name, topics=TOPICS, raw_table="sink", raw_column_mapping={**COLUMNS, **settings}
    )
    made.query("drop table {raw}.kafka_messages")
    made.query(f"create table {{raw}}.sink ({SINK}) using {table_format.NAME}")
    return made


@pytest.fixture(scope="module")
def native(project, dumped):
    """The project in which the messages have landed once."""
    native = project("sink_landed", topics=TOPICS)
    native.land(dumped)
    native.dbt(*BUILD)
    return native


def rows_of(project, name):
    return sorted(str(row) for row in project.query(f"select {SAME[name]} from {{cdc}}.{name}"))


def test_duplicate_and_late_messages_count_once(project, dumped, native, capfd):
    mapped = sinking(project, "sink")
    chance = random.Random(7)
    shuffled = chance.sample(dumped, len(dumped))
    sink(mapped, shuffled[:20] + shuffled[5:15])
    mapped.dbt(*BUILD)
    batches = mapped.query(
        "select landing_batch, count(*) as n from {cdc}.events where row_index = 0 group by 1 order by 1"
    )
    sink(mapped, shuffled[10:])  # all hours grow, and ten messages have a third copy
    sink(mapped, chance.sample(dumped, 30))
    mapped.dbt(*BUILD)
    assert len(
        mapped.query("select distinct landing_batch from {cdc}.events")
    ) > 2 and batches != mapped.query(
        "select landing_batch, count(*) as n from {cdc}.events where row_index = 0 group by 1 order by 1"
    )
    for name in SAME:
        assert rows_of(mapped, name) == rows_of(native, name), name
    assert rows_of(mapped, "current_state") and rows_of(mapped, "quarantine")
    assert (
        mapped.query("select * from {cdc}.message_accounting where unaccounted_messages <> 0") == []
    )
    assert mapped.query("select count(*) as n from {cdc}.events where landed_at is null") == [
        {"n": 0}
    ]

    before = mapped.snapshots("{cdc}.events")
    sink(mapped, chance.sample(dumped, 9))  # only copies: nothing to read
    mapped.dbt(*BUILD)
    assert mapped.snapshots("{cdc}.events") == before

    mapped.dbt("run-operation", "maintain_tables")
    assert len(mapped.snapshots("{raw}.sink")) == (
        4 if table_format.NAME == "iceberg" else 5
    )  # the other tool's table is unchanged
    rejected = mapped.invoke(
        "run-operation", "erase_row", "--args", "{table: shop.orders, key: {id: 1}}"
    )
    assert (
        not rejected.success and "the raw table belongs to another tool" in capfd.readouterr().out
    )


@long
def test_events_of_lost_messages_stay_when_others_arrive_late(project, dumped, native):
    """Retention removes messages from hours that also get late messages."""
    mapped = sinking(project, "sink_kept")
    late = [
        message for message in dumped if message["topic"] == "drs" and message["offset"] % 4 == 1
    ]
    sink(mapped, [message for message in dumped if message not in late])
    mapped.dbt(*BUILD)
    mapped.query("delete from {raw}.sink where topic_name = 'drs' and position % 4 = 2")
    mapped.dbt(*BUILD)  # fewer messages are no reason to read or to fail
    sink(mapped, late)
    mapped.dbt(*BUILD)
    for name in ("current_state", "changelog", "row_history"):
        assert rows_of(mapped, name) == rows_of(native, name), name
    before = mapped.snapshots("{cdc}.events")
    mapped.dbt(*BUILD)
    assert mapped.snapshots("{cdc}.events") == before


@long
def test_as_many_messages_late_as_lost_are_noticed(project, dumped, native):
    """An hour then has as many messages as events has for it, but other ones."""
    mapped = sinking(project, "sink_swapped")
    hour = [message for message in dumped if message["topic"] == "drs" and message["offset"] >= 10]
    late, lost = hour[1:4], hour[20:23]
    sink(mapped, [message for message in dumped if message not in late])
    mapped.dbt(*BUILD)
    mapped.query(
        f"delete from {{raw}}.sink where topic_name = 'drs' and position between {lost[0]['offset']} and {lost[-1]['offset']}"
    )
    sink(mapped, late, written=datetime.now(timezone.utc) - timedelta(days=2))
    unaccounted = "select topic, unaccounted_messages from {cdc}.message_accounting where unaccounted_messages <> 0"
    assert mapped.query(unaccounted) == [{"topic": "drs", "unaccounted_messages": 3}]
    (tested,) = [
        r
        for r in mapped.invoke("test", "--select", "every_message_has_one_outcome_events_").result
        if r.node.resource_type == "test"
    ]
    (finding,) = [
        row["finding"]
        for row in mapped.query(tested.node.compiled_code.replace("{", "{{").replace("}", "}}"))
    ]
    assert (
        "topic drs: 3 messages that landed over a day ago have no outcome, for example partition 0, offset 11"
        in finding
    )
    mapped.dbt(*BUILD)
    for name in ("current_state", "changelog", "row_history"):
        assert rows_of(mapped, name) == rows_of(native, name), name
    assert mapped.query(unaccounted) == []
    before = mapped.snapshots("{cdc}.events")
    mapped.dbt(*BUILD)
    assert mapped.snapshots("{cdc}.events") == before


@long
def test_a_message_in_two_batches_is_not_published(project, dumped):
    mapped = sinking(project, "sink_chunks", landing_batch="hash(chunk)")
    sink(mapped, dumped[:10], "a")
    mapped.dbt(*BUILD)
    before = rows_of(mapped, "changelog")
    sink(mapped, dumped[8:20], "b")
    result = mapped.invoke(*BUILD)
    assert not result.success
    assert [r.node.name for r in result.result if r.status == "fail"] == [
        "messages_are_in_one_batch_events_"
    ]
    assert before and rows_of(mapped, "changelog") == before


def test_two_messages_with_the_same_coordinates_stop_the_run(project, dumped):
    mapped = sinking(project, "sink_twins")
    sink(mapped, [dumped[3], {**dumped[4], "offset": 3, "timestamp": dumped[3]["timestamp"]}])
    result = mapped.invoke("build", "--select", "+events", "--exclude", "staging")
    assert not result.success
    assert (
        "two different messages of the raw table have topic drs, partition 0, offset 3. Hint: map them to different topics"
        in str([r.message for r in result.result])
    )


@long
def test_a_message_without_coordinates_stops_the_run(project, dumped):
    mapped = sinking(project, "sink_unplaced")
    sink(mapped, [dumped[3], {**dumped[4], "offset": None}])
    result = mapped.invoke("build", "--select", "+events", "--exclude", "staging")
    assert not result.success
    assert (
        "has no topic, topic_incarnation, partition, offset or landing_batch by the setting raw_column_mapping"
        in str([r.message for r in result.result])
    )

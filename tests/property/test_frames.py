"""Random binary frames of TiCDC's open protocol, whole and damaged, compared with a reader in Python.

Each message lands three times: as base64, as bytes as Kafka's keys land, and as both. A message is
read as the reader reads it, or rejected if the reader fails. No run fails and nothing is lost.
"""

import base64
import json
import os
import random
import struct

IS_LONG = "KAFKA_CDC_LONG" in os.environ
SEED = int(os.environ.get("KAFKA_CDC_SEED", "20261121"))
MESSAGES = 500
TEXTS = ["", "a", '"}', '{"_sentinel":"x"}', "\\", "測" * 40, "x" * 300, "]}", "\0", "null"]


def number(value):
    return struct.pack(">q", value)


def random_events(chance):
    """Return events: the key and the value of each as JSON text."""
    events = []
    for _ in range(chance.choice([1, 1, 2, 3, 16])):
        ts = chance.randrange(2**40, 2**62)
        kind = chance.choice("uuudp3")
        if kind == "3":
            events.append((json.dumps({"ts": ts, "t": 3}), ""))
            continue
        key = {
            "ts": ts,
            "scm": chance.choice(TEXTS) or "s",
            "tbl": "t" * chance.choice([1, 200]),
            "t": 1,
        }
        row = {
            "id": {"t": 3, "h": True, "f": 11, "v": chance.randrange(9)},
            chance.choice(TEXTS) or "c": {"t": 15, "f": 64, "v": chance.choice(TEXTS)},
        }
        value = {"u": row, "p": row} if kind == "p" else {kind: row}
        events.append((json.dumps(key, ensure_ascii=False), json.dumps(value)))
    return events


def packed(events):
    """Return the bytes of a key and a value."""
    key, value = number(1), b""
    for one, other in events:
        key += number(len(one.encode())) + one.encode()
        value += number(len(other.encode())) + other.encode()
    return key, value


def damaged(chance, key, value):
    """Return a key and a value with one kind of damage."""
    parts = [bytearray(key), bytearray(value)]
    at = chance.randrange(2)
    part = parts[at]
    what = chance.choice(["cut", "added", "taken", "length", "version", "empty event", "moved"])
    if what == "cut":
        del part[chance.randrange(len(part)) :]
    elif what == "added":
        part += chance.randbytes(chance.randint(1, 12))
    elif what == "taken":
        del part[chance.randrange(len(part)) :][: chance.randint(1, 5)]
    elif what == "version":
        parts[0][chance.randrange(8)] ^= 1 << chance.randrange(8)
    elif what == "empty event":
        part += number(0)
    else:
        place = 8 if at == 0 else 0
        (length,) = struct.unpack(">q", part[place : place + 8])
        changed = (
            length + chance.choice([-1, 1, 8, -8])
            if what == "moved"
            else chance.choice(
                [-1, 0, 2**31, 2**32 + length, 2**63 - 1, chance.randrange(len(part))]
            )
        )
        part[place : place + 8] = number(changed)
    return bytes(parts[0]), bytes(parts[1])


def split(data):
    """Return the pieces of bytes that follow their lengths."""
    pieces, at = [], 0
    while at < len(data):
        (length,) = struct.unpack(">Q", data[at : at + 8])
        if at + 8 + length > len(data):
            raise ValueError("past the end")
        pieces.append(data[at + 8 : at + 8 + length])
        at += 8 + length
    return pieces


def read(key, value):
    """Return the events of a message: operation, table and row. None if it cannot be read."""
    try:
        if key[:8] != number(1):
            return None
        keys = split(key[8:])
        values = [b""] if not value and len(keys) == 1 else split(value)
        if not keys or len(keys) != len(values):
            return None
        events = []
        for one, other in zip(keys, values, strict=True):
            name = json.loads(one)
            if name["t"] == 3 and not other:
                events.append(("heartbeat", "", None))
                continue
            change = json.loads(other)
            operation = "delete" if "d" in change else "update" if "p" in change else "insert"
            row = change.get("u") or change["d"]
            events.append(
                (
                    operation,
                    name["scm"] + "." + name["tbl"],
                    {column: str(cell["v"]) for column, cell in row.items()},
                )
            )
    except (ValueError, KeyError, TypeError, struct.error):
        return None
    return events


def test_frames_are_read_as_python_reads_them(project):
    chance = random.Random(SEED)
    whole = [packed(random_events(chance)) for _ in range(MESSAGES)]
    messages = whole + [damaged(chance, *chance.choice(whole)) for _ in range(MESSAGES)]
    frames = project(
        "frames", topics=[{"topic": "frames*", "format": "ticdc_open"}], check_chains="warn"
    )
    frames.land(
        [
            {
                "topic": "frames",
                "key": base64.b64encode(key).decode(),
                "value": base64.b64encode(value).decode(),
            }
            for key, value in messages
        ]
    )
    columns = "`partition`, `offset`, `timestamp`, {key} as key, {value} as value, headers, landed_at, landing_batch, topic_incarnation"
    as_bytes = "cast(unbase64({0}) as string)".format
    for topic, key, value in [
        ("frames_of_bytes", as_bytes("key"), as_bytes("value")),
        ("frames_as_landed", as_bytes("key"), "value"),
    ]:
        frames.spark.sql(
            f"insert into {frames.raw} by name select '{topic}' as topic, {columns.format(key=key, value=value)} from {frames.raw} where topic = 'frames'"
        )
    frames.dbt("run", "--select", "+events", "--exclude", "staging")
    found = {}
    for row in frames.query(
        "select *, concat(source_database, '.', source_table) as name from {cdc}.events order by kafka_offset, row_index"
    ):
        found.setdefault((row["kafka_topic"], row["kafka_offset"]), []).append(row)
    expected = [read(key, value) for key, value in messages]
    assert [events is None for events in expected[:MESSAGES]].count(True) == 0
    assert expected[MESSAGES:].count(None) > MESSAGES / 2
    different = []
    for (topic, offset), rows in found.items():
        events = [
            (
                row["operation"] or row["event_kind"],
                "" if row["name"] == "." else row["name"],
                row["after_row"] or row["before_row"],
            )
            for row in rows
        ]
        rejected = rows[0]["event_kind"] == "rejected"
        if (None if rejected else events) != expected[offset]:
            different.append(
                (topic, offset, rows[0]["reject_detail"], messages[offset], expected[offset])
            )
    assert different == []
    assert len(found) == 3 * len(messages)

    if IS_LONG:
        check_later_runs(frames)


def check_later_runs(frames):
    """A later run unpacks frames of a topic without a mapping, among messages without frames."""
    key, value = packed(
        [('{"ts":1,"scm":"s","tbl":"t","t":1}', '{"u":{"id":{"t":3,"h":true,"f":11,"v":1}}}')]
    )
    later = {"key": base64.b64encode(key).decode(), "value": base64.b64encode(value).decode()}
    frames.land(
        [{"topic": "no frames", "value": "{}"}, {"topic": "not mapped", "offset": 0, **later}]
    )
    frames.dbt("run", "--select", "events")
    frames.land([{"topic": "not mapped", "value": "{}", "offset": 1}])
    frames.dbt("run", "--select", "events")
    events = frames.query(
        "select kafka_topic, source_format, row_key from {cdc}.events where not startswith(kafka_topic, 'frames') order by kafka_topic, kafka_offset"
    )
    assert [(row["source_format"], row["row_key"]) for row in events] == [
        (None, None),
        ("ticdc_open", '{"id":"1"}'),
        (None, None),
    ]

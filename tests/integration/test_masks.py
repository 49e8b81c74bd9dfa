"""Masks of the setting tables: no public table has a plain value, and hashes are those of Python's hmac."""

import hashlib
import hmac
import json


import pytest

from conftest import MASK_SECRET

pytestmark = pytest.mark.delta
PLAIN = ["ann@plain.example", "bob@plain.example", "+49 170 5550199", "4111111111111234", "plain-note"]
MASKS = {
    "EMAIL": {"mask": "hash"},
    "ph?ne": {"mask": None},
    "card": {"mask": "last4"},
    "note*": {"mask": "drop"},
}
FORMATS = ["canal", "debezium", "maxwell", "mongodb_change_stream"]
SETTINGS = {
    "topics": [
        {"topic": "canal", "format": "canal"},
        {"topic": "debezium", "format": "debezium", "source": "debezium", "key": ["email"]},
        {"topic": "maxwell", "format": "maxwell"},
        {"topic": "mongo", "format": "mongodb_change_stream"},
        {"topic": "broken", "format": "plain_rows", "source": "broken", "key": ["phone"]},
    ],
    "tables": [
        {"table": "shop.people", "columns": {"unknown": {"mask": "drop"}}, "column_types": {"id": "int"}},
        {"table": "shop.*", "columns": MASKS},
    ],
}


def hashed(text):
    """Return the HMAC-SHA-256 of a text, or None for None."""
    if text is None:
        return None
    return hmac.new(MASK_SECRET.encode(), text.encode(), hashlib.sha256).hexdigest()


def person(email, **changes):
    row = {
        "id": "1",
        "email": email,
        "phone": PLAIN[2],
        "card": PLAIN[3],
        "note1": PLAIN[4],
        "city": "Ulm",
    }
    return {**row, **changes}


def canal(kind, row, old=None):
    return {
        "topic": "canal",
        "value": {
            "mysqlType": {**dict.fromkeys(row, "varchar(50)"), "id": "int"},
            "id": 1,
            "es": 1624614713000,
            "ts": 1624614714000,
            "database": "shop",
            "table": "people",
            "type": kind,
            "isDdl": False,
            "sql": "",
            "data": [row],
            "old": old and [old],
            "pkNames": ["email"],
        },
    }


def debezium(operation, before, after, position):
    source = {
        "connector": "mysql",
        "name": "debezium",
        "db": "shop",
        "table": "people",
        "file": "mysql-bin.000003",
        "pos": position,
        "row": 0,
    }
    return {
        "topic": "debezium",
        "value": {"before": before, "after": after, "source": source, "op": operation, "ts_ms": 1},
    }


def maxwell(kind, row, old=None):
    value = {
        "database": "shop",
        "table": "people",
        "type": kind,
        "ts": 1449786310,
        "position": "master.000006:800911",
        "primary_key_columns": ["email"],
        "data": row,
    }
    return {"topic": "maxwell", "value": value | ({"old": old} if old else {})}


def mongo(row):
    value = {
        "_id": {"_data": "8264650D000000000A2B0229296E04"},
        "operationType": "insert",
        "clusterTime": {"$timestamp": {"t": 1684344064, "i": 10}},
        "ns": {"db": "shop", "coll": "people"},
        "documentKey": {"_id": 1},
        "fullDocument": {"_id": 1, **row},
    }
    return {"topic": "mongo", "value": value}


def messages():
    """Return inserts, a key change, an update with a null, and what is rejected, as Project.land takes them."""
    ann, bob = person(PLAIN[0]), person(PLAIN[1])
    empty = person(PLAIN[1], card=None, phone=None, city="Bonn")
    changed = {"email": PLAIN[0]}
    unknown = maxwell("insert", ann)
    unknown["value"]["type"] = PLAIN[0]
    listed = [
        canal("INSERT", ann),
        canal("UPDATE", bob, changed),
        canal("UPDATE", empty, {"card": PLAIN[3], "phone": PLAIN[2], "city": "Ulm"}),
        debezium("c", None, ann, 1),
        debezium("u", ann, bob, 2),
        debezium("u", bob, empty, 3),
        maxwell("insert", ann),
        maxwell("update", bob, changed),
        maxwell("update", empty, {"card": PLAIN[3], "phone": PLAIN[2], "city": "Ulm"}),
        mongo(ann),
        unknown,
        {"topic": "maxwell", "value": {"no": PLAIN[0]}},
    ]
    numbered, counts = [], {}
    for message in listed:
        offset = counts[message["topic"]] = counts.get(message["topic"], -1) + 1
        numbered.append({**message, "offset": offset, "value": json.dumps(message["value"])})
    return numbered


@pytest.fixture(scope="module")
def masked(project):
    """The messages, built with masks."""
    built = project("masks", **SETTINGS)
    built.land(messages())
    built.dbt("build", "--exclude", "staging")
    return built


def expected(email, **changes):
    """Return the masked row of a person."""
    row = {"id": "1", "email": hashed(email), "phone": None, "card": "****1234", "city": "Ulm"}
    return {**row, **changes}


def test_events_have_masked_images_keys_and_types(masked):
    ann, bob = expected(PLAIN[0]), expected(PLAIN[1])
    empty = expected(PLAIN[1], card=None, city="Bonn")
    keys = [json.dumps({"email": hashed(email)}, separators=(",", ":")) for email in PLAIN[:2]]
    for topic in FORMATS[:3]:
        events = masked.query(
            "select row_key, previous_row_key, before_row, after_row, column_types from {cdc}.events"
            f" where kafka_topic = '{topic}' and event_kind = 'change' order by kafka_offset"
        )
        assert [event["after_row"] for event in events] == [ann, bob, empty]
        assert [event["before_row"] for event in events] == [None, ann, bob]
        assert [event["row_key"] for event in events] == [keys[0], keys[1], keys[1]]
        assert [event["previous_row_key"] for event in events] == [None, keys[0], None]
        for types in (event["column_types"] for event in events):
            stamp = types.pop("*")
            assert stamp.startswith("masked(")
            if topic == "canal":
                phone = {"phone": "varchar(50)", "city": "varchar(50)"}
                assert types == {"id": "int", "email": "masked", "card": "masked"} | phone
            else:
                assert types == {}


def test_a_document_is_masked_as_its_typed_text(masked):
    event = masked.query("select after_row from {cdc}.events where kafka_topic = 'mongo'")[0]
    assert event["after_row"]["email"] == hashed(json.dumps(PLAIN[0]))
    assert event["after_row"]["phone"] is None and "note1" not in event["after_row"]


def test_state_and_history_have_one_live_row(masked):
    for relation in ("current_state", "row_history"):
        rows = masked.query(f"select row_values from {{cdc}}.{relation} where source_name = 'maxwell'")
        assert expected(PLAIN[1], card=None, city="Bonn") in [row["row_values"] for row in rows]
    state = masked.query("select incomplete_columns from {cdc}.current_rows")
    assert {row["incomplete_columns"] for row in state} == {None}

"""Masks: no public table has a plain value, and hashes are those of Python's hmac."""

import hashlib
import hmac
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import HOME, MASK_SECRET, long
from kafka_cdc.tables import table_format

PLAIN = [
    "ann@plain.example",
    "bob@plain.example",
    "+49 170 5550199",
    "4111111111111234",
    "plain-note",
]
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
        {"topic": "wal2json", "format": "wal2json_v1"},
    ],
    "tables": [
        {
            "table": "shop.people",
            "columns": {"unknown": {"mask": "drop"}},
            "column_types": {"id": "int"},
        },
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


def mongo(row, collection="people"):
    value = {
        "_id": {"_data": "8264650D000000000A2B0229296E04"},
        "operationType": "insert",
        "clusterTime": {"$timestamp": {"t": 1684344064, "i": 10}},
        "ns": {"db": "shop", "coll": collection},
        "documentKey": {"_id": 1},
        "fullDocument": {"_id": 1, **row},
    }
    return {"topic": "mongo", "value": value}


def mongo_paths(parts):
    """Return an update that names parts of documents by their paths."""
    value = {
        "_id": {"_data": "8264650D000000000B2B0229296E04"},
        "operationType": "update",
        "clusterTime": {"$timestamp": {"t": 1684344064, "i": 11}},
        "ns": {"db": "shop", "coll": "visits"},
        "documentKey": {"_id": 1},
        "updateDescription": {"updatedFields": parts, "removedFields": []},
    }
    return {"topic": "mongo", "value": value}


def card(number):
    """Return an insert into a table whose key column is shortened, which would merge its rows."""
    message = maxwell("insert", {"card": number})
    message["value"] |= {"table": "cards", "primary_key_columns": ["card"]}
    return message


def several(*rows):
    """Return one message with an insert for each (schema, table, row)."""
    changes = [
        {
            "kind": "insert",
            "schema": schema,
            "table": table,
            "columnnames": list(row),
            "columnvalues": list(row.values()),
            "pk": {"pknames": ["id"]},
        }
        for schema, table, row in rows
    ]
    return {"topic": "wal2json", "value": {"change": changes}}


def messages():
    """Return inserts, a key change, an update with a null, and messages that are rejected."""
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
        mongo(
            {
                "email": {"home": PLAIN[1]},
                "phone": [PLAIN[2]],
                "card": {"main": PLAIN[3]},
                "note1": {"a": {"b": PLAIN[4]}},
                "pet": {"note": "dog", "age": 3},
            },
            "visits",
        ),
        mongo_paths(
            {
                "email.home": PLAIN[0],
                "phone.1": PLAIN[2],
                "card.main": PLAIN[3],
                "note1.a.b": PLAIN[4],
                "pet.note": "cat",
            }
        ),
        unknown,
        card(PLAIN[3]),
        {"topic": "maxwell", "value": {"no": PLAIN[0]}},
        several(("shop", "people", ann), ("public", "cities", {"id": None})),
        several(("public", "cities", {"id": "1"}), ("public", "cities", {"id": None})),
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
        stamp = max(events[0]["column_types"].values(), key=lambda type: type.startswith("masked("))
        for types in (event["column_types"] for event in events):
            if topic == "canal":
                phone = {"phone": "varchar(50)", "city": "varchar(50)"}
                assert types == {"id": "int", "email": stamp, "card": stamp} | phone
            else:
                assert types == {"*": stamp}


def test_a_document_is_masked_as_its_typed_text(masked):
    event, _, parts = masked.query(
        "select after_row from {cdc}.events where kafka_topic = 'mongo' order by kafka_offset"
    )
    assert parts["after_row"] == {
        "_id": "1",
        "email.home": hashed(json.dumps(PLAIN[0])),
        "phone.1": None,
        "card.main": parts["after_row"]["card.main"],
        "pet.note": '"cat"',
    }
    assert PLAIN[3] not in parts["after_row"]["card.main"]
    assert event["after_row"]["email"] == hashed(json.dumps(PLAIN[0]))
    assert event["after_row"]["phone"] is None and "note1" not in event["after_row"]


def test_a_path_into_a_masked_document_makes_it_unknown(masked):
    for relation in ("current_state", "row_history"):
        rows = masked.query(
            f"select row_values from {{cdc}}.{relation} where source_table = 'visits'"
            " order by kafka_offset"
        )
        unknown = dict.fromkeys(["email", "phone", "card"])
        assert rows[-1]["row_values"] == unknown | {"_id": "1", "pet": '{"note":"cat","age":3}'}


def test_state_and_history_have_one_live_row(masked):
    for relation in ("current_state", "row_history"):
        rows = masked.query(
            f"select row_values from {{cdc}}.{relation} where source_name = 'maxwell'"
        )
        assert expected(PLAIN[1], card=None, city="Bonn") in [row["row_values"] for row in rows]
    state = masked.query("select incomplete_columns from {cdc}.current_rows")
    assert {row["incomplete_columns"] for row in state} == {None}


def test_rejected_messages_quote_no_value(masked):
    rejected = masked.query(
        "select reject_code, reject_detail, operation_code, message_value, message_key from {cdc}.quarantine"
        " where kafka_topic = 'maxwell' order by kafka_offset"
    )
    codes = ["unknown_operation", "masked_key", "missing_field"]
    assert [row["reject_code"] for row in rejected] == codes
    assert rejected[1]["reject_detail"].endswith("The key columns are: card")
    for row in rejected:
        assert row["message_value"] is None and row["message_key"] is None
        assert not any(text in str(row) for text in PLAIN)


def test_a_message_with_a_masked_table_is_not_quoted(masked):
    """The rejected change is of a table without masks. Another change of the message has masks."""
    mixed, plain = masked.query(
        "select reject_code, source_table, message_value from {cdc}.quarantine"
        " where kafka_topic = 'wal2json' order by kafka_offset"
    )
    assert mixed == {"reject_code": "missing_key", "source_table": "", "message_value": None}
    assert plain["source_table"] == "cities"
    assert plain["message_value"] is not None


def test_no_relation_has_a_plain_value(masked):
    # Temporary views of other tests in this session are in the list, too.
    tables = masked.query("show tables in {cdc}")
    names = [row["tableName"] for row in tables if not row["isTemporary"]]
    views = masked.query("show views in {cdc}")
    names += [row["viewName"] for row in views if not row["isTemporary"]]
    assert {"events", "changelog", "row_history", "quarantine", "merged_rows"} <= set(names)
    for name in names:
        text = json.dumps(masked.query(f"select to_json(struct(*)) as row from {{cdc}}.{name}"))
        assert not any(plain in text for plain in [*PLAIN, MASK_SECRET]), name
    if table_format.NAME == "iceberg":
        metrics = str(masked.query("select readable_metrics from {cdc}.events.files"))
        assert hashed(PLAIN[0])[:4] in metrics and not any(plain[:8] in metrics for plain in PLAIN)


def test_explain_row_finds_the_hash(masked, capsys):
    arguments = {"table": "shop.people", "source": "maxwell", "key": {"email": hashed(PLAIN[1])}}
    masked.dbt("run-operation", "explain_row", "--args", json.dumps(arguments))
    printed = capsys.readouterr().out
    assert "is live" in printed and hashed(PLAIN[1]) in printed
    assert not any(plain in printed for plain in PLAIN)


def test_typed_tables_have_text_and_no_dropped_column(masked):
    arguments = "table='shop.people', source='{}', of_rows=false"
    for source in ("canal", "maxwell"):
        stream = f"kafka_cdc.get_table_stream({arguments.format(source)})"
        columns = "-- depends_on: {{ ref('events') }}, {{ ref('source_types') }}\n"
        columns += f"{{{{ tojson(kafka_cdc.get_typed_columns({stream})) if execute }}}}"
        result = masked.dbt("compile", "--inline", columns).result.results[0].node.compiled_code
        types = {
            column["name"]: column["spark_type"] for column in json.loads(result.splitlines()[-1])
        }
        assert types == dict.fromkeys(["email", "phone", "card", "city"], "string") | {"id": "int"}


@long
def test_changed_masks_hold_the_table_until_the_replay(project):
    changing = project("remasked", topics=SETTINGS["topics"][2:3])
    command = ("build", "--select", "+current_state +held_tables", "--exclude", "staging")
    changing.land([message for message in messages()[6:9]])
    changing.dbt(*command)
    plain = changing.query("select row_values from {cdc}.current_state")
    assert plain[0]["row_values"]["email"] == PLAIN[1]
    remedy = "To read the topic again: dbt build --vars '{replay: [\"maxwell\"]}'"
    reason = "changes of shop.people were read with other masks than tables now sets, or with another secret"
    for tables in (SETTINGS["tables"], []):
        before = changing.query("select row_values from {cdc}.current_state")
        changing.dbt(*command, tables=tables)
        held = changing.query("select check_name, finding, remedy from {cdc}.held_tables")
        finding = f"topic maxwell: 3 {reason}"
        assert held == [{"check_name": "changed_masks", "finding": finding, "remedy": remedy}]
        assert changing.query("select row_values from {cdc}.current_state") == before
        changing.dbt(*command, tables=tables, replay=["maxwell"])
        assert changing.query("select check_name from {cdc}.held_tables") == []
        after = changing.query("select row_values from {cdc}.current_state")
        assert (after == plain) is (not tables) and len(after) == 1


def run(command, lake, **variables):
    """Run a command of the project in a process of its own, with a lake of its own."""
    environment = {**os.environ, "KAFKA_CDC_LAKE": str(lake), **variables}
    environment = {name: value for name, value in environment.items() if value}
    program = [str(Path(sys.executable).parent / command[0]), *command[1:]]
    return subprocess.run(
        program, env=environment, cwd=HOME, capture_output=True, text=True, timeout=600
    )


@long
@pytest.mark.iceberg_only
def test_no_file_has_the_secret_or_a_plain_value(tmp_path):
    """All files of a build in its own process: the lake, target, logs and Spark's event log."""
    for name in ("lake", "conf", "events", "topics"):
        (tmp_path / name).mkdir()
    (tmp_path / "conf" / "spark-defaults.conf").write_text(
        f"spark.eventLog.enabled true\nspark.eventLog.compress false\nspark.eventLog.dir file://{tmp_path}/events\n"
        "spark.sql.catalog.lake.table-override.write.parquet.compression-codec uncompressed\n"
    )
    topic = "\n".join(message["value"] for message in messages()[6:12])
    (tmp_path / "topics" / "maxwell.jsonl").write_text(topic + "\n")
    lake, secret = tmp_path / "lake", {"KAFKA_CDC_MASK_SECRET": ""}
    landed = run(["kafka-cdc", "land", "files", str(tmp_path / "topics")], lake, **secret)
    assert landed.returncode == 0, landed.stderr

    options = ["--target-path", str(tmp_path / "target"), "--log-path", str(tmp_path / "logs")]
    options += ["--vars", json.dumps({**SETTINGS, "topics": SETTINGS["topics"][2:3]})]
    select = [
        "--select",
        "+current_state +row_history +quarantine +held_tables",
        "--exclude",
        "staging",
    ]
    build = ["dbt", "--log-level-file", "debug", "build", *select, *options]
    conf = {"SPARK_CONF_DIR": str(tmp_path / "conf")}
    missing = run(build, lake, **conf, **secret)
    assert missing.returncode != 0 and "KAFKA_CDC_MASK_SECRET_FILE" in missing.stdout
    assert not (lake / "cdc").exists()

    built = run(build, lake, **conf, KAFKA_CDC_MASK_SECRET=MASK_SECRET)
    assert built.returncode == 0, built.stdout[-2000:]
    searched = {}
    for file in tmp_path.rglob("*"):
        if file.is_file() and not {"raw", "topics"} & set(file.relative_to(tmp_path).parts):
            content = file.read_bytes()
            found = [text for text in (*PLAIN, MASK_SECRET) if text.encode() in content]
            assert not found, f"{file} contains {found}"
            searched.setdefault(file.relative_to(tmp_path).parts[0], []).append(content)
    assert set(searched) >= {"lake", "target", "logs", "events"}
    assert b"hmacSha256Hex" in b"".join(searched["events"])
    # The search reaches what Parquet files contain.
    files = [content for content in searched["lake"] if content.startswith(b"PAR1")]
    assert any(hashed(PLAIN[1]).encode() in content for content in files)


@long
def test_tombstones_and_erased_rows_have_hashes(project):
    """A tombstone deletes the row of its hashed key. Rows that were rewritten in raw before their masks are masked."""
    topic = {"topic": "maxwell", "format": "maxwell"}
    table = {"table": "shop.people", "on_tombstone": "delete"}
    built = project("unmasked", topics=[topic], tables=[table])
    command = ("run", "--select", "+current_state", "--exclude", "staging")
    both = maxwell("insert", person(PLAIN[0]))
    other = maxwell("insert", person("eve@plain.example"))
    tombstone = {"topic": "maxwell", "offset": 5, "key": json.dumps({"email": PLAIN[1]})}
    values = [both, maxwell("insert", person(PLAIN[1])), other]
    landed = [
        {**one, "offset": at, "value": json.dumps(one["value"])} for at, one in enumerate(values)
    ]
    moved = maxwell("update", person("eva@plain.example"), {"email": "eve@plain.example"})
    built.land([*landed, {**moved, "offset": 4, "value": json.dumps(moved["value"])}, tombstone])
    built.dbt(*command)
    key = {"table": "shop.people", "key": {"email": "eva@plain.example"}}
    built.dbt("run-operation", "erase_row", "--args", json.dumps(key))

    built.dbt(*command, tables=[{**table, "columns": MASKS}], replay=["maxwell"])
    rows = built.query("select row_values from {cdc}.current_state")
    assert [row["row_values"] for row in rows] == [expected(PLAIN[0])]
    text = json.dumps(built.query("select to_json(struct(*)) as row from {cdc}.events"))
    assert not any(plain in text for plain in [*PLAIN, "eve@plain.example", "eva@plain.example"])
    assert hashed(PLAIN[1]) in text and hashed("eve@plain.example") in text
    masked_key = {"table": "shop.people", "key": {"email": hashed(PLAIN[0])}}
    tables = json.dumps(masked_key)
    built.dbt("run-operation", "erase_row", "--args", tables, tables=[{**table, "columns": MASKS}])
    assert built.query("select row_key from {cdc}.current_state") == []
    raw = str(built.query("select value from {raw}.kafka_messages"))
    assert PLAIN[0] not in raw and PLAIN[1] in raw

"""The base64 payloads of the Avro cases equal what fastavro writes from the readable records next to them.

tests/cases/<format>/<case>/records.jsonl has one message per line, with the fields that differ from the usual record:
{"record": {…}}        the record; an image's values as {"Integer": {…}}; bytes as {"text": …} in the value's own charset, or {"hex": …}
    "edition": 1       without bornTimestamp, as older tasks write it
    "cut": 3           without its last bytes
    "append": "00"     with bytes after it
{"schema": {…}, "record": {…}}  a record of another schema
{"hex": "…"}           bytes that no writer writes;  {"payload": "…"}  a text that is no base64, as it stands
`python tests/golden/test_avro_payloads.py` rewrites messages.jsonl.
"""

import base64
import io
import json
import sys
from pathlib import Path

import fastavro
import pytest

pytestmark = pytest.mark.unit
CASES = Path(__file__).resolve().parents[1] / "cases"
SAMPLES = Path(__file__).resolve().parents[2] / "examples" / "samples"
FOLDERS = sorted(file.parent for file in CASES.glob("*/*/records.jsonl"))
CHARSETS = {"utf8mb4": "utf-8", "latin1": "cp1252"}


def record(name, *fields):
    return {
        "type": "record",
        "name": name,
        "fields": [{"name": field, "type": kind} for field, kind in fields],
    }


def enum(name, symbols):
    return {"type": "enum", "name": name, "symbols": symbols.split()}


MAYBE = ["null", "int"]
VALUES = [
    "null",
    record("Integer", ("precision", "int"), ("value", "string")),
    record("Character", ("charset", "string"), ("value", "bytes")),
    record("Decimal", ("value", "string"), ("precision", "int"), ("scale", "int")),
    record("Float", ("value", "double"), ("precision", "int"), ("scale", "int")),
    record("Timestamp", ("timestamp", "long"), ("millis", "int")),
    record(
        "DateTime",
        ("year", MAYBE),
        ("month", MAYBE),
        ("day", MAYBE),
        ("hour", MAYBE),
        ("minute", MAYBE),
        ("second", MAYBE),
        ("millis", MAYBE),
    ),
    record("TimestampWithTimeZone", ("value", "DateTime"), ("timezone", "string")),
    record("BinaryGeometry", ("type", "string"), ("value", "bytes")),
    record("TextGeometry", ("type", "string"), ("value", "string")),
    record("BinaryObject", ("type", "string"), ("value", "bytes")),
    record("TextObject", ("type", "string"), ("value", "string")),
    enum("EmptyObject", "NULL NONE"),
]
NAMES = [value if isinstance(value, str) else value["name"] for value in VALUES]
RECORD = record(
    "Record",
    ("version", "int"),
    ("id", "long"),
    ("sourceTimestamp", "long"),
    ("sourcePosition", "string"),
    ("safeSourcePosition", "string"),
    ("sourceTxid", "string"),
    (
        "source",
        record(
            "Source",
            (
                "sourceType",
                enum(
                    "SourceType",
                    "MySQL Oracle SQLServer PostgreSQL MongoDB Redis DB2 PPAS DRDS HBASE HDFS FILE OTHER",
                ),
            ),
            ("version", "string"),
        ),
    ),
    (
        "operation",
        enum(
            "Operation",
            "INSERT UPDATE DELETE DDL BEGIN COMMIT ROLLBACK ABORT HEARTBEAT CHECKPOINT COMMAND FILL FINISH CONTROL RDB NOOP INIT",
        ),
    ),
    ("objectName", ["null", "string"]),
    ("processTimestamps", ["null", {"type": "array", "items": "long"}]),
    ("tags", {"type": "map", "values": "string"}),
    (
        "fields",
        [
            "null",
            "string",
            {
                "type": "array",
                "items": record("Field", ("name", "string"), ("dataTypeNumber", "int")),
            },
        ],
    ),
    ("beforeImages", ["null", "string", {"type": "array", "items": VALUES}]),
    ("afterImages", ["null", "string", {"type": "array", "items": NAMES}]),
    ("bornTimestamp", "long"),
)
EDITIONS = {
    1: fastavro.parse_schema({**RECORD, "fields": RECORD["fields"][:-1]}),
    2: fastavro.parse_schema(RECORD),
}
USUAL = {
    "version": 0,
    "id": 1,
    "sourceTimestamp": 1696984517,
    "sourcePosition": "4@1",
    "safeSourcePosition": "4@1",
    "sourceTxid": "0",
    "source": {"sourceType": "MySQL", "version": "8.0.28"},
    "objectName": None,
    "processTimestamps": None,
    "tags": {},
    "fields": None,
    "beforeImages": None,
    "afterImages": None,
    "bornTimestamp": 1696984517000,
}


def value_of(record):
    """Return an image's value as fastavro takes it: (name of its type, mapping)."""
    if not isinstance(record, dict):
        return record
    ((name, value),) = record.items()
    raw = value.get("value")
    if name == "DateTime":
        value = {
            field: value.get(field) for field in "year month day hour minute second millis".split()
        }
    elif isinstance(raw, dict) and name == "TimestampWithTimeZone":
        value = {**value, "value": value_of({"DateTime": raw})[1]}
    elif isinstance(raw, dict):
        charset = value.get("charset", "")
        value = {
            **value,
            "value": bytes.fromhex(raw["hex"])
            if "hex" in raw
            else raw["text"].encode(CHARSETS.get(charset, charset)),
        }
    return name, value


def payload_of(line):
    """Return the text of a message of a line of records.jsonl."""
    if "payload" in line:
        return line["payload"]
    if "hex" in line:
        return base64.b64encode(bytes.fromhex(line["hex"])).decode()
    if "schema" in line:
        written = io.BytesIO()
        fastavro.schemaless_writer(written, line["schema"], line["record"])
        return base64.b64encode(written.getvalue()).decode()
    record = {**USUAL, **line["record"]}
    for image in ("beforeImages", "afterImages"):
        if isinstance(record[image], list):
            record[image] = [value_of(value) for value in record[image]]
    written = io.BytesIO()
    fastavro.schemaless_writer(written, EDITIONS[line.get("edition", 2)], record)
    whole = written.getvalue()
    return base64.b64encode(
        whole[: len(whole) - line.get("cut", 0)] + bytes.fromhex(line.get("append", ""))
    ).decode()


def payloads_of(folder):
    return [
        payload_of(json.loads(line))
        for line in (folder / "records.jsonl").read_text(encoding="utf-8").splitlines()
    ]


@pytest.mark.parametrize(
    "folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}.{folder.name}"
)
def test_payloads_match_the_records(folder):
    assert (folder / "messages.jsonl").read_text(encoding="utf-8").splitlines() == payloads_of(
        folder
    )


def test_the_samples_match_their_case():
    assert (SAMPLES / "dts_avro_inventory.jsonl").read_text() == (
        CASES / "alibaba_dts_avro" / "customers" / "messages.jsonl"
    ).read_text()


if __name__ == "__main__":
    for folder in FOLDERS:
        (folder / "messages.jsonl").write_text(
            "".join(f"{payload}\n" for payload in payloads_of(folder)), encoding="utf-8"
        )
    sys.exit(0)

"""The binary frames in the cases of TiCDC's open protocol are those of the readable events next to them.

tests/cases/<format>/<case>/frames.jsonl has one message per line:
{"events": [[key, value], …]}  JSON documents, or texts that are no JSON; no value is null
    "partition": 1     another partition than 0
    "version": 2       another version than 1
    "cut_key": 3       a key or value (cut_value) without its last bytes
    "add_value": "00"  a key (add_key) or value with bytes after it
    "length": 9        another length of the first value, or of the first key (key_length)
    "as": "bytes"      bytes as text, as keys land; without it base64
    "value": null      this instead of the value; "key" likewise
`python tests/golden/test_framed_payloads.py` rewrites messages.kcat.jsonl.
"""

import base64
import json
import struct
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit
CASES = Path(__file__).resolve().parents[1] / "cases"
SAMPLES = Path(__file__).resolve().parents[2] / "examples" / "samples"
FOLDERS = sorted(file.parent for file in CASES.glob("*/*/frames.jsonl"))


def frame(document, length=None):
    """Return a document after its length."""
    text = document if isinstance(document, str) else json.dumps(document, separators=(",", ":"))
    encoded = b"" if document is None else text.encode()
    return struct.pack(">q", len(encoded) if length is None else length) + encoded


def frames(line):
    """Return the bytes of the key and the value of a line."""
    events = line["events"]
    key = struct.pack(">q", line.get("version", 1))
    key += b"".join(
        frame(one, line.get("key_length") if at == 0 else None)
        for at, (one, _) in enumerate(events)
    )
    value = b"".join(
        frame(one, line.get("length") if at == 0 else None) for at, (_, one) in enumerate(events)
    )
    key = key[: len(key) - line.get("cut_key", 0)] + bytes.fromhex(line.get("add_key", ""))
    value = value[: len(value) - line.get("cut_value", 0)]
    return key, value + bytes.fromhex(line.get("add_value", ""))


def message_of(line, at):
    """Return the message of a line as kcat -J writes it."""
    key, value = frames(line)
    text = bytes.decode if line.get("as") == "bytes" else lambda it: base64.b64encode(it).decode()
    return {
        "key": line.get("key", text(key)),
        "payload": line.get("value", text(value)),
        "partition": line.get("partition", 0),
        "offset": at,
    }


def messages_of(folder):
    lines = (folder / "frames.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.dumps(message_of(json.loads(line), at)) for at, line in enumerate(lines)]


@pytest.mark.parametrize(
    "folder", FOLDERS, ids=lambda folder: f"{folder.parent.name}.{folder.name}"
)
def test_messages_match_the_frames(folder):
    found = (folder / "messages.kcat.jsonl").read_text(encoding="utf-8").splitlines()
    assert found == messages_of(folder)


def test_the_samples_match_their_case():
    lines = (SAMPLES / "ticdc_open.kcat.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    case = (CASES / "ticdc_open" / "customers" / "messages.kcat.jsonl").read_text(encoding="utf-8")
    expected = [json.loads(line) for line in case.splitlines()]
    assert [(one["key"], one["payload"]) for one in found] == [
        (one["key"], one["payload"]) for one in expected
    ]


if __name__ == "__main__":
    for folder in FOLDERS:
        lines = "".join(f"{message}\n" for message in messages_of(folder))
        (folder / "messages.kcat.jsonl").write_text(lines, encoding="utf-8")
    sys.exit(0)

"""Random damage to Avro payloads, compared with fastavro: invalid records are rejected, valid ones are parsed, no run fails.

Bytes in the payloads of the cases are changed, cut, added and removed. fastavro reads a negative index from the end of a list,
so only a payload that it writes back byte for byte is certainly legal. Invalid UTF-8 outside of columns is not judged.
"""

import base64
import io
import os
import random
import sys

import fastavro

from conftest import CASES, HOME

sys.path.insert(0, str(HOME / "tests" / "golden"))
from test_avro_payloads import EDITIONS

SEED = int(os.environ.get("KAFKA_CDC_SEED", "20261121"))
DAMAGES = 1500
CHOSEN = ("customers", "values_of_mysql", "values_of_other_sources", "older_edition")


def damaged(chance, payload):
    """Return a payload with one kind of damage."""
    changed = bytearray(payload)
    at = chance.randrange(len(changed))
    what = chance.choice(["cut", "added", "taken", "changed", "changed", "changed", "changed"])
    if what == "cut":
        return bytes(changed[: at or 1])
    if what == "added":
        return bytes(changed) + chance.randbytes(chance.randint(1, 12))
    if what == "taken":
        del changed[at : at + chance.randint(1, 5)]
        return bytes(changed) or b"\0"
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        changed[chance.randrange(len(changed))] = chance.choice(
            [0, 1, 128, 255, chance.randrange(256)]
        )
    return bytes(changed)


def judged(payload):
    """Return 'legal', 'illegal', or None if fastavro cannot decide."""
    verdict = "illegal"
    for schema in EDITIONS.values():
        content, written = io.BytesIO(payload), io.BytesIO()
        try:
            record = fastavro.schemaless_reader(content, schema, None, return_record_name=True)
        except UnicodeDecodeError:
            verdict = None
            continue
        except Exception:
            continue
        if content.tell() == len(payload):
            fastavro.schemaless_writer(written, schema, record)
            if written.getvalue() == payload:
                return "legal"
            verdict = None
    return verdict


def test_damage_is_rejected(project):
    chance = random.Random(SEED)
    lines = [
        line
        for case in CHOSEN
        for line in (CASES / "alibaba_dts_avro" / case / "messages.jsonl").read_text().split()
    ]
    payloads = [base64.b64decode(line) for line in lines]
    payloads += [damaged(chance, chance.choice(payloads)) for _ in range(DAMAGES)]
    avro = project("avro_bytes", topics=[{"topic": "dts", "format": "alibaba_dts_avro"}])
    avro.land(
        [{"topic": "dts", "value": base64.b64encode(payload).decode()} for payload in payloads]
    )
    avro.dbt("run", "--select", "+events", "--exclude", "staging")
    codes = {
        row["kafka_offset"]: row["reject_code"]
        for row in avro.query("select distinct kafka_offset, reject_code from {cdc}.events")
    }
    assert len(codes) == len(payloads)
    verdicts = [judged(payload) for payload in payloads]
    assert verdicts.count("legal") > DAMAGES / 10 and verdicts.count("illegal") > DAMAGES / 3
    assert [
        payload.hex()
        for at, payload in enumerate(payloads)
        if verdicts[at] == "legal" and codes[at] == "invalid_binary"
    ] == []
    assert [
        payload.hex()
        for at, payload in enumerate(payloads)
        if verdicts[at] == "illegal" and codes[at] != "invalid_binary"
    ] == []

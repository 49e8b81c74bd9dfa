"""Faults planted in the messages of six formats are found in broken_chains.

Healthy messages break no chain.

The encoders and the faults are written from the vendors' documents, and use nothing of the package.
"""

import json
import os
from copy import deepcopy
from datetime import datetime, timedelta, timezone

import pytest

RUN = ["run", "--select", "+broken_chains", "+held_tables", "--exclude", "staging"]
START = datetime(2024, 5, 1, 6, 0, 0, tzinfo=timezone.utc)
KEYS = [1, 2, 3, 4]


# Histories -------------------------------------------------------------------------------------


def row(key, number):
    """Return the row of a key after its change `number`; each column depends on the number."""
    return {
        "id": str(key),
        "name": f"Zoë {'x' * 300} {key} {number}",
        "note": f"Note {number} of {key} ",
        "price": f"{key}{number}.{2500 + number:04d}",
        "total": str(9_007_199_254_740_993 + 2 * (100 * key + number)),
        "quantity": str(4_294_967_295 - number),
        "paid_at": (
            START + timedelta(hours=number, minutes=key, microseconds=123_456 + number)
        ).isoformat(" ")[:26],
        "comment": "" if number % 2 else f"comment {number}",
    }


def history():
    """Return changes in order: inserts, updates, and of key 3 also a delete and an insert."""
    changes = [("insert", key, None, row(key, 0)) for key in KEYS]
    for number in range(1, 12):
        for key in KEYS:
            if key == 3 and number == 6:
                changes.append(("delete", key, row(key, 5), None))
            elif key == 3 and number == 7:
                changes.append(("insert", key, None, row(key, 7)))
            else:
                changes.append(("update", key, row(key, number - 1), row(key, number)))
    return [
        {"op": op, "before": before, "after": after, "at": 10 * at, "position": at}
        for at, (op, _, before, after) in enumerate(changes)
    ]


# Faults: each takes the changes of a healthy history and returns those that reach Kafka -----------


def without(*positions):
    return lambda changes: [c for c in changes if c["position"] not in positions]


def swapped(changes):
    """Two updates of key 1 change places."""
    at = [n for n, c in enumerate(changes) if c["op"] == "update" and c["after"]["id"] == "1"][3:5]
    changes[at[0]], changes[at[1]] = changes[at[1]], changes[at[0]]
    return changes


def replayed(changes):
    return changes[:32] + deepcopy(changes[20:32]) + changes[32:]


def damaged(damage, *columns):
    """Return a fault that damages columns of the rows after three updates; the rows before stay."""

    def apply(changes):
        for change in changes:
            if change["position"] in (13, 17, 25) and change["after"]:
                for column in columns or change["after"]:
                    change["after"][column] = damage(change["after"][column])
        return changes

    return apply


def shifted_columns(changes):
    for change in changes:
        if change["position"] in (13, 17, 25):
            after = change["after"]
            after["name"], after["note"], after["paid_at"] = (
                after["note"],
                after["paid_at"],
                after["name"],
            )
    return changes


def moved(hours):
    return lambda text: (datetime.fromisoformat(text) + timedelta(hours=hours)).isoformat(" ")[:26]


def of_key(key, op, nth=0):
    """Return the position of the n-th change of a kind of a key."""
    return [
        c["position"]
        for c in history()
        if c["op"] == op and (c["after"] or c["before"])["id"] == str(key)
    ][nth]


def other_row(changes):
    """An update has the image after of another row, under its own key."""
    change = changes[of_key(2, "update", 4)]
    change["after"] = {**row(4, 9), "id": "2"}
    return changes


def merged(changes):
    """Two updates of a row come as one, with the row before the second."""
    return without(of_key(1, "update", 5))(changes)


def twice_inserted(changes):
    again = deepcopy(changes[of_key(4, "insert")])
    again.update(after=row(4, 50), at=255, position=25.5)
    return changes[:26] + [again] + changes[26:]


def twice_deleted(changes):
    again = deepcopy(changes[of_key(3, "delete")])
    again.update(at=again["at"] + 5, position=again["position"] + 0.5)
    at = of_key(3, "delete")
    return changes[: at + 1] + [again] + changes[at + 1 :]


def stale_before(changes):
    """An update has the row after as its row before."""
    change = changes[of_key(1, "update", 6)]
    change["before"] = {**change["after"], "note": change["before"]["note"] + "!"}
    return changes


cut = lambda text: text[:255]
FAULTS = {
    "lost_update": (without(of_key(1, "update", 4)), {"lost_change"}),
    "lost_updates_of_a_row": (
        without(of_key(1, "update", 4), of_key(1, "update", 5)),
        {"lost_change"},
    ),
    "lost_delete": (without(of_key(3, "delete")), {"lost_delete"}),
    "lost_insert": (without(of_key(4, "insert")), {"lost_insert"}),
    "lost_insert_after_a_delete": (without(of_key(3, "insert", 1)), {"lost_insert"}),
    "lost_transaction": (without(20, 21, 22), {"lost_range"}),
    "lost_range": (without(*range(16, 26)), {"lost_range"}),
    "lost_tail_at_a_restart": (without(*range(27, 34)), {"lost_range"}),
    "replayed_range": (replayed, {"repeated_range"}),
    "swapped_updates": (swapped, {"swapped_changes", "repeated_range"}),
    "hours_shifted": (damaged(moved(8), "paid_at"), {"time_shift"}),
    "half_hour_zone": (damaged(moved(5.5), "paid_at"), {"time_shift"}),
    "negative_hours": (damaged(moved(-5), "paid_at"), {"time_shift"}),
    "fractions_of_seconds_dropped": (
        damaged(lambda text: text[:19], "paid_at"),
        {"time_precision"},
    ),
    "milliseconds_only": (damaged(lambda text: text[:23], "paid_at"), {"time_precision"}),
    "decimals_rounded": (damaged(lambda text: f"{float(text):.2f}", "price"), {"rounded_number"}),
    "decimals_cut": (damaged(lambda text: text.split(".")[0], "price"), {"rounded_number"}),
    "decimals_padded": (damaged(lambda text: text + "00", "price"), {"number_format"}),
    "integers_through_double": (
        damaged(lambda text: str(int(float(text)) + 4), "total"),
        {"rounded_number"},
    ),
    "zero_for_a_long_number": (damaged(lambda text: "0", "total"), {"lost_change"}),
    "unsigned_made_negative": (
        damaged(lambda text: str(int(text) - 2**32), "quantity"),
        {"unsigned_number"},
    ),
    "text_cut_at_255": (damaged(cut, "name"), {"truncated_text"}),
    "null_for_unavailable": (damaged(lambda text: None, "name"), {"null_value"}),
    "null_for_empty": (damaged(lambda text: text or None, "comment"), {"empty_or_null"}),
    "question_marks": (damaged(lambda text: text.replace("ë", "?"), "name"), {"character_set"}),
    "wrong_character_set": (
        damaged(lambda text: text.encode("utf-8").decode("latin-1"), "name"),
        {"character_set"},
    ),
    "columns_shifted": (shifted_columns, {"shifted_columns"}),
    "masked": (damaged(lambda text: "******", "name"), {"masked_value"}),
    "trailing_spaces_trimmed": (damaged(str.rstrip, "note"), {"padding"}),
    "upper_case": (damaged(str.upper, "note"), {"letter_case"}),
    "image_of_another_row": (other_row, {"lost_change"}),
    "merged_updates": (merged, {"lost_change"}),
    "stale_row_before": (stale_before, {"lost_change"}),
    "inserted_twice": (twice_inserted, {"lost_delete"}),
    "deleted_twice": (twice_deleted, {"lost_insert", "repeated_range"}),
}
# The vendor's order repairs what these faults do.
HARMLESS_IF_SEQUENCED = {"swapped_updates"}


# Encoders --------------------------------------------------------------------------------------


def millis(change):
    return int((START + timedelta(seconds=change["at"])).timestamp() * 1000)


def changed(change):
    """Return the columns before an update that differ after it."""
    return {k: v for k, v in change["before"].items() if change["after"][k] != v}


def debezium(table, change):
    source = {
        "connector": "mysql",
        "name": "debezium",
        "db": "d",
        "table": table,
        "ts_ms": millis(change),
        "file": "bin.000001",
        "pos": int(change["position"] * 2) + 4,
        "row": 0,
    }
    code = {"insert": "c", "update": "u", "delete": "d"}[change["op"]]
    key = {"id": (change["after"] or change["before"])["id"]}
    yield (
        key,
        {
            "before": change["before"],
            "after": change["after"],
            "source": source,
            "op": code,
            "ts_ms": millis(change),
        },
    )


def canal_like(table, change, **more):
    rows = change["after"] or change["before"]
    return {
        "data": [rows],
        "database": "d",
        "es": millis(change),
        "id": 7,
        "isDdl": False,
        "mysqlType": {k: "varchar" for k in rows},
        "old": None,
        "pkNames": ["id"],
        "sql": "",
        "table": table,
        "ts": millis(change),
        "type": change["op"].upper(),
        **more,
    }


def canal(table, change):
    old = [changed(change)] if change["op"] == "update" else None
    yield None, canal_like(table, change, old=old, gtid="", sqlType={})


def drs(table, change):
    more = {"id": int(change["position"] * 2) + 1}
    if change["op"] == "update":
        more["old"] = [change["before"]]
    if change["op"] == "delete":
        more |= {"old": [change["before"]], "data": None}
    yield None, canal_like(table, change, **more)


def maxwell(table, change):
    rows = change["after"] or change["before"]
    message = {
        "database": "d",
        "table": table,
        "type": change["op"],
        "ts": millis(change) // 1000,
        "xid": 1,
        "commit": True,
        "position": f"bin.000001:{int(change['position'] * 2) + 4}",
        "data": rows,
        "primary_key_columns": ["id"],
    }
    if change["op"] == "update":
        message["old"] = changed(change)
    yield {"database": "d", "table": table, "pk.id": rows["id"]}, message


def dataworks(table, change):
    rows = change["after"] or change["before"]
    schema = {
        "dataColumn": [{"name": name, "type": "STRING"} for name in rows],
        "primaryKey": ["id"],
        "source": {"dbType": "MySQL", "dbName": "d", "tableName": table},
    }
    images = {
        "insert": [("INSERT", None, "after")],
        "delete": [("DELETE", "before", None)],
        "update": [("UPDATE_BEFOR", "before", None), ("UPDATE_AFTER", None, "after")],
    }
    for op, before, after in images[change["op"]]:
        payload = {
            "before": before and {"dataColumn": change["before"]},
            "after": after and {"dataColumn": change["after"]},
            "sequenceId": f"1620457642589{int(change['position'] * 2) + 1:06d}",
            "op": op,
            "ddl": None,
            "timestamp": {
                "eventTime": millis(change),
                "systemTime": millis(change),
                "checkpointTime": millis(change),
            },
        }
        yield None, {"schema": schema, "payload": payload, "version": "0.0.1"}


def dts(table, change):
    time = (START + timedelta(seconds=change["at"])).isoformat()[:19]
    meta = {
        "time": time,
        "userid": 84,
        "op": {"insert": "ins", "update": "upd", "delete": "del"}[change["op"]],
        "scn": str(int(change["position"] * 2) + 1),
        "rowid": "A",
        "trans": "7",
        "seq": 1,
        "size": 1,
        "table": f"d.{table}",
        "idx": "1/1",
        "posttime": time,
    }
    message = {"meta": meta, "data": change["after"] or change["before"]}
    if change["op"] == "update":
        message["key"] = change["before"]
    yield None, message


FORMATS = {
    "debezium": (debezium, "debezium"),
    "canal": (canal, "canal"),
    "drs": (drs, "huawei_drs_json"),
    "maxwell": (maxwell, "maxwell"),
    "dataworks": (dataworks, "alibaba_dataworks"),
    "dts": (dts, "alibaba_dts_shareplex"),
}


# With --long also a format whose offset orders the changes, and all others.
CHOSEN = [*FORMATS] if "KAFKA_CDC_LONG" in os.environ else ["debezium"]


def messages(name, table, changes):
    """Return the Kafka messages of changes, in one partition."""
    encode, offset = FORMATS[name][0], 0
    for change in changes:
        for key, value in encode(table, change):
            yield {
                "topic": f"{name}.{table}",
                "offset": offset,
                "timestamp": START + timedelta(seconds=change["at"]),
                "key": key and json.dumps(key),
                "value": json.dumps(value),
            }
            offset += 1


@pytest.fixture(scope="module")
def found(project):
    """What was found, by format and fault. The messages land in three batches and two runs."""
    built = project(
        "connector_faults",
        check_chains="warn",
        topics=[
            {"topic": f"{name}.*", "format": slug, "source": name}
            for name, (_, slug) in FORMATS.items()
        ],
        tables=[{"table": "d.*", "source": "dts", "key": ["id"]}],
    )
    batches = [[], [], []]
    for name in CHOSEN:
        for table, (fault, _) in {"healthy": (lambda changes: changes, None), **FAULTS}.items():
            sent = list(messages(name, table, fault(history())))
            for begin, end, batch in ((0, 15, 0), (15, 29, 1), (29, None, 2)):
                batches[batch] += sent[begin:end]
    built.land(batches[0])
    built.dbt(*RUN)
    for batch in batches[1:]:
        built.land(batch)
    built.dbt(*RUN)
    assert (
        built.query(
            "select kafka_topic, kafka_offset, event_kind, reject_code, reject_detail "
            "from {cdc}.events where event_kind <> 'change' limit 3"
        )
        == []
    )
    found = {}
    for line in built.query("select * from {cdc}.broken_chains"):
        found.setdefault((line["source_name"], line["source_table"]), []).append(
            (
                line["break_kind"],
                line["proposed_cause"],
                line["is_alarm"],
                line["changes"],
                line["different_columns"],
            )
        )
    held = [
        list(line.values())
        for line in built.query("select source_name, source_table, finding from {cdc}.held_tables")
    ]
    return found, held


@pytest.mark.parametrize("name", CHOSEN)
def test_a_healthy_stream_breaks_no_chain(found, name):
    assert found[0].get((name, "healthy"), []) == []


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", CHOSEN)
def test_a_fault_is_found_and_its_cause_proposed(found, name, fault):
    if name != "canal" and fault in HARMLESS_IF_SEQUENCED:
        assert (name, fault) not in found[0]
        return
    lines = found[0].get((name, fault), [])
    assert lines, "nothing is found"
    causes = {cause for _, cause, *_ in lines}
    assert causes & FAULTS[fault][1], lines

"""Every folder tests/cases/<format>/<case> yields what its files expect. A new case needs no code here.

messages.jsonl         a payload a line, as `<topic>.jsonl` lands; or messages.kcat.jsonl, lines of kcat -J, where keys, headers,
                       partitions or timestamps matter (their topic is replaced by the case's own)
expected_events.json   the events in the order of the messages; a contract column that is not named must be null (or '')
expected_state.json    the live rows; row_key and row_values as objects (optional)
settings.yml           optional: `topic:` more for the topic's line (format: auto, key, …), `tables:`, `sequence_resets:` (without the topic)
expected_findings.yml  optional, for a case that is no healthy stream on purpose:
                       `held_by`, the checks that hold its table if auto reads it, and
                       `broken_columns`, those of each before image that is not the row before it
README.md              where in the vendor's document it stands, and what was corrected
"""

import json
import re
from datetime import timezone

import pytest
from golden_cases import (
    COORDINATES,
    expected_findings_of,
    name_of,
    numbered,
    read_messages,
    settings_of,
)

from conftest import CASES, iceberg, samples

FOLDERS = sorted(folder.parent for folder in CASES.glob("*/*/expected_events.json"))
UNNAMED = COORDINATES | {
    "source_format",
    "source_name",
    "snapshot_mark",
}  # compared only where a case names them


AUTO = "auto."  # before the topic and source of a message that lands again without settings


@pytest.fixture(scope="module")
def built(project, request):
    """All cases (with -k: the chosen ones) landed and built at once, each as a source of its own.

    If a test asks for `recognized`, all cases and samples land again without settings.
    """
    assert FOLDERS, f"no case in {CASES}"
    items = [item for item in request.session.items if item.path == request.path]
    folders = sorted(
        {item.callspec.params["folder"] for item in items if hasattr(item, "callspec")}
    )
    topics, tables, sequence_resets = [], [], []
    for folder in folders:
        topic, its_tables, its_epochs = settings_of(folder)
        topics.append(topic)
        tables += its_tables
        sequence_resets += its_epochs
    messages = [message for folder in folders for message in numbered(read_messages(folder))]
    if any("recognized" in item.fixturenames for item in items):
        again = [message for folder in FOLDERS for message in numbered(read_messages(folder))]
        again = [{**one, "topic": AUTO + one["topic"]} for one in [*again, *samples()]]
        topics += [{"topic": name, "source": name} for name in sorted({m["topic"] for m in again})]
        messages += again
    cases = project(
        "golden",
        topics=topics,
        tables=tables,
        sequence_resets=sequence_resets,
        check_chains="warn",
    )
    cases.land(messages)
    cases.dbt(
        "run", "--select", "+current_state", "--exclude", "staging"
    )  # tests/project/test_consumer.py builds the other models
    events, state = {}, {}
    for event in cases.query(
        f"select * from {{cdc}}.events where not startswith(kafka_topic, '{AUTO}') "
        "order by kafka_topic, kafka_partition, kafka_offset, row_index"
    ):
        events.setdefault(event["kafka_topic"], []).append(event)
    for row in cases.query(
        "select * from {cdc}.current_state order by source_database, source_schema, source_table, row_key"
    ):
        state.setdefault(row["kafka_topic"], []).append(row)
    alarms = cases.query(ALARMS)
    return events, state, alarms, cases


def plain(value):
    """Return a value as JSON writes it; times as ISO text in UTC."""
    if hasattr(value, "isoformat"):
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    return value


def canonical(key):
    """Return the canonical JSON of a key, written differently from the project's SQL."""
    return (
        None
        if key is None
        else json.dumps(dict(sorted(key.items())), ensure_ascii=False, separators=(",", ":"))
    )


def expected_event(event):
    canonical_event = dict(event)
    for key in ("row_key", "previous_row_key"):
        if isinstance(canonical_event.get(key), dict):
            canonical_event[key] = canonical(canonical_event[key])
    return canonical_event


def assert_same(found, expected, thing):
    """Fail where two lists of mappings differ, naming each entry and each key that does."""
    different = [
        f"{thing} {at}: {key}: found {one.get(key, '(none)')!r}, expected {other.get(key, '(none)')!r}"
        for at, (one, other) in enumerate(zip(found, expected))
        for key in sorted(one.keys() | other.keys())
        if one.get(key, ...) != other.get(key, ...)
    ]
    if len(found) != len(expected):
        different.append(
            f"{len(found)} {thing}s found, {len(expected)} expected: {(found + expected)[min(len(found), len(expected)) :][:1]}"
        )
    if different:
        pytest.fail("\n".join(different), pytrace=False)


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
def test_events(built, folder):
    expected = [
        expected_event(event)
        for event in json.loads((folder / "expected_events.json").read_text(encoding="utf-8"))
    ]
    found = []
    for event in built[0].get(name_of(folder), []):
        at = len(found)
        named = expected[at] if at < len(expected) else {}
        # Tombstones have a key as soon as the setting on_tombstone of one case, here of any, deletes rows.
        unnamed = UNNAMED | ({"row_key"} if event["event_kind"] == "tombstone" else set())
        found.append(
            {
                k: plain(v)
                for k, v in event.items()
                if k in named or k not in unnamed and v is not None and v != ""
            }
        )
    assert_same(found, expected, "event")


def test_a_delete_has_no_row_after_it(built):
    events = [event for its_events in built[0].values() for event in its_events]
    assert [
        event
        for event in events
        if event["operation"] in ("delete", "update_before") and event["after_row"] is not None
    ] == []


@pytest.mark.parametrize(
    "folder", [f for f in FOLDERS if (f / "expected_state.json").exists()], ids=name_of
)
def test_state(built, folder):
    expected = json.loads((folder / "expected_state.json").read_text(encoding="utf-8"))
    found = [
        {
            k: json.loads(v) if k == "row_key" else v
            for k, v in row.items()
            if k in ("row_key", "row_values") or k in want
        }
        for row, want in zip(built[1].get(name_of(folder), []), expected + [{}] * 1000)
    ]
    order = lambda row: json.dumps(row["row_key"], sort_keys=True)
    assert_same(sorted(found, key=order), sorted(expected, key=order), "row")


ALARMS = "select source_name, break_kind, different_columns, proposed_cause, example_before, example_state from {cdc}.chain_breaks where is_alarm"


def findings(name):
    """Return one kind of finding that cases expect, by case."""
    found = {name_of(folder): expected_findings_of(folder).get(name) for folder in FOLDERS}
    return {case: value for case, value in found.items() if value}


@pytest.fixture(scope="module")
def recognized(built):
    """What a build finds of the messages without settings: held tables, and tables without keys."""
    cases = built[3]
    cases.dbt("build", "--select", "+held_tables", "--exclude", "staging")
    warnings = [line for line in cases.log_lines if "so it is not in the state" in line]
    held, some_keys = {}, set()
    for row in cases.query("select * from {cdc}.held_tables"):
        if row["source_name"].startswith(AUTO):
            case = row["source_name"].removeprefix(AUTO)
            held.setdefault(case, set()).add(row["check_name"])
        if row["check_name"] == "missing_key":
            names = [row["source_database"], row["source_schema"], row["source_table"]]
            some_keys.add((".".join(filter(None, names)), row["source_name"]))
    keyless = {re.search(r"table (\S+) of source (\S+) has", line).groups() for line in warnings}
    return held, keyless, some_keys


@iceberg
def test_healthy_streams_are_published_without_settings(recognized):
    expected = {case: set(checks) for case, checks in findings("held_by").items()}
    assert recognized[0] == expected


@iceberg
def test_a_table_with_some_keys_is_held_and_not_reported_as_one_without(recognized):
    keyless, some_keys = recognized[1:]
    keys_missing = [case for case, checks in findings("held_by").items() if "missing_key" in checks]
    assert keyless and len(some_keys) >= len(keys_missing)
    assert not keyless & some_keys


def broken(alarms, is_recognized):
    """Return the columns that differ, by case."""
    found = {}
    for alarm in alarms:
        if alarm["source_name"].startswith(AUTO) is is_recognized:
            case = alarm["source_name"].removeprefix(AUTO)
            found.setdefault(case, []).append(alarm["different_columns"])
    return found


@iceberg
def test_no_chain_of_a_healthy_case_is_broken(built, recognized):
    print(*built[2], sep="\n")
    columns = findings("broken_columns")
    assert broken(built[2], False) == {case: columns[case] for case in columns if case in built[0]}
    assert broken(built[2], True) == columns | findings("broken_columns_without_mapping")

"""Every folder tests/cases/<format>/<case> yields what its files expect. A new case needs no code here.

messages.jsonl         a payload a line, as `<topic>.jsonl` lands; or messages.kcat.jsonl, lines of kcat -J, where keys, headers,
                       partitions or timestamps matter (their topic is replaced by the case's own)
expected_events.json   the events in the order of the messages; a contract column that is not named must be null (or '')
expected_state.json    the live rows; row_key and row_values as objects (optional)
settings.yml           optional: `topic:` more for the topic's line (format: auto, key, …), `tables:`, `sequence_resets:` (without the topic)
README.md              where in the vendor's document it stands, and what was corrected
"""

import json
from datetime import timezone

import pytest
import yaml

from conftest import CASES

FOLDERS = sorted(folder.parent for folder in CASES.glob("*/*/expected_events.json"))
COORDINATES = {
    "kafka_topic",
    "topic_incarnation",
    "kafka_partition",
    "kafka_offset",
    "row_index",
    "kafka_timestamp",
    "landed_at",
    "landing_batch",
}
UNNAMED = COORDINATES | {
    "source_format",
    "source_name",
    "snapshot_mark",
}  # compared only where a case names them


def name_of(folder):
    return f"{folder.parent.name}.{folder.name}"


def read_messages(folder):
    """Return the case's messages as Project.land takes them."""
    if (folder / "messages.kcat.jsonl").exists():
        lines = [
            json.loads(line)
            for line in (folder / "messages.kcat.jsonl").read_text(encoding="utf-8").splitlines()
        ]
        return [
            {
                "topic": name_of(folder),
                "partition": line.get("partition", 0),
                "offset": line.get("offset", at),
                "key": line.get("key"),
                "value": line.get("payload"),
                "headers": [
                    (k, v.encode()) for k, v in zip(*[iter(line.get("headers") or [])] * 2)
                ],
            }
            for at, line in enumerate(lines)
        ]
    text = (folder / "messages.jsonl").read_bytes().decode("utf-8")
    return [
        {"topic": name_of(folder), "value": line or None}
        for line in text.removesuffix("\n").split("\n")
    ]


def settings_of(folder):
    """Return the case's lines of topics, tables and sequence_resets."""
    settings = (
        yaml.safe_load((folder / "settings.yml").read_text())
        if (folder / "settings.yml").exists()
        else {}
    )
    topic = {
        "topic": name_of(folder),
        "format": folder.parent.name,
        "source": name_of(folder),
        **settings.get("topic", {}),
    }
    if topic["source"] is None:
        del topic["source"]
    tables = [{"source": topic.get("source"), **line} for line in settings.get("tables", [])]
    return (
        topic,
        [{k: v for k, v in line.items() if v is not None} for line in tables],
        [{"topic": name_of(folder), **line} for line in settings.get("sequence_resets", [])],
    )


@pytest.fixture(scope="module")
def built(project, request):
    """All cases (with -k: the chosen ones) landed and built at once, each as a source of its own."""
    assert FOLDERS, f"no case in {CASES}"
    folders = sorted(
        {
            item.callspec.params["folder"]
            for item in request.session.items
            if item.path == request.path
        }
    )
    topics, tables, sequence_resets = [], [], []
    for folder in folders:
        topic, its_tables, its_epochs = settings_of(folder)
        topics.append(topic)
        tables += its_tables
        sequence_resets += its_epochs
    cases = project("golden", topics=topics, tables=tables, sequence_resets=sequence_resets)
    cases.land([message for folder in folders for message in numbered(read_messages(folder))])
    cases.dbt(
        "run", "--select", "+current_state", "--exclude", "staging"
    )  # tests/project/test_consumer.py builds the other models
    events, state = {}, {}
    for event in cases.query(
        "select * from {cdc}.events order by kafka_topic, kafka_partition, kafka_offset, row_index"
    ):
        events.setdefault(event["kafka_topic"], []).append(event)
    for row in cases.query(
        "select * from {cdc}.current_state order by source_database, source_schema, source_table, row_key"
    ):
        state.setdefault(row["kafka_topic"], []).append(row)
    return events, state


def numbered(messages):
    return [{"offset": at, **message} for at, message in enumerate(messages)]


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
        found.append(
            {
                k: plain(v)
                for k, v in event.items()
                if k in named or k not in UNNAMED and v is not None and v != ""
            }
        )
    assert_same(found, expected, "event")


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

"""Every message format rejects what it cannot parse with certainty: sample messages with one fault each.

The faults are an operation that the vendor does not document, a missing operation, and a missing or unreadable required field.
Each has its reject code. Every contradiction that a format rejects has a case. A position that cannot be read is rejected,
and an informational field is none of these: see tests/property/test_informational_fields.py. A delete has no row after it,
also if its message contains one. An object or array that decides something is never read as null if it has another JSON
type: its message is rejected.
"""

import json
import os
import re

import pytest
import yaml
from exact_json import exact, exact_text
from format_files import entries
from golden_cases import MEANING
from informational_fields import INFORMATIONAL, POSITION

from conftest import CASES, HOME, SAMPLES, samples

IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
REGISTRY = re.findall(
    r"'(\w+)'",
    (HOME / "macros/formats/format_list.sql").read_text(encoding="utf-8").split("return(")[1],
)
SPOILT = 1000  # offsets of spoilt messages begin here
# What an object or array is replaced by: values of the other JSON types.
OTHER_TYPES = {
    dict: [7, "no_such_word", True, [7]],
    list: [7, "no_such_word", True, {"no_such_word": 7}],
}
# A Kafka key of another type that the format's page documents as read: `_id` is then the document's own.
KEYS_OF_ANY_TYPE = {"debezium_mongodb"}
COPIES_WITHOUT_OPERATION = entries("copies_without_operation")


def text_of(slug):
    """Return the file of a format, or the file of the mapping that it shares with a related format."""
    folder = HOME / "macros" / "formats"
    text = (folder / f"{slug}.sql").read_text(encoding="utf-8")
    shared = re.search(r"kafka_cdc\.(get_\w+_mapping)\(", text)
    return (folder / "shared" / f"{shared[1]}.sql").read_text(encoding="utf-8") if shared else text


FRAMED = [slug for slug in REGISTRY if any((CASES / slug).glob("*/frames.jsonl"))]
FORMATS = [
    slug
    for slug in REGISTRY
    if slug not in FRAMED
    and (
        not re.search(r"^ {8}'read': ", text_of(slug), re.MULTILINE)
        or "'reads_json': true" in text_of(slug)
    )
]  # what is not JSON has its damage in cases


def has_operation(slug):
    """Return whether the messages of a format contain an operation. Plain rows do not."""
    return "'operation_code': 'null'" not in text_of(slug)


def required_of(slug):
    """Return the paths of the fields that a format calls required, as its file names them."""
    inside = text_of(slug).split("'required': {")[1]
    return re.findall(r"'([\w.$-]+)': ", re.split(r"\},?\n        '", inside)[0])


def expected_of(slug):
    """Return what all cases of a format expect, as text."""
    return "".join(
        file.read_text(encoding="utf-8") for file in (CASES / slug).glob("*/expected_events.json")
    )


def members(document, path=()):
    """Yield (path, value) of each member of a document's objects, the outermost first."""
    inside = []
    for name, value in document.items():
        yield (*path, name), value
        if isinstance(value, dict):
            inside.append(((*path, name), value))
        if isinstance(value, list):
            inside += [
                ((*path, name, at), element)
                for at, element in enumerate(value)
                if isinstance(element, dict)
            ]
    for its_path, value in inside:
        yield from members(value, its_path)


def changed(document, path, word=None):
    """Return the document with the member at the path set to `word`, or taken away."""
    document = json.loads(json.dumps(document))
    place = document
    for name in path[:-1]:
        place = place[name]
    if word is None:
        del place[path[-1]]
    else:
        place[path[-1]] = word
    return document


def alone(document, path):
    """Return a document with one element in each list of a path, and the path to it."""
    document = json.loads(json.dumps(document))
    place, its_path = document, []
    for name in path:
        if isinstance(name, int):
            place[:] = [place[name]]
            name = 0
        its_path.append(name)
        place = place[name]
    return document, tuple(its_path)


def is_informational(slug, path):
    """Return whether a member of a document is, or is in, a field that decides nothing."""
    names = [name for name in path if isinstance(name, str)]
    starts = {".".join(names[:at]) for at in range(1, len(names) + 1)}
    starts |= {start.removeprefix("payload.") for start in starts}
    return bool(starts & {*INFORMATIONAL.get(slug, [])})


def with_other_types(slug, message, columns):
    """Yield (what was done, message) of each object and array, and of a key that is an object, with other types.

    The values of a row's columns have any type.
    """
    document = exact(message["value"])
    for path, value in members(document):
        is_value = path[-1] in columns
        if isinstance(value, (dict, list)) and not is_value and not is_informational(slug, path):
            others = list(OTHER_TYPES[type(value)])
            if isinstance(value, list) and any(isinstance(one, (dict, list)) for one in value):
                others.append([7])
            for other in others:
                what = f"type of {'.'.join(map(str, path))}: {other}"
                yield what, {**message, "value": exact_text(changed(document, path, other))}
    if (message.get("key") or "").startswith("{") and slug not in KEYS_OF_ANY_TYPE:
        for key in ("7", "true", "[7]", '"no_such_word"', "no_such_word"):
            yield f"type of the key: {key}", {**message, "key": key}


def spoil(slug, message, code, delete_codes):
    """Yield (what was done, text) of each way to spoil one row message of a format."""
    document = json.loads(message["value"])
    operation = next(
        (
            path
            for path, value in members(document)
            if code and isinstance(value, str) and code.split()[0] == value
        ),
        None,
    )
    if operation:
        yield ("operation", json.dumps(changed(document, operation, "no_such_word")))
        yield ("no operation", json.dumps(changed(document, operation)))
        for word in delete_codes - {code}:
            yield ("delete", json.dumps(changed(*alone(document, operation), word)))
    for name in POSITION.get(slug, []):
        for path, value in members(document):
            if path[-len(name.split(".")) :] == tuple(name.split(".")) and value is not None:
                yield ("position", json.dumps(changed(document, path, "no_such_word")))
                break
    for name in required_of(slug):
        for path, _ in members(document):
            if path[-len(name.split(".")) :] == tuple(name.split(".")):
                yield (name, json.dumps(changed(document, path)))
                yield (name, json.dumps(changed(document, path, "no_such_word")))
                break


@pytest.fixture(scope="module")
def spoilt(project):
    """The samples landed and read, then spoilt and read again: (format, what was done) → the events of the spoilt messages."""
    settings = yaml.safe_load((SAMPLES / "settings.yml").read_text(encoding="utf-8"))
    spoilt = project("spoilt", topics=settings["topics"], tables=settings["tables"])
    messages = {(message["topic"], message["offset"]): message for message in samples()}
    spoilt.land(messages.values())
    # Other tests build all models on these samples, as `kafka-cdc demo` does.
    below = "events+" if IS_LONG else "events event_batch_stats"
    built = spoilt.dbt("build", "--select", below).result
    warned = [node.node.name for node in built if node.status not in ("success", "pass", "no-op")]
    # Some samples are wrong on purpose.
    assert warned == ["streams_are_healthy_event_batch_stats_"], "the samples warn"
    rows = spoilt.query(
        "select kafka_topic, kafka_offset, source_format, operation, operation_code, before_row, after_row from {cdc}.events where event_kind = 'change' order by kafka_topic, kafka_offset, row_index"
    )
    assert {row["source_format"] for row in rows} | set(settings["not_shown"]) == set(REGISTRY), (
        "a format without samples or a reason"
    )
    done, originals, landed, seen, formats = {}, {}, [], set(), {}
    delete_codes = {}
    for row in rows:
        if row["operation"] == "delete" and row["operation_code"]:
            delete_codes.setdefault(row["source_format"], set()).add(row["operation_code"])
    for row in rows:
        if row["source_format"] not in FORMATS:
            continue
        formats[row["kafka_topic"]] = row["source_format"]
        if (row["source_format"], row["operation_code"]) in seen:
            continue
        seen.add((row["source_format"], row["operation_code"]))
        message = messages[row["kafka_topic"], row["kafka_offset"]]
        codes = delete_codes.get(row["source_format"], set())
        changes = [
            (what, {**message, "value": text})
            for what, text in spoil(row["source_format"], message, row["operation_code"], codes)
        ]
        columns = {*(row["after_row"] or {}), *(row["before_row"] or {})}
        others = with_other_types(row["source_format"], message, columns)
        for what, change in [*changes, *others]:
            offset = SPOILT + len(landed)
            landed.append({**change, "offset": offset})
            done[offset] = (row["source_format"], what)
            originals[offset] = (row["kafka_topic"], row["kafka_offset"])
    spoilt.land(landed)
    mapped = {line["topic"] for line in settings["topics"]}
    spoilt.settings = {
        **spoilt.settings,
        "topics": settings["topics"]
        + [
            {"topic": topic, "format": slug, "source": topic}
            for topic, slug in formats.items()
            if topic not in mapped
        ],
    }
    spoilt.dbt("run", "--select", "events")
    results, healthy = {}, {}
    columns = ", ".join(["kafka_topic", "kafka_offset", "reject_code", "reject_detail", *MEANING])
    for event in spoilt.query(
        f"select {columns} from {{cdc}}.events order by kafka_offset, row_index"
    ):
        if event["kafka_offset"] < SPOILT:
            place = (event["kafka_topic"], event["kafka_offset"])
            healthy.setdefault(place, []).append(event)
        else:
            event["healthy"] = healthy[originals[event["kafka_offset"]]]
            results.setdefault(done[event["kafka_offset"]], []).append(event)
    assert len({*done.values()} - results.keys()) == 0, "a message vanished"
    return results


@pytest.mark.parametrize("slug", [slug for slug in FORMATS if has_operation(slug)])
def test_an_unknown_operation_is_rejected(spoilt, slug):
    """missing_field goes first: only an insert's copy may lack what orders a change, say."""
    codes = [event["reject_code"] for event in spoilt[slug, "operation"]]
    assert {"unknown_operation"} <= set(codes) <= {"unknown_operation", "missing_field"}
    assert all(
        "no_such_word" in event["reject_detail"]
        for event in spoilt[slug, "operation"]
        if event["reject_code"] == "unknown_operation"
    )


@pytest.mark.parametrize("slug", [slug for slug in FORMATS if has_operation(slug)])
def test_a_missing_operation_is_rejected(spoilt, slug):
    if slug == "debezium_unwrapped":
        pytest.skip("the vendor's own rows may come without one; the topic is mapped then")
    events = spoilt[slug, "no operation"]
    if slug in COPIES_WITHOUT_OPERATION:
        copies = [event for event in events if event["healthy"][0]["operation"] == "snapshot"]
        assert copies and all(event["operation"] == "snapshot" for event in copies)
        events = [event for event in events if event not in copies]
    assert {event["event_kind"] for event in events} == {"rejected"}


@pytest.mark.parametrize("slug", FORMATS + FRAMED)
def test_a_missing_or_unreadable_field_is_rejected(spoilt, slug):
    """Some fields are required only of messages that the samples do not have, or only to be readable: those have a case."""
    for name in required_of(slug):
        codes = {event["reject_code"] for event in spoilt.get((slug, name), [])}
        assert codes & {
            "missing_field",
            "unknown_operation",
        } or f'null or unreadable: {name}"' in expected_of(slug), name


@pytest.mark.parametrize("slug", POSITION)
def test_an_unreadable_position_is_rejected(spoilt, slug):
    """Not every part needs to be read: PostgreSQL's own LSN is in two fields."""
    codes = {event["reject_code"] for event in spoilt[slug, "position"]}
    assert "invalid_sequence" in codes
    assert codes <= {"invalid_sequence", None}


@pytest.mark.parametrize("slug", [slug for slug in FORMATS if has_operation(slug)])
def test_a_delete_has_no_row_after_it(spoilt, slug):
    """Messages of other operations with the code of a delete: the rows after are where the format has them."""
    assert spoilt[slug, "delete"]
    for event in spoilt[slug, "delete"]:
        assert event["operation"] in (None, "delete")
        assert event["after_row"] is None


@pytest.mark.parametrize("slug", FORMATS)
def test_another_type_is_never_read_as_null(spoilt, slug):
    """An image of another JSON type rejects its message. Members that are not read change nothing.

    A Kafka key without names names no row: its table is held until the setting `key` names the column.
    """
    found = {
        what: events
        for (its_slug, what), events in spoilt.items()
        if its_slug == slug and what.startswith("type of ")
    }
    wrong = []
    for what, events in found.items():
        for message in {event["kafka_offset"] for event in events}:
            its_events = [event for event in events if event["kafka_offset"] == message]
            if {event["event_kind"] for event in its_events} == {"rejected"}:
                continue
            differences = [
                (name, event[name], other[name])
                for event, other in zip(its_events, its_events[0]["healthy"])
                for name in MEANING
                if event[name] != other[name]
                and not (what.startswith("type of the key") and event["row_key"] is None)
            ]
            if differences or len(its_events) != len(its_events[0]["healthy"]):
                wrong.append((what, differences))
    assert wrong == []


@pytest.mark.parametrize("slug", FORMATS)
def test_required_fields_are_not_informational(slug):
    assert {*required_of(slug)} & {*INFORMATIONAL.get(slug, [])} <= {"isDdl"}


@pytest.mark.parametrize("slug", FORMATS + FRAMED)
def test_every_contradiction_has_a_case(slug):
    sentences = re.findall(r"'detail': ['\"](.*?)['\"]\}", text_of(slug))
    assert [sentence for sentence in sentences if sentence not in expected_of(slug)] == []

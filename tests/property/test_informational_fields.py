"""No informational field of any healthy message decides the key, images, operation or table.

The messages are the samples, and messages of golden cases with fields that no sample has. Each
field is removed alone, then all of them, then all and the position. Without a position
source_sequence is null. Then each field is null, has a value of each other JSON type, and has such values inside.
"""

import os

import pytest
import yaml
from exact_json import exact, exact_or_none, exact_text
from golden_cases import MEANING, numbered, read_messages, settings_of
from informational_fields import (
    DECIDING,
    INFORMATIONAL,
    NOT_IN_CHANGES,
    NOT_IN_MESSAGES,
    POSITION,
    holders_of,
    without,
)

from conftest import CASES, FEW_SAMPLES, SAMPLES, samples

IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
CHOSEN = {slug: names for slug, names in INFORMATIONAL.items() if IS_LONG or slug in FEW_SAMPLES}
OTHER_TYPES = [None, "no such value", 7, True, [7], {"a": 7}]
# What is done to every message. Other values are tried with one message of each operation.
REMOVALS = {"all", "the position", "all and the position"}
FIRST = 1000  # offsets of changed messages begin here
KEPT = ["row_index", *MEANING]


def spoilt_inside(value):
    """Return an object or array whose objects and arrays are numbers. Nothing else changes."""
    if isinstance(value, dict):
        return {name: 7 if isinstance(one, (dict, list)) else one for name, one in value.items()}
    return [7 for _ in value] if isinstance(value, list) else value


def spoilt_deep_inside(value):
    """Return an object or array whose members have numbers for objects and arrays."""
    if isinstance(value, dict):
        return {name: spoilt_inside(one) for name, one in value.items()}
    return [spoilt_inside(one) for one in value] if isinstance(value, list) else value


def variants_of_field(slug, document, name):
    """Yield (what was done to a field, the document then)."""
    yield name, without(document, [name])
    for value in OTHER_TYPES[:1] if (slug, name) in DECIDING else OTHER_TYPES:
        yield f"{name}: {value}", without(document, [name], lambda _, value=value: value)
    yield f"inside {name}", without(document, [name], spoilt_inside)
    yield f"deep inside {name}", without(document, [name], spoilt_deep_inside)


def variants(slug, document):
    """Yield (what was removed, the document without it)."""
    informational, position = INFORMATIONAL[slug], POSITION.get(slug, [])
    for name in informational:
        yield from variants_of_field(slug, document, name)
    yield "all", without(document, informational)
    yield "the position", without(document, position)
    yield "the position: null", without(document, position, lambda _: None)
    yield "all and the position", without(document, informational + position)


def cases_with_fields():
    """Return the folders of cases that have all fields together, one or a few per format."""
    chosen = []
    for slug, names in CHOSEN.items():
        missing = {name for name in names if (slug, name) not in NOT_IN_MESSAGES}
        for folder in sorted(CASES.glob(f"{slug}/*/")):
            if settings_of(folder)[0]["format"] != slug or "rejected" in folder.name:
                continue
            documents = [exact_or_none(message["value"]) for message in read_messages(folder)]
            found = {
                name
                for name in missing
                if any(holders_of(document, name) for document in documents if document)
            }
            if found:
                chosen.append(folder)
            missing -= found
    return chosen


def place_of(message):
    """Return the topic, partition and offset of a message or event."""
    names = (
        ("topic", "partition", "offset")
        if "topic" in message
        else ("kafka_topic", "kafka_partition", "kafka_offset")
    )
    return tuple(message.get(name, 0) for name in names)


@pytest.fixture(scope="module")
def compared(project):
    """Per format: the fields that were compared, and what differs."""
    settings = yaml.safe_load((SAMPLES / "settings.yml").read_text(encoding="utf-8"))
    topics, tables = settings["topics"], settings["tables"]
    landed = list(samples(*([] if IS_LONG else FEW_SAMPLES.values())))
    sampled = {message["topic"] for message in landed}
    for folder in cases_with_fields():
        topic, its_tables, _ = settings_of(folder)
        topics, tables = [*topics, topic], [*tables, *its_tables]
        landed += numbered(read_messages(folder))
    both = project("informational", topics=topics, tables=tables)
    messages = {place_of(message): message for message in landed}
    both.land(landed)
    both.dbt("run", "--select", "events")
    columns = ", ".join(
        [
            "kafka_topic",
            "kafka_partition",
            "kafka_offset",
            "source_format",
            "source_sequence",
            "reject_detail",
            *KEPT,
        ]
    )
    query = f"select {columns} from {{cdc}}.events where event_kind = 'change' or kafka_offset >= {FIRST} order by kafka_offset, row_index"
    healthy, formats = {}, {}
    for event in both.query(query):
        healthy.setdefault(place_of(event), []).append(event)
        formats[event["kafka_topic"]] = event["source_format"]
    landed, done, seen = [], {}, set()
    for original in sorted(healthy, key=lambda place: place[0] not in sampled):
        events = healthy[original]
        slug = events[0]["source_format"]
        if slug not in CHOSEN or not all(event["operation"] for event in events):
            continue
        document = exact(messages[original]["value"])
        if original[0] in sampled:
            changes = list(variants(slug, document))
        else:
            names = [name for name in INFORMATIONAL[slug] if (slug, name) not in seen]
            changes = [each for name in names for each in variants_of_field(slug, document, name)]
        operation = events[0]["operation"]
        for what, document in changes:
            is_known = (slug, what, operation) in seen and what not in REMOVALS | {
                *INFORMATIONAL[slug]
            }
            if document is not None and not is_known:
                seen |= {(slug, what), (slug, what, operation)}
                changed = {
                    **messages[original],
                    "offset": FIRST + len(landed),
                    "value": exact_text(document),
                }
                landed.append(changed)
                done[place_of(changed)] = slug, what, original
    both.land(landed)
    mapped = {line["topic"] for line in topics}
    both.settings["topics"] = topics + [
        {"topic": topic, "format": slug, "source": slug}
        for topic, slug in formats.items()
        if topic not in mapped
    ]
    both.dbt("run", "--select", "events")
    changed = {}
    for event in both.query(query):
        changed.setdefault(place_of(event), []).append(event)
    results = {slug: (set(), []) for slug in CHOSEN}
    for place, (slug, what, original) in done.items():
        fields, different = results[slug]
        fields.add(what)
        found, events = changed.get(place, []), healthy[original]
        differences = [
            (name, event[name], other[name], other["reject_detail"])
            for event, other in zip(events, found)
            for name in KEPT
            if event[name] != other[name]
        ]
        if differences or len(found) != len(events):
            different.append((original, what, differences))
        if (
            "the position" in what
            and slug in POSITION
            and any(event["source_sequence"] for event in found)
        ):
            different.append((original, what, "a position is left"))
    return results


@pytest.mark.parametrize("slug", CHOSEN)
def test_informational_fields_change_nothing(compared, slug):
    fields, different = compared[slug]
    assert different == []
    assert {name for name in INFORMATIONAL[slug] if name not in fields} == {
        name for known, name in NOT_IN_MESSAGES | NOT_IN_CHANGES if known == slug
    }

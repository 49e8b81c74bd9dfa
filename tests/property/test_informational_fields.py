"""No informational field of any healthy sample decides the key, images, operation or table.

Each field is removed alone, then all of them, then all and the position. Without a position
source_sequence is null. Then each field is null, and has a value of each other JSON type.
"""

import copy
import json
import re

import pytest
import yaml
from informational_fields import DECIDING, INFORMATIONAL, MARKS, POSITION

from conftest import SAMPLES, samples

OTHER_TYPES = [None, "no such value", 7, True, [7], {"a": 7}]
FIRST = 1000  # offsets of changed messages begin here
KEPT = [
    "row_index",
    "event_kind",
    "operation",
    "row_key",
    "previous_row_key",
    "before_row",
    "after_row",
    "source_tenant",
    "source_database",
    "source_schema",
    "source_table",
    "removed_columns",
    "image",
]


def exact(text):
    """Return the document of a JSON text. Numbers with a fraction are texts, so that they keep their digits."""
    return json.loads(text, parse_float="number {}".format)


def text_of(document):
    """Return the JSON text of a document of exact()."""
    return re.sub(r'"number ([^"]*)"', r"\1", json.dumps(document))


def holder_of(document, name):
    """Return the object that has the last member of a path, and that member's name, or none."""
    *outer, last = name.split(".")
    for place in (document, document.get("payload")):
        for step in outer:
            place = place.get(step) if isinstance(place, dict) else None
        if isinstance(place, dict) and last in place:
            return place, last
    return None


def without(document, names, *values_instead):
    """Return the document without the members at the paths, or none if it has none of them.

    Or with another value instead.
    """
    document = copy.deepcopy(document)
    found = [place for place in (holder_of(document, name) for name in names) if place]
    values = [place[name] for place, name in found]
    values += [inner for value in values if isinstance(value, dict) for inner in value.values()]
    if not found or any(value in MARKS for value in values if not isinstance(value, (dict, list))):
        return None
    for place, name in found:
        place.pop(name, None)
        for value in values_instead:
            place[name] = value
    return document


def variants(slug, document):
    """Yield (what was removed, the document without it)."""
    for name in INFORMATIONAL[slug]:
        yield name, without(document, [name])
        deciding = name in DECIDING or name.split(".")[-1] in DECIDING
        for value in OTHER_TYPES[:1] if deciding else OTHER_TYPES:
            yield f"{name}: {value}", without(document, [name], value)
    yield "all", without(document, INFORMATIONAL[slug])
    yield "the position", without(document, POSITION.get(slug, []))
    yield "the position: null", without(document, POSITION.get(slug, []), None)
    yield "all and the position", without(document, INFORMATIONAL[slug] + POSITION.get(slug, []))


@pytest.fixture(scope="module")
def compared(project):
    """Per format: how many messages were compared, and what differs."""
    settings = yaml.safe_load((SAMPLES / "settings.yml").read_text(encoding="utf-8"))
    both = project("informational", topics=settings["topics"], tables=settings["tables"])
    messages = {(message["topic"], message["offset"]): message for message in samples()}
    both.land(messages.values())
    both.dbt("run", "--select", "events")
    columns = ", ".join(
        ["kafka_topic", "kafka_offset", "source_format", "source_sequence", "reject_detail", *KEPT]
    )
    query = f"select {columns} from {{cdc}}.events where event_kind = 'change' or kafka_offset >= {FIRST} order by kafka_offset, row_index"
    healthy, formats = {}, {}
    for event in both.query(query):
        healthy.setdefault((event["kafka_topic"], event["kafka_offset"]), []).append(event)
        formats[event["kafka_topic"]] = event["source_format"]
    landed, done = [], {}
    for (topic, offset), events in healthy.items():
        slug = events[0]["source_format"]
        if slug not in INFORMATIONAL or not all(event["operation"] for event in events):
            continue
        for what, document in variants(slug, exact(messages[topic, offset]["value"])):
            if document is not None:
                place = topic, FIRST + len(landed)
                landed.append(
                    {**messages[topic, offset], "offset": place[1], "value": text_of(document)}
                )
                done[place] = slug, what, (topic, offset)
    both.land(landed)
    mapped = {line["topic"] for line in settings["topics"]}
    both.settings["topics"] = settings["topics"] + [
        {"topic": topic, "format": slug} for topic, slug in formats.items() if topic not in mapped
    ]
    both.dbt("run", "--select", "events")
    changed = {}
    for event in both.query(query):
        changed.setdefault((event["kafka_topic"], event["kafka_offset"]), []).append(event)
    results = {slug: [0, []] for slug in INFORMATIONAL}
    for place, (slug, what, original) in done.items():
        results[slug][0] += 1
        found, events = changed.get(place, []), healthy[original]
        differences = [
            (name, event[name], other[name], other["reject_detail"])
            for event, other in zip(events, found)
            for name in KEPT
            if event[name] != other[name]
        ]
        if differences or len(found) != len(events):
            results[slug][1].append((original, what, differences))
        if (
            "the position" in what
            and slug in POSITION
            and any(event["source_sequence"] for event in changed[place])
        ):
            results[slug][1].append((original, what, "a position is left"))
    return results


@pytest.mark.parametrize("slug", INFORMATIONAL)
def test_informational_fields_change_nothing(compared, slug):
    count, different = compared[slug]
    assert count > 0
    assert different == []

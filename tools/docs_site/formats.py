"""The pages of the message formats: docs/formats/<slug>.md, types.md and index.md.

A page is made of the comment and the mapping of macros/formats/<slug>.sql, the lines of
seeds/source_types.csv, and the golden cases in tests/cases/<slug>.
"""

import csv
import fnmatch
import functools
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from . import HOME
from .macros import callable_macros, read_macros, unindent
from .markdown import MissingDescription, code, fence, folded, heading, page, sentence, table

CASES = HOME / "tests" / "cases"
LONGEST_PAYLOAD = 1600
MOST_STATE_ROWS = 3
CONTROL_KINDS = {"heartbeat", "transaction", "tombstone", "other"}
OPERATIONS = {
    "insert": "Insert",
    "update": "Update",
    "delete": "Delete",
    "snapshot": "Snapshot",
    "truncate": "Truncate",
    "ddl": "DDL",
}


@dataclass(frozen=True)
class Header:
    """The comment of a format's macro."""

    summary: str
    document: str
    sample: str
    quirks: tuple[str, ...]
    limits: tuple[str, ...]


@dataclass(frozen=True)
class Format:
    """What is known of a message format."""

    slug: str
    name: str
    header: Header
    is_binary: bool
    is_framed: bool
    is_recognized: bool
    key: str
    order: str
    codes: dict[tuple[str, str], set[str]]
    cases: dict[str, str]


@functools.cache
def read_data() -> dict[str, Any]:
    """Return docs/data/formats.yml."""
    file = HOME / "docs" / "data" / "formats.yml"
    data: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return data


def page_entry(slug: str) -> dict[str, Any]:
    """Return what docs/data/formats.yml or the format's own file sets for its page, or nothing."""
    entry: dict[str, Any] | None = read_data()["formats"].get(slug)
    file = CASES / slug / "format.yml"
    if entry is None and file.exists():
        entry = yaml.safe_load(file.read_text(encoding="utf-8")).get("page")
    return entry or {}


def bullets(text: str) -> tuple[str, ...]:
    """Return the bullets of a list, each in one line."""
    return tuple(
        re.sub(r"\s+", " ", bullet).strip()
        for bullet in re.split(r"^\s*[*-] ", text, flags=re.MULTILINE)
        if bullet.strip()
    )


def split_header(comment: str) -> Header:
    """Return the parts of a format macro's comment."""
    body, *lists = re.split(r"^(Quirks|Limits):?[ \t]*$", comment, flags=re.MULTILINE)
    found = dict(zip(lists[::2], lists[1::2], strict=True))
    prose: list[str] = []
    sample: list[str] = []
    for line in body.rstrip().splitlines():
        (sample if line.startswith("  ") or (sample and not line) else prose).append(line)
    summary, _, document = "\n".join(prose).partition("Document:")
    return Header(
        summary=re.sub(r"\s+", " ", summary).strip(),
        document=re.sub(r"\s+", " ", document).strip(),
        sample=unindent("\n".join(sample)),
        quirks=bullets(found.get("Quirks", "")),
        limits=bullets(found.get("Limits", "")),
    )


def read_events(slug: str, case: str) -> list[dict[str, Any]]:
    """Return the events that a golden case expects."""
    file = CASES / slug / case / "expected_events.json"
    events: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return events


def read_messages(slug: str, case: str) -> list[dict[str, Any]]:
    """Return the messages of a golden case, with their keys if the case has any."""
    file = CASES / slug / case / "messages.jsonl"
    if file.exists():
        lines = file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        return [{"payload": line or None} for line in lines]
    lines = file.with_name("messages.kcat.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def case_folders(slug: str) -> list[Path]:
    """Return the folders of a format's golden cases."""
    return sorted(file.parent for file in (CASES / slug).glob("*/expected_events.json"))


def read_codes(slug: str) -> dict[tuple[str, str], set[str]]:
    """Return the vendor's words for each (event kind, operation) that the golden cases have."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for folder in case_folders(slug):
        for event in read_events(slug, folder.name):
            if event["event_kind"] != "rejected":
                operation = (event["event_kind"], event.get("operation") or "")
                found[operation].add(event.get("operation_code") or "")
    return dict(found)


def read_cases(slug: str) -> dict[str, str]:
    """Return the titles of the golden cases, by folder."""
    return {
        folder.name: (folder / "README.md").read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
        for folder in case_folders(slug)
    }


def describe_key(mapping: dict[str, Any]) -> str:
    """Return where the key's columns come from."""
    sql = str(mapping["columns"]["key_columns"]).strip()
    variables = " ".join(str(value) for value in mapping.get("variables", {}).values())
    if sql == "null":
        return "setting `key`"
    if re.search(r"\bkafka_key\b", sql) or (
        re.search(r"\bkey\b", sql) and re.search(r"\bkafka_key\b", variables)
    ):
        return "Kafka key" if "primary_key" not in sql else "message or Kafka key"
    return "message"


def describe_order(mapping: dict[str, Any]) -> str:
    """Return what orders the changes of a table."""
    sql = str(mapping["columns"]["source_sequence"]).strip()
    return "Kafka offset" if sql == "null" else "source position"


@functools.cache
def read_format(slug: str) -> Format:
    """Return a format. Raises MissingDescription if its macro or the data lacks something."""
    comments = {macro.name: macro.description for macro in read_macros()}
    header = split_header(comments[f"format_{slug}"])
    mapping = getattr(callable_macros(), f"format_{slug}")()
    # The bytes of a binary payload say nothing to a reader: such a format needs no sample.
    needed = ["summary", "document", "quirks"] + ([] if "read" in mapping else ["sample"])
    for part in needed:
        if not getattr(header, part):
            raise MissingDescription(f"macros/formats/{slug}.sql: the comment has no {part}")
    recognized_by = mapping["recognized_by"]
    return Format(
        slug=slug,
        name=page_entry(slug).get("name", slug.replace("_", " ").title()),
        header=header,
        is_binary="read" in mapping and not mapping.get("reads_json"),
        is_framed=page_entry(slug).get("encoding") == "base64",
        is_recognized=str(recognized_by["condition"]).strip() != "false",
        key=describe_key(mapping),
        order=describe_order(mapping),
        codes=read_codes(slug),
        cases=read_cases(slug),
    )


def read_formats() -> list[Format]:
    """Return the formats, by slug."""
    return [read_format(slug) for slug in sorted(callable_macros().get_package_formats())]


# The types


@functools.cache
def read_types() -> tuple[dict[str, str], ...]:
    """Return the lines of seeds/source_types.csv."""
    with (HOME / "seeds" / "source_types.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def type_rows(lines: list[dict[str, str]]) -> list[list[str]]:
    """Return the lines of a table of types."""
    return [
        [
            line["source_database"].replace("*", "any"),
            ", ".join(code(name.strip()) for name in line["source_type"].split(" | ")),
            code(line["spark_type"]),
            f"[{code(line['decoder'])}](../reference/decoders.md#{line['decoder']})",
            "" if line["arguments"] == "-" else code(line["arguments"]),
        ]
        for line in lines
    ]


TYPES_HEAD = ["Database", "Source types", "Spark type", "Decoder", "Arguments"]


def types_of(slug: str) -> list[dict[str, str]]:
    """Return the lines of types that name a format, not those of all formats."""
    return [
        line
        for line in read_types()
        if line["source_format"] != "*" and fnmatch.fnmatchcase(slug, line["source_format"])
    ]


def types_page() -> str:
    """Return docs/formats/types.md."""
    parts = [
        "How [typed tables](../guides/typed-tables.md) decode the types of each kind of database. "
        "The rows on this page apply to every format. A row on the page of a format overrides "
        "them. Types without a row stay text.",
    ]
    shared = [line for line in read_types() if line["source_format"] == "*"]
    for database in dict.fromkeys(line["source_database"] for line in shared):
        lines = [line for line in shared if line["source_database"] == database]
        name = "Any database" if database == "*" else database
        parts += [heading(2, name), table(TYPES_HEAD[1:], [row[1:] for row in type_rows(lines)])]
    return page("Types of all formats", "seeds/source_types.csv", *parts)


# The page of a format


def show_json(text: str | None) -> str:
    """Return a payload as a code block: JSON in lines, anything else as it is."""
    if text is None:
        return fence("null", "text")
    try:
        json.loads(text)
    except ValueError:
        shown = text if len(text) <= LONGEST_PAYLOAD else text[:LONGEST_PAYLOAD] + " …"
        return fence("\n".join(shown[at : at + 80] for at in range(0, len(shown), 80)), "text")
    return fence(indent_json(text), "json")


def indent_json(text: str, width: int = 76) -> str:
    """Return JSON in lines, with every number as it is written."""
    decoder = json.JSONDecoder(parse_float=_Number, parse_int=_Number, object_pairs_hook=list_pairs)
    return _lines(decoder.decode(text), "", width)


class _Number(str):
    """A number with its digits as they are in the text."""


class _Pairs(list[tuple[str, Any]]):
    """The members of an object, in their order."""


def list_pairs(pairs: list[tuple[str, Any]]) -> _Pairs:
    """Return the members of an object as they are in the text."""
    return _Pairs(pairs)


def _lines(value: Any, indent: str, width: int) -> str:
    flat = _flat(value)
    if len(indent) + len(flat) <= width or not isinstance(value, list) or not value:
        return flat
    deeper = indent + "  "
    if isinstance(value, _Pairs):
        inner = [f"{deeper}{json.dumps(k)}: {_lines(v, deeper, width)}" for k, v in value]
        return "{\n" + ",\n".join(inner) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + _lines(v, deeper, width) for v in value) + f"\n{indent}]"


def _flat(value: Any) -> str:
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, _Pairs):
        inner = ", ".join(f"{json.dumps(k, ensure_ascii=False)}: {_flat(v)}" for k, v in value)
        return "{" + inner + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flat(v) for v in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def show_value(value: Any, name: str = "") -> str:
    """Return the value of a column as inline code. Keys are canonical JSON, as in the column."""
    if isinstance(value, str):
        text = value
    elif name.endswith("row_key"):
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    else:
        text = json.dumps(value, ensure_ascii=False)
    return code(text if len(text) <= LONGEST_PAYLOAD else text[:LONGEST_PAYLOAD] + " …")


def example(found: Format) -> list[str]:
    """Return the part of a page that shows a message and what it becomes."""
    entry = page_entry(found.slug)
    case, number = entry.get("case", min(found.cases)), entry.get("message", 1)
    messages = read_messages(found.slug, case)
    message = messages[number - 1]
    every_event = read_events(found.slug, case)
    events = [every_event[at - 1] for at in entry.get("events", [number])]
    parts = [heading(2, "A message and what it becomes")]
    parts.append(
        f"Message {number} of {len(messages)} of the golden case `tests/cases/{found.slug}/{case}` "
        f"({found.cases[case].rstrip('.')}):"
    )
    if message.get("key") is not None:
        parts += ["Its Kafka key:", show_json(message["key"]), "Its value:"]
    if found.is_binary or found.is_framed:
        parts.append("The payload is binary. `raw.kafka_messages` contains it as base64:")
    parts.append(show_json(message["payload"]))
    columns = list(callable_macros().get_event_columns())
    parts.append(
        "It becomes this row of [`events`](../reference/models.md#events). Columns that are null, "
        "and the coordinates of the message, are left out:"
    )
    for event in events:
        rows = [
            [f"[{code(name)}](../reference/event-columns.md#{name})", show_value(event[name], name)]
            for name in columns
            if event.get(name) not in (None, "")
        ]
        parts.append(table(["Column", "Value"], rows))
    return parts + state_example(found, case, events)


def state_example(found: Format, case: str, events: list[dict[str, Any]]) -> list[str]:
    """Return the part of a page that shows the state after all messages of a case."""
    file = CASES / found.slug / case / "expected_state.json"
    if not file.exists():
        return []
    rows = json.loads(file.read_text(encoding="utf-8"))
    keys = [event.get("row_key") for event in events]
    same = [row for row in rows if row["row_key"] in keys]
    link = "[`current_state`](../reference/models.md#current_state)"
    intro = f"After all messages of the case {link} has "
    if not rows:
        return [intro + "no row: a later message deletes this one."]
    shown = (same or rows)[:MOST_STATE_ROWS]
    if same:
        intro += "this row:" if len(shown) == 1 else "these rows:"
    else:
        intro += "other rows only, because a later message deletes this one:"
    lines = [
        [show_value(row["row_key"], "row_key"), show_value(row["row_values"])] for row in shown
    ]
    return [intro, table(["row_key", "row_values"], lines)]


def operations(found: Format) -> str:
    """Return the table of the vendor's words and the operations that they become."""
    order = list(OPERATIONS) + ["update_before"]
    rows = []
    for kind, operation in sorted(
        found.codes,
        key=lambda one: (
            ["change", "ddl"].index(one[0]) if one[0] in ("change", "ddl") else 2,
            order.index(one[1]) if one[1] in order else len(order),
            one,
        ),
    ):
        words = sorted(word for word in found.codes[kind, operation] if word)
        rows.append(
            [", ".join(code(word) for word in words) or "no word", code(kind), operation or "–"]
        )
    return table(["In the message", "`event_kind`", "`operation`"], rows)


def describe_payload(found: Format) -> str:
    """Return what the payloads of a format are, and how raw contains them."""
    if found.is_framed:
        return "JSON in binary frames, base64 text in raw"
    return "Avro, base64 text in raw" if found.is_binary else "JSON"


def format_page(found: Format) -> str:
    """Return docs/formats/<slug>.md."""
    header = found.header
    facts = [
        ["Slug", code(found.slug)],
        ["Payload", describe_payload(found)],
        [
            "Recognized by `auto`",
            "yes" if found.is_recognized else "no: set `format` for its topics",
        ],
        ["Key columns", f"from the {found.key}"],
        ["Order of changes", f"by the {found.order}"],
        ["Staging view", code(f"stg_{found.slug}__events")],
        ["Document", header.document],
    ]
    topic = {"format": found.slug, "source": "crm"}
    if found.is_binary or found.is_framed:
        topic["encoding"] = "base64"
    if found.key == "setting `key`":
        topic["key"] = "[id]"
    entry = ", ".join(f"{name}: {value}" for name, value in topic.items())
    setting = f"vars:\n  kafka_cdc:\n    topics:\n      - {{topic: 'crm.*', {entry}}}"
    # The sample of a comment is cut to what matters, and thus not always JSON.
    parts = [
        sentence(header.summary),
        table(["Fact", "Value"], facts),
        heading(2, "Map a topic"),
        "[`auto`](index.md#what-auto-cannot-tell) recognizes the messages one by one. An entry in "
        "[`topics`](../reference/settings.md#topics) sets the format for all of them:"
        if found.is_recognized
        else "`auto` does not recognize this format. Its topics need an entry in "
        "[`topics`](../reference/settings.md#topics):",
        fence(setting, "yaml", "dbt_project.yml"),
        *([heading(2, "Sample"), fence(header.sample, "text")] if header.sample else []),
        *example(found),
        heading(2, "Operations"),
        "The words of the vendor that the golden cases cover, and what they become. Messages with "
        "a word that the vendor does not document are in [quarantine](../concepts/quarantine.md).",
        operations(found),
        heading(2, "Quirks"),
        "\n".join(f"* {quirk}" for quirk in header.quirks),
    ]
    if header.limits:
        parts += [heading(2, "Limits"), "\n".join(f"* {limit}" for limit in header.limits)]
    types = types_of(found.slug)
    parts.append(heading(2, "Types"))
    if types:
        parts += [
            "How [typed tables](../guides/typed-tables.md) decode what this format encodes in its "
            "own way. All other types are decoded as in [all formats](types.md).",
            folded("types", table(TYPES_HEAD, type_rows(types))),
        ]
    else:
        parts.append(
            "[Typed tables](../guides/typed-tables.md) decode its types as in "
            "[all formats](types.md)."
        )
    parts += [
        heading(2, "Golden cases"),
        f"What the tests check of this format, by folder of `tests/cases/{found.slug}`.",
        folded(
            "cases",
            table(["Case", "What it checks"], [[code(k), v] for k, v in found.cases.items()]),
        ),
    ]
    return page(found.name, f"macros/formats/{found.slug}.sql", *parts)


# The index


def matrix() -> str:
    """Return the table of all formats."""
    rows = []
    for found in read_formats():
        kinds = {kind for kind, _ in found.codes}
        names = {operation for kind, operation in found.codes if kind == "change"}
        row = [
            f"[{found.name}]({found.slug}.md)<br>{code(found.slug)}",
            "Avro" if found.is_binary else "JSON",
            "yes" if found.is_recognized else "no",
            found.key,
            found.order,
        ]
        for name in OPERATIONS:
            row.append("✓" if name in names or (name == "ddl" and "ddl" in kinds) else "–")
        row.append("✓" if kinds & CONTROL_KINDS else "–")
        rows.append(row)
    head = ["Format", "Payload", "`auto`", "Key", "Order", *OPERATIONS.values(), "Control"]
    return table(head, rows)


def ambiguous() -> str:
    """Return the table of messages that have the shape of two formats."""
    rows = [
        [line["messages"], line["looks_like"], line["read_as"], line["mapped"]]
        for line in read_data()["ambiguous"]
    ]
    head = ["Message of", "Looks like", "`auto` reads it as", "With an entry in `topics`"]
    return table(head, rows)


def recognition_page() -> str:
    """Return docs/formats/recognition.md."""
    file = HOME / "docs" / "data" / "recognition.yml"
    found = yaml.safe_load(file.read_text(encoding="utf-8"))
    columns = {
        "precedes": "Also recognized by, and read as their own",
        "read_as": "Read as, with the same rows",
        "ambiguous": "In quarantine, because they could be of",
    }
    rows = [
        [f"[{code(slug)}]({slug}.md)"]
        + [", ".join(code(other) for other in entry.get(name, [])) or "–" for name in columns]
        for slug, entry in found.items()
    ]
    return page(
        "Formats that recognize the same messages",
        "docs/data/recognition.yml",
        "The tests take each message of the golden cases and the samples. They remove each "
        "informational field, and all of them with the position. Then they list the formats that "
        "recognize what is left. This table has those of healthy messages. No other format "
        "recognizes the messages of a format that is not listed.",
        table(["Messages of", *columns.values()], rows),
        "A message is in the last column only if a field by which the formats differ is missing. "
        "Its reject code is "
        "[`ambiguous_format`](../reference/reject-codes.md#ambiguous_format). If an entry of "
        "[`topics`](../reference/settings.md#topics) sets the format, every message is read.",
    )


def pages() -> dict[str, str]:
    """Return the generated pages of docs/formats, by path."""
    found = {f"formats/{one.slug}.md": format_page(one) for one in read_formats()}
    others = {"formats/types.md": types_page(), "formats/recognition.md": recognition_page()}
    return found | others

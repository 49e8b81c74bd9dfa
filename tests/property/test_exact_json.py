"""Random JSON documents as rows, and random edits of whole payloads, compared with Python's json module.

Every column is parsed to the digit and the character. A payload that is not exactly one JSON object is rejected.
Each document is one message, so a failure shows the shortest of the failing ones. One run parses all of them.
"""

import collections
import json
import os
import random
import re

import pytest

SEED = int(os.environ.get("KAFKA_CDC_SEED", "20261121"))
DOCUMENTS, EDITS = (1500, 3000) if "KAFKA_CDC_LONG" in os.environ else (500, 1000)
SOURCE = 'it\'s "odd" \\ {{ x }} 库'  # a source's name is anything
HEAD = {
    "before": None,
    "op": "c",
    "ts_ms": 1465581029523,
    "source": {
        "connector": "sqlserver",
        "name": "shop",
        "ts_ms": 1465581029000,
        "db": "d",
        "schema": "dbo",
        "table": "t",
        "commit_lsn": "00000027:00000758:0003",
        "change_lsn": "00000027:00000758:0002",
        "event_serial_no": 1,
    },
}  # the one connector whose values are never placeholders
DOCUMENTED = {
    "unknown_format",
    "unexpected_structure",
    "missing_field",
    "unknown_operation",
    "invalid_sequence",
    "unknown_connector",
    "missing_image",
    "missing_key",
}

# Documents, as text -------------------------------------------------------------------------------------------------------

NUMBERS = [
    "0",
    "-0",
    "-0.0",
    "0.0",
    "0e0",
    "-0e-0",
    "0E+1",
    "1.10",
    "1e2",
    "1E+5",
    "-1.50e-07",
    "100",
    "1e400",
    "-1e-400",
    "5e-324",
    "9007199254740993",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "123456789012345678901234567890.1234",
    "9.999999999999999999999999",
    "1590315269000.123456789",
    "0." + "0" * 400 + "1",
    "9" * 1074,
    "0." + "3" * 1072,
    "-" + "7" * 500 + "." + "1" * 572,
    "1" * 1001,
    "1" + "0" * 1050 + ".50",
]
PIECES = [
    r"\"",
    r"\\",
    r"\/",
    r"\b",
    r"\f",
    r"\n",
    r"\r",
    r"\t",
    r"\u0000",
    r"\u001f",
    r"\u001F",
    r"\u007f",
    r"\u2028",
    r"\ud83d\ude00",
    r"\uD83D\uDE00",
    r"\ufdd0",
    "\ufdd0",
    "\ufdd09A3F",
    "\uffff",
    "\U0010ffff",
    "\0",
    "\n",
    "\t",
    "\x1b",
    "\x7f",
    "\ufeff",
    "é",
    "e\u0301",
    "库",
    "😀",
    "\u2029",
    "'",
    "`",
    "/",
    "1.10",
    "-0",
    "1e2",
    " 2.50,",
    "3.0]",
    "-0}",
    "4e5}",
    ": 1.5, ",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "null",
    "true",
    "$1",
    '\\\\\\"',
    "__debezium_unavailable_value",
]
KEYS = [
    '""',
    '"a"',
    '"a.b"',
    '"A"',
    '"$"',
    r'"\""',
    '"1.10"',
    '"a b"',
    '"#row#"',
    '"`"',
    '"[0]"',
    r'"\u0061"',
    '"列"',
    '"after"',
    '"payload"',
    '"op"',
]


class Writer:
    """Writes random JSON: every way to spell it, white space included."""

    def __init__(self, chance):
        self.chance = chance
        self.spaces = [""]

    def digits(self, most):
        return "".join(self.chance.choices("0123456789", k=self.chance.randint(1, most)))

    def number(self):
        chance = self.chance
        if chance.random() < 0.4:
            return chance.choice(NUMBERS)
        whole = chance.choice(
            ["0", chance.choice("123456789"), chance.choice("123456789") + self.digits(34)]
        )
        fraction = chance.choice(["", "." + self.digits(4), "." + self.digits(40)])
        exponent = chance.choice(
            ["", "", chance.choice("eE") + chance.choice(["", "+", "-"]) + self.digits(3)]
        )
        return chance.choice(["", "-"]) + whole + fraction + exponent

    def character(self):
        code = self.chance.choice([0x20, 0x80, 0x800, 0x10000, 0x110000])
        character = chr(self.chance.randrange(code))
        return (
            character if character not in '"\\' and not "\ud800" <= character <= "\udfff" else "x"
        )

    def string(self):
        pieces = [
            self.chance.choice(PIECES) if self.chance.random() < 0.7 else self.character()
            for _ in range(self.chance.choice([0, 1, 1, 2, 3, 8]))
        ]
        return '"' + "".join(pieces) + '"'

    def space(self):
        return self.chance.choice(self.spaces)

    def value(self, depth):
        kind = self.chance.choice(
            ["number", "number", "string", "string", "word"] + ["array", "object"] * (depth < 4)
        )
        if kind == "word":
            return self.chance.choice(["true", "false", "null"])
        if kind == "array":
            return (
                "["
                + self.space()
                + ",".join(
                    self.padded(self.value(depth + 1)) for _ in range(self.chance.randrange(4))
                )
                + "]"
            )
        return getattr(self, kind)(*[depth] * (kind == "object"))

    def padded(self, text):
        return self.space() + text + self.space()

    def object(self, depth, first=()):
        names = [
            self.chance.choice(KEYS) if self.chance.random() < 0.5 else self.string()
            for _ in range(self.chance.randrange(5))
        ]
        members = [
            *first,
            *(f"{self.padded(name)}:{self.padded(self.value(depth + 1))}" for name in names),
        ]
        return "{" + self.space() + ",".join(members) + "}"

    def row(self, at):
        """Return an object with the column id."""
        self.spaces = self.chance.choice([[""], ["", "", " ", "\n", "\t", "\r\n", "  "]])
        return self.object(0, [f'"id":"{at}"'])


# What Python reads ------------------------------------------------------------------------------------------------------


class Number(str):
    """A number as it is written; no string equals it."""

    def __eq__(self, other):
        return isinstance(other, Number) and str.__eq__(self, other)

    __hash__ = str.__hash__


class Pairs(tuple):
    """An object as it is written: its pairs in order."""


def parsed(text):
    """Return a document as Python's strict parser reads it, raw control characters in strings apart; ValueError where it does not."""

    def reject(constant):
        raise ValueError(constant)

    return json.loads(
        text,
        strict=False,
        parse_int=Number,
        parse_float=Number,
        parse_constant=reject,
        object_pairs_hook=Pairs,
    )


def compact(value):
    """Return a value as compact JSON: numbers as they are written, only what must be and what lies beyond U+FFFF is escaped."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        short = {
            '"': r"\"",
            "\\": r"\\",
            "\b": r"\b",
            "\f": r"\f",
            "\n": r"\n",
            "\r": r"\r",
            "\t": r"\t",
        }
        value = re.sub(
            r'["\\\x00-\x1f]', lambda match: short.get(match[0]) or f"\\u{ord(match[0]):04X}", value
        )
        return (
            '"'
            + re.sub(
                r"[\U00010000-\U0010ffff]",
                lambda match: json.dumps(match[0])[1:-1].upper().replace("\\U", "\\u"),
                value,
            )
            + '"'
        )
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{compact(name)}:{compact(part)}" for name, part in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(compact, value)) + "]"
    return {True: "true", False: "false", None: "null"}[value]


def column(value):
    """Return a value as a column's text."""
    return value if value is None else str(value) if isinstance(value, str) else compact(value)


def row_of(pairs):
    """Return a row's columns; of a repeated one the last."""
    return {name: column(value) for name, value in pairs}


def is_same(found, pairs):
    """Return whether a row equals the document. Only white space and escapes in nested values may differ."""
    document = dict(pairs)
    if found is None or found.keys() != document.keys():
        return False
    for name, value in document.items():
        if isinstance(value, (Pairs, list)):
            try:
                if parsed(found[name]) != value:
                    return False
            except (TypeError, ValueError):
                return False
        elif found[name] != column(value):
            return False
    return True


def has_lone_surrogate(value):
    if isinstance(value, (Pairs, list, tuple)):
        return any(map(has_lone_surrogate, value))
    return isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value)


# Messages ------------------------------------------------------------------------------------------------------------------


def wrapped(row, at):
    """Return a payload with the row, in one of the formats' shapes."""
    head = {**HEAD, "source": {**HEAD["source"], "pos": at}}
    if at % 4 == 0:
        return f'{{"schema": null, "payload": {json.dumps(head)[:-1]}, "after": {row}}}}}'
    return f'{{"after":{row},{json.dumps(head)[1:]}'


BEFORE = [
    "\ufeff",
    "\xa0",
    "\0",
    "x",
    "'",
    "[",
    "{",
    "{},",
    "null,",
    "{}",
    '{}],"documents":[',
    "//\n",
    "/**/",
    ")]}',\n",
    "\x1e",
    "\t",
    "\r\n",
]
AFTER = [
    "{}",
    "{{}}",
    " null",
    ",",
    ",{}",
    ",null",
    "}",
    "]",
    "]}",
    ",{}]",
    ",{}]}",
    ",null]}",
    ",{}]} trailing",
    ",{}]},{}",
    ',{}],"documents":[{}',
    '],"documents":[{}',
    " // x",
    "/**/",
    "#",
    ";",
    "\0",
    "\x0b",
    "\x0c",
    "\xa0",
    "\ufeff",
    "\u2028",
    " 1.50",
    "\x1e",
    " \t\r\n",
]
VALUES = [
    "NaN",
    "Infinity",
    "-Infinity",
    "+1",
    "+1.0",
    "01",
    "01.5",
    "-01.5",
    "00",
    "1.",
    ".5",
    "-.5",
    "-",
    "1e",
    "1e+",
    "1.5e",
    "1e1.5",
    "--1",
    "1.5.2",
    "1_0.5",
    "0x1F",
    "1.50f",
    "1.50 2.50",
    "'a'",
    "True",
    "nul",
    "undefined",
    "a",
    r'"\q"',
    r'"\u12"',
    r'"\u12g4"',
    r'"\x41"',
    r'"\""' + '"',
    '"a',
    "[1.50,]",
    "[,1]",
    "[1 2]",
    '{"a":1.50,}',
    "{a:1}",
    "{'a':1}",
    "{1.50:2}",
    '{"a" 1}',
    '{"a":}',
    "[1.50",
    '{"a":1',
    "1.50/**/",
    "/**/1",
    "1.50//x\n",
    r'"\ud83d"',
    r'"\ude00\ud83d"',
    r'"\ud83dx\ude00"',
    r'"\ud83d\u0041"',
    r'{"\ud83d":1}',
    r'"\\ud83d"',
    r'"\ud83d\ude00"',
    "",
    ",",
    "[[[1.50]]]",
    '"\t"',
    '"\0"',
    '"\n1.50,"',
    "-0",
    "1E400",
    "0.00",
    '{"":{"":{}}}',
    '"1.50"',
    "1.50\u3000",
    "\ufdd01.50\ufdd0",
]


def traps():
    """Return payloads that JSON parsers read differently, each with its correct row, with and without numbers that need markers."""
    found = []
    for row in ('{"id":"1"}', '{"id":"1","v":1.50}'):
        payload = wrapped(row, 1)
        found += [
            (text, row)
            for text in [*(part + payload for part in BEFORE), *(payload + part for part in AFTER)]
        ]
        found += [(wrapped(f'{row[:-1]},"x":{value}}}', 1), row) for value in VALUES]
    return [(text.encode(), row) for text, row in found]


def edited(payload, chance):
    """Return a payload's bytes after one edit, or a few."""
    data = payload.encode()
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        if len(data) < 2:
            break
        at, end = sorted(
            chance.sample(range(len(data) // chance.choice([1, 3]) + 2), 2)
        )  # the row is at the front
        data = chance.choice(
            [
                lambda: data[:at] + data[at + 1 :],
                lambda: (
                    data[:at]
                    + chance.choice(
                        [
                            b"{",
                            b"}",
                            b"[",
                            b"]",
                            b'"',
                            b",",
                            b":",
                            b"\\",
                            b" ",
                            b"0",
                            b"-",
                            b".",
                            b"e",
                            b"1",
                            b"'",
                            b"/",
                            b"u",
                            b"n",
                        ]
                    )
                    + data[at + chance.randrange(2) :]
                ),
                lambda: (
                    data[:at] + bytes([chance.randrange(256)]) + data[at + chance.randrange(2) :]
                ),
                lambda: (
                    data[:at]
                    + chance.choice(
                        [
                            b"NaN",
                            b"Infinity",
                            b"-Infinity",
                            b"1.",
                            b".5",
                            b"01.5",
                            b"-01",
                            b"+1.0",
                            b"1e",
                            b"1e+",
                            b"--1.0",
                            b"0x1F",
                            b"1_0.5",
                            b"1.5.2",
                            b"-",
                            b"// x\n",
                            b"/* */",
                            b"null",
                            b"True",
                            b"\xef\xbb\xbf",
                            b"\xc2\xa0",
                            b"\x0b",
                            b"\0",
                            b"\xed\xa0\x80",
                            b"\xff",
                            b"\\ud83d",
                            b"\\ude00\\ud83d",
                            b"\\q",
                            b"\\u12",
                            b"{},",
                            b"]}",
                            b",{}",
                            b"]},{}",
                            b'"a":1.5,',
                            b"'a':1,",
                        ]
                    )
                    + data[at:]
                ),
                lambda: re.sub(
                    rb"(?<=[:,\[])[0-9.eE+-]+",
                    lambda match: chance.choice(
                        [
                            b"01.0",
                            b"1.",
                            b"+1",
                            b".5",
                            b"1e",
                            b"-",
                            b"NaN",
                            b"1.5e",
                            b"1.0 2.0",
                            b"1.50",
                            b"-0",
                            match[0],
                        ]
                    ),
                    data,
                    count=1,
                ),
                lambda: data[:at],
                lambda: data + data[at:end],
                lambda: (
                    data[:at] + data[end:]
                    if end - at < 30
                    else data
                    + chance.choice([b",", b"}", b"]", b" {}", b"\n", b"null", b",{}", b"]}"])
                ),
                lambda: data[:at] + data[at:end] * 2 + data[end:] if end - at < 60 else b" " + data,
            ]
        )()
    return data


@pytest.fixture(scope="module")
def read(project):
    """All messages, landed and parsed: (payload, source row) by offset, and events by offset, of documents and edits."""
    chance = random.Random(SEED)
    documents = [Writer(chance).row(at) for at in range(DOCUMENTS)]
    payloads = {"documents": [wrapped(row, at).encode() for at, row in enumerate(documents)]}
    short = [row for row in documents if len(row) < 300 and "unavailable" not in row]
    bases = [chance.choice(short) for _ in range(EDITS)]
    payloads["edits"] = [edited(wrapped(row, 1), chance) for row in bases]
    payloads["traps"] = [payload for payload, _ in traps()]
    read = project(
        "exact_json", topics=[{"topic": list(payloads), "format": "debezium", "source": SOURCE}]
    )
    messages = [
        (topic, at, f'{{"id":"{at}"}}', payload)
        for topic in payloads
        for at, payload in enumerate(payloads[topic])
    ]
    read.spark.createDataFrame(
        messages, "topic string, offset bigint, key string, value binary"
    ).coalesce(2).selectExpr(
        "topic",
        "0 as partition",
        "offset",
        "cast(null as timestamp) as timestamp",
        "key",
        "cast(value as string) as value",
        "cast(null as array<struct<key string, value binary>>) as headers",
        "timestamp '2026-11-21' as landed_at",
        "1L as landing_batch",
        "0 as topic_incarnation",
    ).writeTo(read.raw).append()
    read.dbt("run", "--select", "+events", "--exclude", "staging")
    events = {topic: {} for topic in payloads}
    for event in read.query(
        "select kafka_topic, kafka_offset, row_index, source_name, event_kind, operation, row_key, after_row, reject_code, reject_detail from {cdc}.events"
    ):
        events[event["kafka_topic"]].setdefault(event["kafka_offset"], []).append(event)
    return documents, payloads, bases, events


def shortest(problems):
    """Fail with the shortest payload that was parsed incorrectly."""
    if problems:
        payload, expected, found = min(problems, key=lambda problem: len(problem[0]))
        pytest.fail(
            f"Seed {SEED}: {len(problems)} are read wrongly, the shortest being\n{payload!r}\nexpected: {expected}\nfound:    {found}"
        )


def test_every_message_has_one_outcome(read):
    _, payloads, _, events = read
    for topic in payloads:
        assert sorted(events[topic]) == list(range(len(payloads[topic])))
        assert [found for found in events[topic].values() if len(found) != 1] == []


def test_rows_are_parsed_exactly(read):
    documents, _, _, events = read
    problems = []
    for at, document in enumerate(documents):
        (event,) = events["documents"][at]
        if not is_same(event["after_row"], parsed(document)) or (
            event["source_name"],
            event["event_kind"],
            event["operation"],
        ) != (SOURCE, "change", "insert"):
            problems.append(
                (
                    document,
                    row_of(parsed(document)),
                    {
                        name: event[name]
                        for name in ("event_kind", "reject_code", "source_name", "after_row")
                    },
                )
            )
    shortest(problems)


def test_nested_text_is_unchanged(read):
    documents, _, _, events = read
    compact_already = [
        at for at, document in enumerate(documents) if compact(parsed(document)) == document
    ]
    assert len(compact_already) > DOCUMENTS / 10
    rows = [
        (documents[at], row_of(parsed(documents[at])), events["documents"][at][0]["after_row"])
        for at in compact_already
    ]
    shortest(
        [(document, expected, found) for document, expected, found in rows if expected != found]
    )


def test_keys_are_canonical(read):
    _, _, _, events = read
    assert [
        at for at, (event,) in events["documents"].items() if event["row_key"] != f'{{"id":"{at}"}}'
    ] == []


def outcomes(payload, base):
    """Return the correct outcomes of an edited payload: a row (as pairs), or reject codes."""
    if not payload.strip(b" \t\r\n"):
        return None, {"tombstone"}
    try:
        text = payload.decode("utf-8")
    except UnicodeDecodeError:
        return None, {"invalid_utf8"}
    try:
        document = parsed(text)
    except ValueError:
        return None, {"invalid_json"}
    if not isinstance(document, Pairs):
        return None, {"invalid_json"}
    if has_lone_surrogate(document):
        return None, {"lone_surrogate"}
    fields, original = dict(document), dict(parsed(base))
    if not isinstance(fields.get("after"), Pairs):
        return None, DOCUMENTED  # or a delete: its row is the one before
    row = fields.pop("after")
    original.pop("after")
    is_whole = (
        fields == original and len(document) == len(fields) + 1 and dict(row).get("id") is not None
    )
    return row, set() if is_whole else DOCUMENTED


def check_strictly(payloads, bases, events):
    """Fail unless each payload, edited from its row in bases, has a correct outcome. Return the count of each outcome."""
    problems, kinds = [], collections.Counter()
    for at, (payload, base) in enumerate(zip(payloads, bases)):
        (event,) = events[at]
        row, others = outcomes(payload, wrapped(base, 1))
        found = event["reject_code"] or (
            event["event_kind"] if event["event_kind"] != "change" else "row"
        )
        kinds[found] += 1
        is_row = found == "row" and (
            event["operation"] == "delete" if row is None else is_same(event["after_row"], row)
        )
        if not (found in others or is_row):
            problems.append(
                (payload, (row, others), (found, event["reject_detail"], event["after_row"]))
            )
    shortest(problems)
    return kinds


def test_edited_payloads_are_parsed_exactly_or_rejected(read):
    _, payloads, bases, events = read
    kinds = check_strictly(payloads["edits"], bases, events["edits"])
    assert kinds["row"] > EDITS / 10 and kinds["invalid_json"] > EDITS / 10, kinds
    assert {"invalid_utf8", "lone_surrogate", "missing_field"} < set(kinds), kinds


def test_ambiguous_payloads_are_parsed_exactly_or_rejected(read):
    _, payloads, _, events = read
    check_strictly(payloads["traps"], [row for _, row in traps()], events["traps"])

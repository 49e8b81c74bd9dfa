"""Malicious messages, and messages that parsers read differently: each is parsed exactly or rejected, and nothing is executed.

* Documents like those of JSONTestSuite, as payloads and as column values in several formats. Python's json module decides (test_exact_json).
* Names of databases, tables, columns, keys and topics that are SQL, Jinja, paths or empty.
* Very wide, deep and long messages.
* Samples of every format with random damage. No run fails, and each message has exactly one outcome.
"""

import contextlib
import copy
import io
import json
import os
import random
import re

import jinja2
import pytest
import yaml
from test_exact_json import Pairs, edited, has_lone_surrogate, is_same, parsed

from conftest import FEW_SAMPLES, HOME, SAMPLES, long, samples

SEED = int(os.environ.get("KAFKA_CDC_SEED", "20261121"))
IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
RUN = [
    "run",
    "--select",
    "+current_state",
    "row_history",
    "message_accounting",
    "quarantine",
    "unreplicated_ddl_effects",
    "--exclude",
    "staging",
]

# Documents -------------------------------------------------------------------------------------------------------------------

GOOD_NUMBERS = [
    "0",
    "-0",
    "0.0",
    "-0.0",
    "1.10",
    "0e1",
    "0e+1",
    "0E1",
    "1E22",
    "1e-2",
    "1E+2",
    "20e1",
    "123.456e78",
    "123e65",
    "-123",
    "-1",
    "1.000000000000000005",
    "-0.000000000000000000000000000000000000000000000000000000000000000000000000000001",
    "1e400",
    "-1e-400",
    "100000000000000000000",
    "0.4e00669999999",
]
BAD_NUMBERS = [
    "+1",
    "-01",
    "-1.0.",
    "-2.",
    "-NaN",
    ".-1",
    ".2e-3",
    "0.1.2",
    "0.3e",
    "0.3e+",
    "0.e1",
    "0e",
    "0e+",
    "1.0e",
    "1.0e-",
    "1eE2",
    "2.e+3",
    "2.e3",
    "9.e+",
    "Inf",
    "NaN",
    "\uff11",
    "1+2",
    "0x1",
    "0x42",
    "Infinity",
    "-Infinity",
    "0e+-1",
    "-foo",
    "- 1",
    "-012",
    "-.123",
    "-1x",
    "1ea",
    "1 000",
    "012",
    "1.2a-3",
    "1.8011670033376514H-308",
    "--1",
    "1_000",
]
GOOD_STRINGS = [
    r"\u0060\u012a\u12AB",
    r"\uD801\udc37",
    r"\"\\\/\b\f\n\r\t",
    r"\\u0000",
    r"\"",
    "a/*b*/c/*d//e",
    r"\\a",
    r"\\n",
    r"\u0012",
    r"\uFFFF",
    "asd",
    "\U0010ffff",
    "\uffff",
    r"\u0000",
    r"\u002c",
    "π",
    "\U0001bfff",
    "asd ",
    " ",
    r"\uDBFF\uDFFF",
    r"new\u00A0line",
    "\u2028",
    "\u2029",
    r"\u0061\u30af\u30EA\u30b9",
    "\x7f",
    r"\uA66D",
    "⍂㈴⍂",
    r"\u200B",
    r"\u2064",
    r"\uFDD0",
    r"\uFFFE",
    r"\u0022",
    r"\u005C",
    "€𝄞",
    "aa",
    "\0",
    "\t",
    "a\nb",
    "{{ 7*7 }}",
    "'; drop table x; --",
    "${env:HOME}",
    "`",
    "%s %d {0}",
    "<script>",
    "../../etc/passwd",
    "\ufeff",
]
BAD_STRINGS = [
    r"\uD800\u",
    r"\uD800\u1",
    r"\uD800\u1x",
    "\\x00",
    r"\\\x",
    r"\	",
    "\\🌀",
    "\\",
    r"\u00A",
    r"\uD834\uDd",
    r"\uqqqq",
    r"\a",
    "\\é",
    "\\'",
]
LONE = [
    r"\uDADA",
    r"\uD888\u1234",
    r"\uD800\n",
    r"\uDd1ea",
    r"\uD800\uD800",
    r"\ud800abc",
    r"\uDd1e\uD834",
    r"\uDFAA",
]
GOOD_STRUCTURES = [
    "[[]   ]",
    '[""]',
    "[]",
    '["a"]',
    "[false]",
    '[null, 1, "1", {}]',
    "[null]",
    "[1\n]",
    " [1]",
    "[1,null,null,null,2]",
    "[2] ",
    '{"asd":"sdf", "dfg":"fgh"}',
    '{"a":"b","a":"c"}',
    '{"a":"b","a":"b"}',
    "{}",
    '{"":0}',
    r'{"foo\u0000bar": 42}',
    '{ "min": -1.0e+28, "max": 1.0e+28 }',
    '{"x":[{"id": "x"}], "id": "x"}',
    '{"a":[]}',
    '{\n"a": "b"\n}',
    "true",
    "false",
    "null",
    "[" * 200 + "]" * 200,
    '{"a":' * 200 + "1" + "}" * 200,
    "[" + "1," * 999 + "1]",
]
BAD_STRUCTURES = [
    "[1 true]",
    '["": 1]',
    '[""],',
    "[,1]",
    "[1,,2]",
    '["x",,]',
    '["x"]]',
    '["",]',
    '["x"',
    "[x",
    "[3[4]]",
    "[1:2]",
    "[,]",
    "[-]",
    '[   , ""]',
    "[1,]",
    "[1,,]",
    "[*]",
    '["a",\n4\n,1,',
    "[nul]",
    "[fals]",
    "[tru]",
    '["x", truth]',
    '{"x", null}',
    '{"x"::"b"}',
    "{🇨🇭}",
    '{"a":"a" 123}',
    "{key: 'value'}",
    '{"a" b}',
    '{:"b"}',
    '{"a"',
    "{1:1}",
    "{9999E9999:1}",
    "{null:null}",
    '{"id":0,,,,,}',
    "{'a':0}",
    '{"id":0,}',
    '{"a":"b"}/**/',
    '{"a":"b"}/**//',
    '{"a":"b"}//',
    '{"a":"b",,"c":"d"}',
    '{a: "b"}',
    '{"a":"a',
    '{ "foo" : "bar", "a" }',
    '{"a":"b"}#',
    "<.>",
    "[<null>]",
    "[1]x",
    "[1]]",
    "[True]",
    "1]",
    '{"x": true,',
    "[][]",
    "]",
    "*",
    "{}}",
    '{"":',
    '{"a":/*comment*/"b"}',
    "[u",
    "['",
    "[,",
    "{[",
    '["a',
    '["\\"a\\"\\\\',
    "é",
    "[\u2060]",
    "\ufeff1",
    "\x0c1",
    "[\x0b1]",
    "\u00a01",
    "None",
    "undefined",
]


def documents():
    """Return the texts of all documents, good and bad."""
    return [
        *GOOD_NUMBERS,
        *BAD_NUMBERS,
        *(f'"{text}"' for text in GOOD_STRINGS + BAD_STRINGS + LONE),
        *GOOD_STRUCTURES,
        *BAD_STRUCTURES,
        f"[{','.join(GOOD_NUMBERS)}]",
        *(f"[{text}]" for text in BAD_NUMBERS),
        *(f'{{"{text}":"{text}"}}' for text in GOOD_STRINGS),
        "",
    ]


SHAPES = {
    "canal": '{"data":[{"id":"1","x":VALUE}],"database":"d","es":1735689681000,"gtid":"","id":1,"isDdl":false,"mysqlType":{"id":"int"},"old":null,"pkNames":["id"],'
    '"sql":"","sqlType":{"id":4},"table":"t","ts":1735689681420,"type":"INSERT"}',
    "debezium": '{"before":null,"after":{"id":"1","x":VALUE},"op":"c","ts_ms":1465581029523,"source":{"connector":"mysql","name":"shop","ts_ms":1465581029000,"db":"d",'
    '"table":"t","file":"bin.000003","pos":1,"row":0}}',
    "maxwell": '{"database":"d","table":"t","type":"insert","ts":1735689681,"xid":1,"commit":true,"data":{"id":"1","x":VALUE}}',
    "goldengate": '{"table":"d.t","op_type":"I","op_ts":"2015-11-05 18:45:36.000000","current_ts":"2016-10-05T10:15:36.267000","pos":"00000000000000002928",'
    '"primary_keys":["id"],"after":{"id":"1","x":VALUE}}',
}
KAFKA_KEYS = {"maxwell": '{"database":"d","table":"t","pk.id":"1"}', "debezium": '{"id":"1"}'}


def verdict(text):
    """Return what a payload of SHAPES, or a whole document, must become: its pairs, or a code."""
    if not text.strip(" \t\r\n"):
        return "tombstone"
    try:
        document = parsed(text)
    except ValueError:
        return "invalid_json"
    if not isinstance(document, Pairs):
        return "invalid_json" if not has_lone_surrogate(document) else "lone_surrogate"
    return "lone_surrogate" if has_lone_surrogate(document) else document


# Names ----------------------------------------------------------------------------------------------------------------------

NAMES = [
    "{{ 7*7 }}",
    "{% set a = 1 %}",
    "{# gone #}",
    "{{ env_var('HOME') }}",
    "'; drop table x; --",
    '"; drop table x; --',
    "${env:HOME}",
    "${spark.app.name}",
    "`",
    "``",
    "'",
    '"',
    "\\",
    "\\'",
    "a.b",
    ".",
    "..",
    "a\nb",
    "a\r\nb",
    "\n-- x",
    "\t",
    "a\0b",
    "\x7f\x1b[31m",
    " ",
    " a ",
    "库",
    "😀",
    "ẞ",
    "A",
    "a",
    "NULL",
    "null",
    "*",
    "%",
    "_",
    "?",
    "$",
    "#",
    "--",
    "/*",
    "*/",
    ";",
    "[0]",
    "a[b]",
    "row_values",
    "undecoded",
    "\u202e",
    "\u2028",
    "\ufeff",
    "{",
    "{{",
    "}}",
    "{{{",
    "%}",
    "-",
    "x" * 300,
    "select",
    "true",
    "1",
    "é",
    "e\u0301",
    "{{ ref('events') }}",
    "__proto__",
]


def canal(topic, offset, name, row, key, **types):
    """Return a message of Canal that inserts a row of the table `name` of the database `name`; types: of columns, else text."""
    return {
        "topic": topic,
        "offset": offset,
        "value": json.dumps(
            {
                "data": [row],
                "database": name,
                "es": 1735689681000,
                "gtid": "",
                "id": 1,
                "isDdl": False,
                "mysqlType": {column: types.get(column, "varchar(9)") for column in row},
                "old": None,
                "pkNames": [key],
                "sql": "",
                "sqlType": {},
                "table": name,
                "ts": 1735689681420,
                "type": "INSERT",
            }
        ),
    }


def debezium(topic, offset, name, row, key):
    """Return a message of Debezium that inserts a row of the table `name` of the database `name`."""
    return {
        "topic": topic,
        "offset": offset,
        "key": json.dumps({key: row[key]}),
        "value": json.dumps(
            {
                "before": None,
                "after": row,
                "op": "c",
                "ts_ms": 1465581029523,
                "source": {
                    "connector": "mysql",
                    "name": name,
                    "ts_ms": 1465581029000,
                    "db": name,
                    "table": name,
                    "file": "bin.000003",
                    "pos": offset + 1,
                    "row": 0,
                },
            }
        ),
    }


WIDE = "wide " + " ".join(NAMES)  # a table with every name for a column
LABELS = ["😀", "{{ 7*7 }}", "it's", 'a "\\ b']
ENUM = "enum(" + ",".join("'" + label.replace("'", "''") + "'" for label in LABELS) + ")"
WIDE_ROW = {"id": "1", **{name: f"value of {name}" for name in NAMES}, "label": "2"}
COLUMNS = 5000
VALUES = 3 if IS_LONG else 1
ROWS = 100_000 if IS_LONG else 2000
BIG = 25_000_000


def debezium_of_sql_server(offset, lsn):
    """Return a message of Debezium whose position is long."""
    message = debezium("slow", offset, "slow", {"id": "1"}, "id")
    document = json.loads(message["value"])
    document["source"] |= {"connector": "sqlserver", "schema": "dbo", "commit_lsn": lsn}
    return {**message, "value": json.dumps(document)}


def canal_statement(offset, sql):
    """Return a message of Canal with a statement."""
    message = canal("slow", offset, "slow", {"id": "1"}, "id")
    document = {**json.loads(message["value"]), "isDdl": True, "type": "QUERY", "sql": sql}
    return {**message, "value": json.dumps(document | {"data": None, "mysqlType": None})}


# Regular expressions that search back and forth take hours for these texts. Others exhaust the
# stack of the JVM.
LONG_TEXTS = [
    "1-" * 250_000,
    "1e" * 250_000,
    "1.5e1" * 100_000,
    "-0 " * 100_000,
    "1." + "5" * 500_000,
]
LONG_STATEMENTS = [
    "SET STATEMENT " + "x" * 100_000,
    "create " + "index " * 100_000,
    "alter table slow " + ", ".join(f"add c{at} int" for at in range(20_000)),
    "drop table " + ", ".join(f"t{at}" for at in range(3000)),
    "/*" * 200_000,
    "alter table slow add c int /* " + "x" * 100_000,
]
SLOW = [
    *(
        canal("slow", at, "slow", {"id": str(at), "v": text}, "id")
        for at, text in enumerate(LONG_TEXTS)
    ),
    *(canal_statement(10 + at, sql) for at, sql in enumerate(LONG_STATEMENTS)),
    debezium_of_sql_server(20, "00000000" + ":0000" * 20_000),
]


def damaged(message, chance):
    """Return the bytes of a sample's payload after damage: an edit of its text, or of its structure."""
    text = message["value"]
    if chance.random() < 0.5:
        return edited(text, chance)
    try:
        document = json.loads(text)
    except ValueError:
        return edited(text, chance)
    for _ in range(chance.choice([1, 1, 2, 4])):
        places = [*places_of(document)]
        if not places:
            break
        holder, name = chance.choice(places)
        other_holder, other = chance.choice(places)
        value = copy.deepcopy(
            chance.choice(
                [
                    other_holder[other],
                    None,
                    [],
                    {},
                    "",
                    0,
                    -1,
                    True,
                    "x",
                    chance.choice(NAMES),
                    [None],
                    [[]],
                    {"": None},
                    10**40,
                    1e308,
                    [document],
                ]
            )
        )
        if chance.random() < 0.3:
            del holder[name]
        elif isinstance(holder, dict) and chance.random() < 0.3:
            holder[chance.choice(NAMES)] = value
        else:
            holder[name] = value
    with contextlib.suppress(ValueError, RecursionError):
        text = json.dumps(document)
    return text.encode()


def places_of(document):
    """Yield (holder, name or index) of everything inside a document."""
    for name, value in (
        document.items()
        if isinstance(document, dict)
        else enumerate(document)
        if isinstance(document, list)
        else ()
    ):
        yield document, name
        yield from places_of(value)


# All in one lake ---------------------------------------------------------------------------------------------------------------


def land_bytes(project, messages, batch):
    """Land messages whose values are bytes, also such as are no UTF-8, as landing from Kafka does."""
    rows = [
        (m["topic"], m.get("partition", 0), m["offset"], m.get("key"), m["value"]) for m in messages
    ]
    project.spark.createDataFrame(
        rows, "topic string, partition int, offset bigint, key string, value binary"
    ).coalesce(1).selectExpr(
        "topic",
        "partition",
        "offset",
        "cast(null as timestamp) as timestamp",
        "key",
        "cast(value as string) as value",
        "cast(null as array<struct<key string, value binary>>) as headers",
        "timestamp '2026-11-21' as landed_at",
        f"{batch}L as landing_batch",
        "0 as topic_incarnation",
    ).writeTo(project.raw).append()


@pytest.fixture(scope="module")
def poisoned(project):
    """Every poisonous message landed and read by one run: the project and the texts of the documents by topic and offset."""
    topics = [
        {"topic": ["doc_" + slug, "whole_" + slug], "format": slug, "source": "documents"}
        for slug in SHAPES
    ]
    topics += [
        {"topic": "names_debezium", "format": "debezium", "source": "debezium"},
        {"topic": ["wide", "large"], "format": "canal", "source": "wide"},
    ]
    poisoned = project("poison", topics=topics)
    texts = {}
    for slug, shape in SHAPES.items():
        for at, document in enumerate(documents()):
            texts["doc_" + slug, at] = shape.replace("VALUE", document)
            texts["whole_" + slug, at] = document
    messages = [
        {
            "topic": topic,
            "offset": at,
            "key": KAFKA_KEYS.get(topic.partition("_")[2]),
            "value": text.encode(),
        }
        for (topic, at), text in texts.items()
    ]
    named = []
    for at, name in enumerate(NAMES):
        named.append(
            canal(name, at, name, {name: "1", "v" + name: name}, name)
        )  # the topic has the name too
        named.append(debezium("names_debezium", at, name, {name: "1", "v" + name: name}, name))
    named.append(canal("", 0, "", {"": "1", "v": ""}, ""))
    named.append(canal("wide", 0, WIDE, WIDE_ROW, "id", label=ENUM))
    named.append(
        canal(
            "wide",
            1,
            "columns",
            {"id": "1", **{f"column {at}": str(at) for at in range(COLUMNS)}},
            "id",
        )
    )
    many = json.loads(canal("", 0, "rows", {"id": "0"}, "id")["value"])
    named.append(
        {
            "topic": "wide",
            "offset": 2,
            "value": json.dumps(
                {**many, "data": [{"id": str(at), "v": str(at)} for at in range(ROWS)]}
            ),
        }
    )
    for depth, offset in ((900, 3), (2000, 4), (20_000, 5)):
        for more, inner in ((0, "1"), (10, "1.10"), (20, "")):
            text = canal("wide", 0, f"deep {depth} {inner}", {"id": "1", "x": "VALUE"}, "id")[
                "value"
            ]
            named.append(
                {
                    "topic": "wide",
                    "offset": offset + more,
                    "value": text.replace('"VALUE"', "[" * depth + inner + "]" * depth),
                }
            )
    named += SLOW
    messages += [{**message, "value": message["value"].encode()} for message in named]
    land_bytes(poisoned, messages, 1)
    land_bytes(
        poisoned,
        [
            {
                "topic": "large",
                "offset": at,
                "value": canal(
                    "", 0, f"large {at}", {"id": "1", "v": '1.50, \\"' * (BIG // 8)}, "id"
                )["value"].encode(),
            }
            for at in range(VALUES)
        ],
        2,
    )
    poisoned.dbt(*RUN)
    return poisoned, texts


def test_documents_are_parsed_exactly_or_rejected(poisoned):
    project, texts = poisoned
    events = {}
    for event in project.query(
        "select kafka_topic, kafka_offset, event_kind, reject_code, after_row from {cdc}.events where kafka_topic like 'doc%' or kafka_topic like 'whole%'"
    ):
        events.setdefault((event["kafka_topic"], event["kafka_offset"]), []).append(event)
    wrong, rows = [], 0
    for place, text in texts.items():
        expected, found = verdict(text), events.get(place, [])
        (event,) = (
            found
            if len(found) == 1
            else ({"event_kind": f"{len(found)} events", "reject_code": None, "after_row": None},)
        )
        if isinstance(expected, str):
            is_right = (
                expected in (event["reject_code"], event["event_kind"])
                or expected == "lone_surrogate"
                and event["reject_code"] == "invalid_json"
                and "whole" in place[0]
            )
        elif place[0].startswith("whole"):
            is_right = event["event_kind"] == "rejected" and event["reject_code"] not in (
                "invalid_json",
                "lone_surrogate",
            )
        else:
            message = dict(expected)
            row = (
                message["after"]
                if "after" in message
                else message["data"][0]
                if isinstance(message["data"], list)
                else message["data"]
            )
            is_right = event["event_kind"] == "change" and is_same(event["after_row"], row)
            rows += 1
        if not is_right:
            wrong.append(
                f"{place}: {text[:300]!r}\n    expected {expected if isinstance(expected, str) else 'the row'}, found {event['event_kind']} {event['reject_code']} {str(event['after_row'])[:300]}"
            )
    assert rows > 400
    if wrong:
        pytest.fail(
            f"{len(wrong)} of {len(texts)} are read wrongly:\n" + "\n".join(wrong[:12]),
            pytrace=False,
        )


@pytest.mark.parametrize("source", ["canal", "debezium"])
def test_names_are_unchanged(poisoned, source):
    """No name is executed, cut or confused with another. The state has a table of each name with its key and row."""
    project, _ = poisoned
    found = {
        row["source_table"]: row
        for row in project.query(
            f"select * from {{cdc}}.current_state where source_name = '{source}'"
        )
    }
    wrong = []
    for name in NAMES:
        row = found.get(name)
        actual = row and (
            row["kafka_topic"] if source == "canal" else name,
            row["source_database"],
            json.loads(row["row_key"]),
            row["row_values"],
        )
        if actual != (name, name, {name: "1"}, {name: "1", "v" + name: name}):
            wrong.append((name, actual))
    assert wrong == []
    history = {
        row["source_table"]
        for row in project.query(
            f"select source_table from {{cdc}}.row_history where source_name = '{source}' and is_current"
        )
    }
    assert history >= set(NAMES)


def test_wide_long_and_deep_messages(poisoned):
    project, _ = poisoned
    state = {
        row["source_table"]: row
        for row in project.query(
            "select source_table, row_values from {cdc}.current_state where source_name = 'wide' and source_table not like 'large%'"
        )
    }
    assert state["columns"]["row_values"] == {
        "id": "1",
        **{f"column {at}": str(at) for at in range(COLUMNS)},
    }
    assert state[WIDE]["row_values"] == WIDE_ROW
    (rows,) = project.query(
        "select count(*) as n, count(distinct row_key) as keys, sum(cast(row_values['v'] as int)) as total from {cdc}.current_state where source_table = 'rows'"
    )
    assert rows == {"n": ROWS, "keys": ROWS, "total": ROWS * (ROWS - 1) // 2}
    large = project.query(
        "select length(row_values['v']) as n, row_values['v'] = repeat('1.50, \\\\\"', length(row_values['v']) div 8) as is_same from {cdc}.current_state where source_table like 'large%'"
    )
    assert large == [{"n": BIG // 8 * 8, "is_same": True}] * VALUES
    outcomes = {
        (row["kafka_offset"] % 10, row["kafka_offset"] // 10): row
        for row in project.query(
            "select kafka_offset, event_kind, reject_code, after_row['x'] as x from {cdc}.events where kafka_topic = 'wide' and kafka_offset > 2"
        )
    }
    for (which, inner), row in outcomes.items():
        depth = {3: 900, 4: 2000, 5: 20_000}[which]
        exact = "[" * depth + ("1", "1.10", "")[inner] + "]" * depth
        assert row["x"] == exact or row["reject_code"] == "invalid_json" and depth > 900, (
            depth,
            inner,
            row["event_kind"],
            row["reject_code"],
        )
    assert len(outcomes) == 9


def test_no_text_is_slow_or_exhausts_the_stack(poisoned):
    project, _ = poisoned
    found = {
        row["kafka_offset"]: row
        for row in project.query("select * from {cdc}.events where kafka_topic = 'slow'")
    }
    assert [found[at]["after_row"]["v"] == text for at, text in enumerate(LONG_TEXTS)] == [
        True
    ] * len(LONG_TEXTS)
    statements = [found[10 + at] for at in range(len(LONG_STATEMENTS))]
    assert [row["operation"] for row in statements] == [
        "other",
        "index",
        "alter",
        "drop",
        "other",
        "alter",
    ]
    assert [named["table"] for named in statements[3]["ddl_tables"]] == [
        f"t{at}" for at in range(3000)
    ]
    assert found[20]["event_kind"] == "change"
    effects = project.query(
        "select kafka_offset, effects from {cdc}.unreplicated_ddl_effects "
        "where kafka_topic = 'slow'"
    )
    assert effects == []


def test_every_message_has_one_outcome(poisoned):
    project, _ = poisoned
    assert (
        project.query("select * from {cdc}.message_accounting where unaccounted_messages <> 0")
        == []
    )
    assert (
        project.query(
            "select kafka_topic, kafka_offset from {cdc}.events where row_index = 0 group by 1, 2 having count(*) > 1"
        )
        == []
    )


def operation(project, name, **arguments):
    """Run an operation. Return whether it succeeded and what it printed."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        result = project.invoke(
            "run-operation",
            name,
            "--args",
            yaml.safe_dump(arguments, allow_unicode=True, default_flow_style=True, width=10**9),
        )
    return result.success, printed.getvalue() + str(result.exception or "")


def test_rows_of_any_name_are_explained_and_erased(poisoned):
    """Runs after the tests that read the state, because it erases rows."""
    project, _ = poisoned
    names = NAMES if IS_LONG else ["{{ 7*7 }}"]
    for name in names:
        success, printed = operation(
            project, "explain_row", table=f"{name}.{name}", source="debezium", key={name: "1"}
        )
        assert success and "is live" in printed, (name, printed)
    name = names[0]
    before = project.query("select count(*) as n from {cdc}.current_state")[0]["n"]
    success, printed = operation(
        project, "erase_row", table=f"{name}.{name}", source="debezium", key={name: "1"}
    )
    assert success, printed
    assert project.query("select count(*) as n from {cdc}.current_state")[0]["n"] == before - 1


def test_a_typed_model_executes_none_of_its_names(poisoned):
    """The model and its yml are Jinja and SQL. dbt reads every name from them unchanged."""
    project, _ = poisoned
    project.dbt("seed")
    success, printed = operation(
        project, "generate_table_model", table=f"{WIDE}.{WIDE}", source="wide"
    )
    assert success, printed[-2000:]
    model, _, properties = re.split(r"\n\n(# The model above is for \S+, this for \S+)\n", printed)
    assert all("\n" not in line or line.startswith("--") for line in model.splitlines()[:1])
    sql = project.dbt("compile", "--inline", model).result.results[0].node.compiled_code
    project.spark.sql(f"create or replace view cdc_{project.name}.typed_poison as {sql}")
    (row,) = project.query("select * from {cdc}.typed_poison")
    assert row.pop("undecoded") == {}
    assert sorted(row.values()) == sorted({**WIDE_ROW, "label": LABELS[1]}.values())
    (described,) = yaml.safe_load(properties)["models"]
    read = lambda text: (
        jinja2.Environment()
        .from_string(text)
        .render(env_var=lambda *_: "executed", ref=lambda *_: "executed")
    )
    assert [read(column["name"]) for column in described["columns"]][:-1] == list(row)
    assert [
        column
        for column in described["columns"]
        if "49" in read(column["description"]) or "executed" in read(column["description"])
    ] == []
    assert "{{ 7*7 }}" in read(described["description"]) and "executed" not in read(
        described["description"]
    )


# Damage ------------------------------------------------------------------------------------------------------------------------


@long
def test_damaged_samples_have_one_outcome_each(project, spark):
    """Spark's ANSI mode yields the same events."""
    chance = random.Random(SEED)
    settings = yaml.safe_load((SAMPLES / "settings.yml").read_text(encoding="utf-8"))
    files = [] if IS_LONG else FEW_SAMPLES.values()
    whole = [message for message in samples(*files) if message["value"]]
    hurt = project("damaged", topics=settings["topics"], tables=settings["tables"])
    batches, size = (5, 20_000) if IS_LONG else (1, 300)
    for batch in range(batches):
        messages = []
        for offset in range(size):
            message = chance.choice(whole)
            messages.append(
                {
                    **message,
                    "partition": 0,
                    "offset": batch * size + offset,
                    "value": damaged(message, chance),
                }
            )
        land_bytes(hurt, messages, batch + 1)
    hurt.dbt(*RUN)
    hint = f"KAFKA_CDC_SEED={SEED}"
    assert (
        hurt.query("select * from {cdc}.message_accounting where unaccounted_messages <> 0") == []
    ), hint
    (counted,) = hurt.query(
        "select count(distinct kafka_topic, kafka_offset) as messages, count_if(row_index = 0) as firsts from {cdc}.events"
    )
    assert counted == {"messages": batches * size, "firsts": batches * size}, hint
    codes = set(
        yaml.safe_load((HOME / "docs" / "data" / "reject_codes.yml").read_text(encoding="utf-8"))
    )
    found = hurt.query(
        "select event_kind, reject_code, count(*) as n from {cdc}.events group by all"
    )
    assert {row["reject_code"] for row in found} - {None} <= codes, hint
    assert {row["event_kind"] for row in found} >= {"change", "rejected"}, hint
    for model in ("current_state", "row_history", "quarantine"):
        hurt.query(f"select bit_xor(xxhash64(to_json(struct(*)))) as all_read from {{cdc}}.{model}")
    compiled = next(
        r.node.compiled_code
        for r in hurt.dbt("compile", "--select", "events", replay="all").result
        if r.node.name == "events"
    )
    spark.conf.set("spark.sql.ansi.enabled", "true")
    try:
        in_ansi = sorted(
            row["event"]
            for row in spark.sql(f"select to_json(struct(*)) as event from ({compiled})").collect()
        )
    finally:
        spark.conf.set("spark.sql.ansi.enabled", "false")
    assert in_ansi == sorted(
        row["event"] for row in hurt.query("select to_json(struct(*)) as event from {cdc}.events")
    ), hint

"""Messages that a schema registry's serializers framed, from a real broker: what dbt reads of them is what it reads of the same changes
as Kafka Connect's JSON converter writes them.

The Avro bytes are fastavro's; the registry is a server here that speaks Confluent's REST API and wants a password.
"""

import base64
import contextlib
import io
import itertools
import json
import socket
import threading
import time
from decimal import Decimal
from types import SimpleNamespace

import fastavro
import pytest
from json_server import JsonServer
from py4j.protocol import Py4JNetworkError
from pyspark.sql import Observation
from test_kafka import JavaError, KafkaLake

from conftest import long
from kafka_cdc import session
from kafka_cdc.cli import main
from kafka_cdc.errors import LandingError
from kafka_cdc.kafka import config
from kafka_cdc.schema_registry import client as registry
from kafka_cdc.schema_registry import connect, frames, store
from kafka_cdc.tables import table_format

SECRET = "a:secret/word"
PLACES = (
    "kafka_topic",
    "topic_incarnation",
    "kafka_partition",
    "kafka_offset",
    "kafka_timestamp",
    "landed_at",
    "landing_batch",
)


def optional(kind):
    return ["null", kind]


def record(name, *fields, **more):
    return {
        "type": "record",
        "name": name,
        "fields": [{"name": field, "type": kind} for field, kind in fields],
        **more,
    }


# A table of MySQL as Debezium and Kafka Connect's Avro converter describe it, and as Connect's JSON converter does.
DECIMAL = "org.apache.kafka.connect.data.Decimal"
COLUMNS = (
    ("id", "int", {"type": "int32"}),
    ("price", optional({"type": "bytes", "scale": 2, "precision": 10, "connect.version": 1, "connect.name": DECIMAL, "logicalType": "decimal",
                        "connect.parameters": {"scale": "2", "connect.decimal.precision": "10"}}),
     {"type": "bytes", "name": DECIMAL, "version": 1, "parameters": {"scale": "2", "connect.decimal.precision": "10"}}),
    ("big", "long", {"type": "int64"}),
    ("score", "double", {"type": "double"}),
    ("day", optional({"type": "int", "connect.version": 1, "connect.name": "io.debezium.time.Date"}), {"type": "int32", "name": "io.debezium.time.Date", "version": 1}),
    ("made_at", {"type": "long", "connect.name": "org.apache.kafka.connect.data.Timestamp", "logicalType": "timestamp-millis"},
     {"type": "int64", "name": "org.apache.kafka.connect.data.Timestamp"}),
    ("photo", optional("bytes"), {"type": "bytes"}),
    ("small", {"type": "int", "connect.type": "int16"}, {"type": "int16"}),
    ("size", {"type": "string", "connect.parameters": {"allowed": "S,M"}, "connect.name": "io.debezium.data.Enum"},
     {"type": "string", "name": "io.debezium.data.Enum", "parameters": {"allowed": "S,M"}}),
    ("name", optional("string"), {"type": "string"}),
)  # fmt: skip
NAMES = [name for name, _, _ in COLUMNS]
SPACE = "shop.inventory.customers"
KEY = record("Key", ("id", "int"), namespace=SPACE, **{"connect.name": f"{SPACE}.Key"})
VALUE = record(
    "Value",
    *((name, avro) for name, avro, _ in COLUMNS),
    namespace=SPACE,
    **{"connect.name": f"{SPACE}.Value"},
)
SOURCE_FIELDS = {
    "connector": "string",
    "name": "string",
    "ts_ms": "long",
    "db": "string",
    "table": "string",
    "file": "string",
    "pos": "long",
    "row": "int",
}
SOURCE = record(
    "Source",
    *SOURCE_FIELDS.items(),
    namespace="io.debezium.connector.mysql",
    **{"connect.name": "io.debezium.connector.mysql.Source"},
)


def envelope(value):
    fields = (
        ("before", optional(value)),
        ("after", optional("Value")),
        ("source", SOURCE),
        ("op", "string"),
        ("ts_ms", optional("long")),
    )
    return record("Envelope", *fields, namespace=SPACE, **{"connect.name": f"{SPACE}.Envelope"})


ENVELOPE = envelope(VALUE)
ROW_TYPES = [{"field": name, "optional": True, **connect} for name, _, connect in COLUMNS]
CONNECT = {
    "type": "struct",
    "name": f"{SPACE}.Envelope",
    "fields": [
        {"type": "struct", "fields": ROW_TYPES, "field": field} for field in ("before", "after")
    ],
}
KEY_CONNECT = {
    "type": "struct",
    "fields": [{"type": "int32", "optional": False, "field": "id"}],
    "optional": False,
    "name": f"{SPACE}.Key",
}

# The same rows twice: as Python's Avro takes them, and as Java writes them in JSON.
ROWS = [
    (
        1,
        Decimal("123.45"),
        2**53 + 1,
        1.5e300,
        20000,
        1700000000123,
        b"\x00\xff",
        7,
        "S",
        'é "quoted" 😀',
    ),
    (2, Decimal("-0.01"), -(2**63), -0.0, None, -1, None, -7, "M", None),
    (2, None, 2**63 - 1, 0.1, 0, 0, b"", 0, "M", "{}"),
]
TEXTS = [
    '{"id":1,"price":"MDk=","big":9007199254740993,"score":1.5E300,"day":20000,"made_at":1700000000123,"photo":"AP8=","small":7,"size":"S","name":"é \\"quoted\\" 😀"}',
    '{"id":2,"price":"/w==","big":-9223372036854775808,"score":-0.0,"day":null,"made_at":-1,"photo":null,"small":-7,"size":"M","name":null}',
    '{"id":2,"price":null,"big":9223372036854775807,"score":0.1,"day":0,"made_at":0,"photo":"","small":0,"size":"M","name":"{}"}',
]
CHANGES = [("c", None, 0), ("c", None, 1), ("u", 1, 2), ("d", 2, None)]
KEYS = [1, 2, 2, 2]


def source(at):
    return {
        "connector": "mysql",
        "name": "shop",
        "ts_ms": 1700000000000 + at,
        "db": "inventory",
        "table": "customers",
        "file": "mysql-bin.000003",
        "pos": 100 + at,
        "row": 0,
    }


def row(at):
    """Return a row as a mapping, None for no row."""
    return None if at is None else dict(zip(NAMES, ROWS[at]))


def avro(schema, value):
    """Return the bytes of one Avro record without a header."""
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(schema), value)
    return out.getvalue()


def framed(id_, payload):
    return b"\x00" + id_.to_bytes(4, "big") + payload


def in_avro(key_id, value_id):
    """Return the changes as Avro with framed keys and values, and a tombstone after them."""
    messages = [
        {"key": framed(key_id, avro(KEY, {"id": key})), "value": framed(value_id, avro(ENVELOPE, {
            "before": row(before), "after": row(after), "source": source(at), "op": op, "ts_ms": 1700000000500}))}
        for at, (key, (op, before, after)) in enumerate(zip(KEYS, CHANGES))
    ]  # fmt: skip
    return [*messages, {"key": messages[-1]["key"], "value": None}]


def in_json(head=b""):
    """Return the changes as Connect's JSON converter writes them with its envelope, each prefixed by `head`, and a tombstone."""
    messages = []
    for at, (key, (op, before, after)) in enumerate(zip(KEYS, CHANGES)):
        images = f'"before":{"null" if before is None else TEXTS[before]},"after":{"null" if after is None else TEXTS[after]}'
        payload = (
            f'{{{images},"source":{json.dumps(source(at))},"op":"{op}","ts_ms":1700000000500}}'
        )
        value = f'{{"schema":{json.dumps(CONNECT)},"payload":{payload}}}'
        messages.append(
            {
                "key": json.dumps({"schema": KEY_CONNECT, "payload": {"id": key}}),
                "value": head + value.encode(),
            }
        )
    return [*messages, {"key": messages[-1]["key"], "value": None}]


class FakeRegistry:
    """A schema registry: schemas by id, and by subject and version (all soft-deleted); who does not say name and password gets nothing."""

    def __init__(self):
        self.schemas, self.subjects, self.asked = {}, {}, []
        self.server = JsonServer(self.answer)
        self.url = self.server.url

    def answer(self, path, authorization):
        self.asked.append(path)
        path, _, query = path.partition("?")
        parts = path.strip("/").split("/")
        known = (
            self.schemas.get(int(parts[2]))
            if parts[0] == "schemas"
            else query == "deleted=true" and self.subjects.get((parts[1], int(parts[3])))
        )
        if authorization != "Basic " + base64.b64encode(f"landing:{SECRET}".encode()).decode():
            return 401, {"error_code": 40101}
        return (
            (200, known) if known else (404, {"error_code": 40403, "message": "Schema not found"})
        )


@pytest.fixture
def fake():
    one = FakeRegistry()
    yield one
    one.server.stop()


@pytest.fixture
def lake(broker, project):
    project = project("schemas", topics=[{"topic": "framed*", "format": "debezium"}])
    lake = KafkaLake(broker, schema="raw_schemas")
    lake.project = project
    return lake


def look_up(lake, *arguments):
    """Return exit code, stdout and stderr of `kafka-cdc land schemas`."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["land", "schemas", *map(str, arguments), "--schema", lake.schema])
    return code, out.getvalue(), err.getvalue()


def test_framed_messages(lake, broker, fake, tmp_path):
    word = SECRET.replace("\\", "\\\\")
    (tmp_path / "good").write_text(
        f"schema.registry.url=http://127.0.0.1:1,{fake.url}\nbasic.auth.credentials.source=USER_INFO\nbasic.auth.user.info=landing:{word}\n"
    )
    (tmp_path / "bad").write_text(
        f"schema.registry.url={fake.url}\nbasic.auth.user.info=landing:wrong word\n"
    )
    parts = {"type": "struct", "fields": []}
    fake.schemas = {
        1: {"schema": json.dumps(KEY)},
        2: {"schema": json.dumps(ENVELOPE)},
        3: {
            "schema": json.dumps(envelope(f"{SPACE}.Value")),
            "references": [{"name": f"{SPACE}.Value", "subject": "customers/value", "version": 4}],
        },
        4: {"schema": json.dumps(parts), "schemaType": "JSON"},
        5: {"schema": 'syntax = "proto3";', "schemaType": "PROTOBUF"},
        6: {"schema": json.dumps(record("Tree", ("child", ["null", "Tree"])))},
    }
    fake.subjects = {("customers%2Fvalue", 4): {"schema": json.dumps(VALUE)}}
    good, json_text = in_avro(1, 2), in_json(framed(4, b""))
    contents = {
        "framed_json": in_json(), "framed_binary": good, "framed_text": good, "framed_references": in_avro(1, 3),
        "framed_json_text": json_text, "framed_json_binary": json_text, "framed_json_unknown_binary": in_json(framed(77, b"")),
        "framed_later_binary": in_avro(1, 2), "framed_unknown_binary": in_avro(1, 88), "framed_unknown_key": in_avro(88, 2),
        "framed_broken_binary": [{"key": good[0]["key"], "value": value} for value in (
            good[0]["value"][:-1], good[0]["value"] + b"\x00", framed(5, b"\x00\x08"), framed(6, b"\x00"), framed(0, b"{}"), b"\x00\x00\x00\x00\x02")],
    }  # fmt: skip
    for name, messages in contents.items():
        broker.create(name)
        broker.produce(name, messages)
    held = []
    for names, file in (
        (["framed_later_binary"], "bad"),
        (contents.keys() - {"framed_later_binary"}, "good"),
    ):
        code, out, err = lake.land(
            ",".join(names), "--properties", tmp_path / file, "--binary-topics", "*_binary"
        )
        assert code == 0
        held.append(out + err)
    assert (
        all(
            f"schema_rejected topic=framed_later_binary schema_id={id_} topic_incarnation=0"
            in held[0]
            for id_ in (1, 2)
        )
        and held[0].count(f"{fake.url}: 401 ") == 2
    )
    assert "schema_unknown topic=framed_unknown_binary schema_id=88" in held[1]
    assert (
        fake.asked.count("/schemas/ids/1") == fake.asked.count("/schemas/ids/2") == 2
    )  # once a landing: what is known is not asked again

    lake.project.dbt("run", "--select", "events")
    found = events_of(lake)
    expected = found["framed_json"]
    assert [(event["event_kind"], event["operation"], event["row_key"]) for event in expected] == [
        ("change", "insert", '{"id":"1"}'), ("change", "insert", '{"id":"2"}'), ("change", "update", '{"id":"2"}'), ("change", "delete", '{"id":"2"}'), ("tombstone", None, None)]  # fmt: skip
    assert expected[0]["after_row"] == dict(
        zip(
            NAMES,
            [
                "1",
                "MDk=",
                "9007199254740993",
                "1.5E300",
                "20000",
                "1700000000123",
                "AP8=",
                "7",
                "S",
                'é "quoted" 😀',
            ],
        )
    )
    assert (
        expected[0]["column_types"]["price"].startswith(DECIMAL)
        and expected[1]["after_row"]["score"] == "-0.0"
    )
    for name in (
        "framed_binary",
        "framed_text",
        "framed_references",
        "framed_json_text",
        "framed_json_binary",
        "framed_json_unknown_binary",
    ):
        assert found[name] == expected, name
    assert codes(found["framed_later_binary"]) == ["unknown_schema"] * 4 + [None]
    assert (
        codes(found["framed_unknown_binary"])
        == ["unknown_schema"] * 4 + [None]
        == codes(found["framed_unknown_key"])
    )
    assert found["framed_unknown_binary"][0]["reject_detail"].endswith("schema 88")
    assert codes(found["framed_broken_binary"]) == [
        "invalid_binary",
        "invalid_binary",
        "unknown_schema",
        "unknown_schema",
        "invalid_json",
        "invalid_json",
    ]
    assert [
        found["framed_broken_binary"][at]["reject_detail"].rpartition("schema ")[2] for at in (2, 3)
    ][0] == "5: PROTOBUF is not supported"

    fake.schemas[88] = fake.schemas[2]
    code, out, err = look_up(
        lake, "--topics", "framed_la*,framed_unknown_b*", "--properties", tmp_path / "good"
    )
    assert (code, err) == (0, "") and [line.split()[:3] for line in out.splitlines()[1:]] == [
        ["framed_later_binary", "1", "AVRO"], ["framed_later_binary", "2", "AVRO"], ["framed_unknown_binary", "88", "AVRO"]]  # fmt: skip
    assert (
        look_up(lake, "--topics", "framed_la*", "--properties", tmp_path / "good")[1]
        == "nothing new\n"
    )
    assert look_up(lake)[0] == 1
    code, _, err = look_up(
        lake,
        "--topics",
        "framed_unknown_key,framed_json_unknown*",
        "--properties",
        tmp_path / "bad",
    )
    assert code == 1 and "not found: schema 77 of topic framed_json_unknown_binary" in err
    held.append(err)
    lake.project.dbt("run", "--select", "events", replay="quarantine")
    found = events_of(lake)
    assert (
        found["framed_later_binary"] == found["framed_unknown_binary"] == expected
        and codes(found["framed_unknown_key"])[0] == "unknown_schema"
    )
    assert not any(secret in text for text in held for secret in (SECRET, "wrong word"))
    assert SECRET not in str(lake.project.query("select * from {raw}.kafka_messages_schemas"))


@long
def test_a_recreated_topic_with_a_registry_whose_ids_restart(lake, broker, fake, tmp_path):
    """The same id means another schema of the same shape. The old schema would swap the names without an error."""
    topic, columns = (
        "framed_recreated",
        [("id", "int"), ("first_name", "string"), ("last_name", "string")],
    )
    (tmp_path / "properties").write_text(
        f"schema.registry.url={fake.url}\nbasic.auth.user.info=landing:{SECRET}\n"
    )
    for names in (columns, [columns[0], columns[2], columns[1]]):
        schema = envelope(
            record("Value", *names, namespace=SPACE, **{"connect.name": f"{SPACE}.Value"})
        )
        fake.schemas = {1: {"schema": json.dumps(KEY)}, 2: {"schema": json.dumps(schema)}}
        value = {
            "before": None,
            "after": {"id": 1, "first_name": "Ann", "last_name": "Bo"},
            "source": source(0),
            "op": "c",
            "ts_ms": 1,
        }
        broker.create(topic)
        broker.produce(
            topic,
            [{"key": framed(1, avro(KEY, {"id": 1})), "value": framed(2, avro(schema, value))}],
        )
        assert lake.land(topic, "--properties", tmp_path / "properties")[0] == 0
        broker.delete(topic)
    lake.project.dbt("run", "--select", "events")
    rows = lake.project.query(
        f"select topic_incarnation, event_kind, after_row from {{cdc}}.events where kafka_topic = '{topic}' order by topic_incarnation"
    )
    assert [tuple(row.values()) for row in rows] == [
        (number, "change", {"id": "1", "first_name": "Ann", "last_name": "Bo"}) for number in (0, 1)
    ]


def events_of(lake):
    """Return the events by topic, in the order of their offsets, without the columns that identify the messages."""
    rows = lake.project.query(
        "select * from {cdc}.events order by kafka_topic, kafka_offset, row_index"
    )
    return {
        topic: [{name: value for name, value in row.items() if name not in PLACES} for row in group]
        for topic, group in itertools.groupby(rows, lambda row: row["kafka_topic"])
    }


def codes(events):
    return [event["reject_code"] for event in events]


def test_what_a_registry_needs(tmp_path):
    with pytest.raises(Exception, match="is no address. Hint: set it to an address such as"):
        registry.SchemaRegistryClient({registry.URL: "registry:8081"})
    with pytest.raises(Exception, match="files in PEM format"):
        registry.SchemaRegistryClient(
            {
                registry.URL: "https://registry",
                "schema.registry.ssl.truststore.location": str(tmp_path),
            }
        )
    one = registry.SchemaRegistryClient(
        {
            registry.URL: "https://us%40er:p%3Aw@registry:1/x/,http://b",
            "schema.registry.bearer.auth.token": "t",
        }
    )
    assert (
        one.servers == ["https://registry:1/x", "http://b"]
        and one.headers["Authorization"] == "Basic " + base64.b64encode(b"us@er:p:w").decode()
    )
    assert (
        registry.SchemaRegistryClient(
            {registry.URL: "http://b", "schema.registry.bearer.auth.token": "t"}
        ).headers["Authorization"]
        == "Bearer t"
    )
    assert config.hide_secrets("a s3 b", {"basic.auth.user.info": "s3"}) == "a [hidden] b"
    assert (
        connect.connect_schema(record("Plain", ("id", "int"))) is None
        and connect.connect_schema("string") is None
    )


class Answers:
    """A server that sends fixed bytes for every request and records the requests."""

    def __init__(self, *replies):
        """Send each of the replies once, and repeat the last one."""
        self.replies, self.asked = list(replies), []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                caller, _ = self.socket.accept()
                with caller:
                    self.asked.append(caller.recv(65536).decode())
                    caller.sendall(
                        self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
                    )


@pytest.fixture
def answers():
    made = []

    def make(*replies):
        made.append(Answers(*replies))
        return made[-1]

    yield make
    for one in made:
        one.socket.close()


def reply(body, status="200 OK", *headers):
    """Return an HTTP answer."""
    text = body if isinstance(body, str) else json.dumps(body)
    return "\r\n".join(
        [
            f"HTTP/1.1 {status}",
            f"Content-Length: {len(text)}",
            "Connection: close",
            *headers,
            "",
            text,
        ]
    ).encode()


WORD = {"schema": '"string"'}
LOGIN = {"schema.registry.basic.auth.user.info": f"landing:{SECRET}"}


NO_ANSWERS = {
    "TLS": b"\x15\x03\x01\x00\x02\x02\x50", "nothing": b"", "cut": b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{", "page": reply("<html>"), "list": reply("[]"),
    "deep": reply("[" * 100_000), "no schema": reply({"schema": None}), "type": reply(WORD | {"schemaType": 1}), "references": reply(WORD | {"references": "x"}),
    "no version": reply(WORD | {"references": [{"subject": "x"}]}), "a list": reply(WORD | {"references": [["x", 1]]}),
    "no subject": reply(WORD | {"references": [{"subject": 1, "version": {}}]}), "FTP": reply("", "302 Found", "Location: ftp://127.0.0.1:1/"),
    "no URL": reply("", "302 Found", "Location: http://[x"), "for ever": reply("", "302 Found", "Location: /again"),
}  # fmt: skip


@pytest.mark.parametrize("answer", NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_what_is_no_registrys_answer(answers, answer):
    with pytest.raises((registry.RegistryUnreachable, registry.SchemaRejected)) as raised:
        registry.SchemaRegistryClient({registry.URL: answers(answer).url} | LOGIN).schema(1)
    assert str(raised.value) and "\n" not in str(raised.value) and SECRET not in str(raised.value)


@pytest.mark.parametrize("status, error", [
    ("401 Unauthorized", "SchemaRejected"), ("403 Forbidden", "SchemaRejected"), ("500 Internal Server Error", "SchemaRejected"), ("404 Not Found", "NoSuchSchema"),
    ("429 Too Many Requests", "RegistryUnreachable"), ("502 Bad Gateway", "RegistryUnreachable"), ("503 Service Unavailable", "RegistryUnreachable"), ("504 Gateway Timeout", "RegistryUnreachable"),
])  # fmt: skip
def test_what_a_status_means(answers, status, error):
    failing = answers(reply({}, status)).url
    with pytest.raises(getattr(registry, error)):
        registry.SchemaRegistryClient({registry.URL: f"{failing},http://127.0.0.1:1"}).schema(1)
    if error != "NoSuchSchema":  # registries of one URL have the same schemas
        assert (
            registry.SchemaRegistryClient({registry.URL: f"{failing},{answers(reply(WORD)).url}"})
            .schema(1)
            .text
            == WORD["schema"]
        )


def test_no_password_for_another_server(answers):
    other = answers(reply(WORD))
    first = answers(
        reply("", "307 Temporary Redirect", "Location: /there"),
        reply("", "307 Temporary Redirect", f"Location: {other.url}/x"),
    )
    assert (
        registry.SchemaRegistryClient({registry.URL: first.url} | LOGIN).schema(1).text
        == WORD["schema"]
    )
    assert ["Authorization" in asked for asked in first.asked + other.asked] == [True, True, False]


def test_a_token_that_is_no_header(answers):
    with pytest.raises(Exception, match="bearer.auth.token") as raised:
        registry.SchemaRegistryClient({registry.URL: "http://b", "bearer.auth.token": "se\ncret"})
    assert "cret" not in str(raised.value)
    assert (
        registry.SchemaRegistryClient(
            {registry.URL: "http://b", "bearer.auth.token": "t\n"}
        ).headers["Authorization"]
        == "Bearer t"
    )


@pytest.mark.parametrize("mark", ["/", "#", "?", ","])
def test_a_password_that_ends_the_host_is_not_logged(mark):
    """RFC 3986, 3.2: these characters end the authority. A comma begins the next address."""
    for password in (f"q7{mark}z8", f"17{mark}28"):
        with pytest.raises(LandingError, match="Hint: percent-encode") as raised:
            registry.SchemaRegistryClient({registry.URL: f"http://us:{password}@registry:8081"})
        assert not any(part in str(raised.value) for part in password.split(mark))


def test_references_without_end(monkeypatch):
    one = registry.SchemaRegistryClient({registry.URL: "http://127.0.0.1:1"})
    numbers = itertools.count()
    monkeypatch.setattr(
        one,
        "get",
        lambda path: WORD | {"references": [{"subject": "\ud800", "version": next(numbers)}]},
    )
    with pytest.raises(registry.SchemaRejected):
        one.schema(1)
    monkeypatch.setattr(
        one, "get", lambda path: WORD | {"references": [{"subject": "itself", "version": 1}]}
    )
    assert one.schema(1).references == (WORD["schema"],)


class Asked(registry.SchemaRegistryClient):
    """A registry with schemas by id. An exception instead of a schema is raised."""

    def __init__(self, known):
        super().__init__({registry.URL: "http://127.0.0.1:1"})
        self.known, self.asked = known, []

    def get(self, path):
        self.asked.append(int(path.rpartition("/")[2]))
        answer = self.known[self.asked[-1]]
        if isinstance(answer, Exception):
            raise answer
        return answer


class Lookup:
    """The schema store of a landing, with its own table and a clock that the test sets."""

    def __init__(self, spark, monkeypatch, table, known):
        self.time, self.lines = 1000.0, []
        monkeypatch.setattr(store, "time", SimpleNamespace(monotonic=lambda: self.time))
        spark.sql("create namespace if not exists raw_lookup")
        self.registry = Asked(known)
        progress = SimpleNamespace(
            log=lambda event, **facts: self.lines.append((event, facts.get("schema_id")))
        )
        self.schemas = store.SchemaStore(
            spark, self.registry, progress, schema="raw_lookup", table=table
        )

    def learn(self, *ids, incarnation=0, **options):
        """Return the ids that were learned, those that the registry was asked for, and the lines of the log."""
        self.registry.asked, self.lines[:] = [], []
        learned = self.schemas.fetch_missing(
            {frames.SchemaName("t", incarnation, id_) for id_ in ids}, **options
        )
        return sorted(one[2] for one in learned), self.registry.asked, [*self.lines]


class SlowLookup(Lookup):
    """A lookup whose table is in memory. Each request to the registry takes some seconds."""

    def __init__(self, monkeypatch, known, *, seconds=0):
        self.time, self.lines = 1000.0, []
        monkeypatch.setattr(store, "time", SimpleNamespace(monotonic=lambda: self.time))
        self.registry, self.schemas = Asked(known), store.SchemaStore.__new__(store.SchemaStore)
        self.schemas.registry, self.schemas.log = self.registry, self
        self.schemas.failed, self.schemas.rows = store.FailedRequests(), {}
        self.schemas._reload_and_record = self.schemas.rows.update
        get = self.registry.get

        def get_slowly(path):
            self.time += seconds
            return get(path)

        self.registry.get = get_slowly

    def log(self, event, **facts):
        self.lines.append((event, facts.get("schema_id")))


JSON = {"schema": "{}", "schemaType": "JSON"}


@pytest.mark.parametrize("error", [registry.SchemaRejected("500"), registry.NoSuchSchema("404")])
def test_a_slow_registry_delays_no_commit_for_long(monkeypatch, error):
    """Each request takes 15 seconds, the timeout. Later, schemas not asked for yet come first."""
    known = dict.fromkeys(range(1, 9), error) | {9: JSON}
    event = "schema_unknown" if isinstance(error, registry.NoSuchSchema) else "schema_rejected"
    lookup = SlowLookup(monkeypatch, known, seconds=15)
    expected = [(event, 1), (event, 2), ("registry_unreachable", None)]
    assert lookup.learn(*range(1, 10)) == ([], [1, 2], expected)
    assert lookup.learn(*range(1, 10)) == ([], [], [])
    lookup.time += store.RETRY_SECONDS
    learned, asked, _ = lookup.learn(1, 2, 9)
    assert (learned, asked[0]) == ([9], 9)


def test_one_slow_schema_blocks_no_other(monkeypatch):
    known = {1: registry.SchemaRejected("500"), 2: JSON}
    lookup = SlowLookup(monkeypatch, known, seconds=15)
    assert lookup.learn(1, 2) == ([2], [1, 2], [("schema_rejected", 1)])


def test_the_command_asks_a_slow_registry_for_all_schemas(monkeypatch):
    known = dict.fromkeys(range(1, 9), registry.SchemaRejected("500")) | {9: JSON}
    lookup = SlowLookup(monkeypatch, known, seconds=15)
    rejected = [("schema_rejected", id_) for id_ in range(1, 9)]
    learned = lookup.learn(*range(1, 10), max_failed_seconds=float("inf"))
    assert learned == ([9], [*range(1, 10)], rejected)


@pytest.mark.parametrize(
    "failure",
    [
        JavaError(("x.SparkException", "Job aborted"), ("java.lang.OutOfMemoryError", "Metaspace")),
        JavaError(("java.lang.NoClassDefFoundError", "org/apache/avro/Schema")),
        JavaError(("x.AnalysisException", "[AVRO_NOT_LOADED_SQL_FUNCTIONS_UNUSABLE] Cannot call")),
        JavaError(("x.IllegalStateException", "Cannot call methods on a stopped SparkContext.")),
        Py4JNetworkError("Answer from Java side is empty"),
        MemoryError(),
    ],
    ids=lambda failure: str(store.get_causes(failure)[-1]),
)
def test_a_transient_failure_of_parsing_is_not_kept(monkeypatch, failure):
    """Landing asks for the schema again."""
    lookup, failures = SlowLookup(monkeypatch, {1: WORD}), [failure]

    def parse(texts):
        if failures:
            raise failures.pop()
        return texts[-1], texts[-1]

    lookup.schemas._parse = parse
    assert lookup.learn(1) == ([], [1], [("schema_rejected", 1)])
    assert lookup.learn(1) == ([], [], [])
    lookup.time += store.RETRY_SECONDS
    assert lookup.learn(1) == ([1], [1], [])
    assert [row["problem"] for row in lookup.schemas.rows.values()] == [None]


@pytest.mark.parametrize(
    ("name", "message", "why"),
    [
        ("org.apache.avro.SchemaParseException", "Not supported: text", "Not supported: text"),
        ("org.apache.spark.sql.avro.IncompatibleSchemaException", "Recursion", "Recursion"),
        ("java.lang.StackOverflowError", "", "StackOverflowError"),
    ],
)
def test_a_schema_that_cannot_be_parsed_is_kept(monkeypatch, name, message, why):
    """Landing does not ask for it again."""
    lookup = SlowLookup(monkeypatch, {1: WORD})

    def parse(texts):
        raise JavaError(("org.apache.spark.SparkException", "failed"), (name, message))

    lookup.schemas._parse = parse
    assert lookup.learn(1) == ([1], [1], [])
    (row,) = lookup.schemas.rows.values()
    assert row["problem"] == f"Spark cannot parse this Avro schema: {why}"
    assert row["read_as"] is None and lookup.learn(1) == ([], [], [])


def test_a_rejected_schema_does_not_block_the_others(spark, monkeypatch):
    known = {
        1: registry.SchemaRejected("403"),
        2: WORD,
        3: registry.SchemaRejected("500"),
        4: WORD,
        5: registry.NoSuchSchema("404"),
    }
    lookup = Lookup(spark, monkeypatch, "rejected", known)
    assert lookup.learn(1, 2, 3, 5) == (
        [2],
        [1, 2, 3, 5],
        [("schema_rejected", 1), ("schema_rejected", 3), ("schema_unknown", 5)],
    )
    assert lookup.learn(1, 2, 3, 4, 5) == (
        [4],
        [4],
        [],
    )  # landing retries the others later, and logs each once
    lookup.time += store.RETRY_SECONDS
    known |= {3: WORD}
    assert lookup.learn(1, 2, 3, 4, 5) == ([3], [1, 3], [])
    known |= {1: registry.SchemaRejected("401"), 6: WORD}
    lookup.time += store.RETRY_SECONDS
    assert lookup.learn(1, 6) == ([6], [6, 1], [("schema_rejected", 1)])
    lookup.time += store.RETRY_UNKNOWN_SECONDS
    assert lookup.learn(5) == ([], [5], [])
    known |= {5: WORD}  # a replica of the registry was late
    lookup.time += store.RETRY_UNKNOWN_SECONDS
    assert lookup.learn(5) == ([5], [5], [])


def test_many_unknown_schemas_do_not_hide_a_new_one_for_ever(spark, monkeypatch):
    unknown = range(10, 10 + store.MAX_UNKNOWN_SCHEMAS)
    known = {id_: registry.NoSuchSchema("404") for id_ in unknown} | {1: WORD}
    lookup = Lookup(spark, monkeypatch, "unknown", known)
    assert lookup.learn(*unknown)[1] == [*unknown]
    assert lookup.learn(1) == ([], [], [])
    lookup.time += store.RETRY_UNKNOWN_SECONDS
    assert lookup.learn(1) == ([1], [1], [])


def observed_schemas(spark, *, count, **options):
    """Return the schemas of `count` messages that differ, and of as many frames of one schema."""
    different = "concat('0000', lpad(hex(id + 100), 6, '0'), 'FFFF')"
    columns = "0 as topic_incarnation", "cast(null as string) as key"
    noise = spark.range(count).selectExpr(
        "'noise' as topic", *columns, f"cast(unhex({different}) as string) as value"
    )
    framed = spark.range(count).selectExpr(
        "'a topic' as topic", *columns, "cast(X'0000000007FF' as string) as value"
    )
    observed = Observation()
    rows = noise.union(framed).observe(observed, *frames.schema_id_metrics(**options))
    rows.write.format("noop").mode("overwrite").save()
    return frames.read_schema_names(observed.get)


def test_the_schemas_of_a_commit_are_bounded(spark):
    """Binary messages can look like millions of schemas. A schema of many messages is found."""
    framed, count = frames.SchemaName("a topic", 0, 7), frames.MAX_IDS
    some = {framed} | {frames.SchemaName("noise", 0, 100 + id_) for id_ in range(count // 2)}
    assert observed_schemas(spark, count=count // 2, is_bounded=True) == some
    many = observed_schemas(spark, count=3 * count, is_bounded=True)
    assert framed in many and len(many) <= count
    assert len(observed_schemas(spark, count=3 * count)) == 3 * count + 1
    excluded = "(topic = 'noise' and topic_incarnation = 0)"
    found = observed_schemas(spark, count=3 * count, is_bounded=True, excluded=excluded)
    assert found == {framed}


def test_a_topic_that_only_looks_framed_is_not_looked_at(monkeypatch):
    """Landing would not ask for its schemas yet. Other topics and incarnations are looked at."""
    unknown = range(10, 10 + store.MAX_UNKNOWN_SCHEMAS)
    known = {id_: registry.NoSuchSchema("404") for id_ in unknown}
    lookup = SlowLookup(monkeypatch, known)
    topics = {("t", 0), ("t", 1), ("u", 0)}
    assert lookup.schemas.get_excluded_condition(topics) == "false"
    lookup.learn(*unknown)
    condition = lookup.schemas.get_excluded_condition(topics)
    assert condition == "(topic = 't' and topic_incarnation = 0)"
    lookup.time += store.RETRY_UNKNOWN_SECONDS
    assert lookup.schemas.get_excluded_condition(topics) == "false"


def test_an_answer_that_never_ends(answers, monkeypatch):
    """Each byte comes in time, and all together do not."""
    monkeypatch.setattr(registry, "TIMEOUT_SECONDS", 1)

    def drip(self):
        caller, _ = self.socket.accept()
        with caller, contextlib.suppress(OSError):
            caller.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                caller.sendall(b"[")
                time.sleep(0.2)

    monkeypatch.setattr(Answers, "serve", drip)
    began = time.monotonic()
    with pytest.raises(registry.RegistryUnreachable):
        registry.SchemaRegistryClient({registry.URL: answers(b"").url}).schema(1)
    assert time.monotonic() - began < 30


def test_a_registry_that_is_away_is_left_alone_for_a_while(spark, monkeypatch):
    known = {1: registry.RegistryUnreachable("gone"), 2: WORD, 3: WORD}
    lookup = Lookup(spark, monkeypatch, "away", known)
    assert lookup.learn(1, 2) == ([], [1], [("registry_unreachable", None)])
    assert lookup.learn(1, 2) == ([], [], [])
    lookup.time += store.RETRY_SECONDS
    assert lookup.learn(1, 2) == (
        [2],
        [2, 1],
        [("registry_unreachable", None)],
    )  # the one that failed comes last


def test_ids_that_count_from_1_again_while_a_landing_goes_on(spark, monkeypatch):
    lookup = Lookup(spark, monkeypatch, "restarted", {1: WORD, 2: WORD})
    assert lookup.learn(1)[:2] == ([1], [1])
    lookup.registry.known = {1: {"schema": '"long"'}}
    assert lookup.learn(1, incarnation=1)[:2] == ([1], [1]) and lookup.learn(1, incarnation=1)[
        :2
    ] == lookup.learn(1)[:2] == ([], [])
    assert {key[1]: row["schema"] for key, row in lookup.schemas.rows.items()} == {
        0: '"string"',
        1: '"long"',
    }


@long
def test_a_table_without_incarnations(spark, monkeypatch, project):
    """What the table was before it had topic_incarnation: its schemas are those of incarnation 0, for dbt before a landing adds the column, and after."""
    name = "raw_schemas_older"
    project = project(
        "schemas_older", topics=[{"topic": "older", "format": "debezium_unwrapped", "key": ["id"]}]
    )
    schema = record("Plain", ("id", "int"), ("text", "string"))
    value = base64.b64encode(framed(7, avro(schema, {"id": 1, "text": "a"}))).decode()
    project.land(
        [
            {"topic": "older", "value": value},
            {"topic": "older", "value": value, "topic_incarnation": 1},
        ]
    )
    columns = ", ".join(
        f"{column} {kind}" for column, kind, _ in store.COLUMNS if column != "topic_incarnation"
    )
    spark.sql(f"create table {name}.kafka_messages_schemas ({columns}) using {table_format.NAME}")
    text = json.dumps(schema)
    spark.sql(
        f"insert into {name}.kafka_messages_schemas values ('older', 7, 'AVRO', '{text}', '{text}', null, null, current_timestamp())"
    )

    def read(**settings):
        project.dbt("run", "--select", "events", **settings)
        return [
            tuple(row.values())
            for row in project.query(
                "select topic_incarnation, reject_code, after_row from {cdc}.events order by topic_incarnation"
            )
        ]

    row = {"id": "1", "text": "a"}
    assert read() == [(0, None, row), (1, "unknown_schema", None)]
    progress = SimpleNamespace(log=lambda *_, **__: None)
    for known in ({}, {7: {"schema": text}}):
        one = store.SchemaStore(
            session.start(), Asked(known), progress, schema=name, table="kafka_messages"
        )
    assert project.query(
        "select topic, topic_incarnation, schema_id, schema from {raw}.kafka_messages_schemas"
    ) == [{"topic": "older", "topic_incarnation": 0, "schema_id": 7, "schema": text}]
    assert one.fetch_missing(
        {frames.SchemaName("older", 0, 7), frames.SchemaName("older", 1, 7)}
    ) == {("older", 1, 7)}
    assert read(replay="quarantine") == [(0, None, row), (1, None, row)]


@pytest.mark.parametrize("avro", [VALUE, ["null", VALUE]])
def test_types_that_connect_wrote(avro):
    parsed = connect.connect_schema(avro)
    types = [
        (part["field"], part["type"], part.get("name"), part.get("parameters"))
        for part in parsed["fields"]
    ]
    assert types == [
        (part["field"], part["type"], part.get("name"), part.get("parameters"))
        for part in ROW_TYPES
    ]
    assert (parsed["type"], parsed["name"]) == ("struct", f"{SPACE}.Value")

"""raw.kafka_messages_schemas: the schemas that framed messages name, as a schema registry has them, so that dbt can read the messages.

Serializers of a schema registry write byte 0, the schema's id in four bytes, and then Avro or JSON. Raw keeps that as it came. This
table holds what the ids mean; whether a message can be read is decided when dbt reads it, again and again. A schema is written before
the messages that name it, so that no message waits for one that a killed landing did not write. A topic that was made anew may come
with a registry that was, too, and counts ids from 1 again: each incarnation has schemas of its own.
"""

import json
import time
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timezone
from typing import Any

from pyspark.sql import Column, Observation, SparkSession
from pyspark.sql import functions as F

from .errors import causes, first_line
from .registry import NoSuchSchema, Registry, RegistryAway, SchemaRefused
from .small import SmallTable
from .table import literal, retry
from .totals import KafkaProgress

INCARNATION = "topic_incarnation"
COLUMNS = (
    ("topic", "string", "Kafka topic whose messages name the schema, as raw names it"),
    (INCARNATION, "int", "0; one more each time landing sees that the topic was deleted and made anew"),
    ("schema_id", "int", "The registry's id of the schema"),
    ("schema_type", "string", "AVRO, JSON or PROTOBUF"),
    ("schema", "string", "The schema as the registry has it"),
    ("read_as", "string", "Of Avro: the schema with all that it refers to, in the parsing canonical form; null where it cannot be read"),
    ("connect_schema", "string", "Of Avro written by Kafka Connect: the types, as Connect's JSON converter writes them in its envelope"),
    ("problem", "string", "Why messages of the schema cannot be read; null where they can"),
    ("recorded_at", "timestamp", "When this was written"),
)
COMMENT = "One row per topic, incarnation and schema of a schema registry that its messages name"
Name = tuple[str, int, int]  # topic, incarnation, schema id
Wanted = set[Name]
PATIENCE_SECONDS = 60  # before a registry that was away is asked again, or one for a schema that it refused
NEVER = float("-inf"), ""
TRIES = 100  # schemas of a topic that the registry does not know: then its messages are something else
CONNECT_TYPES = {"int": "int32", "long": "int64", "fixed": "bytes", "enum": "string", "record": "struct"}
LOGICAL_NAMES = {"decimal": "Decimal", "date": "Date", "time-millis": "Time", "timestamp-millis": "Timestamp"}
FRAME = r"substring({bytes}, 1, 2) = X'0000' and octet_length({bytes}) > 5"
ID = "cast(conv(hex(substring({bytes}, 2, 4)), 16, 10) as int)"


def called(name: Name) -> str:
    """Return a topic's name, with its incarnation where it was made anew."""
    return f"{name[0]} (incarnation {name[1]})" if name[1] else name[0]


def frame_id(column: str, is_base64_possible: bool) -> str:
    """Return SQL for the id of the schema that a landed text names, null where it has no frame: byte 0, an id below 2^24, a payload."""
    text, head = f"cast({column} as binary)", f"try_to_binary(substring({column}, 1, 8), 'base64')"
    coded = f"when startswith({column}, 'AA') and {column} rlike '^AA[A-D][A-Za-z0-9+/]{{5}}' then {ID.format(bytes=head)}" if is_base64_possible else ""
    return f"nullif(case when {FRAME.format(bytes=text)} then {ID.format(bytes=text)} {coded} end, 0)"


def names() -> list[Column]:
    """Return measures of rows of raw, for an Observation: which schemas values and keys name, by topic."""
    found = {"value": frame_id("value", True), "key": frame_id("key", False)}
    return [F.to_json(F.collect_set(F.expr(f"if({id_} is null, null, struct(topic, {INCARNATION}, {id_} as id))"))).alias(f"schemas of {part}") for part, id_ in found.items()]


def named(said: dict[str, Any]) -> Wanted:
    """Return what names() has found."""
    return {(one["topic"], one[INCARNATION], one["id"]) for part in ("value", "key") for one in json.loads(said[f"schemas of {part}"] or "[]")}


class Schemas:
    """The table, the registry that fills it, and which schemas could not be had."""

    def __init__(self, spark: SparkSession, schema: str, table: str, registry: Registry, progress: KafkaProgress) -> None:
        """Make the table beside `schema`.`table`, raw's, where it is missing."""
        self.spark, self.registry, self.progress = spark, registry, progress
        self.table = SmallTable(spark, schema, f"{table}_schemas", COLUMNS, COMMENT)
        self.unknown: Wanted = set()  # what the registry does not have
        self.unknown_of: Counter[tuple[str, int]] = Counter()  # how many of them, by topic and incarnation
        self.refused: dict[Name, tuple[float, str]] = {}  # when the registry was last asked in vain, and why
        self.silent_until = 0.0
        self.load()
        if INCARNATION not in spark.table(self.table.name).columns:
            self.add_incarnation()

    def add_incarnation(self) -> None:
        """Give a table of an older version its column topic_incarnation, 0 in all rows."""
        name, (topic, *_), (_, type_, comment) = self.table.name, *COLUMNS[:2]
        try:
            self.spark.sql(f"alter table {name} add column {INCARNATION} {type_} comment {literal(comment)} after {topic}")
        except Exception:  # another landing may have been faster
            if INCARNATION not in self.spark.table(name).columns:
                raise
        retry(lambda: (self.load(), self.record({})))

    def load(self) -> None:
        """Read the table anew."""
        rows = [row.asDict() for row in self.table.load()]
        rows = [row | {INCARNATION: row.get(INCARNATION) or 0} for row in rows]  # no such column: see add_incarnation
        self.rows = {(row["topic"], row[INCARNATION], row["schema_id"]): row for row in rows}

    def named_in(self, raw: str, matches: str) -> Wanted:
        """Return the schemas that messages of raw name, of topics that match a regular expression: reads all of their payloads."""
        observed = Observation()
        rows = self.spark.table(raw).where(f"topic rlike {literal(f'^(?s:{matches})$')}").select("topic", INCARNATION, "key", "value")
        rows.observe(observed, *names()).write.format("noop").mode("overwrite").save()
        return named(observed.get)

    def learn(self, wanted: Wanted) -> Wanted:
        """Ask the registry for those of the schemas that the table lacks, write them down, say which are not to be had; return what is new."""
        found, now = {}, time.monotonic()
        is_away = now < self.silent_until
        self.registry.forget()
        for name in sorted(wanted - self.rows.keys() - self.unknown, key=lambda name: (self.refused.get(name, NEVER), name)):
            topic, incarnation, id_ = name
            asked, why = self.refused.get(name, NEVER)
            if self.unknown_of[topic, incarnation] >= TRIES or now < asked + PATIENCE_SECONDS or is_away and id_ not in self.registry.schemas:
                continue
            facts = {"topic": topic, "schema_id": id_, INCARNATION: incarnation}
            try:
                found[name] = self.describe(*name)
            except NoSuchSchema as error:
                self.unknown.add(name)
                self.unknown_of[topic, incarnation] += 1
                self.progress.log("schema_unknown", **facts, note=f'"{error}; its messages wait in quarantine"')
            except SchemaRefused as error:
                self.refused[name] = now, str(error)
                if why != str(error):
                    self.progress.log("schema_refused", **facts, note=f'"{error}; its messages wait in quarantine until python -m landing schemas has found it"')
            except RegistryAway as error:
                is_away, self.silent_until, self.refused[name] = True, time.monotonic() + PATIENCE_SECONDS, (now, why)
                self.progress.log("registry_away", note=f'"{error}; messages land, and wait in quarantine until python -m landing schemas has found their schemas"')
        if found:
            retry(lambda: (self.load(), self.record(found)))
        return found.keys() & self.rows.keys()

    def record(self, found: dict[Name, dict[str, Any]]) -> None:
        """Write rows; an error for which is_conflict() is true means that another landing was faster."""
        self.table.replace((found | self.rows).values())
        self.rows = found | self.rows

    def describe(self, topic: str, incarnation: int, id_: int) -> dict[str, Any]:
        """Return the row of a schema."""
        schema = self.registry.schema(id_)
        read_as = connect = problem = None
        if schema.type == "AVRO":
            try:
                whole, read_as = self.parse([*schema.references, schema.text])
                connect = connect_schema(json.loads(whole))
            except Exception as error:
                read_as, problem = None, f"Avro that Spark does not read: {([*causes(error)] or [('', first_line(str(error)))])[-1][1]}"
        elif schema.type != "JSON":
            problem = f"{schema.type} is not read"
        return {
            "topic": topic, INCARNATION: incarnation, "schema_id": id_, "schema_type": schema.type, "schema": schema.text, "read_as": read_as,
            "connect_schema": connect and json.dumps(connect), "problem": problem, "recorded_at": datetime.now(timezone.utc),
        }  # fmt: skip

    def parse(self, texts: Iterable[str]) -> tuple[str, str]:
        """Return the last of the texts, of which each may name what one before it defines, in whole and in canonical form."""
        java: Any = self.spark._jvm.org.apache.avro  # type: ignore[union-attr]
        parser = getattr(java, "Schema$Parser")()
        for text in texts:
            schema = parser.parse(text)
        canonical: str = java.SchemaNormalization.toParsingForm(schema)
        sealed = f'{{"type":"record","name":"Sealed","fields":[{{"name":"message","type":{canonical}}}]}}'
        options = "map('enableStableIdentifiersForUnionType', 'true')"
        self.spark.sql(f"select from_avro(cast(null as binary), {literal(sealed)}, {options})").schema  # noqa: B018  (fails where Spark cannot)
        return schema.toString(), canonical


def connect_schema(avro: Any) -> dict[str, Any] | None:
    """Return the types that Kafka Connect gave a record, optional or not; None where another wrote it."""
    members = [member for member in (avro if isinstance(avro, list) else [avro]) if member != "null"]
    is_connects = len(members) == 1 and isinstance(members[0], dict) and members[0].get("type") == "record" and "connect.name" in members[0]
    return connect_type(members[0], "", {}) if is_connects else None


def connect_type(avro: Any, namespace: str, named_types: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return an Avro type as Kafka Connect's JSON converter says it: type, name, parameters, and what it is made of."""
    if isinstance(avro, list):
        members = [member for member in avro if member != "null"]
        return connect_type(members[0], namespace, named_types) if len(members) == 1 else {"type": "struct"}
    if isinstance(avro, str):
        full = avro if "." in avro or not namespace else f"{namespace}.{avro}"
        return named_types.get(full) or named_types.get(avro) or {"type": CONNECT_TYPES.get(avro, avro)}
    kind = avro["type"]
    if not isinstance(kind, str):
        return connect_type(kind, namespace, named_types)
    said: dict[str, Any] = {"type": avro.get("connect.type") or CONNECT_TYPES.get(kind, kind)}
    if "name" in avro:
        name = avro["name"]
        namespace = avro.get("namespace", name.rpartition(".")[0] or namespace)
        named_types[f"{namespace}.{name.rpartition('.')[2]}" if namespace else name] = said
    if logical := LOGICAL_NAMES.get(avro.get("logicalType", "")):
        said["name"] = f"org.apache.kafka.connect.data.{logical}"
    if "connect.name" in avro:
        said["name"] = avro["connect.name"]
    if "connect.parameters" in avro:
        said["parameters"] = avro["connect.parameters"]
    elif "scale" in avro or logical == "Decimal":
        said["parameters"] = {"scale": str(avro.get("scale", 0)), "connect.decimal.precision": str(avro.get("precision", 64))}
    if kind == "record":
        said["fields"] = [{"field": field["name"], **connect_type(field["type"], namespace, named_types)} for field in avro["fields"]]
    elif kind in ("array", "map"):
        inside = "items" if kind == "array" else "values"
        said[inside] = connect_type(avro[inside], namespace, named_types)
    return said

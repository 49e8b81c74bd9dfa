"""raw.kafka_messages_schemas: the schemas of framed messages, which dbt needs to parse them.

Serializers of a schema registry write byte 0, the schema's id in four bytes, and then Avro or JSON.
Raw keeps these bytes as they arrived. This table contains the meaning of the ids. dbt decides in
every run whether it can parse a message.

A schema is written before the messages that need it, so that a killed landing leaves no message
without its schema. A recreated topic may come with a new registry, whose ids begin at 1 again.
Therefore each incarnation of a topic has schemas of its own.
"""

import json
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, NamedTuple, Protocol

from pyspark.sql import Column, Observation, SparkSession

from kafka_cdc import log_events
from kafka_cdc.errors import causes, find_known_cause, first_line, is_connection_lost
from kafka_cdc.schema_registry.client import (
    NoSuchSchema,
    RegistryUnreachable,
    SchemaRegistryClient,
    SchemaRejected,
)
from kafka_cdc.schema_registry.connect import connect_schema
from kafka_cdc.schema_registry.frames import SchemaName, read_schema_names, schema_id_metrics
from kafka_cdc.tables.metadata import MetadataTable
from kafka_cdc.tables.raw import retry
from kafka_cdc.tables.sql import literal

INCARNATION = "topic_incarnation"
COLUMNS = (
    ("topic", "string", "Kafka topic of the messages, as in raw"),
    (
        INCARNATION,
        "int",
        "0; incremented each time landing finds that the topic was deleted and recreated",
    ),
    ("schema_id", "int", "The registry's id of the schema"),
    ("schema_type", "string", "AVRO, JSON or PROTOBUF"),
    ("schema", "string", "The schema as the registry has it"),
    (
        "read_as",
        "string",
        "For Avro: the schema with all its references, in the parsing canonical form;"
        " null if it cannot be parsed",
    ),
    (
        "connect_schema",
        "string",
        "For Avro written by Kafka Connect: the types,"
        " as Connect's JSON converter writes them in its envelope",
    ),
    (
        "problem",
        "string",
        "Why messages with the schema cannot be parsed; null if they can",
    ),
    ("recorded_at", "timestamp", "When the row was written"),
)
COMMENT = "One row per topic, incarnation and schema of a schema registry that its messages contain"
RETRY_SECONDS = 60  # after which landing asks again for what it did not get
RETRY_UNKNOWN_SECONDS = 600  # likewise, for a schema that the registry does not have
MAX_FAILED_SECONDS = 20  # of a commit; one request may take 15, and alone it blocks no other schema
MAX_UNKNOWN_SCHEMAS = 100  # of a topic: its messages are not framed then, but only look like it

# Failures of parsing, in addition to errors.KNOWN_CAUSES, whose cause is not the schema: a stopped
# Spark, one without its Avro classes, and a lack of memory.
TRANSIENT = re.compile(
    r"AVRO_NOT_LOADED|stopped SparkContext"
    r"|^\w*(InterruptedException|TimeoutException|MemoryError|ExceptionInInitializerError): ",
    re.MULTILINE,
)


class NotParsed(Exception):
    """Spark could not parse a schema, for a reason that may disappear. The text is one line."""


class Log(Protocol):
    """Writes lines of the log."""

    def log(self, event: str, **facts: object) -> None:
        """Write the event and its facts."""


class Failure(NamedTuple):
    """A request that failed: when (monotonic seconds), and why."""

    time: float
    reason: str


NEVER = Failure(float("-inf"), "")


@dataclass
class FailedRequests:
    """Schemas that the registry did not return. Landing does not ask for them in every commit.

    Attributes:
        unknown: By topic and incarnation, the latest schemas that the registry did not have, and
            when (monotonic seconds).
        failures: The latest failure of each schema that the registry rejected or did not answer.
        unreachable_until: Until when (monotonic seconds) landing does not ask an unreachable
            registry.
    """

    unknown: dict[tuple[str, int], dict[int, float]] = field(default_factory=dict)
    failures: dict[SchemaName, Failure] = field(default_factory=dict)
    unreachable_until: float = 0.0

    def last_failure(self, name: SchemaName) -> Failure:
        """Return the latest failure of a schema, or NEVER."""
        return self.failures.get(name, NEVER)

    def is_waiting(self, name: SchemaName, now: float) -> bool:
        """Return whether it is too early to ask for a schema."""
        return (
            name.id in self._get_recent_unknown(name, now)
            or self.is_topic_waiting(name, now)
            or now < self.last_failure(name).time + RETRY_SECONDS
        )

    def is_topic_waiting(self, name: SchemaName, now: float) -> bool:
        """Return whether it is too early to ask for any schema of the topic of a schema."""
        return len(self._get_recent_unknown(name, now)) >= MAX_UNKNOWN_SCHEMAS

    def add_unknown(self, name: SchemaName, now: float) -> bool:
        """Note that the registry does not have a schema. Returns whether that is new."""
        known = self.unknown.get((name.topic, name.incarnation), {})
        kept = known if len(known) < MAX_UNKNOWN_SCHEMAS else self._get_recent_unknown(name, now)
        self.unknown[name.topic, name.incarnation] = kept | {name.id: now}
        return name.id not in known

    def _get_recent_unknown(self, name: SchemaName, now: float) -> dict[int, float]:
        """Return the unknown schemas of a topic that are not to be asked for again yet."""
        known = self.unknown.get((name.topic, name.incarnation), {})
        return {id_: time for id_, time in known.items() if now < time + RETRY_UNKNOWN_SECONDS}


class SchemaStore:
    """The table of schemas, and the registry that fills it."""

    def __init__(
        self,
        spark: SparkSession,
        registry: SchemaRegistryClient,
        log: Log,
        *,
        schema: str,
        table: str,
    ) -> None:
        """Create the table next to raw, which is `schema`.`table`, if it does not exist."""
        self.spark, self.registry, self.log = spark, registry, log
        self.table = MetadataTable(
            spark, schema, f"{table}_schemas", columns=COLUMNS, comment=COMMENT
        )
        self.failed = FailedRequests()
        self.rows: dict[SchemaName, dict[str, Any]] = {}
        self.load()
        if INCARNATION not in spark.table(self.table.name).columns:
            self._add_incarnation()

    def load(self) -> None:
        """Read the table again."""
        rows = [row.asDict() for row in self.table.load()]
        # Tables of an older version have no topic_incarnation: see _add_incarnation.
        rows = [row | {INCARNATION: row.get(INCARNATION) or 0} for row in rows]
        self.rows = {
            SchemaName(row["topic"], row[INCARNATION], row["schema_id"]): row for row in rows
        }

    def find_in_raw(self, raw: str, topics: str) -> set[SchemaName]:
        """Return the schemas in the messages of raw, whose payloads are all read.

        Args:
            raw: The quoted name of raw.
            topics: A regular expression for the topics.
        """
        observed = Observation()
        rows = self.spark.table(raw).where(f"topic rlike {literal(f'^(?s:{topics})$')}")
        rows = rows.select("topic", INCARNATION, "key", "value")
        rows = rows.observe(observed, *schema_id_metrics())
        rows.write.format("noop").mode("overwrite").save()
        return read_schema_names(observed.get)

    def get_metrics(self, topics: Iterable[tuple[str, int]]) -> list[Column]:
        """Return metrics for an Observation of a commit, from which its schemas can be read.

        `topics`: the topics of the commit, each with its incarnation.
        """
        return schema_id_metrics(is_bounded=True, excluded=self.get_excluded_condition(topics))

    def get_excluded_condition(self, topics: Iterable[tuple[str, int]]) -> str:
        """Return SQL for which of the topics of a commit landing asks for no schema yet."""
        now = time.monotonic()
        conditions = [
            f"(topic = {literal(topic)} and {INCARNATION} = {incarnation})"
            for topic, incarnation in sorted(topics)
            if self.failed.is_topic_waiting(SchemaName(topic, incarnation, 0), now)
        ]
        return " or ".join(conditions) or "false"

    def fetch_missing(
        self, wanted: Iterable[SchemaName], *, max_failed_seconds: float = MAX_FAILED_SECONDS
    ) -> set[SchemaName]:
        """Fetch the schemas that the table lacks, and log which ones the registry lacks.

        Args:
            wanted: Schemas of messages.
            max_failed_seconds: How long requests may fail before the registry counts as
                unreachable.

        Returns:
            The new schemas.
        """
        now = time.monotonic()
        is_unreachable, failed_seconds = now < self.failed.unreachable_until, 0.0
        self.registry.clear()
        found: dict[SchemaName, dict[str, Any]] = {}
        missing = set(wanted) - self.rows.keys()
        # Schemas that failed before come last.
        for name in sorted(missing, key=lambda name: (self.failed.last_failure(name), name)):
            if self.failed.is_waiting(name, now):
                continue
            if is_unreachable and name.id not in self.registry.schemas:
                continue
            began = time.monotonic()
            try:
                found[name] = self._describe(name)
            except RegistryUnreachable as error:
                is_unreachable = True
                self.failed.failures[name] = Failure(now, self.failed.last_failure(name).reason)
                self._note_unreachable(str(error))
            except (NoSuchSchema, SchemaRejected, NotParsed) as error:
                self._note_missing(name, error, now)
                failed_seconds += time.monotonic() - began
                if failed_seconds > max_failed_seconds and not is_unreachable:
                    is_unreachable = True
                    self._note_unreachable(f"requests failed for {failed_seconds:.0f} seconds")
        if found:
            self._reload_and_record(found)
        return set(found.keys() & self.rows.keys())

    def _note_missing(self, name: SchemaName, error: Exception, now: float) -> None:
        """Log that the registry does not have or return a schema, or that Spark did not parse it.

        An equal reason is logged once.
        """
        facts = {"topic": name.topic, "schema_id": name.id, INCARNATION: name.incarnation}
        if isinstance(error, NoSuchSchema):
            if self.failed.add_unknown(name, now):
                note = f'"{error}; its messages stay in quarantine"'
                self.log.log(log_events.SCHEMA_UNKNOWN, **facts, note=note)
            return
        is_new = self.failed.last_failure(name).reason != str(error)
        self.failed.failures[name] = Failure(now, str(error))
        if is_new:
            until = "until kafka-cdc land schemas has found it"
            note = f'"{error}; its messages stay in quarantine {until}"'
            self.log.log(log_events.SCHEMA_REJECTED, **facts, note=note)

    def _note_unreachable(self, why: str) -> None:
        """Log that the registry does not answer, or too slowly."""
        self.failed.unreachable_until = time.monotonic() + RETRY_SECONDS
        until = "until kafka-cdc land schemas has found their schemas"
        note = f'"{why}; messages land, and stay in quarantine {until}"'
        self.log.log(log_events.REGISTRY_UNREACHABLE, note=note)

    def _add_incarnation(self) -> None:
        """Give a table of an older version its column topic_incarnation, 0 in all rows."""
        name, (topic, *_), (_, type_, comment) = self.table.name, *COLUMNS[:2]
        try:
            self.spark.sql(
                f"alter table {name} add column {INCARNATION} {type_}"
                f" comment {literal(comment)} after {topic}"
            )
        except Exception:  # another landing may have been faster
            if INCARNATION not in self.spark.table(name).columns:
                raise
        self._reload_and_record({})

    def _reload_and_record(self, found: Mapping[SchemaName, dict[str, Any]]) -> None:
        """Write rows to the latest snapshot of the table."""

        def work() -> None:
            self.load()
            self._record(found)

        retry(work)

    def _record(self, found: Mapping[SchemaName, dict[str, Any]]) -> None:
        """Write rows.

        Raises:
            Exception: If is_conflict() is true for it, another landing was faster.
        """
        rows = {**found, **self.rows}
        self.table.replace(rows.values())
        self.rows = rows

    def _describe(self, name: SchemaName) -> dict[str, Any]:
        """Return the row of a schema.

        Raises:
            NotParsed: Spark could not parse it, for a reason that may disappear.
            Exception: The registry did not return it.
        """
        schema = self.registry.schema(name.id)
        read_as = connect = problem = None
        if schema.type == "AVRO":
            try:
                whole, read_as = self._parse([*schema.references, schema.text])
                connect = connect_schema(json.loads(whole))
            except Exception as error:
                kind, message = get_causes(error)[-1]
                why = message or kind
                if is_transient(error):
                    raise NotParsed(f"Spark could not parse the schema: {why}") from error
                read_as, problem = None, f"Spark cannot parse this Avro schema: {why}"
        elif schema.type != "JSON":
            problem = f"{schema.type} is not supported"
        return {
            "topic": name.topic,
            INCARNATION: name.incarnation,
            "schema_id": name.id,
            "schema_type": schema.type,
            "schema": schema.text,
            "read_as": read_as,
            "connect_schema": connect and json.dumps(connect),
            "problem": problem,
            "recorded_at": datetime.now(timezone.utc),
        }

    def _parse(self, texts: Iterable[str]) -> tuple[str, str]:
        """Parse schemas. Each may use names that an earlier one defines.

        Returns:
            The last schema as a whole, and its canonical form.

        Raises:
            Exception: Avro or Spark cannot parse it.
        """
        java: Any = self.spark._jvm.org.apache.avro  # type: ignore[union-attr]
        parser = getattr(java, "Schema$Parser")()
        for text in texts:
            schema = parser.parse(text)
        canonical: str = java.SchemaNormalization.toParsingForm(schema)
        fields = f'[{{"name":"message","type":{canonical}}}]'
        wrapped = f'{{"type":"record","name":"Sealed","fields":{fields}}}'
        options = "map('enableStableIdentifiersForUnionType', 'true')"
        query = f"select from_avro(cast(null as binary), {literal(wrapped)}, {options})"
        _ = self.spark.sql(query).schema  # fails if Spark cannot parse it
        return schema.toString(), canonical


def get_causes(error: Exception) -> list[tuple[str, str]]:
    """Return class name and first line of an error's Java exceptions, else of the error itself."""
    return [*causes(error)] or [(type(error).__name__, first_line(str(error)))]


def is_transient(error: Exception) -> bool:
    """Return whether parsing failed for a reason that is not the schema and may disappear."""
    text = "\n".join(f"{kind}: {message}" for kind, message in get_causes(error))
    is_known = find_known_cause(text) is not None
    return is_known or is_connection_lost(error) or TRANSIENT.search(text) is not None

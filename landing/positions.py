"""raw.kafka_messages_offsets: which topics a landing has met, how far it has read each partition, and what it could not read.

raw itself is the truth about what has landed; this table only says where to go on, so that no landing reads all of raw. It
is written after raw. A landing that is killed in between reads the same offsets again and finds them in raw.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from .errors import CHANGED_MEANWHILE
from .table import literal, quote, retry

COLUMNS = (
    ("topic", "string", "Kafka topic, behind the prefix given at landing"),
    ("topic_incarnation", "int", "0; one more each time landing sees that the topic was deleted and made anew"),
    ("partition", "int", "Kafka partition"),
    ("outcome", "string", "read; skipped: landing was told to start behind these offsets; lost: Kafka held them no more when landing came"),
    ("first_offset", "bigint", "The first offset of the range"),
    ("next_offset", "bigint", "The offset behind the range; of what is read, where landing goes on"),
    ("topic_id", "string", "Kafka's id of the topic, by which landing sees that it was made anew; null where the broker has none"),
    ("average_bytes", "double", "Of what is read: the size of a message in the last commit, by which the next one is measured"),
    ("recorded_at", "timestamp", "When this was written"),
)
NAMES = [name for name, _, _ in COLUMNS]
SCHEMA = ", ".join(f"{name} {type_}" for name, type_, _ in COLUMNS[:-1])
PROPERTIES = {
    "format-version": "2",
    "write.merge.mode": "copy-on-write",
    "write.merge.isolation-level": "serializable",  # two landings that name one incarnation conflict
    "write.distribution-mode": "none",
    "write.merge.distribution-mode": "none",
    "write.metadata.delete-after-commit.enabled": "true",
    "write.metadata.previous-versions-max": "20",
}
Key = tuple[str, int, int]  # topic (with prefix), incarnation, partition


@dataclass
class Row:
    """A row of the table, but for recorded_at."""

    topic: str
    topic_incarnation: int
    partition: int
    outcome: str
    first_offset: int
    next_offset: int
    topic_id: str | None
    average_bytes: float | None = None


class Positions:
    """The table, and what it said when it was last read."""

    def __init__(self, spark: SparkSession, schema: str, table: str) -> None:
        """Make the table beside `schema`.`table`, raw's, where it is missing."""
        self.spark = spark
        self.name = quote(*schema.split("."), f"{table}_offsets")
        retry(self.create)
        self.load()

    def create(self) -> None:
        """Create the table where it is missing."""
        if not self.spark.catalog.tableExists(self.name):
            columns = ", ".join(f"{name} {type_} comment {literal(comment)}" for name, type_, comment in COLUMNS)
            properties = ", ".join(f"{literal(key)} = {literal(value)}" for key, value in PROPERTIES.items())
            comment = "One row per partition and outcome, of what is lost per gap: how far landing has read Kafka"
            self.spark.sql(f"create table if not exists {self.name} ({columns}) using iceberg comment {literal(comment)} tblproperties ({properties})")

    def load(self) -> None:
        """Read the table anew."""
        self.spark.catalog.refreshTable(self.name)
        rows = [Row(*row) for row in self.spark.table(self.name).select(*NAMES[:-1]).collect()]
        self.read: dict[Key, Row] = {(row.topic, row.topic_incarnation, row.partition): row for row in rows if row.outcome == "read"}
        self.ids: dict[str, dict[int, str | None]] = {}
        for row in self.read.values():
            self.ids.setdefault(row.topic, {})[row.topic_incarnation] = row.topic_id

    def incarnation(self, topic: str, id_: str | None) -> tuple[int, bool]:
        """Return the incarnation of a topic with this id, and whether it is a new one of a topic that landing has met."""
        known = self.ids.get(topic)
        if not known:
            return 0, False
        latest = max(known)
        for incarnation, other in known.items():
            if id_ is not None and other == id_:
                return incarnation, False
        if id_ is None or known[latest] is None:
            return latest, False
        return latest + 1, True

    def record(self, rows: Iterable[Row]) -> None:
        """Write rows: one that is read moves on, never back; all others are added where they are missing.

        An error for which is_conflict() is true means that another landing has just named this incarnation for another topic id.
        """
        rows = list(rows)
        if not rows:
            return
        values = [tuple(getattr(row, name) for name in NAMES[:-1]) for row in rows]
        message: Any = self.spark.createDataFrame(values, SCHEMA).withColumn("recorded_at", F.current_timestamp()).coalesce(1)
        topics = ", ".join(sorted({literal(row.topic) for row in rows}))
        merge = (
            f"merge into {self.name} as old using {{new}} as new"
            f" on old.topic = new.topic and old.topic_incarnation = new.topic_incarnation and old.partition = new.partition"
            f" and old.outcome = new.outcome and (new.outcome = 'read' or old.first_offset = new.first_offset) and old.topic in ({topics})"
            f" when matched and old.topic_id <> new.topic_id then update set topic_id = raise_error('{CHANGED_MEANWHILE}')"
            f" when matched and new.next_offset > greatest(old.next_offset, new.first_offset) then update set next_offset = new.next_offset, recorded_at = new.recorded_at,"
            f" average_bytes = coalesce(new.average_bytes, old.average_bytes)"
            f" when not matched then insert *"
        )
        self.spark.sql(merge, new=message)

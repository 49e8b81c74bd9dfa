"""raw.kafka_messages_offsets: which topics a landing has met, how far it has read each partition, and what it could not read.

raw itself is the truth about what has landed; this table only says where to go on, so that no landing reads all of raw. It
is written after raw. A landing that is killed in between reads the same offsets again and finds them in raw.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone

from pyspark.sql import SparkSession

from .errors import LandingConflict
from .small import SmallTable

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
COMMENT = "One row per partition and outcome, of what is lost per gap: how far landing has read Kafka"
Key = tuple[str, int, int]  # topic (with prefix), incarnation, partition
Ranges = dict[Key, tuple[int, int]]  # the first offset, and the one behind the last


@dataclass
class Row:
    """A row of the table."""

    topic: str
    topic_incarnation: int
    partition: int
    outcome: str
    first_offset: int
    next_offset: int
    topic_id: str | None
    average_bytes: float | None = None
    recorded_at: datetime | None = None


class Positions:
    """The table, and what it said when it was last read. It is small, a row per partition, and written as a whole."""

    def __init__(self, spark: SparkSession, schema: str, table: str) -> None:
        """Make the table beside `schema`.`table`, raw's, where it is missing."""
        self.table = SmallTable(spark, schema, f"{table}_offsets", COLUMNS, COMMENT)
        self.load()

    def load(self) -> None:
        """Read the table anew."""
        self.know(Row(*row) for row in self.table.load())

    def know(self, rows: Iterable[Row]) -> None:
        """Remember what the table says."""
        self.rows = {identity(row): row for row in rows}
        self.read: dict[Key, Row] = {(row.topic, row.topic_incarnation, row.partition): row for row in self.rows.values() if row.outcome == "read"}
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
        """Write rows: one that is read moves on, never back, and all others are added where they are missing.

        An error for which is_conflict() is true means that another landing was faster, or named this incarnation for another id.
        """
        merged = dict(self.rows)
        for row in rows:
            old = merged.get(identity(row))
            if old and old.topic_id != row.topic_id:
                raise LandingConflict(f"another landing has just met another topic {row.topic}")
            if not old or row.outcome == "read" and row.next_offset > max(old.next_offset, row.first_offset):
                now = datetime.now(timezone.utc)
                merged[identity(row)] = replace(row, first_offset=old.first_offset if old else row.first_offset, recorded_at=now)
        if merged != self.rows:
            self.table.replace(asdict(row) for row in merged.values())
            self.know(merged.values())


def identity(row: Row) -> tuple[str, int, int, str, int | None]:
    """Return what a row has of its own: a partition is read once, and may be lost at several offsets."""
    return row.topic, row.topic_incarnation, row.partition, row.outcome, None if row.outcome == "read" else row.first_offset

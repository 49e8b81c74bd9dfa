"""raw.kafka_messages_offsets: how far each partition was read, and what was not read.

Raw itself defines what has landed. This table only records where to continue, so that no
landing reads all of raw. It is written after raw. A landing that is killed in between reads the
same offsets again and finds them in raw.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from typing import NamedTuple

from pyspark.sql import SparkSession

from kafka_cdc.errors import LandingConflict
from kafka_cdc.tables.metadata import MetadataTable

COLUMNS = (
    ("topic", "string", "Kafka topic, with the topic prefix of the landing"),
    (
        "topic_incarnation",
        "int",
        "0; incremented each time landing finds that the topic was deleted and recreated",
    ),
    ("partition", "int", "Kafka partition"),
    (
        "outcome",
        "string",
        "read; skipped: landing was configured to start after these offsets;"
        " lost: Kafka deleted them before they were read",
    ),
    ("first_offset", "bigint", "The first offset of the range"),
    (
        "next_offset",
        "bigint",
        "The offset after the range. For outcome read, landing continues here",
    ),
    (
        "topic_id",
        "string",
        "Kafka's id of the topic, by which landing recognizes a recreated topic;"
        " null if the broker has none",
    ),
    (
        "average_bytes",
        "double",
        "For outcome read: the average size of a message,"
        " from which the size of the next commit is estimated",
    ),
    ("recorded_at", "timestamp", "When the row was written"),
)
COMMENT = (
    "One row per partition and outcome (per gap for lost offsets): how far landing has read Kafka"
)
READ, SKIPPED, LOST = "read", "skipped", "lost"


class PartitionKey(NamedTuple):
    """What identifies a partition in raw: topic with prefix, incarnation, and partition."""

    topic: str
    incarnation: int
    partition: int


OffsetRanges = dict[
    PartitionKey, tuple[int, int]
]  # the first offset, and the offset after the last


@dataclass(frozen=True)
class OffsetRow:
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

    @property
    def key(self) -> PartitionKey:
        """The partition of the row."""
        return PartitionKey(self.topic, self.topic_incarnation, self.partition)

    @property
    def identity(self) -> tuple[PartitionKey, str, int | None]:
        """What identifies the row. A partition may lose offsets in several gaps."""
        return self.key, self.outcome, None if self.outcome == READ else self.first_offset


class OffsetStore:
    """The table and its rows when it was last read or written.

    It has a row per partition and is replaced as a whole.
    """

    def __init__(self, spark: SparkSession, *, schema: str, table: str) -> None:
        """Create the table next to raw, which is `schema`.`table`, if it does not exist."""
        self.table = MetadataTable(
            spark, schema, f"{table}_offsets", columns=COLUMNS, comment=COMMENT
        )
        self.load()

    def load(self) -> None:
        """Read the table again."""
        self.set_rows(OffsetRow(*row) for row in self.table.load())

    def set_rows(self, rows: Iterable[OffsetRow]) -> None:
        """Replace the known rows."""
        self.rows = {row.identity: row for row in rows}
        self.read = {row.key: row for row in self.rows.values() if row.outcome == READ}
        self.topic_ids: dict[str, dict[int, str | None]] = {}
        for row in self.read.values():
            ids = self.topic_ids.setdefault(row.topic, {})
            ids[row.topic_incarnation] = row.topic_id or ids.get(row.topic_incarnation)

    def find_incarnation(self, topic: str, topic_id: str | None) -> tuple[int, bool]:
        """Return the incarnation of a topic, and whether the topic was recreated."""
        known = self.topic_ids.get(topic)
        if not known:
            return 0, False
        latest = max(known)
        for incarnation, other in known.items():
            if topic_id is not None and other == topic_id:
                return incarnation, False
        if topic_id is None or known[latest] is None:
            return latest, False
        return latest + 1, True

    def record(self, rows: Iterable[OffsetRow]) -> None:
        """Write rows.

        A row with outcome read moves forward, never back. Other rows are added if they are missing.
        A row that was written when the broker had no ids gets the id of its topic.

        Raises:
            Exception: If is_conflict() is true for it, another landing was faster, or it gave this
                incarnation another topic id.
        """
        merged = dict(self.rows)
        for row in rows:
            old = merged.get(row.identity)
            if old and old.topic_id is None and row.topic_id:
                old = merged[row.identity] = replace(old, topic_id=row.topic_id)
            if old and old.topic_id != row.topic_id:
                raise LandingConflict(f"another landing has just found another topic {row.topic}")
            is_newer = old is None or (
                row.outcome == READ and row.next_offset > max(old.next_offset, row.first_offset)
            )
            if is_newer:
                now = datetime.now(timezone.utc)
                first = old.first_offset if old else row.first_offset
                merged[row.identity] = replace(row, first_offset=first, recorded_at=now)
        if merged != self.rows:
            self.table.replace(asdict(row) for row in merged.values())
            self.set_rows(merged.values())

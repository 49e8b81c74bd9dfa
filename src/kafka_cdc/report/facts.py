"""The facts of the report. All times are Unix seconds, and None if no message contains them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True)
class Listing(Generic[Row]):
    """The first rows of a model, and how many rows it has.

    Attributes:
        rows: The rows.
        total: The number of all rows.
        is_built: False if no build has created the model yet.
    """

    rows: Sequence[Row] = ()
    total: int = 0
    is_built: bool = True

    def __iter__(self) -> Iterator[Row]:
        """Return the rows."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Return the number of rows in the listing."""
        return len(self.rows)


@dataclass(frozen=True)
class Publication:
    """How much of what landed has been read and published."""

    batches: int
    published_until: int | None
    waiting_batches: int
    waiting_messages: int
    waiting_since: int | None
    unread_batches: int
    unread_messages: int
    lost_messages: int


@dataclass(frozen=True)
class HeldTable:
    """A source table that keeps its last published state."""

    source: str
    table: str
    held_since: int | None
    withheld_changes: int
    check: str
    finding: str
    remedy: str


@dataclass(frozen=True)
class Topic:
    """How far a topic is."""

    topic: str
    formats: Sequence[str]
    sources: Sequence[str]
    messages: int
    changes: int
    rejected: int
    occurred_at: int | None
    kafka_at: int | None
    landed_at: int
    published_until: int | None
    waiting_messages: int


@dataclass(frozen=True)
class Arrival:
    """What became of the messages of a topic that landed in one hour."""

    topic: str
    hour: int
    change_messages: int
    ddl: int
    control: int
    rejected: int
    changes: int


@dataclass(frozen=True)
class Rejection:
    """Messages of a topic that landed in one hour and were rejected with one code."""

    topic: str
    code: str
    hour: int
    messages: int


@dataclass(frozen=True)
class RejectedMessage:
    """An example of a rejected message. `payload` is None unless it was asked for."""

    topic: str
    code: str
    partition: int
    offset: int
    landed_at: int
    detail: str
    payload: str | None


@dataclass(frozen=True)
class Statement:
    """A DDL statement. `text` is None unless payloads were asked for."""

    happened_at: int | None
    topic: str
    partition: int
    offset: int
    source: str
    table: str
    operation: str
    text: str | None


@dataclass(frozen=True)
class ColumnChange:
    """A column that is new, gone or of another type."""

    happened_at: int | None
    topic: str
    source: str
    table: str
    column: str
    drift: str
    old_type: str | None
    new_type: str | None


@dataclass(frozen=True)
class AppliedChange:
    """A change of a column that a typed table has followed."""

    applied_at: int | None
    typed_table: str
    source: str
    table: str
    column: str
    change: str
    old_type: str | None
    new_type: str | None
    policy: str


@dataclass(frozen=True)
class UnreadRange:
    """Offsets that landing lost or skipped."""

    topic: str
    partition: int
    first_offset: int
    last_offset: int
    offsets: int
    outcome: str
    noticed_at: int | None


@dataclass(frozen=True)
class OffsetGap:
    """Offsets of a topic without a landed message. Many causes are harmless."""

    topic: str
    ranges: int
    offsets: int


@dataclass(frozen=True)
class SequenceReset:
    """A position at which a vendor's sequence falls."""

    topic: str
    partition: int
    offset: int
    source: str
    table: str
    remedy: str


@dataclass(frozen=True)
class BrokenChain:
    """Changes that do not continue the row before them."""

    source: str
    table: str
    break_kind: str
    cause: str | None
    is_alarm: bool
    changes: int
    columns: Sequence[str]
    topic: str | None
    partition: int | None
    offset: int | None


@dataclass(frozen=True)
class UnrepairedStatement:
    """A statement that may have changed rows without messages, and no snapshot since."""

    happened_at: int | None
    topic: str
    partition: int
    offset: int
    source: str
    table: str
    effects: Sequence[str]


@dataclass(frozen=True)
class StaleRows:
    """Live rows that the newest snapshot of their table lacks."""

    source: str
    table: str
    rows: int


@dataclass(frozen=True)
class Table:
    """A source table."""

    source: str
    table: str
    formats: Sequence[str]
    topics: Sequence[str]
    key: Sequence[str]
    order: str
    rows: int | None
    incomplete_rows: int | None
    changes: int
    changes_per_day: float
    changed_at: int | None
    typed_model: str | None


@dataclass(frozen=True)
class Node:
    """A model, test or seed of the last dbt run."""

    name: str
    kind: str
    status: str
    seconds: float


@dataclass(frozen=True)
class Batch:
    """A landing batch. One build reads it, unless it is replayed.

    Attributes:
        bytes: Its part of the files of raw, or None if they are not known.
    """

    batch: str
    landed_at: int
    topics: int
    messages: int
    changes: int
    is_published: bool
    bytes: int | None


@dataclass(frozen=True)
class LastRun:
    """The last dbt run that wrote to the target folder."""

    began_at: int | None = None
    command: str = ""
    seconds: float = 0.0
    nodes: Sequence[Node] = ()


@dataclass(frozen=True)
class Facts:
    """Everything that the report shows."""

    generated_at: int
    schema: str
    publication: Publication
    held_tables: Listing[HeldTable] = field(default_factory=Listing)
    topics: Listing[Topic] = field(default_factory=Listing)
    arrivals: Listing[Arrival] = field(default_factory=Listing)
    rejections: Listing[Rejection] = field(default_factory=Listing)
    rejected_messages: Listing[RejectedMessage] = field(default_factory=Listing)
    statements: Listing[Statement] = field(default_factory=Listing)
    column_changes: Listing[ColumnChange] = field(default_factory=Listing)
    applied_changes: Listing[AppliedChange] = field(default_factory=Listing)
    unread_ranges: Listing[UnreadRange] = field(default_factory=Listing)
    offset_gaps: Listing[OffsetGap] = field(default_factory=Listing)
    sequence_resets: Listing[SequenceReset] = field(default_factory=Listing)
    broken_chains: Listing[BrokenChain] = field(default_factory=Listing)
    unrepaired_statements: Listing[UnrepairedStatement] = field(default_factory=Listing)
    stale_rows: Listing[StaleRows] = field(default_factory=Listing)
    tables: Listing[Table] = field(default_factory=Listing)
    batches: Listing[Batch] = field(default_factory=Listing)
    last_run: LastRun = field(default_factory=LastRun)
    has_payloads: bool = False

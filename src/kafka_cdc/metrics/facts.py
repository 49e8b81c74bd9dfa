"""The facts of the metrics. They are counts and times of the lake, from few queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kafka_cdc.report.facts import LastRun, Publication, Topic


@dataclass(frozen=True)
class Rejected:
    """The rejected messages of a topic and code."""

    topic: str
    code: str
    messages: int


@dataclass(frozen=True)
class Unread:
    """The offsets of a topic that landing lost or skipped."""

    topic: str
    outcome: str
    offsets: int


@dataclass(frozen=True)
class TableChanges:
    """Some changes of a source table: those withheld by a hold, or those that break a chain."""

    source: str
    table: str
    changes: int


@dataclass(frozen=True)
class Findings:
    """How many expectations a topic does not meet."""

    topic: str
    findings: int


@dataclass(frozen=True)
class Facts:
    """Everything that the metrics contain.

    Attributes:
        generated_at: When the facts were read, in Unix seconds.
        publication: How much is published.
        held: The held tables with their withheld changes.
        broken: The tables with the changes of their unresolved alarms of broken chains.
        bytes: Table to the bytes of its current version.
    """

    generated_at: int
    publication: Publication
    topics: Sequence[Topic] = ()
    rejected: Sequence[Rejected] = ()
    unread: Sequence[Unread] = ()
    held: Sequence[TableChanges] = ()
    broken: Sequence[TableChanges] = ()
    findings: Sequence[Findings] = ()
    bytes: Mapping[str, int] = field(default_factory=dict)
    last_run: LastRun = field(default_factory=LastRun)

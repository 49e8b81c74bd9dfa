"""What a landing from Kafka has landed, counted while it is written: for the progress line, the log and the summary."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone

from pyspark.sql import Column, Observation
from pyspark.sql import functions as F

from .positions import Key, Ranges
from .progress import Ticker, columns, show

SHOWN = 4  # partitions of a topic in the summary


def measures(topics: list[str]) -> list[Column]:
    """Return, by the place of each topic in the list, how many messages of it pass and how many bytes their keys and values have."""
    size = F.coalesce(F.octet_length("value"), F.lit(0)) + F.coalesce(F.octet_length("key"), F.lit(0))
    of = [F.col("topic") == topic for topic in topics] if len(topics) > 1 else [F.lit(True)]
    counts = [F.count(F.when(is_of, 1)).alias(f"messages {at}") for at, is_of in enumerate(of)]
    return counts + [F.sum(F.when(is_of, size)).alias(f"bytes {at}") for at, is_of in enumerate(of)]


def measured(observed: Observation, topics: list[str]) -> dict[str, tuple[int, int]]:
    """Return messages and bytes by topic, from an observation of measures() that has passed."""
    said = observed.get
    return {topic: (said[f"messages {at}"], said[f"bytes {at}"] or 0) for at, topic in enumerate(topics)}


@dataclass
class Totals:
    """What this command has landed: messages and bytes by topic, first and last offset read by partition, commits, what it refused."""

    topics: dict[str, tuple[int, int]] = field(default_factory=dict)
    offsets: dict[Key, tuple[int, int]] = field(default_factory=dict)
    batches: list[int] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def add(self, ranges: Ranges, sizes: Mapping[str, tuple[int, int]]) -> None:
        """Add a commit: the offsets that it read, and its messages and bytes by topic."""
        for topic, (messages, size) in sizes.items():
            before = self.topics.get(topic, (0, 0))
            self.topics[topic] = before[0] + messages, before[1] + size
        for key, (first, until) in ranges.items():
            self.offsets[key] = self.offsets.get(key, (first, 0))[0], until - 1

    def text(self, lags: Mapping[str, int]) -> str:
        """Return a table, a line for each topic that was read or lags, and the landing batches."""
        rows = [("topic", "landed", "bytes", "lag", "offsets read")]
        for topic, lag in lags.items():
            ranges = [f"{key[2]}: {first}-{last}" for key, (first, last) in sorted(self.offsets.items()) if key[0] == topic]
            if ranges or lag:
                messages, size = self.topics.get(topic, (0, 0))
                more = f", and {len(ranges) - SHOWN} partitions" if len(ranges) > SHOWN else ""
                rows.append((topic, str(messages), str(size), str(lag), ", ".join(ranges[:SHOWN]) + more))
        batches = f"landing_batch: {', '.join(map(str, self.batches))}" if self.batches else "nothing new"
        return "\n".join([*([columns(rows)] if len(rows) > 1 else []), batches])


class KafkaProgress(Ticker):
    """A line on a terminal while a landing runs, else a line of the log for each commit."""

    def __init__(self) -> None:
        super().__init__()
        self.totals, self.phase, self.lag, self.began = Totals(), "starting", 0, time.monotonic()

    def line(self) -> str | None:
        """Return how far it is, on a terminal."""
        if not self.is_terminal:
            return None
        messages, size = (sum(counts[part] for counts in list(self.totals.topics.values())) for part in (0, 1))
        rate = show(size / max(time.monotonic() - self.began, 0.001))
        return f"{self.phase}: {messages:,} messages landed, {show(size)}, {rate}/s; lag {self.lag:,}"

    def log(self, event: str, **facts: object) -> None:
        """Print a line of the log: the time, what happened, and its facts."""
        said = " ".join(f"{name}={value}" for name, value in facts.items())
        self.say(f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ} {event} {said}")

"""The metrics, in the text format of Prometheus. Names and units follow its conventions."""

from collections.abc import Iterable, Iterator
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from kafka_cdc.metrics.facts import Facts

Samples = Iterable[tuple[tuple[str, ...], float | None]]
NONE: tuple[str, ...] = ()


def render(facts: Facts) -> str:
    """Return the metrics as text."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(FactsCollector(facts))
    text: str = generate_latest(registry).decode()
    return text


class FactsCollector:
    """Yields the metrics of facts, as prometheus_client asks for them."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def collect(self) -> Iterator[Metric]:
        """Yield each metric with its samples. A sample without a value is left out."""
        yield from self.collect_topics()
        yield from self.collect_tables()
        yield from self.collect_lake()

    def collect_topics(self) -> Iterator[Metric]:
        """Yield the metrics of topics."""
        topics = self.facts.topics
        yield counter(
            "topic_messages",
            "Landed messages of a topic that a run has read.",
            ["topic"],
            [((row.topic,), row.messages) for row in topics],
        )
        yield counter(
            "topic_changes",
            "Row changes in the messages of a topic.",
            ["topic"],
            [((row.topic,), row.changes) for row in topics],
        )
        yield counter(
            "rejected_messages",
            "Messages in quarantine, by topic and reject code.",
            ["topic", "code"],
            [((row.topic, row.code), row.messages) for row in self.facts.rejected],
        )
        yield counter(
            "unread_offsets",
            "Offsets that landing did not read: lost, because Kafka deleted them, or skipped.",
            ["topic", "outcome"],
            [((row.topic, row.outcome), row.offsets) for row in self.facts.unread],
        )
        yield gauge(
            "topic_last_message_timestamp_seconds",
            "Kafka timestamp of the newest message of a topic, else when it landed.",
            ["topic"],
            [((row.topic,), first(row.kafka_at, row.landed_at)) for row in topics],
        )
        yield gauge(
            "topic_last_landing_timestamp_seconds",
            "When the newest message of a topic landed.",
            ["topic"],
            [((row.topic,), row.landed_at) for row in topics],
        )
        yield gauge(
            "topic_published_timestamp_seconds",
            "When the newest message of a topic landed that readers see.",
            ["topic"],
            [((row.topic,), row.published_until) for row in topics],
        )
        yield gauge(
            "topic_lag_seconds",
            "Seconds from the newest change of a topic in the source to its landing.",
            ["topic"],
            [
                ((row.topic,), difference(row.landed_at, first(row.occurred_at, row.kafka_at)))
                for row in topics
            ],
        )
        yield gauge(
            "topic_waiting_messages",
            "Messages of a topic that are read and not published.",
            ["topic"],
            [((row.topic,), row.waiting_messages) for row in topics],
        )
        yield gauge(
            "topic_findings",
            "Expectations that a topic does not meet: it is silent for too long, or late.",
            ["topic"],
            [((row.topic,), row.findings) for row in self.facts.findings],
        )

    def collect_tables(self) -> Iterator[Metric]:
        """Yield the metrics of source tables."""
        held, broken = self.facts.held, self.facts.broken
        yield gauge("held_tables", "Source tables that are held.", [], [(NONE, len(held))])
        yield gauge(
            "table_withheld_changes",
            "Changes of a held table that readers do not see.",
            ["source", "table"],
            [((row.source, row.table), row.changes) for row in held],
        )
        yield gauge(
            "broken_chain_tables",
            "Source tables with unresolved alarms of broken chains.",
            [],
            [(NONE, len(broken))],
        )
        yield gauge(
            "table_broken_chain_changes",
            "Changes of a table whose before image is not the row before them, unresolved.",
            ["source", "table"],
            [((row.source, row.table), row.changes) for row in broken],
        )

    def collect_lake(self) -> Iterator[Metric]:
        """Yield the metrics of the whole lake and of the last run."""
        state, run = self.facts.publication, self.facts.last_run
        yield gauge(
            "published_timestamp_seconds",
            "When the newest landing batch landed that is published.",
            [],
            [(NONE, state.published_until)],
        )
        yield gauge(
            "unread_messages",
            "Landed messages that no run has read.",
            [],
            [(NONE, state.unread_messages)],
        )
        yield gauge(
            "waiting_messages",
            "Messages that are read and not published.",
            [],
            [(NONE, state.waiting_messages)],
        )
        yield gauge(
            "table_size_bytes",
            "Bytes of the files of a table's current version.",
            ["table"],
            [((table,), size) for table, size in self.facts.bytes.items()],
        )
        has_run = run.began_at is not None
        failed = sum(node.status in ("error", "fail") for node in run.nodes)
        yield gauge(
            "last_run_timestamp_seconds",
            "When the last dbt run began.",
            [],
            [(NONE, run.began_at)],
        )
        yield gauge(
            "last_run_duration_seconds",
            "How long the last dbt run took.",
            [],
            [(NONE, run.seconds if has_run else None)],
        )
        yield gauge(
            "last_run_failed_nodes",
            "Models and tests of the last dbt run that failed.",
            [],
            [(NONE, failed if has_run else None)],
        )
        yield gauge(
            "metrics_timestamp_seconds",
            "When these metrics were read.",
            [],
            [(NONE, self.facts.generated_at)],
        )


def gauge(name: str, meaning: str, labels: list[str], samples: Samples) -> Metric:
    """Return a gauge with its samples."""
    return fill(GaugeMetricFamily(f"kafka_cdc_{name}", meaning, labels=labels), samples)


def counter(name: str, meaning: str, labels: list[str], samples: Samples) -> Metric:
    """Return a counter with its samples. Its name gets the suffix _total."""
    return fill(CounterMetricFamily(f"kafka_cdc_{name}", meaning, labels=labels), samples)


def fill(metric: Any, samples: Samples) -> Metric:
    """Add samples to a metric and return it."""
    for labels, value in samples:
        if value is not None:
            metric.add_metric(labels, value)
    family: Metric = metric
    return family


def first(*values: int | None) -> int | None:
    """Return the first value that is not None."""
    return next((value for value in values if value is not None), None)


def difference(later: int | None, earlier: int | None) -> int | None:
    """Return later - earlier, or None if one of them is None."""
    return None if later is None or earlier is None else later - earlier

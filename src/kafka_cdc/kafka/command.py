"""`kafka-cdc land kafka`."""

import argparse
import contextlib
import math
import sys
from collections.abc import Callable

from pyspark.sql import SparkSession

from kafka_cdc import exit_codes, log_events, session
from kafka_cdc.errors import LandingError, reason
from kafka_cdc.kafka import config, topics
from kafka_cdc.kafka.client import KafkaClient
from kafka_cdc.kafka.landing import KafkaLanding, LandingTables
from kafka_cdc.kafka.offsets import OffsetStore
from kafka_cdc.kafka.options import KafkaOptions
from kafka_cdc.kafka.progress import KafkaProgress
from kafka_cdc.lineage import command as lineage
from kafka_cdc.lineage.events import Dataset, get_kafka_datasets
from kafka_cdc.schema_registry.client import SchemaRegistryClient
from kafka_cdc.schema_registry.store import SchemaStore
from kafka_cdc.shutdown import Shutdown
from kafka_cdc.tables import raw
from kafka_cdc.tables.table_format import Table


def run(arguments: argparse.Namespace, shutdown: Shutdown) -> int:
    """Land topics, print what landed, and on stderr what did not.

    Returns:
        The exit code.

    Raises:
        LandingError: The landing failed.
    """
    landing = TopicLanding(arguments, shutdown)

    def report(landed: KafkaLanding) -> None:
        print(landed.summary())
        for line in landed.find_unmatched_topics():
            print(line, file=sys.stderr)
        for line in landing.progress.summary.errors:
            print(f"not landed: {line}", file=sys.stderr)

    with contextlib.closing(landing):
        landing.run(report)
    return exit_codes.REJECTED if landing.progress.summary.errors else exit_codes.SUCCESS


class TopicLanding:
    """Lands topics once, or again and again in a loop.

    A loop keeps the connection to the cluster, and what it knows of raw, until a landing fails. The
    next one then connects again.
    """

    def __init__(
        self,
        arguments: argparse.Namespace,
        shutdown: Shutdown,
        *,
        is_cycle: bool = False,
        is_repeated: bool = False,
    ) -> None:
        """Connect to nothing yet.

        Args:
            arguments: The options of `land kafka`.
            shutdown: Reports when to stop.
            is_cycle: Whether it lands in `kafka-cdc run`, which sends no lineage if nothing landed.
            is_repeated: Whether it lands more than once.
        """
        self.arguments, self.shutdown, self.is_cycle = arguments, shutdown, is_cycle
        self.options = KafkaOptions(
            topics=topics.split_globs(arguments.topics),
            is_binary=topics.get_binary_condition(arguments.binary_topics),
            topic_prefix=arguments.topic_prefix,
            starting_offsets=arguments.starting_offsets,
            stop_on_data_loss=arguments.on_data_loss == "stop",
            is_continuous=arguments.continuous,
            is_repeated=is_repeated,
            interval_seconds=arguments.interval,
            max_commit_bytes=arguments.max_commit_mb * 1_000_000,
        )
        self.progress = KafkaProgress()
        self.client: KafkaClient | None = None
        self.landing: KafkaLanding | None = None

    def run(self, report: Callable[[KafkaLanding], None], max_messages: float = math.inf) -> bool:
        """Land until nothing is new. The summary of `progress` has what landed, also in a failure.

        Args:
            report: It is called at the end, also after a failure, if there are topics to land.
            max_messages: About how many messages to land at most.

        Returns:
            Whether it left messages in Kafka because it had landed that many.

        Raises:
            LandingError: The landing failed.
        """
        self.progress.begin()

        def get_inputs() -> list[Dataset]:
            assert self.client
            addresses = str(self.client.properties.get("bootstrap.servers", ""))
            prefix = self.arguments.topic_prefix or ""
            return get_kafka_datasets(addresses, self.progress.summary.topics, prefix)

        def log_failure(why: str) -> None:
            self.progress.log(log_events.LINEAGE_FAILED, note=f'"{why}"')

        events = lineage.landing(
            "land_kafka", self.arguments, get_inputs, log_failure, is_cycle=self.is_cycle
        )
        spark = self.shutdown.run(session.start)
        text = config.read_file(self.arguments.properties)
        client = self.client or self.shutdown.run(lambda: self._connect(spark, text))
        self.client = client
        has_succeeded = False
        try:
            with self.progress, events:
                landing = self.landing or self.shutdown.run(lambda: self._prepare(spark, text))
                self.landing = landing
                is_cut = self.shutdown.run(lambda: landing.run(max_messages))
            has_succeeded = True
        except Exception as error:
            raise LandingError(config.hide_secrets(reason(error), client.properties)) from error
        finally:
            if self.landing and self.landing.watcher.topics:
                report(self.landing)
            if not has_succeeded:
                self.close()
        return is_cut

    def close(self) -> None:
        """End the connection, and what is known of raw."""
        client, self.client, self.landing = self.client, None, None
        with contextlib.suppress(Exception):  # Java may have ended
            if client:
                client.close()

    def _connect(self, spark: SparkSession, text: str) -> KafkaClient:
        """Return a connection. `text`: the file of properties."""
        servers = self.arguments.bootstrap_servers
        return KafkaClient(spark, config.get_client_properties(spark._jvm, text, servers))

    def _prepare(self, spark: SparkSession, text: str) -> KafkaLanding:
        """Return a landing, and create its tables if they do not exist."""
        assert self.client
        registry = config.get_registry_properties(spark._jvm, text)
        tables = create_tables(spark, self.arguments, registry, progress=self.progress)
        return KafkaLanding.build(
            spark,
            self.client,
            tables,
            options=self.options,
            progress=self.progress,
            shutdown=self.shutdown,
        )


def create_tables(
    spark: SparkSession,
    arguments: argparse.Namespace,
    registry: dict[str, str],
    *,
    progress: KafkaProgress,
) -> LandingTables:
    """Create the tables that do not exist, and return them.

    `registry`: properties of the schema registry.
    """
    schema, table = arguments.schema, arguments.table
    raw_table = Table(spark, raw.create(spark, schema, table))
    offsets = OffsetStore(spark, schema=schema, table=table)
    schemas = None
    if registry:
        client = SchemaRegistryClient(registry)
        schemas = SchemaStore(spark, client, progress, schema=schema, table=table)
    return LandingTables(raw_table, offsets, schemas)

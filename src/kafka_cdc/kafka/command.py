"""`kafka-cdc land kafka`."""

import argparse
import contextlib
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
    progress = KafkaProgress()

    def report(landing: KafkaLanding) -> None:
        print(landing.summary())
        for glob in topics.find_unmatched(landing.options.topics, landing.watcher.topics):
            print(f"no topic matches {glob}; check --topics", file=sys.stderr)
        for line in progress.summary.errors:
            print(f"not landed: {line}", file=sys.stderr)

    land(arguments, shutdown, progress=progress, report=report)
    return exit_codes.REJECTED if progress.summary.errors else exit_codes.SUCCESS


def land(
    arguments: argparse.Namespace,
    shutdown: Shutdown,
    *,
    progress: KafkaProgress,
    report: Callable[[KafkaLanding], None],
    is_cycle: bool = False,
) -> None:
    """Land topics.

    Args:
        arguments: The options of `land kafka`.
        shutdown: Reports when to stop.
        progress: Its summary has what landed, also if the landing failed.
        report: Is called at the end, also after a failure, if the cluster had topics to land.
        is_cycle: Whether it is a cycle of a loop, which sends no lineage if nothing landed.

    Raises:
        LandingError: The landing failed.
    """
    options = KafkaOptions(
        topics=topics.split_globs(arguments.topics),
        is_binary=topics.get_binary_condition(arguments.binary_topics),
        topic_prefix=arguments.topic_prefix,
        starting_offsets=arguments.starting_offsets,
        stop_on_data_loss=arguments.on_data_loss == "stop",
        is_continuous=arguments.continuous,
        interval_seconds=arguments.interval,
        max_commit_bytes=arguments.max_commit_mb * 1_000_000,
    )
    text = config.read_file(arguments.properties)
    spark = shutdown.run(session.start)
    servers = arguments.bootstrap_servers
    client = shutdown.run(
        lambda: KafkaClient(spark, config.get_client_properties(spark._jvm, text, servers))
    )
    registry = config.get_registry_properties(spark._jvm, text)

    def prepare() -> KafkaLanding:
        tables = create_tables(spark, arguments, registry, progress=progress)
        return KafkaLanding.build(
            spark, client, tables, options=options, progress=progress, shutdown=shutdown
        )

    def get_inputs() -> list[Dataset]:
        addresses = str(client.properties.get("bootstrap.servers", ""))
        return get_kafka_datasets(addresses, progress.summary.topics, arguments.topic_prefix or "")

    def log_failure(why: str) -> None:
        progress.log(log_events.LINEAGE_FAILED, note=f'"{why}"')

    events = lineage.landing("land_kafka", arguments, get_inputs, log_failure, is_cycle=is_cycle)
    landing = None
    try:
        with progress, events:
            landing = shutdown.run(prepare)
            shutdown.run(landing.run)
    except Exception as error:
        raise LandingError(config.hide_secrets(reason(error), client.properties)) from error
    finally:
        if landing and landing.watcher.topics:
            report(landing)
        with contextlib.suppress(Exception):  # Java may have ended
            client.close()


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

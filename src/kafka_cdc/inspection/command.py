"""`kafka-cdc inspect`."""

import argparse
import contextlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import yaml
from pyspark.sql import SparkSession

from kafka_cdc import exit_codes
from kafka_cdc.errors import LandingError, reason
from kafka_cdc.files import landing
from kafka_cdc.inspection import advice, facts, report, samples
from kafka_cdc.inspection.lake import TABLE, TemporaryLake
from kafka_cdc.inspection.samples import Sample, SampleSize
from kafka_cdc.kafka import config, topics
from kafka_cdc.kafka.client import KafkaClient
from kafka_cdc.kafka.options import KafkaOptions
from kafka_cdc.kafka.progress import KafkaProgress
from kafka_cdc.schema_registry.client import SchemaRegistryClient
from kafka_cdc.schema_registry.store import SchemaStore
from kafka_cdc.shutdown import Shutdown
from kafka_cdc.tables import raw

VARS_HINT = "write it as '{topics: [...], tables: [...]}'"


def run(arguments: argparse.Namespace, shutdown: Shutdown) -> int:
    """Inspect the topics, print what they contain, and on stderr what could not be read.

    Returns:
        The exit code.

    Raises:
        LandingError: The arguments are wrong, or nothing can be read.
    """
    if bool(arguments.paths) == bool(arguments.topics):
        raise LandingError(
            "either files or topics can be inspected."
            " Hint: name a folder or files, or --topics of a Kafka cluster"
        )
    settings = read_settings(arguments.vars)
    # The files are checked before Spark starts, which takes seconds.
    files = landing.find(arguments.paths, arguments.topic_prefix) if arguments.paths else []
    text = config.read_file(arguments.properties)
    with TemporaryLake() as lake:
        spark = shutdown.run(lake.start)

        def inspect() -> tuple[str, list[str]]:
            size = SampleSize(arguments.messages, arguments.read_from == "end")
            if files:
                source = samples.sample_files(spark, files, arguments.topic_prefix, size)
            else:
                source = open_kafka(spark, arguments, text, size)
            table = raw.create(spark, lake.schema, TABLE)
            batch = raw.new_batch()
            with source as sample:
                lake.write(table, raw.with_landing(sample.messages, batch))
            fetch_schemas(
                spark, lake.schema, table, config.get_registry_properties(spark._jvm, text)
            )
            with lake.read_events(batch, settings) as found:
                topics_found = facts.read_topics(spark.table(table), found.events, sample.available)
            lines = advice.add_settings(topics_found, found.mapped_formats, found.lookalikes)
            show = report.to_json if arguments.json else report.to_text
            return show(topics_found, lines), sample.problems

        output, problems = shutdown.run(inspect)
    print(output)
    for problem in problems:
        print(f"not inspected: {problem}", file=sys.stderr)
    return exit_codes.REJECTED if problems else exit_codes.SUCCESS


def read_settings(text: str | None) -> dict[str, Any]:
    """Return the settings of --vars.

    Raises:
        LandingError: They are no mapping.
    """
    try:
        settings = yaml.safe_load(text or "{}")
    except yaml.YAMLError as error:
        raise LandingError(
            f"--vars is no YAML: {' '.join(str(error).split())}. Hint: {VARS_HINT}"
        ) from None
    if not isinstance(settings, dict):
        raise LandingError(f"--vars is no mapping. Hint: {VARS_HINT}")
    return settings


@contextmanager
def open_kafka(
    spark: SparkSession, arguments: argparse.Namespace, text: str, size: SampleSize
) -> Iterator[Sample]:
    """Yield the sample of topics of a cluster, which are read while the context is open.

    `text`: the text of the properties file.
    """
    options = KafkaOptions(
        topics=topics.split_globs(arguments.topics),
        is_binary=topics.get_binary_condition(arguments.binary_topics),
        topic_prefix=arguments.topic_prefix,
    )
    properties = config.get_client_properties(spark._jvm, text, arguments.bootstrap_servers)
    client = KafkaClient(spark, properties)
    try:
        yield samples.sample_kafka(spark, client, options, size)
    except Exception as error:
        raise LandingError(config.hide_secrets(reason(error), client.properties)) from error
    finally:
        with contextlib.suppress(Exception):  # Java may have ended
            client.close()


def fetch_schemas(spark: SparkSession, schema: str, table: str, registry: dict[str, str]) -> None:
    """Look up the schemas of framed messages, if a schema registry is named.

    Args:
        spark: The session.
        schema: The schema of raw.
        table: The quoted name of raw.
        registry: Properties of the schema registry.
    """
    if registry:
        log = KafkaProgress()
        store = SchemaStore(spark, SchemaRegistryClient(registry), log, schema=schema, table=TABLE)
        store.fetch_missing(store.find_in_raw(table, topics.compile_globs(["*"]).pattern))

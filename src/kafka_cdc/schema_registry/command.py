"""`kafka-cdc land schemas`."""

import argparse
import math
import sys

from kafka_cdc import exit_codes, session
from kafka_cdc.errors import LandingError
from kafka_cdc.kafka import config, topics
from kafka_cdc.kafka.progress import KafkaProgress
from kafka_cdc.progress import format_table
from kafka_cdc.schema_registry.client import SchemaRegistryClient
from kafka_cdc.schema_registry.store import SchemaStore
from kafka_cdc.shutdown import Shutdown
from kafka_cdc.tables import raw


def run(arguments: argparse.Namespace, shutdown: Shutdown) -> int:
    """Look up schemas, print the new ones, and on stderr which ones were not found.

    Returns:
        The exit code.

    Raises:
        LandingError: No schema registry is named.
    """
    text = config.read_file(arguments.properties)
    pattern = topics.compile_globs(topics.split_globs(arguments.topics)).pattern
    spark = shutdown.run(session.start)
    registry = config.get_registry_properties(spark._jvm, text)
    if not registry:
        raise LandingError(
            f"no schema registry is named. Hint: set {config.REGISTRY_URL} in the properties"
        )
    table = raw.create(spark, arguments.schema, arguments.table)

    def look_up() -> bool:
        with KafkaProgress() as progress:
            progress.set_phase("looking up schemas", lag=0)
            client = SchemaRegistryClient(registry)
            store = SchemaStore(
                spark, client, progress, schema=arguments.schema, table=arguments.table
            )
            wanted = store.find_in_raw(table, pattern)
            new = store.fetch_missing(wanted, max_failed_seconds=math.inf)
        missing = wanted - store.rows.keys()
        rows = [("topic", "schema", "type", "problem")]
        for name in sorted(new):
            row = store.rows[name]
            problem = row["problem"] or ""
            rows.append((name.format_topic(), str(name.id), row["schema_type"], problem))
        print(format_table(rows) if new else "nothing new")
        for name in sorted(missing):
            print(f"not found: schema {name.id} of topic {name.format_topic()}", file=sys.stderr)
        return not missing

    return exit_codes.SUCCESS if shutdown.run(look_up) else exit_codes.FAILURE

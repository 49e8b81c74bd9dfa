"""Reads the facts of the metrics: a fixed number of queries, regardless of topics and tables."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from pyspark.sql import SparkSession

from kafka_cdc.metrics import facts
from kafka_cdc.report import queries
from kafka_cdc.report.facts import Listing, Topic
from kafka_cdc.report.queries import (
    Kind,
    exists,
    get_names,
    get_published_stats,
    read_listing,
    read_publication,
)
from kafka_cdc.tables import table_format
from kafka_cdc.tables.sql import quote

TABLES = ("events", "event_batch_stats", "merged_rows")
"""Tables of the target schema whose bytes are measured, in addition to raw."""
MAX_SERIES = 50_000

REJECTED = """
select kafka_topic as topic, reject_code as code, count(*) as messages
from {cdc}.events where event_kind = 'rejected'
group by kafka_topic, reject_code
order by topic, code"""

UNREAD = """
select kafka_topic as topic, outcome, sum(offsets) as offsets
from {cdc}.unread_offsets group by kafka_topic, outcome
order by topic, outcome"""

HELD = """
select source_name as source, {table} as table, max(withheld_changes) as changes
from {cdc}.held_tables group by {table_columns}
order by source, table"""

BROKEN = """
select source_name as source, {table} as table, sum(changes) as changes
from {cdc}.broken_chains
where is_alarm and not is_resolved
group by {table_columns}
order by source, table"""

FINDINGS = """
select kafka_topic as topic, size(findings) as findings
from {cdc}.topic_expectations
order by topic"""


def read(spark: SparkSession, schema: str, raw: str, target: Path) -> facts.Facts:
    """Return the facts of a lake.

    Args:
        spark: The session.
        schema: The schema of the public models.
        raw: The quoted name of the table of landed messages.
        target: dbt's target folder, which has the last run.

    Raises:
        LandingError: No build has created the models.
    """
    names = get_names(schema, payloads=False)
    names["published"] = get_published_stats(spark, schema)
    with ThreadPoolExecutor(queries.THREADS) as threads:

        def start(kind: type[Kind], query: str) -> "Future[Listing[Kind]]":
            return threads.submit(read_listing, spark, kind, query.format_map(names), MAX_SERIES)

        publication = threads.submit(read_publication, spark, queries.PUBLICATION.format_map(names))
        topics = start(Topic, queries.TOPICS)
        rejected = start(facts.Rejected, REJECTED)
        unread = start(facts.Unread, UNREAD)
        held = start(facts.TableChanges, HELD)
        broken = start(facts.TableChanges, BROKEN)
        findings = start(facts.Findings, FINDINGS)
        tables = [raw, *(f"{names['cdc']}.{name}" for name in TABLES)]
        sizes = list(threads.map(lambda table: read_bytes(spark, table), tables))
    return facts.Facts(
        generated_at=int(time.time()),
        publication=publication.result(),
        topics=topics.result().rows,
        rejected=rejected.result().rows,
        unread=unread.result().rows,
        held=held.result().rows,
        broken=broken.result().rows,
        findings=findings.result().rows,
        bytes={
            table.replace("`", ""): size
            for table, size in zip(tables, sizes, strict=True)
            if size is not None
        },
        last_run=queries.read_last_run(target),
    )


def read_bytes(spark: SparkSession, table: str) -> int | None:
    """Return the bytes of a table's current version, from metadata. None if there is no table."""
    if not exists(spark, table):
        return None
    if table_format.NAME == "delta":
        size = spark.sql(f"describe detail {table}").collect()[0]["sizeInBytes"]
    else:
        query = f"select coalesce(sum(file_size_in_bytes), 0) as bytes from {table}.files"
        size = spark.sql(query).collect()[0]["bytes"]
    return int(size)


def get_raw_table(schema: str, table: str) -> str:
    """Return the quoted name of the table of landed messages."""
    return quote(*schema.split("."), table)

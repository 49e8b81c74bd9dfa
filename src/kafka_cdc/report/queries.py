"""Reads the facts of the report: a fixed number of queries, regardless of topics and tables."""

import json
import re
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from kafka_cdc.errors import LandingError
from kafka_cdc.report import facts
from kafka_cdc.report.facts import Listing
from kafka_cdc.tables import table_format
from kafka_cdc.tables.sql import literal, quote

Kind = TypeVar("Kind")
NOT_BUILT = ("TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND")
MAX_ROWS = 500
"""Rows of a detailed list. The page has the number of all rows."""
MAX_TOPICS = 5_000
MAX_TABLES = 20_000
MAX_BATCHES = 100
"""Landing batches whose size is listed."""
MAX_CELLS = 1_000_000
"""Topics times hours of the charts."""
THREADS = 4
"""Queries at the same time. Spark spends most of their time on plans, which use one core each."""
DAYS = 14
"""Days of the charts, up to the newest landing."""
EXCERPT = 500
"""Characters of a payload or a statement."""
MAX_DETAIL = 300
"""Characters of a reject detail."""

TABLE = """concat(
    if(source_tenant = '', '', concat(source_tenant, '/')),
    concat_ws('.', nullif(source_database, ''), nullif(source_schema, ''),
        nullif(source_table, '')))"""
TABLE_COLUMNS = "source_name, source_tenant, source_database, source_schema, source_table"
HOUR = "unix_seconds(date_trunc('hour', landed_at))"

# The lists that need no query if no message of the lake can be in them, with what they count.
COUNTED_LISTS = {
    "rejections": "rejected_messages",
    "rejected_messages": "rejected_messages",
    "statements": "ddl_messages",
    "unrepaired_statements": "silent_statements",
    "stale_rows": "snapshot_rows + snapshot_marks",
}
COUNTS = "select {counts} from {stats}"

PUBLICATION = """
with latest as (
    select landing_batch, max(landed_at) as landed_at, sum(messages) as messages,
        max(events_version) as version
    from {stats} group by landing_batch),
published as (
    select landing_batch, max(events_version) as version
    from {published} group by landing_batch),
read as (
    select latest.*, published.landing_batch is not null as is_published
    from latest left join published
        on latest.landing_batch = published.landing_batch
        and latest.version <=> published.version),
unread as (
    select
        count(distinct if(unaccounted_messages > 0, landing_batch, null)) as unread_batches,
        coalesce(sum(greatest(unaccounted_messages, 0)), 0) as unread_messages,
        coalesce(sum(greatest(-unaccounted_messages, 0)), 0) as lost_messages
    from {cdc}.message_accounting)
select
    count(landing_batch) as batches,
    unix_seconds(max(if(is_published, landed_at, null))) as published_until,
    count_if(not is_published) as waiting_batches,
    coalesce(sum(if(is_published, 0, messages)), 0) as waiting_messages,
    unix_seconds(min(if(is_published, null, landed_at))) as waiting_since,
    any_value(unread_batches) as unread_batches,
    any_value(unread_messages) as unread_messages,
    any_value(lost_messages) as lost_messages
from unread left join read on true"""

HELD_TABLES = """
select source_name as source, {table} as table, unix_seconds(held_since) as held_since,
    withheld_changes, check_name as check, finding, remedy
from {cdc}.held_tables
order by withheld_changes desc, source, table, check"""

TOPICS = """
with published as (
    select kafka_topic, max(landed_at) as landed_at, sum(messages) as messages
    from {published} group by kafka_topic),
latest as (
    select kafka_topic, array_sort(collect_set(source_format)) as formats,
        slice(array_sort(collect_set(source_name)), 1, 20) as sources, sum(messages) as messages,
        sum(changes + truncates) as changes, sum(rejected_messages) as rejected,
        max(last_occurred_at) as occurred_at, max(last_kafka_timestamp) as kafka_at,
        max(landed_at) as landed_at
    from {stats} group by kafka_topic)
select latest.kafka_topic as topic, formats, sources, latest.messages, changes, rejected,
    unix_seconds(occurred_at) as occurred_at, unix_seconds(kafka_at) as kafka_at,
    unix_seconds(latest.landed_at) as landed_at,
    unix_seconds(published.landed_at) as published_until,
    greatest(latest.messages - coalesce(published.messages, 0), 0) as waiting_messages
from latest left join published using (kafka_topic)
order by topic"""

ARRIVALS = """
select kafka_topic as topic, {hour} as hour, sum(change_messages) as change_messages,
    sum(ddl_messages) as ddl, sum(control_messages) as control,
    sum(rejected_messages) as rejected, sum(changes + truncates) as changes
from {stats}
where landed_at >= (select max(landed_at) from {stats}) - interval {days} days
group by kafka_topic, {hour}
order by hour, topic"""

# event_batch_stats shows which batches have rejected messages. Nothing else of events is read.
REJECTED = """
from {cdc}.events
where event_kind = 'rejected'"""
REJECTIONS = (
    """
select kafka_topic as topic, reject_code as code, {hour} as hour, count(*) as messages"""
    + REJECTED
    + """
group by kafka_topic, reject_code, {hour}
order by hour, topic, code"""
)
REJECTED_MESSAGES = (
    """
select topic, code, partition, offset, unix_seconds(landed_at) as landed_at, detail,
    cast(null as string) as payload, number
from (
    select kafka_topic as topic, reject_code as code, kafka_partition as partition,
        kafka_offset as offset, landed_at,
        left(reject_detail, {max_detail}) as detail,
        row_number() over (partition by kafka_topic, reject_code
            order by landed_at desc, kafka_partition, kafka_offset desc) as number"""
    + REJECTED
    + """) as numbered
where number <= 3
order by number, topic, code"""
)
# The model quarantine joins the landed text. It is read only if payloads are asked for.
REJECTED_PAYLOADS = """
select topic, code, partition, offset, unix_seconds(landed_at) as landed_at, detail, payload, number
from (
    select kafka_topic as topic, reject_code as code, kafka_partition as partition,
        kafka_offset as offset, landed_at,
        left(reject_detail, {max_detail}) as detail,
        left(message_value, {excerpt}) as payload,
        row_number() over (partition by kafka_topic, reject_code
            order by landed_at desc, kafka_partition, kafka_offset desc) as number
    from {cdc}.quarantine) as numbered
where number <= 3
order by number, topic, code"""

STATEMENTS = """
select unix_seconds(coalesce(occurred_at, emitted_at, kafka_timestamp)) as happened_at,
    kafka_topic as topic, kafka_partition as partition, kafka_offset as offset,
    coalesce(source_name, '') as source, coalesce({table}, '') as table,
    coalesce(operation, operation_code, '') as operation, {statement} as text
from {cdc}.schema_changes
order by happened_at desc nulls last, topic, partition, offset desc"""

COLUMN_CHANGES = """
select unix_seconds(happened_at) as happened_at, kafka_topic as topic, source_name as source,
    {table} as table, column_name as column, drift, old_type, new_type
from {cdc}.column_drift
order by happened_at desc nulls last, source, table, column"""

APPLIED_CHANGES = """
select unix_seconds(applied_at) as applied_at, typed_table, source_name as source,
    {table} as table, column_name as column, change, type_before as old_type,
    type_after as new_type, policy
from {cdc}.applied_schema_changes
order by applied_at desc nulls last, typed_table, column"""

UNREAD_RANGES = """
select kafka_topic as topic, kafka_partition as partition, first_offset, last_offset, offsets,
    outcome, unix_seconds(noticed_at) as noticed_at
from {cdc}.unread_offsets
order by outcome, noticed_at desc, topic, partition, first_offset"""

OFFSET_GAPS = """
select kafka_topic as topic, count(*) as ranges, sum(missing_before + missing_inside) as offsets
from {cdc}.offset_gaps group by kafka_topic
order by offsets desc, topic"""

SEQUENCE_RESETS = """
select kafka_topic as topic, kafka_partition as partition, kafka_offset as offset,
    source_name as source, {table} as table, remedy
from {cdc}.sequence_resets
order by topic, partition, offset"""

BROKEN_CHAINS = """
select source_name as source, {table} as table, break_kind, proposed_cause as cause, is_alarm,
    changes, coalesce(different_columns, array()) as columns, first_change.kafka_topic as topic,
    first_change.kafka_partition as partition, first_change.kafka_offset as offset, landing_batch
from {cdc}.broken_chains
where not coalesce(is_resolved, false)
order by is_alarm desc, landing_batch desc, source, table"""

UNREPAIRED_STATEMENTS = """
select unix_seconds(happened_at) as happened_at, kafka_topic as topic,
    kafka_partition as partition, kafka_offset as offset, source_name as source,
    {table} as table, effects
from {cdc}.unreplicated_ddl_effects
where not coalesce(has_snapshot_since, false)
order by happened_at desc nulls last, source, table"""

STALE_ROWS = """
select source, table, count(*) as rows
from (select source_name as source, {table} as table from {cdc}.stale_rows) as stale
group by source, table
order by rows desc, source, table"""

TABLES = """
select source_name as source, {table} as table,
    array_sort(collect_set(source_format)) as formats,
    slice(array_sort(collect_set(kafka_topic)), 1, 20) as topics, array() as key,
    case
        when sum(sequenced_changes) > 0 and sum(unsequenced_changes) > 0 then 'mixed'
        when sum(sequenced_changes) > 0 then 'sequence'
        else 'offset'
    end as order,
    cast(null as bigint) as rows, cast(null as bigint) as incomplete_rows,
    sum(changes + truncates) as changes,
    sum(if(landed_at >= newest - interval 7 days, changes + truncates, 0))
        / least(7, greatest(1, datediff(any_value(newest), min(landed_at)) + 1))
        as changes_per_day,
    unix_seconds(max(last_occurred_at)) as changed_at, cast(null as string) as typed_model
from {stats} cross join (select max(landed_at) as newest from {stats}) as newest_landing
where changes + truncates > 0
group by {table_columns}
order by source, table"""

BATCHES = """
with published as (
    select landing_batch, max(events_version) as version
    from {published} group by landing_batch),
latest as (
    select landing_batch, max(landed_at) as landed_at, count(distinct kafka_topic) as topics,
        sum(messages) as messages, sum(changes + truncates) as changes,
        max(events_version) as version
    from {stats} group by landing_batch)
select cast(latest.landing_batch as string) as batch, unix_seconds(landed_at) as landed_at,
    topics, messages, changes,
    published.landing_batch is not null as is_published, cast(null as bigint) as bytes,
    latest.landing_batch as landing_batch
from latest left join published
    on latest.landing_batch = published.landing_batch and latest.version <=> published.version
order by landed_at desc, landing_batch desc"""
# Files of raw by the landing batches that they contain. Maintenance merges files of several.
RAW_FILES = """
select readable_metrics.landing_batch.lower_bound as first_batch,
    readable_metrics.landing_batch.upper_bound as last_batch,
    sum(file_size_in_bytes) as bytes, sum(record_count) as messages
from {raw}.files
where readable_metrics.landing_batch.upper_bound >= {oldest}
group by 1, 2"""

# Rows are counted from keys and positions. Spark then leaves out what current_state reads of the
# images, which takes longer than all other queries together.
STATES = """
select source_name as source, {table} as table, count(*) as rows,
    json_object_keys(any_value(row_key)) as key
from {cdc}.current_state
group by {table_columns}
order by source, table"""
# A row is complete if it begins with a full image. All rows of other streams do.
PARTIAL_STREAMS = """
select distinct source_name as source, source_tenant as tenant
from {cdc}.changelog
where image <> 'full'
order by source, tenant"""
INCOMPLETE_ROWS = """
select source_name as source, {table} as table, count(*) as rows
from {cdc}.current_state
where incomplete_columns is not null and ({streams})
group by {table_columns}
order by source, table"""


@dataclass(frozen=True)
class State:
    """The published rows of a table."""

    source: str
    table: str
    rows: int
    key: Sequence[str]


@dataclass(frozen=True)
class Stream:
    """A source and tenant."""

    source: str
    tenant: str


@dataclass(frozen=True)
class IncompleteRows:
    """The published rows of a table that lack columns."""

    source: str
    table: str
    rows: int


def read(spark: SparkSession, schema: str, target: Path, *, payloads: bool) -> facts.Facts:
    """Return the facts of a lake.

    Args:
        spark: The session.
        schema: The schema of the public models.
        target: dbt's target folder, which has the last run and the names of typed models.
        payloads: Whether to read excerpts of payloads and the text of statements.

    Raises:
        LandingError: No build has created the models.
    """
    names = get_names(schema, payloads=payloads)
    with ThreadPoolExecutor(THREADS) as threads:

        def start(kind: type[Kind], query: str, limit: int = MAX_ROWS) -> "Future[Listing[Kind]]":
            return threads.submit(read_listing, spark, kind, query.format_map(names), limit)

        # The longest query is the first. It needs no answer of another one.
        states = start(State, STATES, MAX_TABLES)
        incomplete = threads.submit(read_incomplete_rows, spark, names)
        names["published"] = get_published_stats(spark, schema)
        tables = start(facts.Table, TABLES, MAX_TABLES)
        publication = threads.submit(read_publication, spark, PUBLICATION.format_map(names))
        batches = threads.submit(read_batches, spark, names, read_raw_table(target))
        rejected = REJECTED_PAYLOADS if payloads else REJECTED_MESSAGES
        queries: dict[str, tuple[type[Any], str, int]] = {
            "held_tables": (facts.HeldTable, HELD_TABLES, 2 * MAX_ROWS),
            "topics": (facts.Topic, TOPICS, MAX_TOPICS),
            "arrivals": (facts.Arrival, ARRIVALS, MAX_CELLS),
            "rejections": (facts.Rejection, REJECTIONS, MAX_CELLS),
            "rejected_messages": (facts.RejectedMessage, rejected, MAX_ROWS),
            "statements": (facts.Statement, STATEMENTS, MAX_ROWS),
            "column_changes": (facts.ColumnChange, COLUMN_CHANGES, MAX_ROWS),
            "applied_changes": (facts.AppliedChange, APPLIED_CHANGES, MAX_ROWS),
            "unread_ranges": (facts.UnreadRange, UNREAD_RANGES, MAX_ROWS),
            "offset_gaps": (facts.OffsetGap, OFFSET_GAPS, MAX_ROWS),
            "sequence_resets": (facts.SequenceReset, SEQUENCE_RESETS, MAX_ROWS),
            "broken_chains": (facts.BrokenChain, BROKEN_CHAINS, MAX_ROWS),
            "unrepaired_statements": (facts.UnrepairedStatement, UNREPAIRED_STATEMENTS, MAX_ROWS),
            "stale_rows": (facts.StaleRows, STALE_ROWS, MAX_ROWS),
        }
        empty = read_empty_lists(spark, names)
        listings = {name: start(*query) for name, query in queries.items() if name not in empty}
    found: dict[str, Any] = {name: listing.result() for name, listing in listings.items()}
    return facts.Facts(
        generated_at=int(time.time()),
        schema=schema,
        publication=publication.result(),
        batches=batches.result(),
        tables=complete_tables(
            tables.result(), states.result(), incomplete.result(), read_typed_models(target)
        ),
        last_run=read_last_run(target),
        has_payloads=payloads,
        **found,
    )


def get_names(schema: str, *, payloads: bool) -> dict[str, Any]:
    """Return what the queries name: relations, expressions and limits."""
    cdc = quote(*schema.split("."))
    return {
        "cdc": cdc,
        "stats": f"{cdc}.event_batch_stats",
        "table": TABLE,
        "table_columns": TABLE_COLUMNS,
        "hour": HOUR,
        "days": DAYS,
        "excerpt": EXCERPT,
        "max_detail": MAX_DETAIL,
        "statement": f"left(ddl_text, {EXCERPT})" if payloads else "cast(null as string)",
    }


def exists(spark: SparkSession, relation: str) -> bool:
    """Return whether a table or view exists. Spark's catalog does not see the views of Iceberg."""
    try:
        spark.sql(f"select * from {relation}")
    except AnalysisException as error:
        if error.getCondition() not in NOT_BUILT:
            raise
        return False
    return True


def get_published_stats(spark: SparkSession, schema: str) -> str:
    """Return the published version of event_batch_stats as SQL. It is empty before the first one.

    The macros iceberg_published_relation and delta_published_relation have the same rule.

    Raises:
        LandingError: No build has created the models.
    """
    cdc = quote(*schema.split("."))
    stats = f"{cdc}.event_batch_stats"
    if not all(exists(spark, name) for name in (stats, f"{cdc}.message_accounting")):
        raise LandingError(f"the schema {schema} has no models yet. Hint: run dbt build")
    if table_format.NAME == "delta":
        published = f"{cdc}.published_event_batch_stats"
        is_published = exists(spark, published)
    else:
        published = f"{stats} version as of 'published'"
        tags = spark.sql(f"select 1 from {stats}.refs where name = 'published'")
        is_published = bool(tags.collect())
    return published if is_published else f"(select * from {stats} where false)"


def read_empty_lists(spark: SparkSession, names: Mapping[str, Any]) -> set[str]:
    """Return the names of the lists that no message of the lake can be in."""
    counts = ", ".join(f"sum({count}) as {name}" for name, count in COUNTED_LISTS.items())
    row = spark.sql(COUNTS.format_map({**names, "counts": counts})).collect()[0]
    return {name for name in COUNTED_LISTS if not row[name]}


def read_publication(spark: SparkSession, query: str) -> facts.Publication:
    """Return how much is published."""
    return facts.Publication(**spark.sql(query).collect()[0].asDict())


def read_listing(spark: SparkSession, kind: type[Kind], query: str, limit: int) -> Listing[Kind]:
    """Return the first rows of a query as objects of a class with the same columns."""
    order = query.rindex("\norder by")
    counted = f"select *, count(*) over () as total from ({query[:order]}) as rows{query[order:]}"
    try:
        rows = spark.sql(f"{counted}\nlimit {limit}").collect()
    except AnalysisException as error:
        if error.getCondition() not in NOT_BUILT:
            raise
        return Listing(is_built=False)
    names = [each.name for each in fields(kind)]  # type: ignore[arg-type]
    found = [kind(**{name: row[name] for name in names}) for row in rows]
    return Listing(found, rows[0]["total"] if rows else 0)


def read_incomplete_rows(spark: SparkSession, names: Mapping[str, Any]) -> Listing[IncompleteRows]:
    """Return the numbers of incomplete rows. Only streams that can have some are read."""
    streams = read_listing(spark, Stream, PARTIAL_STREAMS.format_map(names), MAX_TABLES)
    if not streams:
        return Listing(is_built=streams.is_built)
    conditions = [
        f"source_name = {literal(stream.source)} and source_tenant = {literal(stream.tenant)}"
        for stream in streams
    ]
    query = INCOMPLETE_ROWS.format_map({**names, "streams": " or ".join(conditions)})
    return read_listing(spark, IncompleteRows, query, MAX_TABLES)


def read_raw_table(target: Path) -> str | None:
    """Return the table of landed messages, from dbt's manifest. None if another tool writes it."""
    sources: Mapping[str, Any] = read_json(target / "manifest.json").get("sources", {})
    for name, source in sources.items():
        if name.endswith(".raw.kafka_messages"):
            relation: str = source["relation_name"]
            return relation
    return None


def read_batches(
    spark: SparkSession, names: Mapping[str, Any], raw: str | None
) -> Listing[facts.Batch]:
    """Return the newest landing batches with their bytes in the table of landed messages."""
    batches = read_listing(spark, facts.Batch, BATCHES.format_map(names), MAX_BATCHES)
    return add_bytes(spark, batches, raw)


def add_bytes(
    spark: SparkSession, batches: Listing[facts.Batch], raw: str | None
) -> Listing[facts.Batch]:
    """Return landing batches with their bytes in raw. Only metadata of raw is read.

    A file of several batches counts by their messages. Delta's metadata has no batches, so each
    message counts as much as the average one.
    """
    if not raw or not batches.rows or not exists(spark, raw):
        return batches
    if "landing_batch" not in spark.table(raw).columns:
        return batches
    if table_format.NAME == "delta":
        size = spark.sql(f"describe detail {raw}").collect()[0]["sizeInBytes"]
        messages = spark.table(raw).count()
        files = [(None, None, size, messages)]
    else:
        oldest = min(int(batch.batch) for batch in batches)
        query = RAW_FILES.format_map({"raw": raw, "oldest": oldest})
        files = [tuple(row) for row in spark.sql(query).collect()]
    found = [replace(batch, bytes=get_bytes(batch, files)) for batch in batches]
    return Listing(found, batches.total, batches.is_built)


def get_bytes(batch: facts.Batch, files: Sequence[tuple[Any, ...]]) -> int | None:
    """Return the bytes of a landing batch.

    Args:
        batch: The batch.
        files: First and last batch, bytes and messages of files. No batches mean all of them.
    """
    number = int(batch.batch)
    exact = [file for file in files if file[0] == file[1] == number]
    shared = [file for file in files if file[0] is None or file[0] <= number <= file[1]]
    shared = [file for file in shared if file not in exact]
    size = sum(file[2] for file in exact)
    rest = max(0, batch.messages - sum(file[3] for file in exact))
    messages = sum(file[3] for file in shared)
    if rest and messages:
        size += round(rest * sum(file[2] for file in shared) / messages)
    return int(size) if exact or messages else None


CALL = re.compile(
    r"kafka_cdc\.current_table\(\s*'(?P<table>(?:[^'\\]|\\.)*)'"
    r"(?:\s*,\s*source\s*=\s*'(?P<source>(?:[^'\\]|\\.)*)')?"
)


def read_typed_models(target: Path) -> dict[tuple[str, str | None], str]:
    """Return the models of typed tables: table and source to the name of the model.

    They are read from the calls of current_table in dbt's manifest.
    """
    nodes: Mapping[str, Any] = read_json(target / "manifest.json").get("nodes", {})
    models = {}
    for node in nodes.values():
        if node["resource_type"] == "model" and (call := CALL.search(node.get("raw_code", ""))):
            table, source = (
                None if part is None else re.sub(r"\\(.)", r"\1", part) for part in call.groups()
            )
            models[table or "", source] = node["name"]
    return models


def complete_tables(
    tables: Listing[facts.Table],
    states: Listing[State],
    incomplete: Listing[IncompleteRows],
    models: Mapping[tuple[str, str | None], str],
) -> Listing[facts.Table]:
    """Return tables with their published rows, keys and typed models.

    A table without a state has no rows, unless no build has created current_state.
    """
    by_table = {(state.source, state.table): state for state in states}
    incomplete_rows = {(each.source, each.table): each.rows for each in incomplete}
    completed = []
    for table in tables:
        path = table.table.rpartition("/")[2]  # without the tenant
        model = models.get((path, table.source)) or models.get((path, None))
        state = by_table.get((table.source, table.table))
        if states.is_built:
            missing = incomplete_rows.get((table.source, table.table), 0)
            table = replace(table, rows=0, incomplete_rows=missing)
        if state:
            table = replace(table, rows=state.rows, key=state.key)
        completed.append(replace(table, typed_model=model))
    return Listing(completed, tables.total, tables.is_built)


def read_last_run(target: Path) -> facts.LastRun:
    """Return the last run from dbt's run_results.json."""
    results = read_json(target / "run_results.json")
    if not results:
        return facts.LastRun()
    nodes: Sequence[facts.Node] = sorted(
        (
            facts.Node(
                name=result["unique_id"].split(".")[2],
                kind=result["unique_id"].split(".")[0],
                status=result["status"],
                seconds=round(result["execution_time"], 2),
            )
            for result in results["results"]
        ),
        key=lambda node: -node.seconds,
    )
    began = results["metadata"].get("invocation_started_at") or results["metadata"]["generated_at"]
    return facts.LastRun(
        began_at=int(datetime.fromisoformat(began.replace("Z", "+00:00")).timestamp()),
        command=str(results.get("args", {}).get("which", "")),
        seconds=round(results["elapsed_time"], 1),
        nodes=nodes,
    )


def read_json(file: Path) -> dict[str, Any]:
    """Return the content of a JSON file of dbt, empty if there is none.

    Raises:
        LandingError: It is incomplete, for example because dbt is writing it.
    """
    if not file.is_file():
        return {}
    try:
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        raise LandingError(
            f"{file} is incomplete. Hint: if dbt runs, wait for its end; otherwise run dbt build"
        ) from None
    return content

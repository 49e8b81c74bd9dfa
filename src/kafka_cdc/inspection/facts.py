"""What a sample contains: facts of each topic and of its tables."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F

from kafka_cdc.inspection.lake import WITHOUT_KEYS
from kafka_cdc.inspection.samples import SIZE

MESSAGE = ("kafka_topic", "kafka_partition", "kafka_offset")
KEYED = ("topic", "partition", "offset", "key")
TABLE = ("source_name", "source_tenant", "source_database", "source_schema", "source_table")
CONTROL_KINDS = ("heartbeat", "transaction", "other")
MAX_KEY_CANDIDATES = 3

FROM_KAFKA_KEY = "the Kafka key"
FROM_MESSAGE = "the message"
FROM_TABLES = "the setting tables"
FROM_TOPICS = "the setting topics"

BY_SEQUENCE = "the position in the source's log"
BY_OFFSET = "the Kafka offset"
BY_TIMESTAMP = "the Kafka timestamp"
BY_NOTHING = "none: some changes have a position in the source's log and some do not"
# A snapshot row of only its key and nulls, and perhaps the word by which a source names a deletion.
IS_EMPTY = (
    "operation = 'snapshot' and operation_code is null and size(after_row) > size(key_columns)"
    " and forall(map_keys(after_row), name -> array_contains(key_columns, name)"
    " or coalesce(after_row[name] = 'delete', true))"
)
# The changes that need a position, as in the macro ordered_change_condition.
IS_ORDERED = "operation not in ('truncate', 'snapshot')"


@dataclass
class FormatShare:
    """A format, and how many messages it reads. Tombstones do not count.

    Attributes:
        format: The slug; None if no format recognizes the messages.
        messages: Their number.
        share: Their share, from 0 to 1.
        chosen_by: `recognized`, or `topics` if the setting maps the topic.
    """

    format: str | None
    messages: int
    share: float
    chosen_by: str


@dataclass
class Column:
    """A column, and the types that the messages name."""

    name: str
    types: list[str]


@dataclass
class TableFacts:
    """A source table in a topic.

    Attributes:
        source_name: The stream.
        table: database[.schema].table.
        changes: The number of row changes.
        operations: How many changes of each operation.
        key: The key columns. Empty if the changes have none.
        key_from: Where the key comes from. None if there is no key.
        keyless_changes: How many changes have no key.
        empty_rows: How many rows without an operation contain only their key and nulls.
        key_values: The columns whose values are those of the Kafka key, if there is no key.
        key_candidates: Columns whose values are distinct in the inserts, if there is no key and the
            Kafka key contains none.
        inserts: The number of inserts and snapshot rows that show it.
        order: What orders the changes.
        partitions: In how many partitions the changes are.
        columns: The columns of the images.
    """

    source_name: str
    table: str
    changes: int
    operations: dict[str, int]
    key: list[str]
    key_from: str | None
    keyless_changes: int
    empty_rows: int
    key_values: list[str]
    key_candidates: list[str]
    inserts: int
    order: str
    partitions: int
    columns: list[Column]


@dataclass
class Reject:
    """Messages that are rejected for the same reason, with the coordinates of the first one."""

    code: str
    detail: str | None
    messages: int
    partition: int
    offset: int


@dataclass
class TopicFacts:
    """A topic.

    Attributes:
        topic: Its name.
        messages: How many messages the topic has.
        sampled: How many of them were read.
        sampled_bytes: The size of their keys and values.
        formats: The formats, the most frequent first.
        outcomes: How many messages are change, ddl, control, tombstone and rejected.
        tables: The source tables.
        rejects: The rejected messages.
        settings: Lines for the settings topics and tables that concern the topic.
        notes: What the sample shows and what to do about it.
    """

    topic: str
    messages: int
    sampled: int = 0
    sampled_bytes: int = 0
    formats: list[FormatShare] = field(default_factory=list)
    outcomes: dict[str, int] = field(default_factory=dict)
    tables: list[TableFacts] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    settings: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the facts as JSON."""
        return asdict(self)


def read_topics(raw: DataFrame, events: DataFrame, available: dict[str, int]) -> list[TopicFacts]:
    """Return the facts of each topic, in the order of their names.

    Args:
        raw: The sample.
        events: Its events, see SampleEvents.
        available: How many messages each topic has.
    """
    topics = {name: TopicFacts(name, messages) for name, messages in sorted(available.items())}
    sample = raw.where("topic_incarnation = 0")
    sizes = sample.groupBy("topic").agg(
        F.count("*").alias("messages"), F.expr(f"sum({SIZE}) as bytes")
    )
    for row in sizes.collect():
        topics[row.topic].sampled = row.messages
        topics[row.topic].sampled_bytes = row.bytes
    own = events.where("topic_incarnation = 0")
    add_formats(own, topics)
    add_rejects(own, topics)
    keys = sample.select(*(F.col(name).alias(f"kafka_{name}") for name in KEYED))
    add_tables(own, events.where(f"topic_incarnation = {WITHOUT_KEYS}"), keys, topics)
    return list(topics.values())


def add_formats(events: DataFrame, topics: dict[str, TopicFacts]) -> None:
    """Add the formats and the outcomes of the messages."""
    kind = F.expr(f"if(event_kind in {CONTROL_KINDS}, 'control', event_kind)").alias("outcome")
    messages = events.select(*MESSAGE, "source_format", "mapped_format", kind).distinct()
    counts = messages.groupBy("kafka_topic", "source_format", "mapped_format", "outcome").count()
    formats: dict[str, dict[tuple[str | None, str], int]] = defaultdict(lambda: defaultdict(int))
    for row in counts.collect():
        outcomes = topics[row.kafka_topic].outcomes
        outcomes[row.outcome] = outcomes.get(row.outcome, 0) + row["count"]
        if row.outcome != "tombstone":
            chosen_by = "topics" if row.mapped_format else "recognized"
            formats[row.kafka_topic][row.source_format, chosen_by] += row["count"]
    for name, by_format in formats.items():
        total = sum(by_format.values())
        topics[name].formats = [
            FormatShare(slug, messages, round(messages / total, 4), chosen_by)
            for (slug, chosen_by), messages in sorted(
                by_format.items(), key=lambda item: (-item[1], item[0][0] or "")
            )
        ]
    for topic in topics.values():
        topic.outcomes = dict(sorted(topic.outcomes.items()))


def add_rejects(events: DataFrame, topics: dict[str, TopicFacts]) -> None:
    """Add the rejected messages by code and detail."""
    rejected = events.where("event_kind = 'rejected'")
    first = F.min(F.struct("kafka_partition", "kafka_offset")).alias("first")
    groups = rejected.groupBy("kafka_topic", "reject_code", "reject_detail")
    for row in groups.agg(F.count("*").alias("messages"), first).orderBy("first").collect():
        topics[row.kafka_topic].rejects.append(
            Reject(row.reject_code, row.reject_detail, row.messages, *row.first)
        )


def add_tables(
    events: DataFrame, without_keys: DataFrame, keys: DataFrame, topics: dict[str, TopicFacts]
) -> None:
    """Add the source tables.

    Args:
        events: The events of the sample.
        without_keys: The events of the copy without Kafka keys. If its keys differ, they come from
            the Kafka key.
        keys: The columns MESSAGE and kafka_key of the sample.
        topics: The topics by name.
    """
    copy = without_keys.where("row_index = 0").select(
        *MESSAGE, F.col("key_columns").alias("copied_key"), F.lit(True).alias("is_copied")
    )
    changes = events.where("event_kind = 'change'").join(copy, [*MESSAGE], "left")
    has_key = "size(key_columns) > 0"
    key_from = F.expr(
        f"case when not coalesce({has_key}, false) then null"
        f" when table_key is not null then '{FROM_TABLES}'"
        f" when is_copied and not copied_key <=> key_columns then '{FROM_KAFKA_KEY}'"
        f" when topic_key <=> key_columns then '{FROM_TOPICS}'"
        f" else '{FROM_MESSAGE}' end"
    )
    changes = changes.withColumn("key_from", key_from)
    changes = changes.withColumn("has_image", F.expr("operation <> 'truncate'"))
    table = ["kafka_topic", *TABLE]
    columns = read_columns(changes, table)
    facts = changes.groupBy(*table).agg(
        F.count("*").alias("changes"),
        F.count_if(F.expr(f"has_image and not coalesce({has_key}, false)")).alias("keyless"),
        F.count_if(F.expr(IS_EMPTY)).alias("empty_rows"),
        F.count("source_sequence").alias("positions"),
        F.count_if(F.expr(f"{IS_ORDERED} and source_sequence is not null")).alias("sequenced"),
        F.count_if(F.expr(f"{IS_ORDERED} and source_sequence is null")).alias("unsequenced"),
        F.countDistinct("kafka_partition").alias("partitions"),
        F.max("order_by").alias("order_by"),
        F.sort_array(F.collect_set(F.expr(f"if({has_key}, key_columns, null)"))).alias("keys"),
        F.sort_array(F.collect_set("key_from")).alias("key_from"),
    )
    operations: dict[tuple[Any, ...], dict[str, int]] = defaultdict(dict)
    for row in changes.groupBy(*table, "operation").count().orderBy("operation").collect():
        operations[get_identity(row)][row.operation] = row["count"]
    for row in facts.orderBy(*table).collect():
        identity = get_identity(row)
        topics[row.kafka_topic].tables.append(
            TableFacts(
                source_name=row.source_name,
                table=".".join(
                    part
                    for part in (row.source_database, row.source_schema, row.source_table)
                    if part
                ),
                changes=row.changes,
                operations=operations[identity],
                key=sorted({column for key in row["keys"] for column in key}),
                key_from=" and ".join(row.key_from) or None,
                keyless_changes=row.keyless,
                empty_rows=row.empty_rows,
                key_values=[],
                key_candidates=[],
                inserts=0,
                order=get_order(row),
                partitions=row.partitions,
                columns=columns[identity],
            )
        )
        if row.keyless:
            add_key_candidates(
                topics[row.kafka_topic].tables[-1],
                read_rows(changes.join(keys, [*MESSAGE]), identity),
            )


def get_identity(row: Row) -> tuple[Any, ...]:
    """Return the topic and the table of a row."""
    return (row.kafka_topic, *(row[name] for name in TABLE))


def get_order(row: Row) -> str:
    """Return what orders the changes of a table: the setting order_by, else their sequence."""
    if row.order_by in ("offset", "kafka_timestamp"):
        return BY_OFFSET if row.order_by == "offset" else BY_TIMESTAMP
    if row.sequenced and row.unsequenced:
        return BY_NOTHING
    return BY_OFFSET if row.unsequenced or not row.positions else BY_SEQUENCE


def read_columns(changes: DataFrame, table: list[str]) -> dict[tuple[Any, ...], list[Column]]:
    """Return the columns of each table, in the order of the first image that has them."""
    images = ("after_row", "before_row")
    nothing = F.array().cast("array<string>")
    names = F.array_except(
        F.array_union(*(F.coalesce(F.map_keys(image), nothing) for image in images)),
        F.coalesce(F.col("paths.name"), nothing),
    )
    columns = changes.select(*table, "column_types", F.posexplode(names).alias("place", "name"))
    found = (
        columns.groupBy(*table, "name")
        .agg(
            F.min("place").alias("place"),
            F.sort_array(F.collect_set(F.expr("try_element_at(column_types, name)"))).alias(
                "types"
            ),
        )
        .orderBy("place", "name")
    )
    by_table: dict[tuple[Any, ...], list[Column]] = defaultdict(list)
    for row in found.collect():
        by_table[get_identity(row)].append(Column(row["name"], row.types))
    return by_table


def read_rows(changes: DataFrame, identity: tuple[Any, ...]) -> list[Row]:
    """Return the rows after the inserts, snapshot rows and updates of a table, with the Kafka keys.

    The columns are kafka_key, operation and after_row.
    """
    rows = changes.where(F.col("kafka_topic") == identity[0])
    for name, value in zip(TABLE, identity[1:], strict=True):
        rows = rows.where(F.col(name).eqNullSafe(F.lit(value)))
    rows = rows.where("operation in ('insert', 'snapshot', 'update')")
    return rows.select("kafka_key", "operation", "after_row").collect()


def add_key_candidates(table: TableFacts, rows: Sequence[Row]) -> None:
    """Add what the rows show about the key of a table without one.

    If the Kafka keys differ and have no values of columns, no column is a candidate.
    """
    inserts = [row for row in rows if row.operation != "update"]
    table.inserts = len(inserts)
    names = [column.name for column in table.columns]
    keys = [parse_key(row.kafka_key) for row in rows]
    if None not in keys and (len(set(keys)) > 1 or len(keys) == 1):
        inserted = [key for key, row in zip(keys, rows, strict=True) if row.operation == "insert"]
        if len(set(inserted)) == len(inserted):
            table.key_values = find_key_values(keys, [row.after_row for row in rows], names)
            return
    if len(inserts) > 1:  # one insert proves nothing
        values = [[row.after_row.get(name) for row in inserts] for name in names]
        table.key_candidates = [
            name
            for name, found in zip(names, values, strict=True)
            if None not in found and len(set(found)) == len(found)
        ][:MAX_KEY_CANDIDATES]


def parse_key(text: str | None) -> tuple[str, ...] | None:
    """Return the values of a Kafka key as texts: of an object, an array or a bare value.

    None means that there is no key.
    """
    if text is None:
        return None
    try:
        key = json.loads(text, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        key = text
    if isinstance(key, dict) and key.keys() == {"schema", "payload"}:
        key = key["payload"]
    parts = key.values() if isinstance(key, dict) else key if isinstance(key, list) else [key]
    return tuple(part if isinstance(part, str) else json.dumps(part) for part in parts)


def find_key_values(
    keys: Sequence[tuple[str, ...] | None], rows: Sequence[Mapping[str, str]], names: list[str]
) -> list[str]:
    """Return the columns that have the values of the Kafka key in all rows, in its order.

    It is empty unless each value of the key has exactly one such column.
    """
    found: list[str] = []
    for index in range(max(len(key or ()) for key in keys)):
        equal = [
            name
            for name in names
            if all(
                key is not None and index < len(key) and row.get(name) == key[index]
                for key, row in zip(keys, rows, strict=True)
            )
        ]
        if len(equal) != 1 or equal[0] in found:
            return []
        found += equal
    return found

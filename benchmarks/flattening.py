"""Measure flattening against simpler reading (P1, P3, P8), and the bytes a run reads of raw (P4)."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import SparkSession

from kafka_cdc.cli import main as land

from .measures import FOLDER, Measure, bytes_read, dbt, in_processor_time, no_sink
from .messages import COLUMNS, FORMATS, lines

MESSAGES = int(
    os.environ.get("BENCH_MESSAGES", "6000")
)  # per format, with ten columns; wider messages have the same total bytes
MESSAGES_OF_A_RUN = 60_000  # per format, to count a run's bytes: about 2 MB are constant
DECIMALS = float(os.environ.get("BENCH_DECIMALS", "0.1"))  # share of messages with bare fractions
WIDTHS = {10: 1, 50: 5, 500: 40}  # columns → how many messages of 10 columns are about as long
MIN_AGAINST_PATHS = {10: 4, 50: 10, 500: 40}  # columns → throughput ÷ that of a path per field
TOPICS = [{"topic": f"{name}_*", "format": name} for name in FORMATS]
MYSQL_ENVELOPE = (
    "mysqlType map<string, string>, id string, es string, ts string, database string, `table` string, type string, isDdl string, sql string, "
    "data array<map<string, string>>, `old` array<map<string, string>>, pkNames array<string>"
)
ENVELOPES = {
    "huawei_drs_json": MYSQL_ENVELOPE,
    "canal": MYSQL_ENVELOPE + ", gtid string",
    "alibaba_dataworks": "schema struct<dataColumn array<struct<name string, type string>>, primaryKey array<string>, source struct<dbType "
    "string, dbName string, schemaName string, tableName string>>, payload struct<before struct<dataColumn map<string, string>>, after "
    "struct<dataColumn map<string, string>>, sequenceId string, op string, timestamp struct<eventTime string, systemTime string>>",
    "debezium": "before map<string, string>, after map<string, string>, source struct<connector string, name string, ts_ms string, db string, "
    "`table` string, file string, pos string, `row` string>, op string, ts_ms string",
    "maxwell": "database string, `table` string, type string, ts string, position string, primary_key_columns array<string>, data map<string, string>, "
    "`old` map<string, string>",
}
ROW_PATHS = {
    "huawei_drs_json": ["$.old[0].", "$.data[0]."],
    "canal": ["$.old[0].", "$.data[0]."],
    "alibaba_dataworks": ["$.payload.before.dataColumn.", "$.payload.after.dataColumn."],
    "debezium": ["$.before.", "$.after."],
    "maxwell": ["$.old.", "$.data."],
}
MYSQL_PATHS = ["$.id", "$.es", "$.ts", "$.database", "$.table", "$.type", "$.isDdl", "$.pkNames"]
ENVELOPE_PATHS = {
    "huawei_drs_json": MYSQL_PATHS,
    "canal": [*MYSQL_PATHS, "$.gtid"],
    "alibaba_dataworks": ["$.schema.source.dbName", "$.schema.source.tableName", "$.schema.primaryKey", "$.payload.sequenceId", "$.payload.op",
                          "$.payload.timestamp.eventTime", "$.payload.timestamp.systemTime"],
    "debezium": ["$.source.connector", "$.source.name", "$.source.db", "$.source.table", "$.source.file", "$.source.pos", "$.source.row",
                 "$.source.ts_ms", "$.op", "$.ts_ms"],
    "maxwell": ["$.database", "$.table", "$.type", "$.ts", "$.position", "$.primary_key_columns"],
}  # fmt: skip


def write_messages(
    count: int, first: int, part: str, decimals: float = DECIMALS, columns: int = COLUMNS
) -> Path:
    """Write `count` messages of each format as kcat lines and return their folder. The topics are <format>_<part>."""
    folder = Path(FOLDER.name) / f"{part}_{first}"
    folder.mkdir()
    for name in FORMATS:
        with open(folder / f"{name}.kcat.jsonl", "w", encoding="utf-8") as file:
            for at, (key, value) in enumerate(lines(name, count, decimals, first, columns), first):
                message = {
                    "topic": f"{name}_{part}",
                    "partition": 0,
                    "offset": at,
                    "ts": 1700000000000 + at,
                    "key": key,
                    "payload": value,
                }
                file.write(json.dumps(message) + "\n")
    return folder


def by_topic(schema: str, expression: Callable[[str], str]) -> str:
    """Return a query with one column per format, which is null for messages of other formats."""
    columns = ", ".join(
        f"case when startswith(topic, '{name}') then {expression(name)} end as {name}"
        for name in FORMATS
    )
    return f"select topic, `partition`, `offset`, {columns} from {schema}.kafka_messages"


def one_path_per_field(name: str, columns: int) -> str:
    """Return a struct with one get_json_object per field of the envelope and of both images."""
    names = ["id", *(f"column_{at}" for at in range(columns - 1))]
    paths = ENVELOPE_PATHS[name] + [f"{row}{column}" for row in ROW_PATHS[name] for column in names]
    return f"struct({', '.join(f'get_json_object(value, {path!r}) as p{at}' for at, path in enumerate(paths))})"


def flattening(
    schema: str,
    topics: list[dict[str, object]],
    project: Path | None = None,
    **settings: object,
) -> str:
    """Return the SELECT of events over all of raw, as dbt compiles it before the table exists."""
    settings |= {"topics": topics, "raw_schema": schema}
    dbt("compile", "--select", "events", schema=f"cdc_{schema}", project=project, **settings)
    return (Path(FOLDER.name) / "target/compiled/kafka_cdc/models/parsed/events.sql").read_text(
        encoding="utf-8"
    )


def without_exact_numbers(query: str) -> str:
    """Return the SELECT of events without exact numbers: the marker of numbers is null."""
    inexact, count = re.subn(
        r"if\(\s*value rlike r'(?:[^']|'')*',\s*concat\('\\uFDD0', sentinel\),\s*null\s*\) as number_marker",
        "cast(null as string) as number_marker",
        query,
    )
    assert count == 1, "the SQL of number_marker has changed"
    return inexact


def land_messages(spark: SparkSession, schema: str, folder: Path) -> int:
    """Land the files of a folder in a raw schema. Return the bytes of values in that schema."""
    land(["land", "files", str(folder), "--schema", schema])
    return spark.sql(f"select sum(octet_length(value)) from {schema}.kafka_messages").first()[0]


def flatten(spark: SparkSession) -> list[Measure]:
    """Compare flattening with simpler parsing, and exact with inexact numbers."""
    measures = []
    for columns, factor in WIDTHS.items():
        schema = f"raw_{columns}"
        size = land_messages(
            spark, schema, write_messages(MESSAGES // factor, 0, str(columns), columns=columns)
        )
        bare = no_sink(
            spark, by_topic(schema, lambda name: f"from_json(value, '{ENVELOPES[name]}')")
        )
        ours = no_sink(spark, flattening(schema, TOPICS))
        what = f"flatten raw → events rows (no-op sink) ÷ one bare from_json pass over the same bytes, {columns} columns"
        measures.append(in_processor_time("P1", what, "≤ 2.5", ours, bare, size))
        if columns == COLUMNS:
            auto = no_sink(spark, flattening(schema, []))
            measures.append(
                in_processor_time(
                    "P1", what + ", topics recognized message by message", "≤ 3", auto, bare, size
                )
            )
        by_path = no_sink(
            spark, by_topic(schema, lambda name, columns=columns: one_path_per_field(name, columns))
        )
        measures.append(
            in_processor_time(
                "P3",
                f"throughput ÷ that of one get_json_object per field, {columns} columns",
                f"≥ {MIN_AGAINST_PATHS[columns]}",
                ours,
                by_path,
                size,
                invert=True,
                warm_ups=1,  # our query has run before; one path per field takes a minute
            )
        )
    size = land_messages(spark, "raw_decimals", write_messages(MESSAGES, 0, "decimals", decimals=1))
    exact = flattening("raw_decimals", TOPICS)
    what = "exact numbers in decimal-heavy payloads (every fifth column) ÷ the same query with inexact numbers"
    measures.append(
        in_processor_time(
            "P8",
            what,
            "",
            no_sink(spark, exact),
            no_sink(spark, without_exact_numbers(exact)),
            size,
        )
    )
    return measures


def mask(spark: SparkSession) -> list[Measure]:
    """Compare flattening with three masks of ten columns with flattening without masks."""
    schema = "raw_masks"
    size = land_messages(spark, schema, write_messages(MESSAGES, 0, "masks"))
    plain = no_sink(spark, flattening(schema, TOPICS))
    measures = []
    for masks in (["hash", "hash", "hash"], ["hash", "last4", "null"]):
        columns = {f"column_{at}": {"mask": name} for at, name in enumerate(masks)}
        tables = [{"table": "*", "columns": columns}]
        masked = no_sink(spark, flattening(schema, TOPICS, tables=tables))
        what = f"flatten with the masks {', '.join(masks)} on 3 of 10 columns ÷ without masks"
        measures.append(in_processor_time("P11", what, "≤ 1.1", masked, plain, size))
    return measures


def raw_bytes(spark: SparkSession, schema: str) -> int:
    """Return the size of raw's data files."""
    return spark.sql(f"select sum(file_size_in_bytes) from {schema}.kafka_messages.files").first()[
        0
    ]


def bytes_of_a_run(spark: SparkSession) -> list[Measure]:
    """Compare the bytes that Spark reads in a run of events with the bytes landed."""
    schema, count = "raw_bytes", MESSAGES_OF_A_RUN
    run = {"schema": f"cdc_{schema}", "topics": TOPICS, "raw_schema": schema}
    land_messages(spark, schema, write_messages(count, 0, "bytes"))
    dbt("build", "--select", "+path:models/marts/changelog.sql", "--exclude", "staging", **run)
    rejected = spark.sql(
        f"select reject_code, reject_detail from cdc_{schema}.events where event_kind = 'rejected'"
    ).first()
    assert rejected is None, f"the generated messages are invalid: {rejected}"
    before = raw_bytes(spark, schema)
    land_messages(spark, schema, write_messages(count, count, "bytes"))
    landed = raw_bytes(spark, schema) - before
    read = bytes_read()
    dbt("run", "--select", "events", **run)
    read = bytes_read() - read
    what = f"bytes that Spark reads in a run of events, from raw and other files, ÷ bytes landed since the last run, with all formats enabled, {count:,} messages of each of {len(FORMATS)} formats"
    return [
        Measure(
            "P4",
            what,
            "≤ 1.1",
            f"{read / landed:.2f}",
            "1 run",
            f"{read / 1e6:.1f} MB against {landed / 1e6:.1f} MB",
        )
    ]

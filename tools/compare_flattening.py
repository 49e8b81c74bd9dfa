r"""Compares the events that two versions of the project flatten, row by row and column by column.

Use it to prove that a change of the SQL of flattening changes no event:

    git worktree add ../before <commit>
    python -m tools.compare_flattening ../before

Both versions flatten the same messages in one warm Spark session. The messages are:

* mapped: all messages of tests/cases, with their settings.
* recognized: all messages of tests/cases and examples/samples, without settings.
* damaged, damaged_recognized: these messages with random edits. The edits are numbers, duplicate
  members, surrogates, invalid UTF-8, control characters, placeholders, and texts before and after
  the payload.
* wide: the messages of the benchmark's vendors with 10, 50 and 500 columns.

Exit code 0: equal. 1: at least one event differs; the first ones are printed.
"""

import argparse
import contextlib
import io
import json
import os
import random
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(HOME), *(str(HOME / "tests" / name) for name in ("", "helpers", "golden"))]

import test_cases as cases  # noqa: E402
from benchmarks import messages as bench  # noqa: E402
from pyspark.sql import DataFrame, SparkSession  # noqa: E402
from pyspark.sql import functions as f  # noqa: E402
from pyspark.sql.types import MapType  # noqa: E402

import conftest  # noqa: E402 - it sets the lake of a test before Spark starts

Message = dict[str, Any]
EDITS_PER_MESSAGE = int(os.environ.get("COMPARE_EDITS", "6"))
POSITION = ["kafka_topic", "topic_incarnation", "kafka_partition", "kafka_offset", "row_index"]
NUMBERS = [
    "0",
    "-0",
    "-0.0",
    "0.0",
    "0e0",
    "1.10",
    "1e2",
    "1E+5",
    "-1.50e-07",
    "1e400",
    "-1e-400",
    "1e-2",
    "12e3",
    "100",
    "9007199254740993",
    "123456789012345678901234567890.1234",
    "1590315269000.123456789",
    "-7",
    "1. 5",
    "1.",
    ".5",
    "01.5",
    "007",
    "-",
    "1e",
    "NaN",
    "Infinity",
    "-Infinity",
    "+1",
    "1.50 ",
    "1.5\t",
    " -0 ",
    "1e2\n",
    "[1.10]",
    '[1.10,{"x":-0}]',
    '{"x":1.50}',
    '{"x":"1.50"}',
    '[1e2, "a"]',
    '{"x":[1e2]}',
    '["1.5",2.5]',
    "{}",
    "[]",
    "null",
    "true",
]
TEXTS = [
    r"\ud83d",
    r"\ud83d\ude00",
    r"\ude00\ud83d",
    r"\\ud83d",
    r"\uD83D",
    r"\u0041",
    r"\"",
    r"\\",
    r"\/",
    r"\n",
    r"\u0000",
    "\0",
    "\n",
    "\t",
    "\x1b",
    "\ufeff",
    "\ufdd0",
    "\ufdd09A3F",
    "\uffff",
    "\U0010ffff",
    "é",
    "库",
    "😀",
    "'",
    "~~~~~~~~~~~~~~~~",
    "~~~~~~~~~~~~~~~~.5",
    "1.50",
    "1e2",
    "-0",
    "1.5,",
    "7.25]",
    "12.5}",
    " 3.5 ,",
    "-0}",
    "4e5]",
    ": 1.5, ",
    "a.b@c.de",
    "$1",
    "__debezium_unavailable_value",
    "X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==",
    r"\q",
    r"\u12",
    "null",
    "",
]
HEADS = [
    "\ufeff",
    "\xa0",
    "\0",
    "x",
    "[",
    "{",
    "{},",
    "null,",
    '{}],"documents":[',
    "/**/",
    "\t",
    "\r\n",
    " ",
]
TAILS = [
    "{}",
    " null",
    ",",
    ",{}",
    "}",
    "]",
    "]}",
    ",{}]",
    ",{}]}",
    ",null]}",
    ",{}]} x",
    ",{}]},{}",
    ',{}],"documents":[{}',
    '],"documents":[{}',
    " // x",
    "/**/",
    "#",
    "\0",
    "\x0b",
    "\xa0",
    "\ufeff",
    " 1.50",
    " \t\r\n",
    ',{"_sentinel":"A"}',
]
INVALID_BYTES = [
    b"\xff",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xe2\x82",
    b"\xf5\x80\x80\x80",
    b"\x80",
    b"\\\xff",
]
VALUE = re.compile(r'(?<=:)\s*(?:"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null)')
TEXT = re.compile(r'(?<=:)\s*"(?:[^"\\]|\\.)*"')
MEMBER = re.compile(
    r'"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null)'
)


def replaced(text: str, pattern: re.Pattern[str], chance: random.Random, new: str) -> str:
    """Return a text in which one match of the pattern, or a few, is replaced."""
    found = list(pattern.finditer(text))
    for match in sorted(
        chance.sample(found, min(len(found), chance.choice([1, 1, 2, 4]))),
        key=lambda one: -one.start(),
    ):
        text = text[: match.start()] + new.replace("\\&", match[0]) + text[match.end() :]
    return text


def edited(text: str, chance: random.Random) -> str | bytes:
    """Return a payload or key after one random edit."""
    kind = chance.randrange(9)
    if kind <= 2:
        return replaced(text, VALUE, chance, chance.choice(NUMBERS))
    if kind == 3:
        piece = chance.choice(TEXTS)
        return replaced(
            text,
            TEXT,
            chance,
            '"' + chance.choice(["", "x ", "1"]) + piece + chance.choice(["", " y"]) + '"',
        )
    if kind == 4:
        member = MEMBER.search(text, chance.randrange(len(text) + 1))
        other = (
            re.sub(
                r":.*",
                ":" + chance.choice(["null", '"other"', "1.50", "7"]),
                member[0],
                flags=re.DOTALL,
            )
            if member
            else ""
        )
        return (
            replaced(
                text, MEMBER, chance, f"\\&,{other}" if chance.random() < 0.5 else f"{other},\\&"
            )
            if member
            else text
        )
    if kind == 5:
        return chance.choice(HEADS) + text
    if kind == 6:
        return text + chance.choice(TAILS)
    if kind == 7:
        data = text.encode()
        at = chance.randrange(len(data) + 1)
        return data[:at] + chance.choice(INVALID_BYTES) + data[at + chance.randrange(2) :]
    at = chance.randrange(len(text) + 1)
    return (
        text[:at]
        + chance.choice(['"', "{", "}", "[", "]", ",", ":", "\\", " ", "-", ".", "e", "0"])
        + text[at + chance.randrange(2) :]
    )


def damaged(all_messages: list[Message]) -> Iterator[Message]:
    """Yield edited messages, each with an offset of its own. The same in each run."""
    chance = random.Random("compare_flattening")
    at = 0
    for message in all_messages:
        for _ in range(EDITS_PER_MESSAGE):
            at += 1
            copy = {**message, "offset": at, "partition": 0}
            name = "key" if message.get("key") and chance.random() < 0.15 else "value"
            text = message.get(name)
            for _ in range(chance.choice([1, 1, 2])):
                if isinstance(text, str) and len(text) < 50_000:
                    text = edited(text, chance)
            yield {**copy, name: text}


def benchmark_messages() -> Iterator[Message]:
    """Yield messages of the benchmark's vendors, a part of them full of fractions."""
    for name in bench.FORMATS:
        for columns, count in ((10, 3000), (50, 400), (500, 40)):
            for at, (key, value) in enumerate(bench.lines(name, count, 0.3, 0, columns)):
                yield {"topic": f"{name}_{columns}", "offset": at, "key": key, "value": value}


def as_bytes(text: str | bytes | None) -> bytes | None:
    """Return a text in UTF-8. Bytes stay as they are."""
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text


def land(spark: SparkSession, name: str, landed: list[Message]) -> conftest.Project:
    """Land messages, whose values may be bytes, in a schema of their own."""
    project = conftest.Project(spark, name)
    rows = [
        (
            m["topic"],
            m.get("partition", 0),
            m.get("offset", at),
            as_bytes(m.get("key")),
            as_bytes(m.get("value")),
            m.get("headers"),
        )
        for at, m in enumerate(landed)
    ]
    frame = spark.createDataFrame(
        rows,
        "topic string, `partition` int, `offset` bigint, key binary, value binary, "
        "headers array<struct<key: string, value: binary>>",
    )
    frame.selectExpr(
        "topic",
        "`partition`",
        "`offset`",
        "timestamp '2026-01-01' as `timestamp`",
        "cast(key as string) as key",
        "cast(value as string) as value",
        "headers",
        "timestamp '2026-01-02' as landed_at",
        "1L as landing_batch",
        "0 as topic_incarnation",
    ).coalesce(1).writeTo(project.raw).append()
    return project


def compiled(project: conftest.Project, home: Path) -> str:
    """Return the SELECT of events of one version of the project."""
    project.home, project.manifests = home, {}
    os.environ["DBT_PROFILES_DIR"] = str(HOME / "profiles")
    with contextlib.redirect_stdout(io.StringIO()):  # dbt prints the SQL
        result = project.invoke("compile", "--select", "events")
    assert result.success, conftest.failure(result)
    return (
        Path(conftest.LAKE.name) / "target/compiled/kafka_cdc/models/parsed/events.sql"
    ).read_text(encoding="utf-8")


def comparable(frame: DataFrame) -> DataFrame:
    """Return the events with maps as sorted entries."""
    return frame.select(
        [
            f.sort_array(f.map_entries(field.name)).alias(field.name)
            if isinstance(field.dataType, MapType)
            else f.col(field.name)
            for field in frame.schema.fields
        ]
    )


class Comparison:
    """The messages, and the events of the old version, in a warm session."""

    def __init__(self, before: Path) -> None:
        self.spark = conftest.session.start()
        self.before = before
        self.projects: dict[str, conftest.Project] = {}
        self.old: dict[str, DataFrame] = {}
        folders = cases.FOLDERS
        every_case = [
            (folder, m) for folder in folders for m in cases.numbered(cases.read_messages(folder))
        ]
        topics, tables, resets = [], [], []
        for folder in folders:
            topic, its_tables, its_resets = cases.settings_of(folder)
            topics.append(topic)
            tables += its_tables
            resets += its_resets
        settings = {"topics": topics, "tables": tables, "sequence_resets": resets}
        messages = [m for _, m in every_case]
        samples = list(conftest.samples())
        self.add("mapped", messages, settings)
        self.add("recognized", messages + samples, {})
        self.add("damaged", list(damaged(messages)), settings)
        self.add("damaged_recognized", list(damaged((messages + samples)[::5])), {})
        by_topic = [{"topic": f"{name}_*", "format": name} for name in bench.FORMATS]
        self.add("wide", list(benchmark_messages()), {"topics": by_topic})

    def add(self, name: str, messages: list[Message], settings: dict[str, Any]) -> None:
        """Land one set of messages."""
        self.projects[name] = land(self.spark, name, messages)
        self.projects[name].settings = settings

    def events(self, name: str, home: Path, label: str) -> DataFrame:
        """Return the events of one version, stored so that they are computed once."""
        begin = time.perf_counter()
        query = compiled(self.projects[name], home)
        compile_seconds = time.perf_counter() - begin
        begin = time.perf_counter()
        frame = self.spark.sql(query)
        frame.schema  # noqa: B018 - analyzes the query
        analysis_seconds = time.perf_counter() - begin
        begin = time.perf_counter()
        path = f"{conftest.LAKE.name}/compared/{label}_{name}"
        comparable(frame).write.mode("overwrite").parquet(path)
        run_seconds = time.perf_counter() - begin
        print(
            f"{name:20} {label}: SQL {len(query):,}, compile {compile_seconds:.1f} s, "
            f"analysis {analysis_seconds:.2f} s, run {run_seconds:.1f} s",
            flush=True,
        )
        return self.spark.read.parquet(path)

    def compare(self, names: list[str]) -> int:
        """Compare the named sets; return the number of events that differ."""
        different = 0
        for name in names or self.projects:
            if name not in self.old:
                self.old[name] = self.events(name, self.before, "old")
            old, new = self.old[name], self.events(name, HOME, "new")
            assert old.schema == new.schema, f"columns differ: {old.schema} {new.schema}"
            both = old.withColumn("side", f.lit("old")).unionByName(
                new.withColumn("side", f.lit("new"))
            )
            columns = [column for column in both.columns if column != "side"]
            rows = (
                both.groupBy(columns)
                .agg(f.sum(f.when(f.col("side") == "old", 1).otherwise(-1)).alias("surplus"))
                .where("surplus <> 0")
                .orderBy(*POSITION, "surplus")
                .limit(12)
                .collect()
            )
            print(
                f"{name:20} {old.count():,} events, {'0 differences' if not rows else 'DIFFERENT'}",
                flush=True,
            )
            different += len(rows)
            for one, other in zip(rows[::2], rows[1::2], strict=False):
                self.print_difference(name, one.asDict(), other.asDict())
        return different

    def print_difference(self, name: str, one: dict[str, Any], other: dict[str, Any]) -> None:
        """Print the columns in which two events differ, and the message."""
        print("  ", [one[column] for column in POSITION], [other[column] for column in POSITION])
        for column in one:
            if one[column] != other[column]:
                print(f"     {column}: {str(one[column])[:300]!r}")
                print(f"     {'':{len(column)}}  {str(other[column])[:300]!r}")
        value = self.spark.sql(
            f"select key, value from {self.projects[name].raw} where topic = :topic "
            "and `offset` = :offset and `partition` = :part",
            {
                "topic": one["kafka_topic"],
                "offset": one["kafka_offset"],
                "part": one["kafka_partition"],
            },
        ).first()
        print(
            f"     message: {json.dumps(value and value.asDict(), ensure_ascii=False)[:1500]}",
            flush=True,
        )


def main(arguments: list[str]) -> int:
    """Compare two versions; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("before", type=Path, help="folder of the project's older version")
    parser.add_argument("names", nargs="*", help="sets of messages to compare (default: all)")
    options = parser.parse_args(arguments)
    return 1 if Comparison(options.before.resolve()).compare(options.names) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

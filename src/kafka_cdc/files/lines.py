"""Lines of text files as messages: which message each line is, and what is wrong with a line.

Spark reads every file twice: first to count and check the lines of each split, then to land them. A
split is a part of a file that one task reads at once. A line's number is its position among the
rows of its split, plus the lines of the splits before it. Both reads must therefore cut the files
into the same splits. A line of a split that the first read did not have is an error of the second.

Spark gets a folder of numbered links to the files. It would skip names that begin with _ or . and
treat * or [ in a path as a pattern.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from kafka_cdc.errors import FILE_CHANGED
from kafka_cdc.files import kcat
from kafka_cdc.tables.raw import HEADERS, MESSAGE, OffsetRange

BYTE_ORDER_MARK = "\ufeff".encode()
BLOCK_BYTES = 65536  # in which the last newline of a file is searched


@dataclass
class Split:
    """A split: id of its first row, number of lines, and number (from 0) of its first line."""

    first_id: int
    lines: int = 0
    first_line: int = 0


@dataclass
class File:
    """A file to land.

    Attributes:
        index: Its number among the files of the command.
        path: Its path.
        topic: Its topic with the prefix; None for a file of kcat.
        size: Its size in bytes.
        has_byte_order_mark: Whether it begins with a byte order mark.
        error: Why it does not land; None if it does.
        warning: Why its lines are probably no messages; None if they may be.
        splits: Its splits by their first byte, which scan() sets.
        ranges: Its offset ranges, which scan() sets.
    """

    index: int
    path: Path
    topic: str | None
    size: int = 0
    has_byte_order_mark: bool = False
    error: str | None = None
    warning: str | None = None
    splits: dict[int, Split] = field(default_factory=dict)
    ranges: list[OffsetRange] = field(default_factory=list)


@dataclass
class FileGroup:
    """Files that land in one commit, their lines from read(), and their topic prefix."""

    files: list[File]
    texts: dict[str, DataFrame]
    prefix: str

    def __post_init__(self) -> None:
        """Index the files."""
        self.by_index = {file.index: file for file in self.files}

    def accepted(self) -> Iterator[File]:
        """Yield the files without an error."""
        return (file for file in self.files if not file.error)


def read(
    spark: SparkSession, files: list[File], folder: Path, *, skip_partial_line: bool
) -> dict[str, DataFrame]:
    """Return the lines of the files by kind, `kcat` and `plain`.

    Args:
        spark: The session.
        files: The files.
        folder: An empty folder for the links to the files.
        skip_partial_line: Leave out a last line without a newline. The folder then gets copies,
            because Spark would read a growing file beyond its current end.

    Returns:
        Tables with the columns file (its index), start (of the split), id (increases by 1 in a
        split) and text (the line without its newline).
    """
    for file in files:
        link = folder / ("kcat" if file.topic is None else "plain") / str(file.index)
        link.parent.mkdir(exist_ok=True)
        if skip_partial_line:
            shutil.copyfile(file.path, link)
            os.truncate(link, find_end_of_lines(link))
        elif file.has_byte_order_mark and file.size == len(BYTE_ORDER_MARK):
            # Hadoop drops a byte order mark, and then finds no line here.
            link.write_bytes(BYTE_ORDER_MARK + b"\n")
        else:
            link.symlink_to(file.path.resolve())
    columns = (
        F.col("_metadata.file_name").cast("int").alias("file"),
        F.col("_metadata.file_block_start").alias("start"),
        F.monotonically_increasing_id().alias("id"),
        F.col("value").alias("text"),
    )
    # By default, Spark cuts the files by the cores that it has when a read begins. They grow while
    # executors register.
    parts = spark.sparkContext.defaultParallelism
    spark.conf.set("spark.sql.files.minPartitionNum", parts)
    return {
        kind.name: spark.read.text(kind.as_uri(), lineSep="\n").select(*columns)
        for kind in folder.iterdir()
    }


def find_end_of_lines(path: Path) -> int:
    """Return the number of bytes of a file up to and with its last newline."""
    with path.open("rb") as content:
        end = content.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - BLOCK_BYTES)
            content.seek(start)
            if (index := content.read(end - start).rfind(b"\n")) >= 0:
                return start + index + 1
            end = start
    return 0


def scan(group: FileGroup) -> None:
    """Count and check the lines of read().

    Sets each file's splits and ranges, and the error of a file with a bad line.
    """
    for file in group.files:
        file.splits, file.ranges = {}, []
    rows: list[Any] = [
        row
        for kind, text in group.texts.items()
        for row in check(kind, text, group.prefix).collect()
    ]
    for row in rows:
        file = group.by_index[row.file]
        split = file.splits.setdefault(row.start, Split(row.first_id))
        split.first_id = min(split.first_id, row.first_id)
        split.lines += row.lines
        if row.topic is not None:
            file.ranges.append(
                OffsetRange(row.topic, row.partition, row.first, row.last, row.lines)
            )
    for file in group.files:
        count = 0
        for _, split in sorted(file.splits.items()):
            split.first_line, count = count, count + split.lines
        if file.topic is not None and count:
            file.ranges.append(OffsetRange(file.topic, 0, 0, count - 1, count))
    wrong = (row for row in rows if row.wrong)
    for row in sorted(wrong, key=lambda row: (row.start, row.wrong.id), reverse=True):
        file = group.by_index[row.file]
        split = file.splits[row.start]
        line = row.wrong.id - split.first_id + split.first_line + 1
        file.error = f"{file.path}, line {line}: {row.wrong.why}"


def check(kind: str, text: DataFrame, prefix: str) -> DataFrame:
    """Return the first id, the number of lines and the first bad line of each split.

    For kcat, there is a row for each topic and partition in a split.
    """
    if kind == "kcat":
        message = kcat.parse(text, prefix)
    else:
        message = text.select(
            "file",
            "start",
            "id",
            F.lit(None).cast("string").alias("topic"),
            F.lit(None).cast("int").alias("partition"),
            F.lit(None).cast("bigint").alias("offset"),
            F.when(~F.is_valid_utf8("text"), "not valid UTF-8").alias("why"),
        )
    return message.groupBy("file", "start", "topic", "partition").agg(
        F.min("id").alias("first_id"),
        F.count("*").alias("lines"),
        F.min("offset").alias("first"),
        F.max("offset").alias("last"),
        F.min(F.when(F.col("why").isNotNull(), F.struct("id", "why"))).alias("wrong"),
    )


def get_messages(spark: SparkSession, group: FileGroup) -> DataFrame:
    """Return the messages of the accepted files.

    The columns are MESSAGE, file (its index) and line (from 0).

    The query fails with FILE_CHANGED if a line is not among those of scan().
    """
    values = [
        (
            file.index,
            start,
            split.first_id,
            split.lines,
            split.first_line,
            file.topic,
            file.has_byte_order_mark,
            bool(file.error),
        )
        for file in group.files
        for start, split in file.splits.items()
    ]
    schema = (
        "file int, start bigint, first_id bigint, lines bigint, first_line bigint,"
        " topic string, has_mark boolean, is_rejected boolean"
    )
    splits = F.broadcast(spark.createDataFrame(values, schema))
    is_known = "coalesce(id - first_id between 0 and lines - 1, false)"
    line = F.expr(f"if({is_known}, id - first_id + first_line, raise_error('{FILE_CHANGED}'))")
    found = []
    for kind, text in group.texts.items():
        accepted = text.join(splits, ["file", "start"], "left").where("is_rejected is not true")
        numbered = accepted.withColumn("line", line.cast("bigint"))
        if kind == "kcat":
            messages = kcat.parse(numbered.drop("topic"), group.prefix)
        else:
            messages = numbered.select("file", "line", *get_plain_message())
        found.append(
            messages.withColumn("topic_incarnation", F.lit(0)).select("file", "line", *MESSAGE)
        )
    return found[0] if len(found) == 1 else found[0].unionByName(found[1])


def get_plain_message() -> list[Column | str]:
    """Return the columns of a message from a line of <topic>.jsonl."""
    # Hadoop drops the byte order mark.
    lost_mark = F.when(F.col("has_mark") & (F.col("line") == 0), "\ufeff").otherwise("")
    value = F.concat(lost_mark, "text")
    return [
        "topic",
        F.lit(0).alias("partition"),
        F.col("line").alias("offset"),
        F.lit(None).cast("timestamp").alias("timestamp"),
        F.lit(None).cast("string").alias("key"),
        F.when(~value.isin("", "\r"), value).alias("value"),
        F.lit(None).cast(HEADERS).alias("headers"),
    ]

"""Lines of text files as messages: which line is which message, and what is wrong with a line.

Spark reads every file twice: to count and check the lines of each split (a part of a file that one task reads in one go), and
to land them. A line's number is its place among the rows of its split plus the lines of the splits before it, so that both readings
must cut the files alike; a line of a split that the first did not have is an error of the second. Spark is given a folder of numbered
links to the files, because it skips names that begin with _ or . and takes * or [ in a path for a pattern.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from . import kcat
from .errors import FILE_CHANGED
from .table import HEADERS, MESSAGE, Range

BYTE_ORDER_MARK = "\ufeff".encode()
BLOCK = 65536  # bytes in which the last newline of a file is looked for


@dataclass
class Split:
    """The id of its first row, how many lines it has, and the number (from 0) of its first line in the file."""

    first_id: int
    lines: int = 0
    first_line: int = 0


@dataclass
class File:
    """A file to land: `topic` is None for kcat's, `error` says why it is not landed, scan() sets splits (by first byte), ranges."""

    index: int
    path: Path
    topic: str | None
    size: int = 0
    has_mark: bool = False
    error: str | None = None
    splits: dict[int, Split] = field(default_factory=dict)
    ranges: list[Range] = field(default_factory=list)


@dataclass
class Group:
    """Files that land in one commit, the lines of read() in them, and the prefix of their topics."""

    files: list[File]
    texts: dict[str, DataFrame]
    prefix: str

    def __post_init__(self) -> None:
        self.by_index = {file.index: file for file in self.files}

    def good(self) -> Iterator[File]:
        """Yield the files without error."""
        return (file for file in self.files if not file.error)


def read(spark: SparkSession, files: list[File], folder: Path, whole_lines: bool) -> dict[str, DataFrame]:
    """Return the lines of the files by kind, `kcat` and `plain`; `folder`, empty, gets the links to the files.

    Columns: file (its index), start (of the split), id (grows by 1 within a split), text (the line without its newline).
    whole_lines: without a last line that has no newline; `folder` gets copies, as a file that grows would be read beyond its end of now.
    """
    for file in files:
        link = folder / ("kcat" if file.topic is None else "plain") / str(file.index)
        link.parent.mkdir(exist_ok=True)
        if whole_lines:
            shutil.copyfile(file.path, link)
            os.truncate(link, end_of_lines(link))
        elif file.has_mark and file.size == len(BYTE_ORDER_MARK):
            link.write_bytes(BYTE_ORDER_MARK + b"\n")  # Hadoop drops a byte order mark, and then sees no line here
        else:
            link.symlink_to(file.path.resolve())
    columns = (
        F.col("_metadata.file_name").cast("int").alias("file"),
        F.col("_metadata.file_block_start").alias("start"),
        F.monotonically_increasing_id().alias("id"),
        F.col("value").alias("text"),
    )
    # Else Spark would cut the files by the cores that it has when a reading begins: more of them while executors still register.
    spark.conf.set("spark.sql.files.minPartitionNum", spark.sparkContext.defaultParallelism)
    return {kind.name: spark.read.text(kind.as_uri(), lineSep="\n").select(*columns) for kind in folder.iterdir()}


def end_of_lines(path: Path) -> int:
    """Return how many bytes of a file there are up to its last newline."""
    with path.open("rb") as content:
        end = content.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - BLOCK)
            content.seek(start)
            if (place := content.read(end - start).rfind(b"\n")) >= 0:
                return start + place + 1
            end = start
    return 0


def scan(group: Group) -> None:
    """Count and check the lines of read(): sets each file's splits and ranges, and the error of a file with a wrong line."""
    for file in group.files:
        file.splits, file.ranges = {}, []
    rows: list[Any] = [row for kind, text in group.texts.items() for row in check(kind, text, group.prefix).collect()]
    for row in rows:
        file = group.by_index[row.file]
        split = file.splits.setdefault(row.start, Split(row.first_id))
        split.first_id = min(split.first_id, row.first_id)
        split.lines += row.lines
        if row.topic is not None:
            file.ranges.append(Range(row.topic, row.partition, row.first, row.last, row.lines))
    for file in group.files:
        count = 0
        for _, split in sorted(file.splits.items()):
            split.first_line, count = count, count + split.lines
        if file.topic is not None and count:
            file.ranges.append(Range(file.topic, 0, 0, count - 1, count))
    for row in sorted((row for row in rows if row.wrong), key=lambda row: (row.start, row.wrong.id), reverse=True):
        file = group.by_index[row.file]
        split = file.splits[row.start]
        file.error = f"{file.path}, line {row.wrong.id - split.first_id + split.first_line + 1}: {row.wrong.why}"


def check(kind: str, text: DataFrame, prefix: str) -> DataFrame:
    """Return for each split (and for kcat: each topic and partition in it) its first id, its lines and its first wrong line."""
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


def get_messages(spark: SparkSession, group: Group) -> DataFrame:
    """Return the messages of the group's files without error: MESSAGE, file (its index) and line (from 0).

    The query fails with FILE_CHANGED where a line is not among those of scan().
    """
    places = [
        (file.index, start, split.first_id, split.lines, split.first_line, file.topic, file.has_mark, bool(file.error))
        for file in group.files
        for start, split in file.splits.items()
    ]
    schema = "file int, start bigint, first_id bigint, lines bigint, first_line bigint, topic string, has_mark boolean, is_wrong boolean"
    splits = F.broadcast(spark.createDataFrame(places, schema))
    is_known = "coalesce(id - first_id between 0 and lines - 1, false)"
    line = F.expr(f"if({is_known}, id - first_id + first_line, raise_error('{FILE_CHANGED}'))")
    found = []
    for kind, text in group.texts.items():
        good = text.join(splits, ["file", "start"], "left").where("is_wrong is not true")
        numbered = good.withColumn("line", line.cast("bigint"))
        if kind == "kcat":
            numbered = kcat.parse(numbered.drop("topic"), group.prefix)
        else:
            lost_mark = F.when(F.col("has_mark") & (F.col("line") == 0), "\ufeff").otherwise("")  # Hadoop drops it
            text_as_it_is = F.concat(lost_mark, "text")
            numbered = numbered.select(
                "file",
                "line",
                "topic",
                F.lit(0).alias("partition"),
                F.col("line").alias("offset"),
                F.lit(None).cast("timestamp").alias("timestamp"),
                F.lit(None).cast("string").alias("key"),
                F.when(~text_as_it_is.isin("", "\r"), text_as_it_is).alias("value"),
                F.lit(None).cast(HEADERS).alias("headers"),
            )
        found.append(numbered.withColumn("topic_incarnation", F.lit(0)).select("file", "line", *MESSAGE))
    return found[0] if len(found) == 1 else found[0].unionByName(found[1])

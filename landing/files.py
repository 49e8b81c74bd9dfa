"""Landing files: which ones, in which commits, and which of their messages are new."""

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as F

from . import table
from .errors import LandingError
from .kcat import TOPIC
from .lines import BYTE_ORDER_MARK, File, Group, get_messages, read, scan
from .table import Range

SUFFIX = ".jsonl"
KCAT_SUFFIX = ".kcat.jsonl"
GROUP_BYTES = 512 << 20
Step = Callable[[str], None]


def find(paths: list[Path], prefix: str) -> list[File]:
    """Return the files to land among `paths` (files, and folders for the files in them), sorted, each once.

    A file that cannot be read or is not named like a topic has an error. LandingError when a path is missing or none is left.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if not path.exists():
            raise LandingError(f"{path}: no such file or folder")
        for file in path.iterdir() if path.is_dir() else [path]:
            if file.name.endswith(SUFFIX) and not file.is_dir():
                found.setdefault(file.resolve(), file)
    if not found:
        raise LandingError(f"nothing to land: no <topic>{SUFFIX} and no *{KCAT_SUFFIX} in {', '.join(map(str, paths))}")
    return [inspect(index, path, prefix) for index, path in enumerate(sorted(found.values()))]


def inspect(index: int, path: Path, prefix: str) -> File:
    """Return the File at `path`, with an error when it cannot be read or is not named like a topic."""
    if path.name.endswith(KCAT_SUFFIX):
        file = File(index, path, None)
    else:
        name = path.name.removesuffix(SUFFIX)
        file = File(index, path, prefix + name)
        if not re.fullmatch(TOPIC, name) or name in (".", ".."):
            file.error = f"{path}: {name!r} is no name for a Kafka topic (1 to 249 of letters, digits, '.', '_' and '-')"
    try:
        with path.open("rb") as content:
            file.has_mark = content.read(len(BYTE_ORDER_MARK)) == BYTE_ORDER_MARK
        file.size = path.stat().st_size
    except OSError as error:
        file.error = f"{path}: {error.strerror}"
    return file


def divide(files: Iterable[File]) -> Iterator[list[File]]:
    """Yield the files without error by commits: up to GROUP_BYTES, or one larger file."""
    group: list[File] = []
    size = 0
    for file in files:
        if file.error:
            continue
        if group and size + file.size > GROUP_BYTES:
            yield group
            group, size = [], 0
        group.append(file)
        size += file.size
    if group:
        yield group


def land(spark: SparkSession, name: str, files: list[File], prefix: str, step: Step) -> tuple[int, list[Range]]:
    """Land the files in one commit to the table `name`; return its landing_batch and what it added.

    Sets ranges of the files, and the error of those that do not land. `step` is told what begins, for Progress.
    """
    batch = table.new_batch()
    with tempfile.TemporaryDirectory(prefix="kafka_cdc_landing_") as folder:
        group = Group(files, read(spark, files, Path(folder)), prefix)
        step("checking")
        scan(group)
        table.retry(lambda: commit_new(spark, name, group, batch, step))
    return batch, table.landed(spark, name, batch)


def commit_new(spark: SparkSession, name: str, group: Group, batch: int, step: Step) -> None:
    """Commit what the table `name` does not hold of the group; sets the error of files that contradict it or each other."""
    ranges = [part for file in group.good() for part in file.ranges]
    if not ranges:
        return
    spark.catalog.refreshTable(name)
    messages = get_messages(spark, group)
    held = spark.table(name).alias("held").where(table.bounds(ranges, "held"))
    may_repeat = "kcat" in group.texts or len({part.topic for part in ranges}) < len(ranges)
    if may_repeat or not held.isEmpty():
        step("comparing")
        rows = table.compare(messages, held)
        for row in sorted((row for row in rows if row.status == "changed"), key=lambda row: row.where, reverse=True):
            group.by_index[row.file].error = contradiction(row, group)
        new = [row for row in rows if row.status in ("new", "repeated") and not group.by_index[row.file].error]
        ranges = [Range(row.topic, row.partition, row.first, row.last, row.messages) for row in new]
        parts = spark.createDataFrame(
            [(row.file, row.topic, row.partition, row.first, row.last) for row in new],
            "file int, topic string, partition int, first bigint, last bigint",
        )
        messages = messages.join(F.broadcast(parts), ["file", "topic", "partition"]).where("offset between first and last")
        if any(row.status == "repeated" for row in new):
            messages = messages.dropDuplicates([*table.IDENTITY])
    if ranges:
        step("landing")
        table.commit(spark, name, messages, ranges, batch)


def contradiction(row: Row, group: Group) -> str:
    """Return what is wrong with the file of a row `changed` of compare()."""
    line, offset, is_held, file, first = row.where
    other = "raw" if is_held else f"{group.by_index[file].path}, line {first + 1}"
    return (
        f"{group.by_index[row.file].path}, line {line + 1}: topic {row.topic}, partition {row.partition}, offset {offset}"
        f" has other content here than in {other}"
    )

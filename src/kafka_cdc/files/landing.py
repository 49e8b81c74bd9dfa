"""Landing files: which ones, in which commits, and which of their messages are new."""

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

from . import table
from .errors import FILE_CHANGED, LandingConflict, LandingError, causes
from .kcat import TOPIC
from .lines import BYTE_ORDER_MARK, File, Group, get_messages, read, scan
from .table import Range

SUFFIX = ".jsonl"
KCAT_SUFFIX = ".kcat.jsonl"
GROUP_BYTES = 512 << 20
NOT_FOUND = (
    "an executor did not find a file that is to land: it is gone, or the executors run on other hosts; then the files and the folder"
    " TMPDIR must lie on storage that all hosts mount at the same place"
)
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


def land(spark: SparkSession, name: str, files: list[File], prefix: str, whole_lines: bool, step: Step) -> tuple[int, list[Range]]:
    """Land the files in one commit to the table `name`; return its landing_batch and what it added.

    Sets ranges of the files, and the error of those that do not land. whole_lines: without a last line that has no newline.
    `step` is told what begins, for Progress. LandingError where lines are not in the table in the end.
    """
    batch = table.new_batch()
    with tempfile.TemporaryDirectory(prefix="kafka_cdc_landing_") as folder:

        def read_and_commit() -> tuple[Group, int]:
            for old in Path(folder).iterdir():  # of an attempt that met a conflict
                shutil.rmtree(old)
            good = [file for file in files if not file.error]
            group = Group(good, read(spark, good, Path(tempfile.mkdtemp(dir=folder)), whole_lines), prefix)
            step("checking")
            scan(group)
            return group, commit_new(spark, name, group, batch, step)

        try:
            group, new = table.retry(read_and_commit)
        except Exception as error:
            if any(kind.endswith("FileNotFoundException") and folder in message for kind, message in causes(error)):
                raise LandingError(NOT_FOUND) from error
            raise
        landed = table.landed(spark, name, batch)
        if sum(part.count for part in landed) < new:  # another landing was faster, or lines are missing
            step("comparing")
            check_landed(spark, name, group)
    return batch, landed


def commit_new(spark: SparkSession, name: str, group: Group, batch: int, step: Step) -> int:
    """Commit what the table `name` does not hold of the group; sets the error of files that contradict it or each other.

    Return how many messages that are: at most, where files are refused, as what they repeat of one another counts for each.
    """
    ranges = [part for file in group.good() for part in file.ranges]
    if not ranges:
        return 0
    spark.catalog.refreshTable(name)
    messages = get_messages(spark, group)
    held = get_held(spark, name, ranges)
    expected = sum(part.count for part in ranges)
    may_repeat = "kcat" in group.texts or len({part.topic for part in ranges}) < len(ranges)
    if may_repeat or not held.isEmpty():
        step("comparing")
        rows = table.compare(messages, held)
        if sum(row.messages for row in rows) != expected:
            raise LandingConflict(FILE_CHANGED)
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
        is_refused = any(file.error for file in group.files)  # what they say first counts where it is repeated
        expected = sum(row.messages for row in new if row.status == "new" or is_refused)
    if ranges:
        step("landing")
        table.commit(spark, name, messages, ranges, batch)
    return expected


def get_held(spark: SparkSession, name: str, ranges: list[Range]) -> DataFrame:
    """Return the rows of the table `name` that may be messages of the ranges."""
    return spark.table(name).alias("held").where(table.bounds(ranges, "held"))


def check_landed(spark: SparkSession, name: str, group: Group) -> None:
    """LandingError unless the table `name` holds each line of the group's files without error."""
    spark.catalog.refreshTable(name)
    held: Counter[int] = Counter()
    for row in table.compare(get_messages(spark, group), get_held(spark, name, [part for file in group.good() for part in file.ranges])):
        held[row.file] += row.messages if row.status == "held" else 0
    for file in group.good():
        if held[file.index] < sum(part.count for part in file.ranges):
            raise LandingError(f"{file.path}: not all of its lines have landed, as it changed while it was read; land it again")


def contradiction(row: Row, group: Group) -> str:
    """Return what is wrong with the file of a row `changed` of compare()."""
    line, offset, is_held, file, first = row.where
    other = "raw" if is_held else f"{group.by_index[file].path}, line {first + 1}"
    return (
        f"{group.by_index[row.file].path}, line {line + 1}: topic {row.topic}, partition {row.partition}, offset {offset}"
        f" has other content here than in {other}"
    )

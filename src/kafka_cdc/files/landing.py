"""Landing from files: which files, in which commits, and which of their messages are new."""

import json
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F

from kafka_cdc.errors import FILE_CHANGED, LandingConflict, LandingError, causes
from kafka_cdc.files.kcat import TOPIC
from kafka_cdc.files.lines import BYTE_ORDER_MARK, File, FileGroup, get_messages, read, scan
from kafka_cdc.tables import raw
from kafka_cdc.tables.raw import OffsetRange

SUFFIX = ".jsonl"
KCAT_SUFFIX = ".kcat.jsonl"
GROUP_BYTES = 512 << 20
LONGEST_LINE = 1 << 20  # of JSON that is formatted for people
NOT_FOUND = (
    "an executor did not find a file that is to land: it is gone, or the executors run on other"
    " hosts. Hint: put the files and the folder TMPDIR on storage that all hosts mount"
    " at the same path"
)
SetPhase = Callable[[str], None]


@dataclass(frozen=True)
class FilesLanding:
    """Lands groups of files in raw.

    Attributes:
        spark: The session.
        table: The quoted name of raw.
        prefix: The topic prefix.
        skip_partial_line: Leave a last line without a newline to a later landing.
        set_phase: Is called with the name of each phase as it begins.
    """

    spark: SparkSession
    table: str
    prefix: str
    skip_partial_line: bool
    set_phase: SetPhase

    def land(self, files: list[File]) -> tuple[int, list[OffsetRange]]:
        """Land the files in one commit. Sets their ranges, and the error of those that do not land.

        Returns:
            The landing_batch, and the ranges that it added.

        Raises:
            LandingError: Lines are missing in the table in the end.
        """
        batch = raw.new_batch()
        with tempfile.TemporaryDirectory(prefix="kafka_cdc_landing_") as folder:
            try:
                group, new = raw.retry(lambda: self._read_and_commit(files, Path(folder), batch))
            except Exception as error:
                if any(
                    kind.endswith("FileNotFoundException") and folder in message
                    for kind, message in causes(error)
                ):
                    raise LandingError(NOT_FOUND) from error
                raise
            given = [part for file in group.accepted() for part in file.ranges]
            landed = raw.read_landed_ranges(self.spark, self.table, batch, given)
            # Fewer rows: another landing was faster, or lines are missing.
            if sum(part.count for part in landed) < new:
                self.set_phase("comparing")
                self._check_landed(group)
        return batch, landed

    def _read_and_commit(
        self, files: list[File], folder: Path, batch: int
    ) -> tuple[FileGroup, int]:
        """Read the files and commit what is new.

        Returns the group and the number of its new messages.
        """
        for old in folder.iterdir():  # of an attempt that met a conflict
            shutil.rmtree(old)
        accepted = [file for file in files if not file.error]
        links = Path(tempfile.mkdtemp(dir=folder))
        texts = read(self.spark, accepted, links, skip_partial_line=self.skip_partial_line)
        group = FileGroup(accepted, texts, self.prefix)
        self.set_phase("checking")
        scan(group)
        return group, self._commit_new(group, batch)

    def _commit_new(self, group: FileGroup, batch: int) -> int:
        """Commit the messages that raw does not contain.

        Sets the error of files that contradict raw or each other.

        Returns:
            The number of new messages. If files are rejected, it is an upper limit, because a
            message that several files repeat counts for each of them.
        """
        ranges = [part for file in group.accepted() for part in file.ranges]
        if not ranges:
            return 0
        self.spark.catalog.refreshTable(self.table)
        messages = get_messages(self.spark, group)
        existing = self._get_existing(ranges)
        expected = sum(part.count for part in ranges)
        may_repeat = "kcat" in group.texts or len({part.topic for part in ranges}) < len(ranges)
        if may_repeat or not existing.isEmpty():
            self.set_phase("comparing")
            rows = raw.compare(messages, existing)
            if sum(row.messages for row in rows) != expected:
                raise LandingConflict(FILE_CHANGED)
            reject_contradictions(rows, group)
            new = [
                row
                for row in rows
                if row.status in ("new", "repeated") and not group.by_index[row.file].error
            ]
            ranges = [
                OffsetRange(row.topic, row.partition, row.first, row.last, row.messages)
                for row in new
            ]
            messages = self._select_new(messages, new)
            # The first file that has a message may be rejected. Then the message of a later file
            # counts.
            is_rejected = any(file.error for file in group.files)
            expected = sum(row.messages for row in new if row.status == "new" or is_rejected)
        if ranges:
            self.set_phase("landing")
            raw.merge_messages(self.spark, self.table, messages, ranges=ranges, landing_batch=batch)
        return expected

    def _select_new(self, messages: DataFrame, new: list[Row]) -> DataFrame:
        """Return the messages in the ranges of rows of compare(), each identity once."""
        parts = self.spark.createDataFrame(
            [(row.file, row.topic, row.partition, row.first, row.last) for row in new],
            "file int, topic string, partition int, first bigint, last bigint",
        )
        messages = messages.join(F.broadcast(parts), ["file", "topic", "partition"])
        messages = messages.where("offset between first and last")
        if any(row.status == "repeated" for row in new):
            messages = messages.dropDuplicates([*raw.IDENTITY])
        return messages

    def _get_existing(self, ranges: list[OffsetRange]) -> DataFrame:
        """Return the rows of raw that may be messages of the ranges."""
        table = self.spark.table(self.table).alias("held")
        return table.where(raw.offset_range_condition(ranges, "held"))

    def _check_landed(self, group: FileGroup) -> None:
        """Check that raw contains every line of the accepted files.

        Raises:
            LandingError: A line is missing.
        """
        self.spark.catalog.refreshTable(self.table)
        existing = self._get_existing([part for file in group.accepted() for part in file.ranges])
        held: Counter[int] = Counter()
        for row in raw.compare(get_messages(self.spark, group), existing):
            held[row.file] += row.messages if row.status == "held" else 0
        for file in group.accepted():
            if held[file.index] < sum(part.count for part in file.ranges):
                raise LandingError(
                    f"{file.path}: not all of its lines have landed,"
                    " because it changed while it was read. Hint: land it again"
                )


def find(paths: list[Path], prefix: str) -> list[File]:
    """Return the files to land, sorted, each once.

    Args:
        paths: Files, and folders whose files are taken.
        prefix: The topic prefix.

    Returns:
        The files. A file that cannot be read, or whose name is not a topic, has an error. So has a
        path of a file with another name, if there are files to land.

    Raises:
        LandingError: A path is missing or cannot be read, or there is no file to land.
    """
    found: dict[str, Path] = {}
    others: list[Path] = []
    for path in paths:
        try:
            if not path.exists():
                raise LandingError(
                    f"{path}: no such file or folder. Hint: name a folder or files that exist"
                )
            candidates = [*path.iterdir()] if path.is_dir() else [path]
        except OSError as error:
            raise LandingError(
                f"{path}: {error.strerror}. Hint: name a path that this user may read"
            ) from None
        for file in candidates:
            if file.name.endswith(SUFFIX):
                # Path.resolve() raises an error for a link that leads to itself.
                found.setdefault(os.path.realpath(file), file)
            elif not path.is_dir():
                others.append(path)
    if not found:
        raise LandingError(
            f"nothing to land: no <topic>{SUFFIX} and no *{KCAT_SUFFIX}"
            f" in {', '.join(map(str, paths))}. Hint: rename the files, or name another folder"
        )
    files = [inspect(index, path, prefix) for index, path in enumerate(sorted(found.values()))]
    for path in sorted(set(others)):
        why = f"{path}: the name does not end in {SUFFIX}. Hint: rename the file, or leave it out"
        files.append(File(len(files), path, None, error=why))
    return files


def inspect(index: int, path: Path, prefix: str) -> File:
    """Return the file at `path`, with an error if it cannot be read or its name is not a topic."""
    if path.name.endswith(KCAT_SUFFIX):
        file = File(index, path, None)
    else:
        name = path.name.removesuffix(SUFFIX)
        file = File(index, path, prefix + name)
        if not re.fullmatch(TOPIC, name) or name in (".", ".."):
            file.error = (
                f"{path}: {name!r} is no name for a Kafka topic"
                " (1 to 249 of letters, digits, '.', '_' and '-'); rename the file"
            )
    if path.is_dir():
        file.error = (
            f"{path}: a folder with the name of a file. To land its files, name it in the command"
        )
        return file
    if path.exists() and not path.is_file():
        # To open a named pipe would wait for a writer.
        file.error = f"{path}: not a regular file"
        return file
    try:
        with path.open("rb") as content:
            file.has_byte_order_mark = content.read(len(BYTE_ORDER_MARK)) == BYTE_ORDER_MARK
            content.seek(len(BYTE_ORDER_MARK) if file.has_byte_order_mark else 0)
            if file.topic and is_formatted_json(content):
                file.warning = (
                    f"{path}: its JSON values span lines, and each line lands as a message."
                    " Hint: write each message on one line, for example with jq -c ."
                )
        file.size = path.stat().st_size
    except OSError as error:
        file.error = f"{path}: {error.strerror}"
    return file


def is_formatted_json(content: BinaryIO) -> bool:
    """Return whether the lines begin like JSON, but none is a whole object or array.

    A first line that only opens an object or an array is enough. Lines after it may be whole, such
    as the last element of an array. It reads up to the first whole value.
    """
    is_json = False
    while line := content.readline(LONGEST_LINE):
        text = line.strip()
        if not is_json and text:
            is_json = text.startswith((b"{", b"["))
            if not is_json:
                return False
            if text in (b"{", b"["):
                return True
        if len(line) == LONGEST_LINE or is_whole(text):
            return False
    return is_json


def is_whole(text: bytes) -> bool:
    """Return whether a text is a JSON object or array."""
    if not text.startswith((b"{", b"[")) or not text.endswith((b"}", b"]")):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def divide(files: Iterable[File]) -> Iterator[list[File]]:
    """Yield the accepted files by commits of at most GROUP_BYTES, or of one larger file."""
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


def reject_contradictions(rows: list[Row], group: FileGroup) -> None:
    """Set the error of files with rows `changed` of compare().

    The first such line of a file is named.
    """
    changed = (row for row in rows if row.status == "changed")
    for row in sorted(changed, key=lambda row: row.where, reverse=True):
        group.by_index[row.file].error = describe_contradiction(row, group)


def describe_contradiction(row: Row, group: FileGroup) -> str:
    """Return what is wrong with the file of a row `changed` of compare()."""
    line, offset, is_held, file, first = row.where
    other = "raw" if is_held else f"{group.by_index[file].path}, line {first + 1}"
    return (
        f"{group.by_index[row.file].path}, line {line + 1}: topic {row.topic},"
        f" partition {row.partition}, offset {offset} has other content here than in {other};"
        " land the file with a --topic-prefix of its own"
    )

"""Errors of a command, each reported in one line."""

import errno
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

ICEBERG_CONFLICTS = (
    "CommitFailedException",
    "CommitStateUnknownException",
    "ValidationException",
    "AlreadyExistsException",
)
DELTA_CONFLICTS = (
    "ConcurrentAppendException",
    "ConcurrentDeleteReadException",
    "ConcurrentDeleteDeleteException",
    "ConcurrentTransactionException",
    "ConcurrentWriteException",
    "MetadataChangedException",
    "ProtocolChangedException",
)
CONFLICTS = ICEBERG_CONFLICTS + DELTA_CONFLICTS
CHANGED_MEANWHILE = "another landing has just written other content for these coordinates"
FILE_CHANGED = "a file changed while it was read; land it again"
CONFLICT_MESSAGES = re.compile(
    "SQLITE_(BUSY|LOCKED|CONSTRAINT)|table iceberg_.* already exists"
    f"|{CHANGED_MEANWHILE}|{FILE_CHANGED}"
)
STACK_FRAME = re.compile(r"at [\w.$]+[/.(]|\.\.\. \d+ more")
# dbt puts the kind of an error before its text, and the macros that raised it after it.
DBT_HEADER = re.compile(r"^> |^(Compilation|Runtime|Database) Error|^Encountered an error")
MAX_CHARACTERS = 500
NO_MEMORY = (
    "Spark's JVM ended, probably because it ran out of memory."
    " Hint: set KAFKA_CDC_MEMORY, for example to 2g"
)


@dataclass(frozen=True)
class KnownCause:
    """What an error of Spark, the catalog or Java means.

    Attributes:
        pattern: A regular expression that occurs in the text of the error.
        problem: What is wrong.
        hint: What helps.
    """

    pattern: str
    problem: str
    hint: str


# The first one that matches counts. The macro get_known_causes has the same ones for dbt, and a
# test compares the two.
KNOWN_CAUSES = (
    KnownCause(
        r"OutOfMemoryError|Java heap space|GC overhead limit|UNABLE_TO_ACQUIRE_MEMORY",
        "Spark ran out of memory",
        "set KAFKA_CDC_MEMORY, for example to 2g",
    ),
    KnownCause(
        r"No space left on device|Disk quota exceeded|SQLITE_FULL",
        "the disk is full",
        "free space on the disks of KAFKA_CDC_LAKE and TMPDIR, then run the command again",
    ),
    KnownCause(
        r"SQLITE_READONLY|SQLITE_CANTOPEN|Read-only file system|\(Permission denied\)"
        r"|AccessDeniedException|Mkdirs failed|Unable to create directory",
        "the lake cannot be written",
        "set KAFKA_CDC_LAKE to a folder that this user may write",
    ),
    KnownCause(
        r"SQLITE_CORRUPT|SQLITE_NOTADB|file is not a database|disk image is malformed",
        "the file catalog.db of the lake is damaged",
        "restore the lake from a backup, or set KAFKA_CDC_LAKE to another folder and land again",
    ),
    KnownCause(
        r"Failed to open input stream|FileNotFoundException: File \S+ does not exist"
        r"|FILE_NOT_EXIST|DELTA_TRUNCATED_TRANSACTION_LOG|DELTA_LOG_FILE_NOT_FOUND",
        "a file of the lake is missing",
        "restore the lake from a backup, or set KAFKA_CDC_LAKE to another folder and land again",
    ),
    KnownCause(
        r"Cannot find catalog plugin class|ClassNotFoundException|NoClassDefFoundError"
        r"|DATA_SOURCE_NOT_FOUND",
        "a jar of Spark is missing or damaged",
        "delete the folder .jars of the project, then run `make setup` there",
    ),
)


class LandingError(Exception):
    """An error that the user can act on. Its text is one line."""


class LandingConflict(Exception):
    """Another landing was faster. The work must be repeated from its first read."""


def java_exceptions(error: BaseException) -> Iterator[Any]:
    """Yield the Java exceptions in `error`, outermost first."""
    java: Any = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    while java is not None:
        yield java
        java = java.getCause()


def causes(error: BaseException) -> Iterator[tuple[str, str]]:
    """Yield class name and first line of the Java exceptions in `error`, outermost first."""
    for java in java_exceptions(error):
        yield java.getClass().getSimpleName(), first_line(java.getMessage())


def first_line(text: str | None) -> str:
    """Return the first line of `text` that is not blank."""
    return (text or "").strip().split("\n")[0].strip()


def is_conflict(error: BaseException) -> bool:
    """Return whether another landing caused the error, so that the work can be repeated."""
    return isinstance(error, LandingConflict) or any(
        name in CONFLICTS or CONFLICT_MESSAGES.search(message) for name, message in causes(error)
    )


def is_connection_lost(error: BaseException) -> bool:
    """Return whether the connection to the JVM broke, and not only a call failed there."""
    # Imported here, so that the command line can be described where PySpark is not installed.
    try:
        from py4j.protocol import Py4JError, Py4JJavaError
    except ImportError:
        return False
    is_java = isinstance(error, (Py4JError, ConnectionError))
    return is_java and not isinstance(error, Py4JJavaError)


def reason(error: BaseException) -> str:
    """Return the innermost cause of `error` in one line, without a stack trace."""
    if isinstance(error, (LandingError, LandingConflict)):
        return str(error)
    if is_connection_lost(error):
        return NO_MEMORY
    found = [*causes(error)]
    if not found and isinstance(error, OSError) and error.strerror:
        return describe_os_error(error)
    found = found or [(type(error).__name__, first_line(str(error)))]
    name, message = found[-1]
    if known := find_known_cause("\n".join(f"{kind}: {text}" for kind, text in found)):
        return f"{known.problem}: {message or name}. Hint: {known.hint}"
    return f"{message} ({name})" if message else name


def find_known_cause(
    text: str, known_causes: Sequence[KnownCause] = KNOWN_CAUSES
) -> KnownCause | None:
    """Return what an error means, None if it is unknown. By default it is not one of Kafka."""
    return next((known for known in known_causes if re.search(known.pattern, text)), None)


def find_cause(output: str) -> str:
    """Return the cause in what a JVM printed, in one line.

    It is the known cause, else the last line outside of a stack trace.
    """
    if known := find_known_cause(output):
        return f"{known.problem}. Hint: {known.hint}"
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if not STACK_FRAME.match(line)), lines[-1])


def condense(text: str) -> str:
    """Return what dbt reported in one line of at most 500 characters.

    Its headers, the places in macros, and the stack traces of Java are left out.
    """
    if known := find_known_cause(text):
        return f"{known.problem}. Hint: {known.hint}"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    java = [
        line.removeprefix("Caused by: ").removeprefix(": ")
        for line in lines
        if line.startswith((": ", "Caused by: "))
    ]
    if java and any(STACK_FRAME.match(line) for line in lines):
        lines = java[-1:]
    kept = [line for line in lines if not DBT_HEADER.search(line)]
    line = " ".join(" ".join(kept or lines).split())
    return line if len(line) <= MAX_CHARACTERS else f"{line[: MAX_CHARACTERS - 1]}…"


def describe_os_error(error: OSError) -> str:
    """Return what is wrong with a file, and its path."""
    hints = {
        errno.ENOSPC: "free space on that disk",
        errno.EDQUOT: "free space on that disk",
        errno.EACCES: "name another path, or let this user write there",
        errno.EROFS: "name another path, or let this user write there",
    }
    # A file that replaces another one has a temporary name.
    name = error.filename2 or error.filename
    text = f"{os.fsdecode(name)}: {error.strerror}" if name else error.strerror
    hint = hints.get(error.errno or 0)
    return f"{text}. Hint: {hint}" if hint else str(text)

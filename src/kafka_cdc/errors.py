"""Errors of a landing, each reported in one line."""

import re
from collections.abc import Iterator
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
NO_MEMORY = (
    "Spark's JVM ended, probably because it ran out of memory:"
    " set KAFKA_CDC_MEMORY, for example to 2g"
)


class LandingError(Exception):
    """An error that the user can act on. Its text is one line."""


class LandingConflict(Exception):
    """Another landing was faster. The work must be repeated from its first read."""


def causes(error: BaseException) -> Iterator[tuple[str, str]]:
    """Yield class name and first line of the Java exceptions in `error`, outermost first."""
    java: Any = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    while java is not None:
        yield java.getClass().getSimpleName(), first_line(java.getMessage())
        java = java.getCause()


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
    if isinstance(error, LandingError):
        return str(error)
    if is_connection_lost(error):
        return NO_MEMORY
    name, message = ([*causes(error)] or [(type(error).__name__, first_line(str(error)))])[-1]
    if name == "OutOfMemoryError":
        return NO_MEMORY
    return f"{message} ({name})" if message else name

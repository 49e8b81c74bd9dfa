"""What can go wrong in a landing, told in one line."""

import re
from collections.abc import Iterator
from typing import Any

from py4j.protocol import Py4JError, Py4JJavaError

CONFLICTS = (
    "CommitFailedException", "CommitStateUnknownException", "ValidationException", "AlreadyExistsException",  # of Iceberg
    "ConcurrentAppendException", "ConcurrentDeleteReadException", "ConcurrentDeleteDeleteException", "ConcurrentTransactionException",
    "ConcurrentWriteException", "MetadataChangedException", "ProtocolChangedException",  # of Delta
)  # fmt: skip
CHANGED_MEANWHILE = "another landing has just written other content for these coordinates"
FILE_CHANGED = "a file changed while it was read; land it again"
CONFLICT_MESSAGES = re.compile(f"SQLITE_(BUSY|LOCKED|CONSTRAINT)|table iceberg_.* already exists|{CHANGED_MEANWHILE}|{FILE_CHANGED}")
NO_MEMORY = "Spark's JVM ended, most likely for want of memory: set KAFKA_CDC_MEMORY, such as 2g"


class LandingError(Exception):
    """A cause that the user can act on, in one line."""


class LandingConflict(Exception):
    """Another landing was faster: look again."""


def causes(error: BaseException) -> Iterator[tuple[str, str]]:
    """Yield (class name, first line of the message) of the Java exception behind `error` and of its causes, outermost first."""
    java: Any = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    while java is not None:
        yield java.getClass().getSimpleName(), first_line(java.getMessage())
        java = java.getCause()


def first_line(text: str | None) -> str:
    """Return the first line of `text` that is not blank."""
    return (text or "").strip().split("\n")[0].strip()


def is_conflict(error: BaseException) -> bool:
    """Return whether the same work may succeed if it is tried again: another landing was faster, or has the catalog's file."""
    return isinstance(error, LandingConflict) or any(name in CONFLICTS or CONFLICT_MESSAGES.search(message) for name, message in causes(error))


def reason(error: BaseException) -> str:
    """Return the innermost cause of `error` in one line, without a stack trace."""
    if isinstance(error, LandingError):
        return str(error)
    if isinstance(error, (Py4JError, ConnectionError)) and not isinstance(error, Py4JJavaError):
        return NO_MEMORY
    name, message = ([*causes(error)] or [(type(error).__name__, first_line(str(error)))])[-1]
    return NO_MEMORY if name == "OutOfMemoryError" else f"{message} ({name})" if message else name

"""What can go wrong in a landing, told in one line."""

from collections.abc import Iterator
from typing import Any

CONFLICTS = (  # another landing was faster, or has the catalog's SQLite file at this moment: try again
    "CommitFailedException",
    "CommitStateUnknownException",
    "ValidationException",
    "AlreadyExistsException",
    "UncheckedSQLException",
    "SQLiteException",
)
CHANGED_MEANWHILE = "other content for coordinates that another landing has just written"


class LandingError(Exception):
    """A cause that the user can act on, in one line."""


def causes(error: BaseException) -> Iterator[tuple[str, str]]:
    """Yield (class name, first line of the message) of the Java exception behind `error` and of its causes, outermost first."""
    java: Any = getattr(error, "java_exception", None) or getattr(error, "_origin", None)
    while java is not None:
        lines = (java.getMessage() or "").strip().splitlines()
        yield java.getClass().getSimpleName(), lines[0] if lines else ""
        java = java.getCause()


def is_conflict(error: BaseException) -> bool:
    """Return whether the same work may succeed when it is tried again."""
    return any(name in CONFLICTS or CHANGED_MEANWHILE in message for name, message in causes(error))


def reason(error: BaseException) -> str:
    """Return the innermost cause of `error` in one line, without a stack trace."""
    if isinstance(error, LandingError):
        return str(error)
    name, message = ([*causes(error)] or [(type(error).__name__, next(iter(str(error).strip().splitlines()), ""))])[-1]
    return f"{message} ({name})" if message else name

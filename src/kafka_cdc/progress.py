"""A progress line on stderr, and texts for people."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self

TERMINAL_SECONDS = 1
LOG_SECONDS = 5


class ProgressLine:
    """A context that prints line() to stderr every few seconds.

    A terminal shows one line that is rewritten.
    """

    def __init__(self) -> None:
        """Print nothing yet."""
        self.is_terminal = sys.stderr.isatty()
        self.ended = threading.Event()
        self.reported: dict[str, list[str]] = {}  # the lines that log_new() knows, by event

    def __enter__(self) -> Self:
        """Start printing. The context can be entered again after its end."""
        self.ended.clear()
        self.thread = threading.Thread(target=self._watch, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop printing and clear the line."""
        self.ended.set()
        self.thread.join()

    def line(self) -> str | None:
        """Return the text to show now, or None to show nothing."""
        raise NotImplementedError

    def print_line(self, text: str) -> None:
        """Print a line that stays."""
        print(f"\r\033[K{text}" if self.is_terminal else text, file=sys.stderr, flush=True)

    def log(self, event: str, **facts: object) -> None:
        """Print a line of the log: the time, the event (see log_events), and its facts."""
        details = " ".join(f"{name}={value}" for name, value in facts.items())
        self.print_line(f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ} {event} {details}")

    def log_new(self, event: str, lines: list[str], *, is_complete: bool = True) -> None:
        """Log the lines of an event that the last call for it did not contain, each as a note.

        If they are not complete, the lines of earlier calls stay known.
        """
        before = self.reported.get(event, [])
        self.reported[event] = lines if is_complete else [*before, *lines]
        for line in lines:
            if line not in before:
                self.log(event, note=f'"{line}"')

    def _watch(self) -> None:
        """Print the line until the context ends."""
        while not self.ended.wait(TERMINAL_SECONDS if self.is_terminal else LOG_SECONDS):
            if line := self.line():
                text = f"\r\033[K{line}" if self.is_terminal else f"{line}\n"
                print(text, end="", file=sys.stderr, flush=True)
        if self.is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def format_bytes(count: float) -> str:
    """Return a number of bytes for people, for example 12.3 MB."""
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def format_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines of text: the first column left-aligned, the others right-aligned."""
    first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    return "\n".join(
        row[0].ljust(first)
        + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], widths, strict=True))
        for row in rows
    )

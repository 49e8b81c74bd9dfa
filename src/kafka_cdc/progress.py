"""How far a landing is, while it runs: a line on stderr, and at the end a table."""

import sys
import threading
import time
from collections.abc import Sequence
from typing import Any, Self

from pyspark.sql import SparkSession

SHORT = 100_000_000  # bytes that land in seconds


class Ticker:
    """While it is entered: what line() returns, on stderr every few seconds, on a terminal as one line that is rewritten."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr.isatty()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()

    def line(self) -> str | None:
        """Return what to show now, None for nothing."""
        raise NotImplementedError

    def watch(self) -> None:
        """Print the line until the landing ends."""
        while not self.ended.wait(1 if self.is_terminal else 5):
            if line := self.line():
                print(f"\r\033[K{line}" if self.is_terminal else f"{line}\n", end="", file=sys.stderr, flush=True)
        if self.is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def say(self, text: str) -> None:
        """Print a line that stays."""
        print(f"\r\033[K{text}" if self.is_terminal else text, file=sys.stderr, flush=True)


class Progress(Ticker):
    """How far a landing of files is, by the bytes that Spark's own counters say are read; nothing for short inputs.

    A group of files is read once in each phase: checking, comparing (where raw may hold some of it), landing.
    """

    def __init__(self, spark: SparkSession, total: int) -> None:
        """`total`: bytes of all files."""
        super().__init__()
        self.status: Any = spark.sparkContext._jsc.sc().statusStore()
        self.total, self.finished, self.size = total, 0, 0
        self.step("starting")

    def begin(self, size: int) -> None:
        """A group of files of `size` bytes begins; the one before it is finished."""
        self.finished, self.size = self.finished + self.size, size

    def step(self, phase: str) -> None:
        """`phase` begins."""
        self.phase, self.read, self.began = phase, dict[int, int](), time.monotonic()

    def line(self) -> str | None:
        """Return what to show now."""
        if self.total < SHORT:
            return None
        stages = self.status.activeStages()
        for stage in (stages.apply(place) for place in range(stages.size())):
            self.read[stage.stageId()] = max(stage.inputBytes(), self.read.get(stage.stageId(), 0))
        read = min(sum(self.read.values()), self.size)
        done, rate = self.finished + read, read / (time.monotonic() - self.began)
        return f"{self.phase}: {show(done)} of {show(self.total)} ({100 * done / self.total:.0f} %), {show(rate)}/s"


def show(count: float) -> str:
    """Return a number of bytes as people read it: 12.3 MB."""
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines of text, the first column to the left and the others to the right."""
    first, *widths = (max(map(len, column)) for column in zip(*rows))
    return "\n".join(row[0].ljust(first) + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], widths)) for row in rows)

"""How far a long landing is: bytes read, from Spark's own counters."""

import sys
import threading
import time
from typing import Any

from pyspark.sql import SparkSession


SHORT = 50_000_000  # bytes; less is landed in seconds


class Progress:
    """While it is entered: a line on stderr every few seconds (on a terminal one line, rewritten), none for short inputs.

    Spark reads every byte of a group of files twice, to check and to land it: each counts for half.
    """

    def __init__(self, spark: SparkSession, total: int) -> None:
        """`total`: bytes of all files."""
        self.status: Any = spark.sparkContext._jsc.sc().statusStore()
        self.total, self.finished, self.size, self.phase = total, 0, 0, "checking"
        self.read: dict[int, int] = {}
        self.is_terminal = sys.stderr.isatty()
        self.started = time.monotonic()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)

    def __enter__(self) -> "Progress":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()

    def begin(self, size: int) -> None:
        """A group of files of `size` bytes begins; the one before it is finished."""
        self.finished, self.size = self.finished + self.size, size

    def step(self, phase: str) -> None:
        """`phase` of the group, checking or landing, begins."""
        self.phase, self.read = phase, {}

    def watch(self) -> None:
        """Print the line until the landing ends."""
        shown = False
        while not self.ended.wait(1 if self.is_terminal else 5):
            if self.total > SHORT:
                print(f"\r\033[K{self.line()}" if self.is_terminal else self.line(), end="" if self.is_terminal else "\n",
                      file=sys.stderr, flush=True)
                shown = True
        if shown and self.is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def line(self) -> str:
        """Return what to show now."""
        stages = self.status.activeStages()
        for stage in (stages.apply(place) for place in range(stages.size())):
            self.read[stage.stageId()] = max(stage.inputBytes(), self.read.get(stage.stageId(), 0))
        half = min(sum(self.read.values()), self.size) / 2
        done = self.finished + half + (self.size / 2 if self.phase == "landing" else 0)
        rate = done / (time.monotonic() - self.started)
        percent = 100 * done / max(self.total, 1)
        return f"{self.phase}: {show_bytes(done)} of {show_bytes(self.total)} ({percent:.0f} %), {show_bytes(rate)}/s"


def show_bytes(count: float) -> str:
    """Return a number of bytes as people read it: 12.3 MB."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} GB"

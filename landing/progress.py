"""How far a long landing is: bytes of the files that Spark has read, from Spark's own counters."""

import sys
import threading
import time
from typing import Any

from pyspark.sql import SparkSession

SHORT = 100_000_000  # bytes that land in seconds


class Progress:
    """While it is entered: a line on stderr every few seconds (on a terminal one line, rewritten), none for short inputs.

    A group of files is read once in each phase: checking, comparing (where raw may hold some of it), landing.
    """

    def __init__(self, spark: SparkSession, total: int) -> None:
        """`total`: bytes of all files."""
        self.status: Any = spark.sparkContext._jsc.sc().statusStore()
        self.total, self.finished, self.size = total, 0, 0
        self.is_terminal = sys.stderr.isatty()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.step("starting")

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
        """`phase` begins."""
        self.phase, self.read, self.began = phase, dict[int, int](), time.monotonic()

    def watch(self) -> None:
        """Print the line until the landing ends."""
        while not self.ended.wait(1 if self.is_terminal else 5):
            if self.total >= SHORT:
                print(f"\r\033[K{self.line()}" if self.is_terminal else f"{self.line()}\n", end="", file=sys.stderr, flush=True)
        if self.is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def line(self) -> str:
        """Return what to show now."""
        stages = self.status.activeStages()
        for stage in (stages.apply(place) for place in range(stages.size())):
            self.read[stage.stageId()] = max(stage.inputBytes(), self.read.get(stage.stageId(), 0))
        read = min(sum(self.read.values()), self.size)
        done, rate = self.finished + read, read / (time.monotonic() - self.began)
        return f"{self.phase}: {show(done)} of {show(self.total)} ({100 * done / self.total:.0f} %), {show(rate)}/s"


def show(count: float) -> str:
    """Return a number of bytes as people read it: 12.3 MB."""
    return f"{count / 1e9:.2f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"

"""How a landing ends early, on SIGTERM and ^C: at a point where it is safe, and soon.

An exception in the middle of a call of Java's would leave an answer behind, which the next call would take for its own. So the
work is done on a thread of its own, whose connection to Java nobody else uses, while the main thread waits and takes the signals.
"""

import signal
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Self, TypeVar

PATIENCE = 20  # seconds for the work to come to a safe point
SIGNALS = (signal.SIGINT, signal.SIGTERM)
Result = TypeVar("Result")


class Stop:
    """While it is entered, SIGTERM and ^C let what run() does end at its next safe point; the second of them ends it at once."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self.tasks: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self.news: SimpleQueue[tuple[str, Any]] = SimpleQueue()  # a signal's handler may put, whatever it interrupts
        self.before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self.before = {number: signal.signal(number, lambda *_: self.news.put(("stop", None))) for number in SIGNALS}
        threading.Thread(target=self.work, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.tasks.put(None)
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def point(self) -> None:
        """Say that here the work may end: KeyboardInterrupt where it is to."""
        if self.event.is_set():
            raise KeyboardInterrupt

    def pause(self, seconds: float) -> None:
        """Wait; KeyboardInterrupt as soon as the work is to end."""
        self.event.wait(seconds)
        self.point()

    def run(self, task: Callable[[], Result]) -> Result:
        """Return what `task` returns, done on the thread of the work; KeyboardInterrupt where it was to end, whether it has or not."""
        if self.event.is_set() or not self.news.empty():
            raise KeyboardInterrupt
        self.tasks.put(task)
        patience = None
        while True:
            try:
                news, said = self.news.get(timeout=patience)
            except Empty:
                raise KeyboardInterrupt from None
            if news == "stop" and not self.event.is_set():
                self.event.set()
                patience = PATIENCE
            elif self.event.is_set():
                raise KeyboardInterrupt
            elif news == "failed":
                raise said
            else:
                result: Result = said
                return result

    def work(self) -> None:
        """Do the tasks of run(), one after the other, and tell it what came of each."""
        while task := self.tasks.get():
            try:
                self.news.put(("done", task()))
            except BaseException as error:
                self.news.put(("failed", error))

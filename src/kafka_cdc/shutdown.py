"""Stops a landing early but safely, on SIGTERM and Ctrl-C.

An exception in the middle of a call to Java would leave an unread answer, which the next call would
take for its own. Therefore the work runs on a thread of its own, whose connection to Java nobody
else uses. The main thread waits and handles the signals.
"""

import signal
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

SHUTDOWN_GRACE_SECONDS = 20  # for the work to reach a safe point
SIGNALS = (signal.SIGINT, signal.SIGTERM)
Result = TypeVar("Result")


class Shutdown:
    """A context in which SIGTERM and Ctrl-C end run() at its next safe point.

    A second signal ends it immediately.
    """

    def __init__(self, *, is_patient: bool = False) -> None:
        """Prepare the thread's queues. Signals are handled only inside the context.

        Args:
            is_patient: Wait for the safe point without a limit of time.
        """
        self.is_patient = is_patient
        self.event = threading.Event()
        self.tasks: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self.news: SimpleQueue[tuple[str, Any]] = SimpleQueue()  # safe to fill in a signal handler
        self.handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> "Shutdown":
        """Take over the signals and start the thread of the work."""
        if threading.current_thread() is threading.main_thread():
            self.handlers = {
                number: signal.signal(number, lambda *_: self.news.put(("stop", None)))
                for number in SIGNALS
            }
        threading.Thread(target=self._work, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """End the thread and restore the signal handlers."""
        self.tasks.put(None)
        for number, handler in self.handlers.items():
            signal.signal(number, handler)

    def is_requested(self) -> bool:
        """Return whether the work is to end."""
        return self.event.is_set()

    def check(self) -> None:
        """Mark a safe point of the work.

        Raises:
            KeyboardInterrupt: The work is to end.
        """
        if self.event.is_set():
            raise KeyboardInterrupt

    def pause(self, seconds: float) -> None:
        """Wait for some seconds.

        Raises:
            KeyboardInterrupt: The work is to end. It is raised without waiting for the rest of the
                time.
        """
        self.event.wait(seconds)
        self.check()

    def run(self, task: Callable[[], Result]) -> Result:
        """Run `task` on the thread of the work and return its result.

        Raises:
            KeyboardInterrupt: The work was to end, whether or not it did.
        """
        if self.event.is_set() or not self.news.empty():
            raise KeyboardInterrupt
        self.tasks.put(task)
        grace_seconds = None
        while True:
            try:
                news, value = self.news.get(timeout=grace_seconds)
            except Empty:
                raise KeyboardInterrupt from None
            if news == "stop" and not self.event.is_set():
                self.event.set()
                grace_seconds = None if self.is_patient else SHUTDOWN_GRACE_SECONDS
            elif self.event.is_set():
                raise KeyboardInterrupt
            elif news == "failed":
                raise value
            else:
                result: Result = value
                return result

    def _work(self) -> None:
        """Run the tasks one after the other and report the outcome of each."""
        while task := self.tasks.get():
            try:
                self.news.put(("done", task()))
            except BaseException as error:
                self.news.put(("failed", error))

"""Start a pipeline as a process, and measure the processor time and memory of it and its children."""

import os
import signal
import subprocess
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
SAMPLE_SECONDS = 0.2


def stat_of(process: int) -> list[str]:
    """Return the fields of /proc/PID/stat from the state on. The parent's number is the second."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def tree_of(root: int) -> Iterator[int]:
    """Yield the number of a process and of all that it started, which run now."""
    children = defaultdict(list)
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                children[int(stat_of(int(folder.name))[1])].append(int(folder.name))
            except OSError:  # it has ended
                continue
    waiting = [root]
    while waiting:
        process = waiting.pop()
        yield process
        waiting += children[process]


def ticks_of(process: int) -> int:
    """Return the processor time of a process and of its children that have ended."""
    return sum(int(part) for part in stat_of(process)[11:15])


def peak_of(process: int) -> int:
    """Return the peak memory of a process (VmHWM) in bytes."""
    status = Path(f"/proc/{process}/status").read_text()
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


class Pipeline:
    """A running pipeline. The first sample is taken when it starts, and the last before it ends.

    Attributes:
        seconds: Processor time of the process and all its children.
        peak: The largest sum of the peak memories of the processes that ran at the same time.
    """

    def __init__(
        self, command: Sequence[str | Path], log: Path, environment: Mapping[str, str]
    ) -> None:
        self.log, self.seconds, self.peak = log, 0.0, 0
        with log.open("w") as output:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=os.environ | dict(environment), start_new_session=True,
            )  # fmt: skip
        self._has_ended = threading.Event()
        self._thread = threading.Thread(target=self._sample_until_end, daemon=True)
        self._thread.start()

    def __enter__(self) -> "Pipeline":
        return self

    def __exit__(self, *_: object) -> None:
        self._has_ended.set()
        self._thread.join()
        if self.is_running():
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def is_running(self) -> bool:
        """Return whether the pipeline has not ended."""
        return self.process.poll() is None

    def last_words(self) -> str:
        """Return the end of the log."""
        return self.log.read_text(errors="replace")[-3000:]

    def sample(self) -> float:
        """Read the processor time and memory now, and return the former."""
        ticks, peak = 0, 0
        for process in tree_of(self.process.pid):
            try:
                ticks += ticks_of(process)
                peak += peak_of(process)
            except (OSError, IndexError):  # it has ended
                continue
        # A process that ends between two readings is missing in both. Its parent has it next time.
        self.seconds, self.peak = max(self.seconds, ticks / TICK), max(self.peak, peak)
        return self.seconds

    def _sample_until_end(self) -> None:
        while not self._has_ended.wait(SAMPLE_SECONDS):
            self.sample()

"""`make bench-peers`: our flattening beside the peers' on the same bytes; writes benchmarks/peers/RESULTS.md."""

import os
import platform
import statistics
import subprocess
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from pyspark.sql import SparkSession

from landing import environment, session

from .. import __main__ as bench
from . import COLUMNS, DECIMALS, PEERS, Comparison, comparisons

MESSAGES = int(os.environ.get("BENCH_PEERS_MESSAGES", "100000"))  # of each format
GOAL = "≥ 1.5"


def measures_of(comparison: Comparison) -> Iterator[bench.Measure]:
    """Yield the rows of a comparison: the ratio of the throughputs by the clock, with planning, and by processor time."""
    megabytes, peer = comparison.size / 1e6, PEERS[comparison.format_]
    for clock, what, unit in (
        ("job", "wall time of the job alone", "MB/s"),
        ("whole", "wall time with planning, and with the start of Flink's cluster in its process", "MB/s"),
        ("processor", "processor time of the tasks", "MB/s of one core"),
    ):
        ours, theirs = ([getattr(run, clock) for run in runs] for runs in (comparison.ours, comparison.theirs))
        ratios = sorted(their / our for our, their in zip(ours, theirs))
        beside = f"{megabytes / statistics.median(ours):.0f} {unit} against {megabytes / statistics.median(theirs):.0f}"
        what = f"throughput of raw → events rows (no-op sink) ÷ that of Flink's {peer} (blackhole), {what}"
        goal = GOAL if clock == "job" else ""
        yield bench.Measure(f"{peer}, {clock}", what, goal, f"{statistics.median(ratios):.2f}", f"{ratios[0]:.2f}-{ratios[-1]:.2f}", beside)


def peers(spark: SparkSession) -> list[bench.Measure]:
    """Return what our flattening and the formats of Flink do on the same bytes."""
    folder = Path(bench.FOLDER.name) / "peers"
    return [measure for comparison in comparisons(spark, bench, folder, MESSAGES) for measure in measures_of(comparison)]


def report(measures: list[bench.Measure], load: float) -> str:
    """Return the result as Markdown; `load` is the machine's load when the runs began."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=environment.HOME, capture_output=True, text=True).stdout.strip()
    pins = (environment.HOME / "benchmarks" / "peers" / "requirements.in").read_text().split()
    rows = "\n".join(f"| {m.name} | {m.what} | {m.goal} | {m.measured} | {m.spread} | {m.beside} |" for m in measures)
    return f"""# Beside the peers
{date.today()}, commit {commit}, {", ".join(pins)}: {os.cpu_count()} cores, Python {platform.python_version()}, load {load:.1f} as it began, {MESSAGES:,} messages of each format,
updates of {COLUMNS} columns, {DECIMALS:.0%} with a bare fraction; medians of {bench.RUNS} runs taken in turn after a warm-up. Above 1 we are faster.

| measure | what | goal | measured | spread | beside |
|---|---|---|---|---|---|
{rows}
"""


def main() -> None:
    """Measure, write the result and print it."""
    load = os.getloadavg()[0]
    text = report(peers(session.start()), load)
    (environment.HOME / "benchmarks" / "peers" / "RESULTS.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

"""`make bench-peers`: our flattening beside the peers' on the same bytes; writes benchmarks/peers/RESULTS.md. `python -m benchmarks.peers canal` prints a format alone."""

import os
import platform
import subprocess
import sys
from datetime import date

from kafka_cdc import environment, session

from ..measures import RUNS, Measure
from . import DECIMALS, MESSAGES, PEERS, WARM_UPS, peers

NOTES = """What Flink's formats do not do here, and our events have:

- Columns that no DDL named: each table is declared beforehand, other columns are dropped. Ours are maps of whatever a message holds.
- Digits: a number goes through a double. `12345678901234567890.123456789` comes out as `1.2345678901234567E19`, `1e400` as `Infinity`, `0.10` as `0.1`.
- What is around the row: database, table, key, times, position. The filesystem source cannot hand out a format's metadata.
- Quarantine: an unreadable message ends the job, or is dropped with ignore-parse-errors.

What helps either side: Flink reads plain lines, we read Iceberg's compressed columns and the Kafka key too. Flink builds the row before of each update
and drops it at the sink, which wants none. Both have as many tasks as cores, as much heap, the serial garbage collector; Flink reuses its objects.
Flink reads these formats in streaming mode alone; the job ends with its files."""


def report(measures: list[Measure], load: float) -> str:
    """Return the result as Markdown; `load` is the machine's load when the runs began."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=environment.project_home(),
        capture_output=True,
        text=True,
    ).stdout.strip()
    pins = (
        (environment.project_home() / "benchmarks" / "peers" / "requirements.in")
        .read_text(encoding="utf-8")
        .split()
    )
    rows = "\n".join(
        f"| {m.name} | {m.what} | {m.goal} | {m.measured} | {m.spread} | {m.beside} |"
        for m in measures
    )
    return f"""# Beside the peers
{date.today()}, commit {commit}, {", ".join(pins)}: {os.cpu_count()} cores, Python {platform.python_version()}, a load of {load:.1f} when it began, {MESSAGES:,} messages
of each format, updates of 10 columns, {DECIMALS:.0%} with bare fractions; medians of {RUNS} runs taken in turn after {WARM_UPS} of each. Above 1 we are faster.

| | what | goal | measured | spread | figures |
|---|---|---|---|---|---|
{rows}

{NOTES}
"""


def main(names: list[str]) -> None:
    """Measure all and write the result; or only the formats that are named, and print theirs."""
    if unknown := set(names) - PEERS.keys():
        sys.exit(f"{', '.join(sorted(unknown))}: no such format; there are {', '.join(PEERS)}")
    load = os.getloadavg()[0]
    text = report(peers(session.start(), names or PEERS), load)
    if not names:
        (environment.project_home() / "benchmarks" / "peers" / "RESULTS.md").write_text(
            text, encoding="utf-8"
        )
    print(text)


if __name__ == "__main__":
    main(sys.argv[1:])

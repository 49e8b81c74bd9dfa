"""Compare the flattening of kafka_cdc with that of peers on the same bytes.

`make bench-peers` writes benchmarks/peers/RESULTS.md. `python -m benchmarks.peers canal` prints one format.
"""

import os
import platform
import sys
from datetime import date

from kafka_cdc import environment, session

from ..measures import RUNS, Measure, commit
from . import DECIMALS, MESSAGES, PEERS, WARM_UPS, peers

NOTES = """What our events have and Flink's formats do not:

- Undeclared columns: Flink declares each table and drops other columns. Ours are maps of every column in the message.
- Digits: Flink converts numbers to doubles. `12345678901234567890.123456789` becomes `1.2345678901234567E19`, `1e400` becomes `Infinity`, `0.10` becomes `0.1`.
- Metadata: database, table, key, times and position. Flink's filesystem source cannot return a format's metadata.
- Quarantine: an unreadable message ends the Flink job, or is dropped with ignore-parse-errors.

What favors either side:

- Flink reads plain lines. We read Iceberg's compressed columns and the Kafka key.
- Flink builds the before row of each update and drops it at the sink.
- Both have as many tasks as cores, the same heap and the serial garbage collector. Flink reuses its objects.
- Flink reads these formats only in streaming mode. The job ends with its files."""


def report(measures: list[Measure], load: float) -> str:
    """Return the result as Markdown. `load` is the machine's load when the runs began."""
    pins = (
        (environment.project_home() / "benchmarks" / "peers" / "requirements.in")
        .read_text(encoding="utf-8")
        .split()
    )
    rows = "\n".join(
        f"| {m.name} | {m.what} | {m.goal} | {m.measured} | {m.spread} | {m.figures} |"
        for m in measures
    )
    return f"""# Comparison with peers

{date.today()}, commit {commit()}, {", ".join(pins)}: {os.cpu_count()} cores, Python {platform.python_version()}, a load of {load:.1f} at the start, {MESSAGES:,} messages
of each format, updates of 10 columns, {DECIMALS:.0%} with bare fractions; medians of {RUNS} runs taken in turn after {WARM_UPS} of each. Above 1 we are faster.

| | what | goal | measured | spread | figures |
|---|---|---|---|---|---|
{rows}

{NOTES}
"""


def main(names: list[str]) -> None:
    """Measure all formats and write the result, or measure the named formats and print it."""
    if unknown := set(names) - PEERS.keys():
        sys.exit(
            f"{', '.join(sorted(unknown))}: no such format. Hint: the formats are {', '.join(PEERS)}"
        )
    load = os.getloadavg()[0]
    text = report(peers(session.start(), names or PEERS), load)
    if not names:
        (environment.project_home() / "benchmarks" / "peers" / "RESULTS.md").write_text(
            text, encoding="utf-8"
        )
    print(text)


if __name__ == "__main__":
    main(sys.argv[1:])

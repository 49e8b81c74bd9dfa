"""Print the comparisons as Markdown. docs/internals/performance.md explains them."""

import os
import platform
import re
import statistics
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from kafka_cdc import environment

from ..measures import RUNS, Measure, commit
from . import end_to_end, formats
from .end_to_end import Run
from .fidelity import BAD, CASES, LATE
from .pipelines import CHECKPOINT, INTERVAL, MEMORY, PIPELINES

ALL_CASES = [*CASES, *BAD, LATE]
FOLDER = environment.project_home() / "benchmarks" / "peers"
RESULTS = FOLDER / "RESULTS.md"
OURS = "kafka_cdc"
GOALS = {"Paimon": 1, "streaming MERGE": 3, "dbt merge model": 3}
FLATTENING, END_TO_END = "Flattening", "End to end"
PIN = re.compile(
    r'(?:^|name=")([a-z-]*(?:flink|paimon)[^"=]*)(?:==|" rev=")([^"\s]+)', re.MULTILINE
)
FLATTENING_NOTES = """What our events have and Flink's formats do not:

- Undeclared columns: Flink declares each table and drops other columns. Ours are maps of every column in the message.
- Digits: Flink converts numbers to doubles. `12345678901234567890.123456789` becomes `1.2345678901234567E19`, `1e400` becomes `Infinity`, `0.10` becomes `0.1`.
- Metadata: database, table, key, times and position. Flink's filesystem source cannot return a format's metadata.
- Quarantine: an unreadable message ends the Flink job, or is dropped with ignore-parse-errors.

What favors either side:

- Flink reads plain lines. We read Iceberg's compressed columns and the Kafka key.
- Flink builds the before row of each update and drops it at the sink.
- Both have as many tasks as cores, the same heap and the serial garbage collector. Flink reuses its objects.
- Flink reads these formats only in streaming mode. The job ends with its files."""


def machine(load: float) -> str:
    """Return when and where a part ran. `load` is the machine's load when it began."""
    return (
        f"{date.today()}, commit {commit()}: {os.cpu_count()} cores,"
        f" Python {platform.python_version()}, a load of {load:.1f} at the start"
    )


def pins(name: str) -> str:
    """Return the pinned packages of Flink and Paimon in a file of the folder."""
    found = PIN.findall((FOLDER / name).read_text(encoding="utf-8"))
    return ", ".join(f"{package} {version}" for package, version in found)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def flattening(measures: list[Measure], load: float) -> str:
    """Return the section that compares flattening with Flink's formats."""
    rows = [[m.name, m.what, m.goal, m.measured, m.spread, m.figures] for m in measures]
    return f"""{machine(load)}, {pins("requirements.in")},
{formats.MESSAGES:,} messages of each format, updates of 10 columns, {formats.DECIMALS:.0%} with bare fractions;
medians of {RUNS} runs taken in turn after {formats.WARM_UPS} of each. Above 1 we are faster.

{table(["", "what", "goal", "measured", "spread", "figures"], rows)}

{FLATTENING_NOTES}
"""


def median(values: Sequence[float]) -> float:
    """Return the median, or not a number if there is no value."""
    return statistics.median(values) if values else float("nan")


def figures_of(run: Run) -> list[str]:
    """Return the row of a run."""
    wrong = f"{sum(case.name in run.faults for case in ALL_CASES)} of {len(ALL_CASES)}"
    if run.failure:
        failure = run.failure.splitlines()[0][:100]
        return [run.format_, run.pipeline, f"failed: {failure}", *[""] * 6]
    return [
        run.format_,
        run.pipeline,
        f"{run.messages / run.seconds:,.0f}",
        f"{run.seconds:.1f}",
        f"{run.processor:.1f}",
        f"{run.peak / 1e6:,.0f}",
        f"{median(run.fresh):.1f}",
        f"{median(run.batches):.1f}",
        wrong,
    ]


def ratios_of(runs: Sequence[Run]) -> list[list[str]]:
    """Return a row for each peer and format: its processor time in units of ours."""
    ours = {run.format_: run for run in runs if run.pipeline == OURS and not run.failure}
    return [
        [
            run.format_,
            run.pipeline,
            f"≥ {GOALS[run.pipeline]}",
            f"{run.processor / ours[run.format_].processor:.2f}",
            f"{median(run.batches) / median(ours[run.format_].batches):.2f}",
        ]
        for run in runs
        if run.pipeline != OURS and run.format_ in ours and not run.failure
    ]


def fidelity_of(runs: Sequence[Run], format_: str) -> str:
    """Return the table of the cases of a format."""
    by_name = {run.pipeline: run for run in runs if run.format_ == format_}
    names = [name for name in PIPELINES if name in by_name]

    def outcome(name: str, case: str) -> str:
        if by_name[name].failure:
            return "not run"
        text = by_name[name].faults.get(case, "right")
        return re.sub(r"\s+", " ", text).replace("|", "\\|")[:90]

    rows = [[case.name, *(outcome(name, case.name) for name in names)] for case in ALL_CASES]
    return table(["case", *names], rows)


def whole(runs: Sequence[Run], load: float) -> str:
    """Return the section that compares the pipelines end to end."""
    rows = [figures_of(run) for run in runs]
    header = ["format", "pipeline", "messages/s", "s", "processor s", "peak MB", "freshness s", "processor s of a batch", "wrong cases"]  # fmt: skip
    size = {run.format_: f"{run.messages:,} {run.format_} messages ({run.size / 1e6:.0f} MB)" for run in runs}  # fmt: skip
    cases = "\n\n".join(
        f"Wrong results, {format_}:\n\n{fidelity_of(runs, format_)}" for format_ in size
    )
    return f"""{machine(load)},
{pins("paimon.lock")},
{pins("ivy.xml")}.
{" and ".join(size.values())}, one table of 10 columns:
half inserts, four of ten updates, one of ten deletes. After the backlog come the cases,
and then batches of {end_to_end.NEW:,} changes (median of {end_to_end.BATCHES}),
each when the one before is queryable.
A pipeline has all cores, and a heap of {MEMORY} and the serial garbage collector.
The pause of the loops is {INTERVAL}, and Flink's checkpoint interval {CHECKPOINT}.
The seconds include the start of the process and dbt's first parse of the project.
Wall times depend on the load of the machine. Processor times are of all processes of a pipeline,
without the broker.

{table(header, rows)}

Processor time of a peer ÷ ours. Above 1 we need less:

{table(["format", "peer", "goal", "backlog", "a batch"], ratios_of(runs))}

{cases}
"""


def write_section(name: str, body: str, path: Path = RESULTS) -> None:
    """Write a section of the results and keep the others."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    sections = dict(re.findall(r"^## (.+)\n\n((?:(?!## ).*\n)*)", text, re.MULTILINE))
    sections[name] = body.rstrip() + "\n\n"
    ordered = [part for part in (FLATTENING, END_TO_END) if part in sections]
    joined = "".join(f"## {part}\n\n{sections[part].rstrip()}\n\n" for part in ordered)
    path.write_text(f"# Comparison with peers\n\n{joined.rstrip()}\n", encoding="utf-8")

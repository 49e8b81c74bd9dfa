"""Keep the latest result of each part, and print all as Markdown.

docs/internals/performance.md explains them.
"""

import json
import os
import platform
import re
import subprocess
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path

from kafka_cdc import environment

from .flattening import DECIMALS, MESSAGES
from .measures import RUNS, Measure, commit
from .messages import FORMATS

PACKAGES = ["pyspark", "dbt-core", "dbt-spark"]
WIDTH = 40  # of a bar, in characters
FOLDER = environment.project_home() / "benchmarks"


@dataclass
class Result:
    """What a part has measured.

    Attributes:
        run: Date and commit.
        machine: The machine, its software, and its load at the start.
        measures: The rows of the result.
    """

    run: str
    machine: str
    measures: list[Measure]


def result_of(measures: list[Measure], load: float) -> Result:
    """Return the result of a run of today on this machine. `load` is the load when it began."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    machine = (
        f"{os.cpu_count()} cores and {memory()}, Java {java()}, Python"
        f" {platform.python_version()}, {packages}, a load of {load:.1f} at the start"
    )
    return Result(f"{date.today()} {commit()}", machine, measures)


def memory() -> str:
    """Return the machine's memory as text."""
    return f"{int(Path('/proc/meminfo').read_text().split()[1]) / 2**20:.0f} GB"


def java() -> str:
    """Return Java's version."""
    output = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr
    return re.search(r'"(.*?)"', output)[1]


def share_of_goal(measure: Measure) -> float | None:
    """Return a measure relative to its goal, which is 1. None if the goal is not a number."""
    goal = re.fullmatch(r"[≤≥] ([\d.]+)", measure.goal)
    return float(measure.measured) / float(goal[1]) if goal else None


def is_met(measure: Measure) -> bool:
    """Return whether a measure reaches its goal. True if the goal is not a number."""
    share = share_of_goal(measure)
    return share is None or (share <= 1 if measure.goal.startswith("≤") else share >= 1)


def bars(measures: list[Measure]) -> str:
    """Return a bar for each measure whose goal is a number. The goal is in the middle."""
    lines = []
    for measure in measures:
        share = share_of_goal(measure)
        if share is not None:
            length = min(round(share * WIDTH / 2), WIDTH)
            bar = "".join(
                "│" if at == WIDTH // 2 else "█" if at < length else " " for at in range(WIDTH)
            )
            lines.append(
                f"{measure.name:<14}{bar} {measure.measured:>6}  goal {measure.goal:<7}"
                f"{'' if is_met(measure) else '  missed'}"
            )
    return "\n".join(lines)


def tables(measures: Iterable[tuple[str, Measure]]) -> str:
    """Return the tables of measures, each with its run. The second one has absolute figures."""
    rows = list(measures)
    table = "\n".join(
        f"| {m.name} | {m.what} | {m.goal} | {m.measured} | {m.spread} | {run} |" for run, m in rows
    )
    figures = "\n".join(f"| {m.name} | {m.what} | {m.figures} |" for _, m in rows)
    return f"""| | what | goal | measured | spread | run |
|---|---|---|---|---|---|
{table}

The line │ is the goal of each measure:

```
{bars([m for _, m in rows])}
```

Absolute figures:

| | what | figures |
|---|---|---|
{figures}
"""


def page(results: dict[str, Result]) -> str:
    """Return all results as Markdown."""
    runs: dict[str, list[str]] = {}
    for part, result in results.items():
        runs.setdefault(f"{result.run}: {result.machine}", []).append(part)
    lines = "\n".join(f"* {run}. Parts: {', '.join(parts)}." for run, parts in runs.items())
    measures = ((result.run, each) for result in results.values() for each in result.measures)
    return f"""# Benchmark results

`make bench` writes this file. Each row names the date and the commit of its run.
Queries read {MESSAGES:,} messages of each of {", ".join(FORMATS)}: updates of rows with
10 columns, or as many bytes of wider rows. {DECIMALS:.0%} of the rows have decimals, and 1% of the
messages of DRS and Canal have ten rows. The measures are medians of {RUNS} alternating runs after a
warm-up, with the lowest and highest ratio. Queries are measured by the processor time of Spark's
tasks, runs by wall time.

{tables(measures)}
Runs:

{lines}
"""


def read_results(folder: Path = FOLDER) -> dict[str, Result]:
    """Return the latest result of each part."""
    parts = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return {
        part: Result(
            result["run"], result["machine"], [Measure(**each) for each in result["measures"]]
        )
        for part, result in parts.items()
    }


def record(part: str, result: Result, order: Iterable[str], folder: Path = FOLDER) -> None:
    """Write results.json and RESULTS.md with the new result of a part.

    `order` has the names of all parts. Results of other parts are dropped.
    """
    results = read_results(folder) | {part: result}
    results = {name: results[name] for name in order if name in results}
    text = json.dumps(
        {name: asdict(each) for name, each in results.items()}, indent=1, ensure_ascii=False
    )
    (folder / "results.json").write_text(text + "\n", encoding="utf-8")
    (folder / "RESULTS.md").write_text(page(results), encoding="utf-8")

"""Print the result as Markdown. docs/internals/performance.md explains it."""

import os
import platform
import re
import subprocess
from datetime import date
from importlib.metadata import version
from pathlib import Path

from .flattening import DECIMALS, MESSAGES
from .measures import RUNS, Measure, commit
from .messages import FORMATS

PACKAGES = ["pyspark", "dbt-core", "dbt-spark"]
WIDTH = 40  # of a bar, in characters


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


def report(measures: list[Measure]) -> str:
    """Return the result as Markdown."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    table = "\n".join(
        f"| {m.name} | {m.what} | {m.goal} | {m.measured} | {m.spread} |" for m in measures
    )
    figures = "\n".join(f"| {m.name} | {m.what} | {m.figures} |" for m in measures)
    return f"""# Benchmark results

{date.today()}, commit {commit()}, a machine of {os.cpu_count()} cores and {memory()}, Java {java()}, Python {platform.python_version()}, {packages}.
{MESSAGES:,} messages of each of {", ".join(FORMATS)}: updates of rows with 10 columns, or as many bytes of wider rows.
{DECIMALS:.0%} of the rows have decimals, and 1% of the messages of DRS and Canal have ten rows. The table has medians of {RUNS} alternating runs
after a warm-up, and the lowest and highest ratio. Queries are measured by the processor time of Spark's tasks, runs by wall time. `make bench` writes this file.

| | what | goal | measured | spread |
|---|---|---|---|---|
{table}

The line │ is the goal of each measure:

```
{bars(measures)}
```

Absolute figures of this machine:

| | what | figures |
|---|---|---|
{figures}
"""

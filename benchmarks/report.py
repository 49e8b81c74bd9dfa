"""The result as Markdown: a table of ratios, bars, and the absolute figures. docs/internals/performance.md explains them."""

import os
import platform
import re
import subprocess
from datetime import date
from importlib.metadata import version
from pathlib import Path

from kafka_cdc import environment

from .flattening import DECIMALS, MESSAGES
from .measures import RUNS, Measure
from .messages import FORMATS

PACKAGES = ["pyspark", "dbt-core", "dbt-spark"]
WIDTH = 40  # of the bars, in characters


def memory() -> str:
    """Return the machine's memory in words."""
    return f"{int(Path('/proc/meminfo').read_text().split()[1]) / 2**20:.0f} GB"


def java() -> str:
    """Return Java's version."""
    said = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr
    return re.search(r'"(.*?)"', said)[1]


def share_of_goal(measure: Measure) -> float | None:
    """Return how far a measure is, its goal being 1; None where the goal is no figure."""
    goal = re.fullmatch(r"[≤≥] ([\d.]+)", measure.goal)
    return float(measure.measured) / float(goal[1]) if goal else None


def is_met(measure: Measure) -> bool:
    """Return whether a measure reaches its goal; true where that is no figure."""
    share = share_of_goal(measure)
    return share is None or (share <= 1 if measure.goal.startswith("≤") else share >= 1)


def bars(measures: list[Measure]) -> str:
    """Return a bar for each measure that has a goal in figures: how far it is, the goal being at the mark."""
    lines = []
    for measure in measures:
        share = share_of_goal(measure)
        if share is not None:
            length = min(round(share * WIDTH / 2), WIDTH)
            bar = "".join(
                "│" if at == WIDTH // 2 else "█" if at < length else " " for at in range(WIDTH)
            )
            lines.append(
                f"{measure.name:<11}{bar} {measure.measured:>6}  goal {measure.goal:<7}{'' if is_met(measure) else '  missed'}"
            )
    return "\n".join(lines)


def report(measures: list[Measure]) -> str:
    """Return the result as Markdown."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=environment.project_home(),
        capture_output=True,
        text=True,
    ).stdout.strip()
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    table = "\n".join(
        f"| {m.name} | {m.what} | {m.goal} | {m.measured} | {m.spread} |" for m in measures
    )
    beside = "\n".join(f"| {m.name} | {m.what} | {m.beside} |" for m in measures)
    return f"""# Measured
{date.today()}, commit {commit}, a machine of {os.cpu_count()} cores and {memory()}, Java {java()}, Python {platform.python_version()}, {packages}.
{MESSAGES:,} messages of each of {", ".join(FORMATS)}, updates of rows of 10 columns ({DECIMALS:.0%} of them with numbers that have a fraction, 1% of
DRS' and Canal's of ten rows), or as many bytes of wider rows. Medians of {RUNS} alternating runs after a warm-up, and the lowest and highest ratio.
Measures of queries use the processor time of Spark's tasks, measures of runs use wall time. `make bench` writes this file.

| | what | goal | measured | spread |
|---|---|---|---|---|
{table}

The mark │ is the goal of each measure:

```
{bars(measures)}
```

Absolute figures of this machine:

| | what | figures |
|---|---|---|
{beside}
"""

"""The result as Markdown: a table, the absolute figures beside it, and bars."""

import os
import platform
import re
import subprocess
from datetime import date
from importlib.metadata import version
from pathlib import Path

from landing import environment

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


def bars(measures: list[Measure]) -> str:
    """Return a bar for each measure that has a goal in figures: how far it is, the goal being at the mark."""
    lines = []
    for measure in measures:
        goal = re.fullmatch(r"([≤≥]) ([\d.]+)", measure.goal)
        if goal:
            share = float(measure.measured) / float(goal[2])
            length = min(round(share * WIDTH / 2), WIDTH)
            bar = "".join("│" if at == WIDTH // 2 else "█" if at < length else " " for at in range(WIDTH))
            is_met = share <= 1 if goal[1] == "≤" else share >= 1
            lines.append(f"{measure.name:<11}{bar} {measure.measured:>6}  goal {measure.goal:<7}{'' if is_met else '  missed'}")
    return "\n".join(lines)


def report(measures: list[Measure]) -> str:
    """Return the result as Markdown."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=environment.HOME, capture_output=True, text=True).stdout.strip()
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    table = "\n".join(f"| {m.name} | {m.what} | {m.goal} | {m.measured} | {m.spread} |" for m in measures)
    beside = "\n".join(f"| {m.name} | {m.what} | {m.beside} |" for m in measures)
    return f"""# Measured
{date.today()}, commit {commit}, a machine of {os.cpu_count()} cores and {memory()}, Java {java()}, Python {platform.python_version()}, {packages}.
{MESSAGES:,} messages of each of {", ".join(FORMATS)}, updates of rows of 10 columns ({DECIMALS:.0%} of them with numbers that have a fraction, 1% of
DRS' and Canal's of ten rows), or as many bytes of wider ones; medians of {RUNS} runs taken in turn after a warm-up, and the lowest and highest ratio.
Processor time of Spark's tasks where a row compares queries, wall time where it compares runs. `make bench` makes this file.

| | what | goal | measured | spread |
|---|---|---|---|---|
{table}

The goal of each is at the mark │:

```
{bars(measures)}
```

The absolute figures are this machine's:

| | what | figures |
|---|---|---|
{beside}
"""

"""The result as Markdown: a table, the absolute figures beside it, and bars."""

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
# What keeps a measure from its goal, by stack samples and by leaving out stages one by one; said where the goal is missed.
LIMITS = {
    "P1": """Of Debezium's messages, in bare parses (each stage left out in turn): scanning 0.2; looking for numbers that need care, the payload's hash and
  the seals by which text behind the document, a second document or a repeated column are seen, 1.4; the parse and the format's struct 2.6; judging each message,
  keys, images and the events' columns 1.5. The last two are higher-order functions over maps and arrays, which Spark interprets row by row and does not compile.
  Within 3 %: the Kafka key parsed once (kept), cheaper guards before map_filter and before marks are taken off, repeated columns looked for once, key columns
  sorted otherwise or not at all, eight other regular expressions (a bare search of Java's engine costs half of the present one). Slower: the formats' variables as
  columns of CTEs in place of let, a sixth (Spark compiles them, and copies every row for each level of them); no whole-stage code, a fifth. Nothing: methods of any
  size compiled by Java, or none above its limit left to whole-stage code; raw in order of its topics; updates whose before images are not laid over the rows. By stack samples a third is Jackson (twice the bare parse: the format's whole envelope and
  the Kafka key), a tenth regular expressions, a tenth rows written between Spark's steps; the rest is spread over some forty expressions.""",
    "P3": """As P1. One path per field costs by the number of fields: it wins while rows are narrow, and loses by far where they are wide.""",
    "P8": """The payload is rewritten before Spark parses it, so that bare numbers become texts with a mark, and the mark is taken off behind the parse: two more passes
  over a text that the inexact parse reads once.""",
    "P7": """The target was 15 s. Two nodes run at a time. By the log's times an eighth each are dbt's reading of the project (some 850 macros) and Spark's start, a quarter the eleven
  tests, a tenth the 45 views whose SQL is compared with the present one (which of them there are is asked once for each schema); the rest are the incremental models'
  questions whether anything is new: some 90 statements in a Java that has compiled nothing yet. None of them is large alone. A Java without its best compiler takes
  a seventh less, and would take more for every backlog; no generated code at all a fifteenth; other plan descriptions, no adaptive plans, compilation at other thresholds: nothing.""",
    "P9": """Of a small merge a second is a run's own: which batches the base holds, the SQL compiled, the commit. Where the rows are ten times as many it counts
  for less. The merge writes the base anew: a narrow pass says which changes go (a third); these are marks beside the events when both are sorted (another), and what is
  left is written in order. Joined by their coordinates instead, as it was before, events moved once more. Ranges of keys, for which Spark reads the events twice, are
  made beyond a million events alone: a fifth less below. A session that keeps the code that Spark has compiled merges in a quarter less. Other ways, of the newest event
  of each row alone, at 300,000 rows, in bare writes of processor time (ours was 3.9 then): MERGE INTO copy-on-write 2.5, merge-on-read 0.5; both bucketed by key, with
  storage-partitioned joins, 2.9 and 0.6. Not taken: an event that comes late or again, and what renames or empties a table, need more than a row's newest event, and
  rows to be forgotten must leave their files. Between merges the state is read from the base and the events since, so that a run need not merge (merge_share): that is
  the project's merge-on-read.""",
    "landing": """A bare read drops what it has read. Landing writes Parquet (zstd), commits, and notes the offsets; and it asks Kafka twice where they end.""",
}


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


def limits(measures: list[Measure]) -> str:
    """Return what limits the measures that miss their goals, or have none in figures, a line for each."""
    missed = sorted(
        {
            measure.name
            for measure in measures
            if not is_met(measure) or share_of_goal(measure) is None
        }
        & LIMITS.keys()
    )
    return "\n".join(f"* **{name}.** {LIMITS[name]}" for name in missed) or "All goals are met."


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
DRS' and Canal's of ten rows), or as many bytes of wider ones; medians of {RUNS} runs taken in turn after a warm-up, and the lowest and highest ratio.
Processor time of Spark's tasks where a row compares queries, wall time where it compares runs. `make bench` makes this file.

| | what | goal | measured | spread |
|---|---|---|---|---|
{table}

The goal of each is at the mark │:

```
{bars(measures)}
```

What limits those that are missed, or are to be as low as they get:

{limits(measures)}

The absolute figures are this machine's:

| | what | figures |
|---|---|---|
{beside}
"""

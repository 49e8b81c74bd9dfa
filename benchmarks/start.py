"""Measure a run with nothing to do (P7)."""

import json
import statistics
import time
from collections.abc import Sequence

from kafka_cdc import environment
from kafka_cdc.cli import main as land

from .flattening import TOPICS, write_messages
from .measures import FOLDER, RUNS, START_SPARK, Measure, against, compare, dbt, measure, run_alone

GOAL_ALONE, GOAL_WARM = 12, 4
"""Seconds."""


def nothing_new(_spark: object) -> list[Measure]:
    """Run `dbt build` with nothing new in processes of its own, and in a warm session.

    Spark's bare start alternates with the builds in processes of their own.
    """
    home = environment.project_home()
    land(["land", "files", str(write_messages(100, 0, "start"))])
    dbt("build", schema="cdc", topics=TOPICS)
    build = [
        f"{home}/.venv/bin/dbt",
        "build",
        "--quiet",
        "--target-path",
        f"{FOLDER.name}/target",
        "--vars",
        json.dumps({"topics": TOPICS}),
    ]
    builds, starts = compare(
        lambda: run_alone(build), lambda: run_alone(START_SPARK), time.perf_counter
    )
    warm = [
        measure(lambda: dbt("build", schema="cdc", topics=TOPICS), time.perf_counter)
        for _ in range(RUNS + 2)
    ][2:]
    what = "seconds of a second dbt build with nothing new, in"
    figures = f"{against(builds, starts)} of Spark's bare start"
    return [
        seconds(f"{what} a process of its own", GOAL_ALONE, builds, figures),
        seconds(f"{what} a warm session", GOAL_WARM, warm, f"{statistics.median(warm):.1f} s"),
    ]


def seconds(what: str, goal: int, series: Sequence[float], figures: str) -> Measure:
    """Return the median of a series of seconds, with its lowest and highest."""
    spread = f"{min(series):.1f}-{max(series):.1f}"
    return Measure("P7", what, f"≤ {goal}", f"{statistics.median(series):.1f}", spread, figures)

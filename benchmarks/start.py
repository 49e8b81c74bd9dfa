"""Measure a run with nothing to do (P7)."""

import json
import time

from kafka_cdc import environment
from kafka_cdc.cli import main as land

from .flattening import TOPICS, write_messages
from .measures import FOLDER, START_SPARK, Measure, against, compare, dbt, ratio_of, run_alone

GOAL_SECONDS = 15


def nothing_new(_spark: object) -> list[Measure]:
    """Run `dbt build` with nothing new and start Spark alone, alternately, in separate processes."""
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
    what = f"a second dbt build with nothing new, wall time ÷ Spark's bare start (and {GOAL_SECONDS} s)"
    return [
        Measure("P7", what, "as low as it gets", *ratio_of(builds, starts), against(builds, starts))
    ]

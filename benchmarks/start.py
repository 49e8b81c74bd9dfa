"""Measure a run with nothing to do (P7)."""

import json
import subprocess
import sys
import time

from kafka_cdc import environment
from kafka_cdc.cli import main as land

from .flattening import TOPICS, write_messages
from .measures import FOLDER, Measure, against, compare, dbt, ratio_of

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
    bare = [
        sys.executable,
        "-c",
        "from kafka_cdc import session; session.start().sql('select 1').collect()",
    ]
    run = lambda command: subprocess.run(
        command, cwd=home, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    builds, starts = compare(lambda: run(build), lambda: run(bare), time.perf_counter)
    what = f"a second dbt build with nothing new, wall time ÷ Spark's bare start (and {GOAL_SECONDS} s)"
    return [
        Measure("P7", what, "as low as it gets", *ratio_of(builds, starts), against(builds, starts))
    ]

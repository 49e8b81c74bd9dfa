"""Measure the project's performance goals, each as a ratio of two measurements in one run.

`make bench` writes benchmarks/RESULTS.md. `python -m benchmarks P5` prints one part.
"""

import sys

from kafka_cdc import environment

from .backlog import land_a_backlog
from .flattening import bytes_of_a_run, flatten, mask
from .history import (
    after_small_runs,
    check_chains_and_hold,
    compact,
    compact_on_delta,
    with_history,
)
from .measures import session
from .report import report
from .start import nothing_new

PARTS = {
    "P1": flatten,  # and P3, P8
    "P4": bytes_of_a_run,
    "P7": nothing_new,
    "P9": compact,
    "P9_delta": compact_on_delta,
    "P10": check_chains_and_hold,  # and P12
    "P11": mask,
    "landing": land_a_backlog,
    "P5": with_history,  # and P6
    "small_runs": after_small_runs,
}


def main(names: list[str]) -> None:
    """Measure all parts and write the result, or measure the named parts and print it."""
    if unknown := set(names) - PARTS.keys():
        sys.exit(
            f"{', '.join(sorted(unknown))}: no such part. Hint: the parts are {', '.join(PARTS)}"
        )
    spark = session.start()
    measured = []
    for name in names or PARTS:
        measured += PARTS[name](spark)
        if not names:  # after each part, so that a failure of the next one loses nothing
            (environment.project_home() / "benchmarks" / "RESULTS.md").write_text(
                report(measured), encoding="utf-8"
            )
    print(report(measured))


if __name__ == "__main__":
    main(sys.argv[1:])

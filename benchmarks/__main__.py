"""`make bench` measures what the project promises, each as a ratio of two things in one run: benchmarks/RESULTS.md; `python -m benchmarks P5` prints a part."""

import sys

from .backlog import land_a_backlog
from .flattening import bytes_of_a_run, flatten
from .history import after_small_runs, beside_history, merge, merge_on_delta
from .measures import session
from .report import environment, report
from .start import nothing_new

PARTS = {
    "P1": flatten,  # and P3, P8
    "P4": bytes_of_a_run,
    "P7": nothing_new,
    "P9": merge,
    "P9_delta": merge_on_delta,
    "landing": land_a_backlog,
    "P5": beside_history,  # and P6
    "small_runs": after_small_runs,
}


def main(names: list[str]) -> None:
    """Measure all and write the result; or only the parts that are named, and print theirs."""
    if unknown := set(names) - PARTS.keys():
        sys.exit(f"{', '.join(sorted(unknown))}: no such part; there are {', '.join(PARTS)}")
    spark = session.start()
    measured = []
    for name in names or PARTS:
        measured += PARTS[name](spark)
        if not names:  # after each part: what was measured stays, whatever becomes of the next
            (environment.project_home() / "benchmarks" / "RESULTS.md").write_text(
                report(measured), encoding="utf-8"
            )
    print(report(measured))


if __name__ == "__main__":
    main(sys.argv[1:])

"""Measure the project's performance goals, each as a ratio of two measurements in one run.

`make bench` writes benchmarks/RESULTS.md. `python -m benchmarks P5` prints one part. The part
`scale` runs only if it is named.
"""

import sys
import traceback

from kafka_cdc import environment

from .backlog import land_a_backlog
from .flattening import bytes_of_a_run, flatten, mask
from .formats import compare_formats
from .freshness import wait_for_rows
from .history import (
    after_small_runs,
    check_chains_and_hold,
    compact,
    compact_on_delta,
    with_history,
)
from .measures import session
from .report import report
from .report_page import write_report
from .scale import grow
from .start import nothing_new
from .typed import (
    ask_typed_tables,
    increment_typed_tables,
    keep_many_models,
    keep_typed_tables,
)

PARTS = {
    "P1": flatten,  # and P3, P8
    "P4": bytes_of_a_run,
    "P7": nothing_new,
    "P9": compact,
    "P9_delta": compact_on_delta,
    "P10": check_chains_and_hold,  # and P12
    "P11": mask,
    "formats": compare_formats,
    "landing": land_a_backlog,
    "freshness": wait_for_rows,
    "P5": with_history,  # and P6
    "small_runs": after_small_runs,
    "typed": increment_typed_tables,
    "typed_kept": keep_typed_tables,
    "typed_models": keep_many_models,
    "typed_asked": ask_typed_tables,
    "report": write_report,
}
LONG_PARTS = {"scale": grow}  # two hours


def main(names: list[str]) -> None:
    """Measure all parts and write the result, or measure the named parts and print it."""
    parts = PARTS | LONG_PARTS
    if unknown := set(names) - parts.keys():
        sys.exit(
            f"{', '.join(sorted(unknown))}: no such part. Hint: the parts are {', '.join(parts)}"
        )
    spark = session.start()
    measured, failed = [], []
    for at, name in enumerate(names or PARTS, start=1):
        print(f"part {at} of {len(names or PARTS)}: {name}", file=sys.stderr, flush=True)
        try:
            measured += parts[name](spark)
        except (Exception, SystemExit):
            traceback.print_exc()
            failed.append(name)
        if not names:  # after each part, so that a failure of the next one loses nothing
            (environment.project_home() / "benchmarks" / "RESULTS.md").write_text(
                report(measured), encoding="utf-8"
            )
    print(report(measured))
    if failed:
        sys.exit(f"parts that failed: {', '.join(failed)}")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Measure the project's performance goals, each as a ratio of two measurements in one run.

`make bench` runs the parts of an hour. `python -m benchmarks P5` runs one part and prints it, and
`python -m benchmarks --record P5` also writes it to benchmarks/RESULTS.md.
"""

import argparse
import os
import sys
import traceback

from .backlog import land_a_backlog
from .first_build import build_first
from .flattening import bytes_of_a_run, flatten, mask
from .formats import compare_formats
from .freshness import wait_for_rows
from .history import (
    after_small_runs,
    check_chains_and_hold,
    merge,
    merge_on_delta,
    with_history,
)
from .measures import session
from .report import record, result_of, tables
from .report_page import write_report
from .scale import grow
from .start import nothing_new
from .typed import (
    ask_typed_tables,
    compare_memory,
    increment_typed_tables,
    keep_many_models,
    keep_typed_tables,
)

PARTS = {
    "P1": flatten,  # and P3, P8
    "P4": bytes_of_a_run,
    "P7": nothing_new,
    "P9": merge,
    "P9_delta": merge_on_delta,
    "P10": check_chains_and_hold,  # and P12
    "P11": mask,
    "formats": compare_formats,
    "landing": land_a_backlog,
    "freshness": wait_for_rows,
    "typed_kept": keep_typed_tables,
    "typed_models": keep_many_models,
    "report": write_report,
}
LONG_PARTS = {  # they run only if they are named
    "first_build": build_first,
    "P5": with_history,  # and P6
    "small_runs": after_small_runs,
    "typed": increment_typed_tables,
    "typed_asked": ask_typed_tables,
    "typed_memory": compare_memory,
    "scale": grow,
}


def main(names: list[str], is_recorded: bool) -> None:
    """Measure the named parts and print the result. Record each part, if asked to."""
    parts = PARTS | LONG_PARTS
    if unknown := set(names) - parts.keys():
        sys.exit(
            f"{', '.join(sorted(unknown))}: no such part. Hint: the parts are {', '.join(parts)}"
        )
    load = os.getloadavg()[0]
    spark = session.start()
    measured, failed = [], []
    for at, name in enumerate(names, start=1):
        print(f"part {at} of {len(names)}: {name}", file=sys.stderr, flush=True)
        try:
            of_part = parts[name](spark)
        except (Exception, SystemExit):
            traceback.print_exc()
            failed.append(name)
            continue
        measured += [("now", measure) for measure in of_part]
        if is_recorded:  # after each part, so that a failure of the next one loses nothing
            record(name, result_of(of_part, load), parts)
    print(tables(measured))
    if failed:
        sys.exit(f"parts that failed: {', '.join(failed)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", help="parts to run (default: those of an hour)")
    parser.add_argument("--record", action="store_true", help="write them to RESULTS.md")
    options = parser.parse_args()
    main(options.parts or list(PARTS), options.record)

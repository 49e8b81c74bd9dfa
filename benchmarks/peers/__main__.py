"""Compare kafka_cdc with its peers on the same bytes.

`make bench-peers` runs all parts and writes benchmarks/peers/RESULTS.md. `python -m benchmarks.peers
end_to_end` runs one part and writes its section. `python -m benchmarks.peers canal` prints a part of it.
"""

import os
import sys

from kafka_cdc import session

from . import end_to_end, formats, report


def flattening(names: list[str]) -> str:
    """Compare flattening with Flink's formats, and return the section."""
    load = os.getloadavg()[0]
    return report.flattening(formats.peers(session.start(), names), load)


def whole(names: list[str]) -> str:
    """Compare the pipelines end to end, and return the section."""
    load = os.getloadavg()[0]
    return report.whole(list(end_to_end.end_to_end(names)), load)


PARTS = {
    "end_to_end": (whole, list(end_to_end.PIPELINES), report.END_TO_END),
    "flattening": (flattening, list(formats.PEERS), report.FLATTENING),
}


def main(names: list[str]) -> None:
    """Run all parts or one of them and write the result, or run some of a part and print it."""
    for part, (work, all_names, section) in PARTS.items():
        if not names or names == [part]:
            text = work(all_names)
            report.write_section(section, text)
            print(text, flush=True)
        elif set(names) <= set(all_names):
            print(work(names), flush=True)
    known = {*PARTS, *(name for _, all_names, _ in PARTS.values() for name in all_names)}
    if unknown := set(names) - known:
        sys.exit(f"{', '.join(sorted(unknown))}: no such part. Hint: they are {', '.join(sorted(known))}")  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])

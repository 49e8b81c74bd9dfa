"""Count how often Spark expands each CTE of compiled models.

Run it as `python -m tools.cte_expansions target/compiled`.

When Spark checks a query, it replaces every reference to a CTE by the CTE's whole plan. A CTE that
is referenced twice by a CTE that is referenced twice is planned four times. The numbers show where
planning time goes.
"""

import argparse
import itertools
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TOKEN = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.)*'|`?\w[\w.`]*|[(),]", re.DOTALL)


def main() -> int:
    """Print the models with the most expansions, and the CTEs that are expanded more than once."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="the folder of compiled models")
    parser.add_argument("--least", type=int, default=2, help="leave out CTEs with fewer expansions")
    arguments = parser.parse_args()

    counted = {path: count_expansions(path.read_text()) for path in arguments.folder.rglob("*.sql")}
    for path, expansions in sorted(counted.items(), key=lambda item: -item[1].total()):
        repeated = [
            f"{name} {number}"
            for name, number in expansions.most_common()
            if number >= arguments.least
        ]
        if repeated:
            print(f"{path.stem}: {expansions.total()} = {', '.join(repeated)}")
    return 0


def count_expansions(sql: str) -> Counter[str]:
    """Return how often each CTE of a query is expanded."""
    tokens = (match[0].strip("`") for match in TOKEN.finditer(sql))
    bodies, references = read_query(token for token in tokens if token[0] not in "-/'")
    return expand(bodies, references)


def read_query(tokens: Iterator[str]) -> tuple[dict[str, Counter[str]], Counter[str]]:
    """Return the names after FROM and JOIN: those in each CTE, and those outside of CTEs.

    It reads up to the end, or up to the parenthesis that closes the query. A query in parentheses
    after FROM may have CTEs of its own.
    """
    bodies: dict[str, Counter[str]] = {}
    names: Counter[str] = Counter()
    before, last, depth, is_with = "", "", 0, False
    for token in tokens:
        word = token.lower()
        if word == "with" and last == "(" and depth > 0:
            inner, outer = read_query(itertools.chain([token], tokens))
            bodies |= inner
            names += outer
            before, last, depth = "", ")", depth - 1
            continue
        if word == "(" and is_with and last == "as":
            inner, outer = read_query(tokens)
            bodies |= inner | {before: outer}
            before, last = "", ")"
            continue
        if word == ")" and depth == 0:
            break
        depth += {"(": 1, ")": -1}.get(word, 0)
        if depth == 0:
            is_with = word == "with" or is_with and word != "select"
        if last in ("from", "join") and word != "(":
            names[token] += 1
        before, last = last, word
    return bodies, names


def expand(bodies: dict[str, Counter[str]], references: Counter[str]) -> Counter[str]:
    """Return the expansions of the CTEs. A CTE refers to CTEs before it only."""
    expansions = Counter(references)
    for name in reversed(bodies):
        for other, number in bodies[name].items():
            if other in bodies:
                expansions[other] += expansions[name] * number
    return Counter({name: expansions[name] for name in bodies})


if __name__ == "__main__":
    sys.exit(main())

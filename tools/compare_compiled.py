"""Compares the SQL that two versions of the project compile to, and ignores renamed identifiers.

Use it to prove that a change of names or layout changes nothing in what the SQL computes:

    git worktree add ../before <commit>
    (cd ../before && dbt compile --target-path /tmp/before)
    dbt compile --target-path /tmp/after
    python tools/compare_compiled.py /tmp/before/compiled /tmp/after/compiled --names tools/renames.tsv

Both versions must compile against the same landed messages. The file of names has one line per
rename: kind, old name, new name. White space and `--` comments do not count.
Exit code 0: equal. 1: at least one model differs; the differing lines are printed.
"""

import argparse
import difflib
import re
import sys
from pathlib import Path


def read_names(path: Path | None) -> dict[str, str]:
    """Return new name -> old name from a file of tab-separated lines."""
    if path is None:
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    fields = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {new: old for _, old, new, *_ in fields if old != new}


def normalize(sql: str, names: dict[str, str]) -> str:
    """Return SQL with its old names, one statement part per line, without comments."""
    sql = re.sub(r"(?m)^\s*--.*\n?", "", sql)
    if names:
        pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        sql = re.sub(rf"(?<!\w)({pattern})(?!\w)", lambda match: names[match[0]], sql)
    return re.sub(r"\s+", " ", sql).strip().replace(", ", ",\n").replace(" from ", "\nfrom ")


def by_name(folder: Path, names: dict[str, str]) -> dict[str, Path]:
    """Return the compiled files of a folder by their name in the old version."""
    files = {}
    for path in folder.rglob("*.sql"):
        stem = path.stem
        for new, old in names.items():
            stem = stem.replace(new, old)
        files[stem] = path
    return files


def main(arguments: list[str]) -> int:
    """Compare two folders of compiled SQL; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("before", type=Path, help="folder of the SQL compiled before the change")
    parser.add_argument("after", type=Path, help="folder of the SQL compiled after the change")
    parser.add_argument("--names", type=Path, help="file of renames: kind, old name, new name")
    options = parser.parse_args(arguments)
    names = read_names(options.names)
    before, after = by_name(options.before, {}), by_name(options.after, names)
    differing = 0
    for name in sorted(before.keys() | after.keys()):
        if name not in before or name not in after:
            print(f"{name}: only {'after' if name not in before else 'before'} the change")
            differing += 1
            continue
        texts = [normalize(file.read_text(encoding="utf-8"), names) for file in (before[name], after[name])]
        if texts[0] != texts[1]:
            differing += 1
            print(f"{name} differs:")
            for line in difflib.unified_diff(*(text.splitlines() for text in texts), lineterm="", n=0):
                print(f"    {line}")
    print(f"{len(before)} files compared, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

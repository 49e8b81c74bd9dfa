r"""Compares the SQL that two versions of the project compile to, up to renamed identifiers.

Use it to prove that a change of names or layout changes nothing in what the SQL computes:

    git worktree add ../before <commit>
    (cd ../before && dbt compile --target-path /tmp/before)
    dbt compile --target-path /tmp/after
    python tools/compare_compiled.py /tmp/before/compiled /tmp/after/compiled \
        --names /tmp/names.tsv

Both versions must compile against the same landed messages. Two files are equal if their tokens
are equal, apart from white space, comments and the names of identifiers. Each new name must stand
for one old name in the file. `--names` lists renamed files and words inside string literals: kind,
old name and new name per line, separated by tabs.
Exit code 0: equal. 1: at least one file differs; the first differing tokens are printed.
"""

import argparse
import re
import sys
from pathlib import Path

TOKEN = re.compile(
    r"--[^\n]*|r?'(?:\\.|[^'\\])*'|r?\"(?:\\.|[^\"\\])*\"|`[^`]*`|[A-Za-z_]\w*|\d+(?:\.\d+)?|\s+|.",
    re.DOTALL,
)
IDENTIFIER = re.compile(r"[A-Za-z_]\w*\Z")


class Names:
    """The renames between two versions."""

    def __init__(self, path: Path | None) -> None:
        lines = path.read_text(encoding="utf-8").splitlines() if path else []
        fields = [line.split("\t") for line in lines if line and not line.startswith("#")]
        self.old = {new: old for _, old, new, *_ in fields if old != new}
        self.files = {new: old for kind, old, new, *_ in fields if kind in ("model", "test")}
        words = "|".join(map(re.escape, sorted(self.old, key=len, reverse=True)))
        parts = "|".join(map(re.escape, sorted(self.files, key=len, reverse=True)))
        self.word = re.compile(rf"(?<!\w)({words})(?!\w)") if words else None
        self.part = re.compile(parts) if parts else None

    def in_literal(self, text: str) -> str:
        """Return a string literal with its old words."""
        return self.word.sub(lambda match: self.old[match[0]], text) if self.word else text

    def of_file(self, name: str) -> str:
        """Return the name that a file had before."""
        return self.part.sub(lambda match: self.files[match[0]], name) if self.part else name


def tokens(sql: str) -> list[str]:
    """Return the tokens of SQL without white space and comments."""
    found = TOKEN.findall(sql)
    return [token for token in found if not token.isspace() and not token.startswith("--")]


def is_sentence(token: str) -> bool:
    """Return whether a token is a string literal with words, such as the text of a finding."""
    return token.startswith("'") and len(re.findall(r"[a-z]+", token)) > 3 and "<" not in token


def difference(before: list[str], after: list[str], names: Names, *, ignore_sentences: bool) -> str:
    """Return the first difference that is no consistent rename; empty if there is none."""
    renamed: dict[str, str] = {}
    for position, (old, new) in enumerate(zip(before, after, strict=False)):
        if IDENTIFIER.match(old) and IDENTIFIER.match(new):
            if renamed.setdefault(new, old) != old:
                return f"token {position}: {new} stands for {renamed[new]} and for {old}"
        elif ignore_sentences and is_sentence(old) and is_sentence(new):
            continue
        elif old != new and old != names.in_literal(new):
            return f"token {position}: {old[:80]} became {new[:80]}"
    if len(before) != len(after):
        return f"{len(before)} tokens became {len(after)}"
    return ""


def main(arguments: list[str]) -> int:
    """Compare two folders of compiled SQL; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("before", type=Path, help="folder of the SQL compiled before the change")
    parser.add_argument("after", type=Path, help="folder of the SQL compiled after the change")
    parser.add_argument("--names", type=Path, help="file of renames: kind, old name, new name")
    parser.add_argument(
        "--ignore-sentences", action="store_true", help="ignore changed texts for readers"
    )
    options = parser.parse_args(arguments)
    names = Names(options.names)
    before = {path.stem: path for path in options.before.rglob("*.sql")}
    after = {names.of_file(path.stem): path for path in options.after.rglob("*.sql")}
    differing = 0
    for name in sorted(before.keys() | after.keys()):
        if name in before and name in after:
            sides = (tokens(side[name].read_text(encoding="utf-8")) for side in (before, after))
            found = difference(*sides, names, ignore_sentences=options.ignore_sentences)
        else:
            found = "exists only " + ("before" if name in before else "after") + " the change"
        if found:
            differing += 1
            print(f"{name}: {found}")
    print(f"{len(before)} files compared, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

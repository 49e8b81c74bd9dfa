"""The layout of SQL and Jinja sources: what a formatter would keep, for files that no formatter can read.

sqlfluff checks the compiled models (`make lint`). It cannot read macros that return mappings, and sqlfmt stops at
braces inside the strings of a mapping.
"""

import re
from pathlib import Path

import pytest

from conftest import HOME

pytestmark = pytest.mark.rules
LONGEST_LINE = 120
LONGEST_FILE = 250
FILES = sorted([*(HOME / "macros").rglob("*.sql"), *(HOME / "models").rglob("*.sql")])

# Folders whose lines are still longer. Remove a folder when its lines fit.
FOLDERS_WITH_LONG_LINES = [
    "macros/batches",
    "macros/events",
    "macros/materializations",
    "macros/publication",
    "models/parsed",
    "models/intermediate",
    "models/marts",
    "models/sources",
]


def place(path):
    return path.relative_to(HOME).as_posix()


def lines_of(path):
    return path.read_text(encoding="utf-8").split("\n")


def long_lines(path):
    """Return the numbers of the lines that are too long."""
    return [number for number, line in enumerate(lines_of(path), 1) if len(line) > LONGEST_LINE]


def may_have_long_lines(path):
    return any(Path(place(path)).is_relative_to(folder) for folder in FOLDERS_WITH_LONG_LINES)


@pytest.mark.parametrize("path", FILES, ids=place)
def test_lines_and_files_are_short(path):
    assert len(lines_of(path)) <= LONGEST_FILE
    assert long_lines(path) == [] or may_have_long_lines(path)


@pytest.mark.parametrize("folder", FOLDERS_WITH_LONG_LINES)
def test_each_exception_is_still_needed(folder):
    assert [place(path) for path in (HOME / folder).rglob("*.sql") if long_lines(path)]


@pytest.mark.parametrize("path", FILES, ids=place)
def test_white_space(path):
    """No tab, no space at the end of a line, one blank line at most, and one line break at the end of the file."""
    text = path.read_text(encoding="utf-8")
    assert [
        number
        for number, line in enumerate(lines_of(path), 1)
        if "\t" in line or re.search(r"\s\Z", line)
    ] == []
    assert "\n\n\n" not in text and text.endswith("\n") and not text.endswith("\n\n")

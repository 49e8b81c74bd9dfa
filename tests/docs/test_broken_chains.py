"""The page of broken chains lists every kind of break, every cause and every planted fault."""

import re
import sys

from conftest import HOME

sys.path[:0] = [str(HOME), str(HOME / "tests" / "integration")]

from test_connector_faults import FAULTS, FORMATS, HARMLESS_IF_SEQUENCED
from tools.docs_site import models

PAGE = (HOME / "docs" / "concepts" / "broken-chains.md").read_text(encoding="utf-8")


def rows_below(heading):
    """Return the code spans of each cell of the first table below a heading, without its two header lines."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    table = re.search(r"^\|(?:.*\n\|)*.*", section, re.MULTILINE)[0].splitlines()
    return [[re.findall(r"`([^`]+)`", cell) for cell in row.split("|")[1:-1]] for row in table[2:]]


def values_of(column):
    """Return the values of a column of broken_chains that its description lists, separated by commas."""
    relation = next(one for one in models.read_tables() if one.name == "broken_chains")
    text = next(one for one in relation.columns if one["name"] == column)["description"]
    text = re.sub(r"\s*\(.*?\)", "", text).rstrip(".").split(": ")[-1]
    return set(re.split(r", | or ", text))


def test_every_kind_of_break_is_listed():
    assert {row[0][0] for row in rows_below("Kinds of breaks")} == values_of("break_kind")


def test_every_cause_is_listed():
    assert {row[0][0] for row in rows_below("Proposed causes")} == values_of("proposed_cause")


def test_every_planted_fault_is_listed_with_its_cause():
    faults = {row[0][0]: (set(row[2]), set(row[3])) for row in rows_below("Planted faults")}
    assert faults.keys() == FAULTS.keys()
    for fault, (kinds, causes) in faults.items():
        assert kinds and kinds <= values_of("break_kind"), fault
        assert causes & FAULTS[fault][1] and causes <= values_of("proposed_cause"), fault


def test_the_formats_of_planted_faults_are_listed():
    section = PAGE.split("\n## Planted faults\n")[1]
    assert all(re.search(rf"\b{name}\b", section, re.IGNORECASE) for name in FORMATS)
    formats = dict(re.findall(r"^\| `(\w+)` .*\| ([\w ]+) \|$", section, re.MULTILINE))
    assert {fault for fault, text in formats.items() if text != "all"} == HARMLESS_IF_SEQUENCED

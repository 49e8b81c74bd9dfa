"""The comment of a macro is the only description of its arguments, and describes each of them."""

import re
import sys

import pytest

from conftest import HOME

sys.path.insert(0, str(HOME))
from tools.docs_site.macros import described_arguments, read_macros

pytestmark = pytest.mark.rules

TYPES = re.compile(
    r"(?:string|integer|boolean|float|any|relation|column"
    r"|list\[.+\]|dict\[.+\]|optional\[.+\])\Z"
)


def problems(macro):
    """Return what the comment of a macro lacks, as sentences without the macro's name."""
    found = [] if macro.description else ["has no comment"]
    described = list(described_arguments(macro.sections.get("Arguments", "")))
    names = [argument.name for argument in macro.arguments]
    if macro.kind == "macro" and described != names:
        found.append(f"describes the arguments {described}, but takes {names}")
    found += [
        f"gives {argument.name} the unknown type {argument.type}"
        for argument in macro.arguments
        if argument.name in described and not TYPES.match(argument.type)
    ]
    return found


@pytest.mark.parametrize(
    "macro",
    [macro for macro in read_macros() if not macro.name.startswith("_")],
    ids=lambda macro: f"{macro.kind}-{macro.name}",
)
def test_a_comment_describes_every_argument(macro):
    assert problems(macro) == []

"""The comment of a macro describes each of its arguments, and dbt docs shows the same text."""

import sys

import pytest

from conftest import HOME

sys.path.insert(0, str(HOME))
from tools import macro_properties

pytestmark = pytest.mark.rules


@pytest.mark.parametrize(
    "macro", macro_properties.public_macros(), ids=lambda macro: f"{macro.kind}-{macro.name}"
)
def test_a_comment_describes_every_argument(macro):
    assert macro_properties.problems(macro) == []


def test_the_properties_files_contain_the_comments():
    stale = [
        str(path.relative_to(HOME))
        for path, text in macro_properties.properties().items()
        if path.read_text(encoding="utf-8") != text
    ]
    assert stale == [], "run python -m tools.macro_properties"

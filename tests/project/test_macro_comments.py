"""The comment of a macro describes each of its arguments, and dbt docs shows the same text."""

import importlib.util
import sys

import pytest

from conftest import HOME

pytestmark = pytest.mark.rules


def load_tool():
    """Return the module tools/macro_properties.py."""
    path = HOME / "tools" / "macro_properties.py"
    spec = importlib.util.spec_from_file_location("macro_properties", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["macro_properties"] = module
    spec.loader.exec_module(module)
    return module


TOOL = load_tool()


@pytest.mark.parametrize("path", TOOL.macro_files(), ids=lambda path: str(path.relative_to(HOME)))
def test_a_comment_describes_every_argument(path):
    assert TOOL.read_macro(path).problems() == []


def test_the_properties_files_contain_the_comments():
    stale = [str(path.relative_to(HOME)) for path, text in TOOL.properties().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run python tools/macro_properties.py"

"""Calls between macros go one way: from the folders that use something to the folders that offer it.

The test parses each file with dbt's own Jinja environment, so it sees every call that Jinja sees. A macro that is
chosen by its name at run time (`format_<slug>`, the macros of a table format) is not seen.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from dbt_common.clients.jinja import get_environment
from jinja2 import nodes

from conftest import HOME

pytestmark = pytest.mark.rules
MACROS = HOME / "macros"
PACKAGE = "kafka_cdc"

# The folders of macros. A macro may call macros of its own folder and of the folders above it in this list.
# A folder without a line of its own belongs to its parent folder.
LAYERS = [
    "utils",
    "decoders",
    "events/contract",
    "settings",
    "masks",
    "formats/lookup",
    "table_formats",
    "versions",
    "materializations",
    "facts",
    "batches",
    "holds",
    "parsing",
    "formats",
    "events",
    "statistics",
    "state",
    "merged_rows",
    "publication",
    "monitoring",
    "chains",
    "checks",
    "typed_tables",
    "operations",
    "maintenance",
    "erasure",
    "tests",
]
# Calls against the order, as caller -> called macro, each with the reason why it stays.
AGAINST_THE_ORDER = {
    (
        "_read_topics",
        "get_formats",
    ): "the valid values of the setting `format` are the formats",
    (
        "get_format",
        "get_package_formats",
    ): "the list of formats stands with the formats, for those who add one",
    (
        "get_formats",
        "get_package_formats",
    ): "the list of formats stands with the formats, for those who add one",
}


class SqlFile:
    """A file of macros, a model or a generic test: the macros that it defines and those that it calls."""

    def __init__(self, path):
        self.path, self.text = path, path.read_text(encoding="utf-8")
        tree = get_environment(None, capture_macros=False).parse(self.text)
        self.macros = {
            macro.name.removeprefix("dbt_macro__"): macro for macro in tree.find_all(nodes.Macro)
        }
        self.calls = {
            (name, prefixed)
            for call in tree.find_all(nodes.Call)
            if (name := called(call))
            for prefixed in [is_prefixed(call)]
        }
        variables = {
            name.name for name in tree.find_all(nodes.Name) if name.ctx in ("store", "param")
        }
        self.unprefixed = {name for name, prefixed in self.calls if not prefixed} - variables

    @property
    def layer(self):
        """Return the folder of LAYERS that the file belongs to."""
        folder = self.path.relative_to(MACROS).parent
        while str(folder) not in LAYERS:
            assert folder != Path("."), f"LAYERS lacks the folder of {place(self.path)}"
            folder = folder.parent
        return str(folder)


def called(call):
    """Return the name of the macro that a call may call: name(...) or kafka_cdc.name(...)."""
    if isinstance(call.node, nodes.Name):
        return call.node.name
    return call.node.attr if is_prefixed(call) else None


def is_prefixed(call):
    return (
        isinstance(call.node, nodes.Getattr)
        and isinstance(call.node.node, nodes.Name)
        and call.node.node.name == PACKAGE
    )


def place(path):
    return str(path.relative_to(HOME))


MACRO_PATHS = sorted(MACROS.rglob("*.sql"))
MODEL_PATHS = sorted((HOME / "models").rglob("*.sql"))


@cache
def parsed(path):
    return SqlFile(path)


@cache
def home_of(name):
    """Return the file that defines a public macro, or None if the package has no such macro."""
    return next((parsed(path) for path in MACRO_PATHS if name in parsed(path).macros), None)


def test_each_folder_is_a_layer():
    assert {parsed(path).layer for path in MACRO_PATHS} == set(LAYERS)


@pytest.mark.parametrize("path", MACRO_PATHS, ids=place)
def test_macros_call_only_layers_above(path):
    file = parsed(path)
    wrong = []
    for name, _ in sorted(file.calls):
        other = home_of(name)
        if other is None or LAYERS.index(other.layer) <= LAYERS.index(file.layer):
            continue
        if not any((macro, name) in AGAINST_THE_ORDER for macro in file.macros):
            wrong.append(f"{place(path)} ({file.layer}) calls {name} ({other.layer})")
    assert wrong == []


def test_each_exception_is_still_needed():
    calls = {
        (macro, name)
        for path in MACRO_PATHS
        for macro in parsed(path).macros
        for name, _ in parsed(path).calls
    }
    needed = {
        (caller, name)
        for caller, name in calls
        if (other := home_of(name))
        and LAYERS.index(other.layer) > LAYERS.index(home_of(caller).layer)
    }
    assert AGAINST_THE_ORDER.keys() - needed == set()


def test_no_two_macros_have_one_name():
    names = [name for path in MACRO_PATHS for name in parsed(path).macros]
    assert sorted(name for name in set(names) if names.count(name) > 1) == []


@pytest.mark.parametrize("path", MACRO_PATHS + MODEL_PATHS, ids=place)
def test_calls_of_the_package_carry_its_name(path):
    """Another project that installs the package can call these macros, and its own macros cannot replace them."""
    assert (
        sorted(
            name
            for name in parsed(path).unprefixed
            if home_of(name) and name not in parsed(path).macros
        )
        == []
    )
    assert sorted(name for name in parsed(path).unprefixed if name in parsed(path).macros) == []


@pytest.mark.parametrize("path", MACRO_PATHS + MODEL_PATHS, ids=place)
def test_a_private_macro_is_called_in_its_own_file(path):
    private = {name for name, _ in parsed(path).calls if name.startswith("_") and home_of(name)}
    assert sorted(private - parsed(path).macros.keys()) == []


def returns_values(macro):
    """Return whether a macro calls return(), so that its caller gets a value in place of text."""
    return any(called(call) == "return" for call in macro.find_all(nodes.Call))


PUBLIC_MACROS = sorted(
    (name, path) for path in MACRO_PATHS for name in parsed(path).macros if not name.startswith("_")
)
RETURNS = re.compile(r"(get|has|had|should)_")
PRINTS = re.compile(r"select_|.*_(cte|ctes|condition)$")


@pytest.mark.parametrize(
    ("name", "path"), PUBLIC_MACROS, ids=lambda value: value if isinstance(value, str) else "file"
)
def test_the_name_of_a_macro_shows_what_it_yields(name, path):
    """get_*, has_* and should_* return a value. select_* and *_condition print SQL; *_cte prints the CTE of its own name."""
    macro = parsed(path).macros[name]
    if RETURNS.match(name):
        assert returns_values(macro), f"{name} prints text"
    elif PRINTS.match(name):
        assert not returns_values(macro), f"{name} returns a value"


@pytest.mark.parametrize(
    ("name", "path"),
    [macro for macro in PUBLIC_MACROS if macro[0].endswith("_cte")],
    ids=lambda value: value if isinstance(value, str) else "file",
)
def test_a_macro_named_cte_prints_the_cte_of_its_name(name, path):
    cte = name.removesuffix("_cte")
    text = (
        parsed(path).text.replace(f"name='{cte}'", "").replace("{{ name }}", cte)
    )  # named by an argument
    prints_its_name = re.search(rf"\b{cte} as \(", text) is not None
    assert prints_its_name


def test_only_monitoring_reads_monitoring():
    """`kafka-cdc run` leaves these models out of most builds."""
    names = {path.stem for path in (HOME / "models" / "monitoring").glob("*.sql")}
    assert "held_tables" in names
    others = [
        path
        for folder in ("models", "macros")
        for path in (HOME / folder).rglob("*.sql")
        if path.parent.name != "monitoring"
    ]
    assert len(others) > 100
    read = {(path.stem, name) for path in others for name in names if reads(path, name)}
    assert not read


def reads(path, model):
    """Return whether a file refers to a model."""
    return re.search(rf"""ref\(['"]{model}['"]\)""", path.read_text(encoding="utf-8"))

"""Reads the macros: their comments, their arguments, and what those return that need no database.

A macro's comment is a summary of one line, and more text if needed. Sections follow: `Arguments:`,
`Returns:` or `Prints:`, and `Requires:`.
"""

import functools
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import jinja2
import yaml

from . import HOME

SECTIONS = ("Arguments", "Returns", "Prints", "Requires")
DEFINITION = re.compile(
    r"\{%-?\s*(?P<kind>macro|test|materialization)\s+(?P<name>\w+)\s*(?:\((?P<arguments>.*?)\)\s*)?"
    r"(?:,[^%]*)?-?%\}",
    re.DOTALL,
)
COMMENT = re.compile(r"\{#-?(?P<text>(?:(?!#\}).)*?)-?#\}\s*\Z", re.DOTALL)


@dataclass(frozen=True)
class Argument:
    """An argument of a macro."""

    name: str
    default: str = ""
    type: str = ""
    description: str = ""


@dataclass(frozen=True)
class Macro:
    """A macro, a test or a materialization, and what its comment contains."""

    name: str
    kind: str
    path: Path
    folder: str
    arguments: tuple[Argument, ...]
    description: str
    sections: dict[str, str] = field(default_factory=dict)

    @property
    def is_private(self) -> bool:
        """Whether it is for its own file only."""
        return self.name.startswith("_") or "__" in self.name

    @property
    def signature(self) -> str:
        """Its name and arguments, as a call is written."""
        words = [a.name + (f"={a.default}" if a.default else "") for a in self.arguments]
        return f"{self.name}({', '.join(words)})"


def macro_folders() -> list[Path]:
    """Return the folders that dbt_project.yml names as macro-paths."""
    project = yaml.safe_load((HOME / "dbt_project.yml").read_text(encoding="utf-8"))
    return [HOME / folder for folder in project["macro-paths"]]


def macro_files() -> Iterator[Path]:
    """Yield the files of the macros, by path."""
    for folder in macro_folders():
        yield from sorted(folder.rglob("*.sql"))


def unindent(text: str) -> str:
    """Return a comment's text without the indentation that all of its lines share."""
    lines = text.strip("\n").rstrip().splitlines()
    lines = [line.rstrip() for line in lines]
    # A comment of one line begins after `{# `, one of several lines on its own line.
    depth = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    return "\n".join(line[depth:] for line in lines).strip("\n")


def split_sections(comment: str) -> tuple[str, dict[str, str]]:
    """Return the text before the sections, and the sections by name."""
    pattern = re.compile(rf"^(?:({'|'.join(SECTIONS)}):)[ \t]*", re.MULTILINE)
    parts = pattern.split(comment)
    sections = {
        name: unindent(text) if text.startswith("\n") else text.strip()
        for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    return parts[0].strip(), sections


def split_arguments(text: str) -> list[tuple[str, str]]:
    """Return the names and defaults in the parentheses of a definition."""
    found, depth, start = [], 0, 0
    for at, letter in enumerate(text + ","):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            name, _, default = text[start:at].partition("=")
            if name.strip():
                found.append((name.strip(), default.strip()))
            start = at + 1
    return found


def described_arguments(section: str) -> dict[str, tuple[str, str]]:
    """Return the type and the text of each entry of a section `Arguments:`, by name."""
    entry = re.compile(r"^(?P<name>\w+) \((?P<type>[^)]*)\):[ \t]*", re.MULTILINE)
    found = {}
    marks = list(entry.finditer(section))
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(section)
        text = section[mark.end() : end]
        found[mark["name"]] = (mark["type"], re.sub(r"\s+", " ", text).strip())
    return found


def read_file(path: Path) -> Iterator[Macro]:
    """Yield the macros of a file."""
    text = path.read_text(encoding="utf-8")
    base = next(folder for folder in macro_folders() if path.is_relative_to(folder))
    folder = path.parent.relative_to(base).as_posix()
    for definition in DEFINITION.finditer(text):
        before = COMMENT.search(text[: definition.start()])
        description, sections = split_sections(unindent(before["text"]) if before else "")
        described = described_arguments(sections.get("Arguments", ""))
        arguments = tuple(
            Argument(name, default, *described.get(name, ("", "")))
            for name, default in split_arguments(definition["arguments"] or "")
        )
        yield Macro(
            name=definition["name"],
            kind=definition["kind"],
            path=path.relative_to(HOME),
            folder="" if folder == "." else folder,
            arguments=arguments,
            description=description,
            sections=sections,
        )


@functools.cache
def read_macros() -> tuple[Macro, ...]:
    """Return all macros, tests and materializations of the project."""
    return tuple(macro for path in macro_files() for macro in read_file(path))


class Returned(Exception):  # noqa: N818 (it is how dbt's `return` leaves a macro, no error)
    """Leaves a macro with a value."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


def leave(value: Any = None) -> None:
    """Leave a macro as dbt's `return` does."""
    raise Returned(value)


class Macros:
    """The macros, to be called without dbt. What asks a database cannot be called."""

    def __init__(self, variables: dict[str, Any] | None = None) -> None:
        self.environment = jinja2.Environment(  # noqa: S701 (its output is no HTML)
            extensions=["jinja2.ext.do", "jinja2.ext.loopcontrols"],
            undefined=jinja2.ChainableUndefined,
        )
        settings = variables or {}
        functions: dict[str, Any] = {
            "return": leave,
            "var": lambda name, default=None: settings.get(name, default),
            "env_var": lambda name, default="": default,
            "tojson": json.dumps,
            "fromjson": json.loads,
            "set": lambda values: set(values),
            "zip": lambda *values: list(zip(*values, strict=False)),
            "execute": False,
            "adapter": _Dispatch(self),
        }
        self.environment.globals.update(functions)
        self.environment.globals["kafka_cdc"] = self
        self.modules: dict[str, Any] = {}
        texts = [path.read_text(encoding="utf-8") for path in macro_files()]
        # A template resolves names when it is loaded: all macros are known before the first is.
        for text in texts:
            for name in re.findall(r"\{%-?\s*macro\s+(\w+)", text):
                self.environment.globals[name] = functools.partial(self._call, name)
        for text in texts:
            self._load(text)

    def _load(self, text: str) -> None:
        other = r"\{%-?\s*(materialization|test)\b.*?\{%-?\s*end\1.*?%\}"
        text = re.sub(other, "", text, flags=re.DOTALL)
        # As in dbt: macros find each other by the context, and each has a `return` of its own.
        text = re.sub(r"(\{%-?\s*macro\s+)(\w+)", r"\1dbt_macro__\2", text)
        module = self.environment.from_string(text).module
        for name in dir(module):
            if name.startswith("dbt_macro__"):
                self.modules[name.removeprefix("dbt_macro__")] = getattr(module, name)

    def _call(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        try:
            return self.modules[name](*arguments, **keywords)
        except Returned as returned:
            return returned.value

    def __getattr__(self, name: str) -> Callable[..., Any]:
        found: Any = self.environment.globals[name]
        return cast(Callable[..., Any], found)

    def evaluate(self, expression: str) -> Any:
        """Return the value of a Jinja expression."""
        return self.environment.compile_expression(expression)()


class _Dispatch:
    def __init__(self, macros: Macros) -> None:
        self.macros = macros

    def dispatch(self, name: str, *_: Any) -> Callable[..., Any]:
        return cast(Callable[..., Any], getattr(self.macros, name))


@functools.cache
def callable_macros() -> Macros:
    """Return the macros to call, with the settings' defaults."""
    return Macros()

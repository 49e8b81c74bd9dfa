"""Writes macros/<folder>/<folder>.yml from the comments of the macros, so that dbt docs shows them.

The comment of a macro is the only place where its arguments are described. The macros
format_<slug> take no arguments and have a page each in the documentation. They have no entry, so
that a new format changes no shared file.

Usage:
    python -m tools.macro_properties            write the files
    python -m tools.macro_properties --check    write nothing, exit with 1 if a file would change
"""

import re
import sys
from pathlib import Path

import yaml

from tools.docs_site import HOME
from tools.docs_site.macros import Macro, described_arguments, read_macros

MACROS = HOME / "macros"
TYPES = re.compile(
    r"(?:string|integer|boolean|float|any|relation|column"
    r"|list\[.+\]|dict\[.+\]|optional\[.+\])\Z"
)


def public_macros() -> list[Macro]:
    """Return the macros, tests and materializations that have comments of their own."""
    return [macro for macro in read_macros() if not macro.name.startswith("_")]


def problems(macro: Macro) -> list[str]:
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


def properties() -> dict[Path, str]:
    """Return the text of every properties file."""
    folders: dict[str, list[Macro]] = {}
    for macro in public_macros():
        if macro.kind == "macro" and not macro.name.startswith("format_"):
            folders.setdefault(Path(macro.folder).parts[0], []).append(macro)
    return {MACROS / name / f"{name}.yml": render(macros) for name, macros in folders.items()}


class _Text(str):
    """A text that YAML writes as a block."""


def _represent_text(dumper: yaml.Dumper, text: _Text) -> yaml.Node:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style=style)


yaml.SafeDumper.add_representer(_Text, _represent_text)


def render(macros: list[Macro]) -> str:
    """Return a properties file of dbt for some macros."""
    entries = []
    for macro in sorted(macros, key=lambda each: each.name):
        parts = [macro.description]
        parts += [f"{name}: {text}" for name, text in macro.sections.items() if name != "Arguments"]
        entry: dict[str, object] = {
            "name": macro.name,
            "description": _Text(escape_jinja("\n\n".join(parts))),
        }
        if macro.arguments:
            entry["arguments"] = [
                {
                    "name": argument.name,
                    "type": argument.type,
                    "description": escape_jinja(argument.description),
                }
                for argument in macro.arguments
            ]
        entries.append(entry)
    head = "# Written by tools/macro_properties.py from the comments of the macros. Do not edit.\n"
    return head + yaml.safe_dump(
        {"macros": entries}, sort_keys=False, allow_unicode=True, width=100
    )


def escape_jinja(text: str) -> str:
    """Return a text for a file that dbt renders: braces of Jinja stay as they are."""
    return re.sub(r"\{(?=[{%#])", "{{ '{' }}", text)


def main(arguments: list[str]) -> int:
    """Write the files, or check them; return the exit code."""
    stale = {
        path: text
        for path, text in properties().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    }
    for path, text in stale.items():
        if "--check" in arguments:
            name = path.relative_to(HOME)
            print(f"{name} is out of date: run python -m tools.macro_properties", file=sys.stderr)
        else:
            path.write_text(text, encoding="utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

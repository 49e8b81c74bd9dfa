"""Writes macros/<folder>/<folder>.yml from the comments of the macros, so that dbt docs shows them.

The macros format_<slug> take no arguments and have a page each in the documentation. They have no
entry, so that a new format changes no shared file.

The comment of a macro file is the only place where its arguments are described:

    {#
      Prints an expression: the canonical JSON of a row's key.

      Arguments:
        row_map (string): SQL of the row, map<string, string>.
    #}

Usage:
    python tools/macro_properties.py            write the files
    python tools/macro_properties.py --check    write nothing, exit with 1 if a file would change
"""

import re
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

import yaml

HOME = Path(__file__).resolve().parent.parent
MACROS = HOME / "macros"
SECTIONS = ("Arguments", "Returns", "Prints", "Requires", "Raises", "Example", "Examples")
TYPES = re.compile(
    r"(?:string|integer|boolean|float|any|relation|column"
    r"|list\[.+\]|dict\[.+\]|optional\[.+\])\Z"
)
DEFINITION = re.compile(
    r"^\{%-?\s*(macro|test|materialization)\s+(\w+)\s*(?:\((.*?)\)|,.*?)\s*-?%\}", re.M | re.S
)
ARGUMENT = re.compile(r"^(\w+) \((.+?)\): (.+)\Z", re.S)


@dataclass
class Macro:
    """A public macro as its file describes it."""

    name: str
    kind: str
    parameters: list[str]
    summary: str
    body: str = ""
    sections: dict[str, str] = field(default_factory=dict)

    def arguments(self) -> list[dict[str, str]]:
        """Return name, type and description of each argument that the comment describes."""
        entries: list[str] = []
        for line in self.sections.get("Arguments", "").splitlines():
            if re.match(r"\w+ \(", line):
                entries.append(line)
            elif entries and line.strip():
                entries[-1] += " " + line.strip()
        described = []
        for entry in entries:
            match = ARGUMENT.match(entry)
            if match:
                name, kind, text = match.groups()
                described.append({"name": name, "type": kind, "description": text})
        return described

    def problems(self) -> list[str]:
        """Return what the comment lacks, as sentences without the macro's name."""
        found = []
        if not self.summary:
            found.append("has no summary line")
        described = self.arguments()
        names = [argument["name"] for argument in described]
        if self.kind == "macro" and names != self.parameters:
            found.append(f"describes the arguments {names}, but takes {self.parameters}")
        found += [
            f"gives {argument['name']} the unknown type {argument['type']}"
            for argument in described
            if not TYPES.match(argument["type"])
        ]
        return found

    def description(self) -> str:
        """Return the summary and the sections other than the arguments."""
        parts = [self.summary, self.body]
        parts += [
            f"{title}: {text}" for title, text in self.sections.items() if title != "Arguments"
        ]
        return "\n\n".join(part.strip() for part in parts if part.strip())


def read_macro(path: Path) -> Macro:
    """Return the public macro of a file. ValueError if the file has none or no comment."""
    text = path.read_text(encoding="utf-8")
    comment = re.match(r"\{#-?(.*?)-?#\}", text, flags=re.S)
    if not comment:
        raise ValueError(f"{path.relative_to(HOME)} does not begin with a comment")
    definitions = [match for match in DEFINITION.finditer(text) if not match[2].startswith("_")]
    if len(definitions) != 1:
        raise ValueError(f"{path.relative_to(HOME)} has {len(definitions)} public macros")
    kind, name, signature = definitions[0].groups()
    parameters = re.findall(r"(?:^|,)\s*(\w+)\s*(?==|,|$)", strip_defaults(signature or ""))
    lines = textwrap.dedent(comment[1].strip("\n")).splitlines()
    lines = lines if len(lines) > 1 else [comment[1].strip()]
    macro = Macro(name=name, kind=kind, parameters=parameters, summary=lines[0].strip())
    section, blocks = "", {"": []}  # type: str, dict[str, list[str]]
    for line in lines[1:]:
        title = re.match(rf"({'|'.join(SECTIONS)}):(?: (.+))?\Z", line)
        if title:
            section = title[1]
            blocks[section] = [title[2]] if title[2] else []
        else:
            blocks[section].append(line)
    macro.body = "\n".join(blocks.pop("")).strip("\n")
    macro.sections = {
        title: textwrap.dedent("\n".join(text)).strip() for title, text in blocks.items()
    }
    return macro


def strip_defaults(signature: str) -> str:
    """Return a macro's signature with every default replaced by a plain word."""
    return re.sub(r"=\s*(?:'[^']*'|\"[^\"]*\"|\[[^\]]*\]|\{[^}]*\}|[\w.]+)", "=x", signature)


def macro_files() -> list[Path]:
    """Return every macro file in a stable order."""
    return sorted(MACROS.rglob("*.sql"))


def properties() -> dict[Path, str]:
    """Return the text of every properties file."""
    folders: dict[str, list[Macro]] = {}
    for path in macro_files():
        macro = read_macro(path)
        if macro.kind == "macro" and not macro.name.startswith("format_"):
            folders.setdefault(path.relative_to(MACROS).parts[0], []).append(macro)
    return {MACROS / name / f"{name}.yml": render(macros) for name, macros in folders.items()}


class _Text(str):
    """A text that YAML writes as a block."""


def _represent_text(dumper: yaml.Dumper, text: _Text) -> yaml.Node:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", str(text), style="|" if "\n" in text else None
    )


yaml.SafeDumper.add_representer(_Text, _represent_text)


def render(macros: list[Macro]) -> str:
    """Return a properties file of dbt for some macros."""
    entries = []
    for macro in sorted(macros, key=lambda each: each.name):
        text = escape_jinja("\n".join(line.rstrip() for line in macro.description().splitlines()))
        entry: dict[str, object] = {"name": macro.name, "description": _Text(text)}
        arguments = [
            {**argument, "description": escape_jinja(argument["description"])}
            for argument in macro.arguments()
        ]
        if arguments:
            entry["arguments"] = arguments
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
    stale = [
        path
        for path, text in properties().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if "--check" in arguments:
        for path in stale:
            print(
                f"{path.relative_to(HOME)} is out of date: run python tools/macro_properties.py",
                file=sys.stderr,
            )
        return 1 if stale else 0
    for path, text in properties().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

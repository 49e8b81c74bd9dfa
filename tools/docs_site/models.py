"""The pages about tables: models, columns of events, tests and reject codes.

The descriptions are those of the properties files of dbt, so that `dbt docs` shows the same.
"""

import functools
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from . import HOME
from .macros import callable_macros, read_macros
from .markdown import MissingDescription, code, folded, heading, page, sentence, table

GROUPS = {
    "sources": "Raw tables",
    "raw": "Raw tables",
    "parsed": "Events",
    "gates": "Gates",
    "marts": "State and history",
    "state": "State and history",
    "monitoring": "Monitoring",
    "intermediate": "Intermediate models",
    "seeds": "Seeds",
    "staging": "Staging views",
}


@dataclass(frozen=True)
class Table:
    """A model, a seed or a table of a source, as its properties file describes it."""

    name: str
    kind: str
    folder: str
    description: str
    columns: tuple[dict[str, Any], ...]
    tests: tuple[str, ...]


def read_properties() -> list[tuple[Path, dict[str, Any]]]:
    """Return the properties files of models and seeds."""
    files = [*(HOME / "models").rglob("*.yml"), *(HOME / "seeds").rglob("*.yml")]
    return [
        (file, yaml.safe_load(file.read_text(encoding="utf-8")) or {}) for file in sorted(files)
    ]


def test_names(entries: list[Any]) -> tuple[str, ...]:
    """Return the names of tests in a list `data_tests`."""
    return tuple(entry if isinstance(entry, str) else next(iter(entry)) for entry in entries)


@functools.cache
def read_doc_blocks() -> dict[str, str]:
    """Return the blocks `{% docs <name> %}` of the project, which descriptions refer to."""
    block = re.compile(r"\{%-?\s*docs\s+(\w+)\s*-?%\}(.*?)\{%-?\s*enddocs\s*-?%\}", re.DOTALL)
    texts = [file.read_text(encoding="utf-8") for file in sorted((HOME / "models").rglob("*.md"))]
    return {name: text.strip() for source in texts for name, text in block.findall(source)}


def description_of(entry: dict[str, Any]) -> str:
    """Return an entry's description, with the blocks that it refers to."""
    reference = r"\{\{\s*doc\(\s*['\"](\w+)['\"]\s*\)\s*\}\}"
    text = (entry.get("description") or "").strip()
    return re.sub(reference, lambda found: read_doc_blocks()[found[1]], text)


@functools.cache
def read_tables() -> tuple[Table, ...]:
    """Return all models, seeds and tables of sources."""
    found = []
    for file, content in read_properties():
        folder = file.relative_to(HOME).parts[0 if file.is_relative_to(HOME / "seeds") else 1]
        sources = [
            {**one, "name": f"{source['name']}.{one['name']}"}
            for source in content.get("sources", [])
            for one in source["tables"]
        ]
        entries = [("source", one) for one in sources]
        entries += [("model", one) for one in content.get("models", [])]
        entries += [("seed", one) for one in content.get("seeds", [])]
        for kind, entry in entries:
            found.append(
                Table(
                    name=entry["name"],
                    kind=kind,
                    folder=folder,
                    description=description_of(entry),
                    columns=tuple(
                        {**column, "description": description_of(column)}
                        for column in entry.get("columns", [])
                    ),
                    tests=test_names(entry.get("data_tests", [])),
                )
            )
    return tuple(found)


def missing_descriptions() -> list[str]:
    """Return the models without a properties entry, and what has no description in one."""
    known = {one.name for one in read_tables() if one.kind == "model"}
    files = sorted((HOME / "models").rglob("*.sql"))
    found = [
        f"{file.stem}: no entry in a properties file" for file in files if file.stem not in known
    ]
    for one in read_tables():
        if not one.description:
            found.append(f"{one.name}: no description")
        if not one.columns and one.folder != "staging":
            found.append(f"{one.name}: no columns")
        for column in one.columns:
            if not column["description"]:
                found.append(f"{one.name}.{column['name']}: no description")
            if not column.get("data_type") and one.kind != "seed":
                found.append(f"{one.name}.{column['name']}: no data_type")
    return found


def event_types() -> dict[str, str]:
    """Return the types of the columns of events."""
    types: dict[str, str] = callable_macros().get_event_columns()
    return types


def describe_table(one: Table) -> list[str]:
    """Return a table's part of the page of models."""
    columns = [
        [code(column["name"]), code(column.get("data_type", "")) if column.get("data_type") else "",
         sentence(column["description"])]
        for column in one.columns
    ]  # fmt: skip
    parts = [heading(3, code(one.name), one.name.removeprefix("raw.")), sentence(one.description)]
    if one.tests:
        names = ", ".join(f"[{code(name)}](tests.md#{name})" for name in one.tests)
        parts.append(f"Tests: {names}.")
    if columns:
        parts.append(folded("columns", table(["Column", "Type", "Meaning"], columns)))
    return parts


def models_page() -> str:
    """Return docs/reference/models.md."""
    groups: dict[str, list[Table]] = defaultdict(list)
    for one in read_tables():
        groups[GROUPS.get(one.folder, one.folder.capitalize())].append(one)
    parts = [
        "All tables and views. `cdc` is the target schema and `KAFKA_CDC_SCHEMA` sets another one. "
        "Staging views are in the schema `cdc_staging`, landed messages in `raw`. The "
        "[dbt documentation](../dbt/index.html){ target=_blank } shows the SQL and the lineage."
    ]
    order = list(dict.fromkeys(GROUPS.values()))
    for name in sorted(groups, key=lambda one: order.index(one) if one in order else len(order)):
        parts.append(heading(2, name))
        if name == "Staging views":
            parts.append(
                "One view per message format, with the columns of [`events`](event-columns.md). "
                "They are for looking at one format. Every query of a view parses the "
                "messages again."
            )
            rows = [[code(one.name), sentence(one.description)] for one in groups[name]]
            parts.append(table(["View", "Description"], rows))
            continue
        for one in groups[name]:
            parts += describe_table(one)
    return page("Models", "the properties files of models/", *parts)


def event_columns_page() -> str:
    """Return docs/reference/event-columns.md."""
    events = next(one for one in read_tables() if one.name == "events")
    described = {column["name"]: column["description"] for column in events.columns}
    if described.keys() != event_types().keys():
        names = ", ".join(sorted(described.keys() ^ event_types().keys()))
        raise MissingDescription(f"events: get_event_columns and the properties differ in {names}")
    rows = [
        [f'<span id="{name}"></span>{code(name)}', code(kind), sentence(described[name])]
        for name, kind in event_types().items()
    ]
    return page(
        "Event columns",
        "get_event_columns and the properties of the model events",
        "The columns of [`events`](models.md#events) and of every staging view. All formats yield "
        "these columns. See [the event contract](../concepts/event-contract.md) for what they mean "
        "together.",
        table(["Column", "Type", "Meaning"], rows),
    )


# Tests


def severity_of(text: str) -> str:
    """Return what a failing test does, from the config in its SQL."""
    if "get_on_held" in text:
        return "warns; fails the build with [`on_held: fail`](settings.md#on_held)"
    if "if action == 'fail'" in text:
        return "warns; fails the build with `action: fail` of [`expect`](settings.md#topics-expect)"
    return "warns" if re.search(r"severity\s*=\s*['\"]warn", text) else "blocks publication"


def test_definition(text: str, name: str) -> str:
    """Return the SQL of one test of a file."""
    found = re.search(rf"\{{%-?\s*test\s+{name}\b.*?\{{%-?\s*endtest", text, re.DOTALL)
    return found[0] if found else ""


def tests_page() -> str:
    """Return docs/reference/tests.md."""
    users: dict[str, list[str]] = defaultdict(list)
    for one in read_tables():
        for name in one.tests:
            users[name].append(one.name)
    rows, parts = [], []
    for test in (macro for macro in read_macros() if macro.kind == "test"):
        if not test.description:
            raise MissingDescription(f"{test.path}: the test {test.name} has no comment")
        text = test_definition((HOME / test.path).read_text(encoding="utf-8"), test.name)
        severity = severity_of(text)
        tested = dict.fromkeys(users[test.name])
        models = ", ".join(f"[{code(name)}](models.md#{name})" for name in tested)
        rows.append([f"[{code(test.name)}](#{test.name})", severity, models or "typed models"])
        parts += [heading(2, code(test.name), test.name), prose(test.description)]
    return page(
        "Tests",
        "the comments of the tests",
        "Tests of dbt that `dbt build` and `dbt test` run on the data. A test that blocks "
        "publication fails the build, and readers continue to see the last tested state. A finding "
        "about one source table does not block the others: that table is "
        "[held](../concepts/held-tables.md). Every finding is a sentence that names the setting or "
        "command to use.",
        table(["Test", "If it finds something, it", "Model"], rows),
        *parts,
    )


def prose(text: str) -> str:
    """Return a comment as Markdown: paragraphs in one line each, lists as they are."""
    blocks = re.split(r"\n\s*\n", text.strip())
    is_list = re.compile(r"^\s*([*-] |\|)|^    ", re.MULTILINE)
    return "\n\n".join(
        block if is_list.search(block) else sentence(block.replace("\n", " "))
        for block in blocks
    )  # fmt: skip


# Reject codes


def read_reject_codes() -> dict[str, dict[str, str]]:
    """Return what docs/data/reject_codes.yml contains, and the sentence of `reject_detail`."""
    file = HOME / "docs" / "data" / "reject_codes.yml"
    described = yaml.safe_load(file.read_text(encoding="utf-8"))
    details: dict[str, str] = callable_macros().get_reject_codes()
    if described.keys() != details.keys():
        names = ", ".join(sorted(described.keys() ^ details.keys()))
        raise MissingDescription(
            f"docs/data/reject_codes.yml and get_reject_codes differ in {names}"
        )
    return {name: {**described[name], "detail": details[name].strip()} for name in details}


def reject_codes_page() -> str:
    """Return docs/reference/reject-codes.md."""
    parts = [
        "Why a message is in [quarantine](../concepts/quarantine.md): the column `reject_code` of "
        "[`quarantine`](models.md#quarantine) and [`events`](models.md#events). One bad row "
        "rejects its whole message. The payload stays in raw."
    ]
    codes = read_reject_codes()
    rows = [[f"[{code(name)}](#{name})", one["when"]] for name, one in codes.items()]
    parts.append(table(["Code", "When"], rows))
    for name, one in codes.items():
        detail = one["detail"] + ("…" if one["detail"].endswith(":") else "")
        rows = [
            ["When", sentence(one["when"])],
            ["What to do", sentence(one["do"])],
            ["`reject_detail`", detail],
        ]
        parts += [heading(2, code(name), name), table(["", ""], rows)]
    parts.append(
        "After the cause is mended, `dbt build --vars '{replay: quarantine}'` reads the rejected "
        "messages again."
    )
    return page("Reject codes", "get_reject_codes and docs/data/reject_codes.yml", *parts)


def pages() -> dict[str, str]:
    """Return the generated pages, by path."""
    return {
        "reference/models.md": models_page(),
        "reference/event-columns.md": event_columns_page(),
        "reference/tests.md": tests_page(),
        "reference/reject-codes.md": reject_codes_page(),
    }

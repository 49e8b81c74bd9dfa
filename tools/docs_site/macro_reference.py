"""The pages docs/reference/macros.md and decoders.md, from the comments of the macros."""

import re

from . import HOME
from .macros import Macro, read_macros
from .markdown import MissingDescription, code, fence, heading, page, sentence, table
from .models import prose

TYPED_TABLES = ["current_table", "history_table"]
COMMANDS = {
    "generate_table_model",
    "explain_row",
    "erase_row",
    "erase_data_subject",
    "erase_messages",
    "maintain_tables",
}


def operations() -> list[Macro]:
    """Return the macros that are commands, also those whose comment shows `dbt run-operation`."""
    return [
        macro
        for macro in read_macros()
        if macro.name in COMMANDS
        or re.search(rf"run-operation {macro.name}\b", macro.description + str(macro.sections))
    ]


def typed_tables() -> list[Macro]:
    """Return the macros that are the content of a model."""
    return [macro for macro in read_macros() if macro.name in TYPED_TABLES]


def decoders() -> list[Macro]:
    """Return the macros that decode a value."""
    return [macro for macro in read_macros() if macro.name.startswith("decode_")]


def for_formats() -> list[Macro]:
    """Return the macros that the formats call and that are not part of a format."""
    texts = [
        file.read_text(encoding="utf-8") for file in (HOME / "macros" / "formats").rglob("*.sql")
    ]
    called = set(re.findall(r"\b(\w+)\(", "\n".join(texts)))
    return [
        macro
        for macro in read_macros()
        if macro.kind == "macro"
        and macro.name in called
        and not macro.is_private
        and not macro.folder.startswith("formats")
    ]


def public_macros() -> list[Macro]:
    """Return the macros that other projects call."""
    found = {
        macro.name: macro for macro in [*operations(), *typed_tables(), *for_formats(), *decoders()]
    }
    return list(found.values())


def missing_descriptions() -> list[str]:
    """Return the public macros without a comment."""
    return [f"{macro.path}: {macro.name}" for macro in public_macros() if not macro.description]


def describe(macro: Macro, level: int = 3) -> list[str]:
    """Return a macro's part of a page."""
    if not macro.description:
        raise MissingDescription(f"{macro.path}: the macro {macro.name} has no comment")
    parts = [heading(level, code(macro.name), macro.name), prose(escape(macro.description))]
    parts.append(fence(macro.signature, "sql"))
    if any(argument.description for argument in macro.arguments):
        rows = [
            [
                code(argument.name),
                argument.type,
                code(argument.default) if argument.default else "required",
                sentence(escape(argument.description)),
            ]
            for argument in macro.arguments
        ]
        parts.append(table(["Argument", "Type", "Default", "Meaning"], rows))
    elif macro.sections.get("Arguments"):
        parts += ["Arguments:", escape(macro.sections["Arguments"])]
    for name in ("Returns", "Prints", "Requires"):
        if text := macro.sections.get(name):
            # A definition list would hide a list inside: a bold word and the text are enough.
            parts.append(f"**{name}:** {escape(text)}")
    return parts


def escape(text: str) -> str:
    """Return a comment's text without what Markdown would take for HTML."""
    return re.sub(r"<(?=[\w/])(?![^`\n]*`)", "&lt;", text)


def macros_page() -> str:
    """Return docs/reference/macros.md."""
    parts = [
        "The macros that are meant for other projects and for the command line. The "
        "[dbt documentation](../dbt/index.html){ target=_blank } lists all others.",
        heading(2, "Commands"),
        "Run them with `dbt run-operation`.",
    ]
    for macro in operations():
        parts += describe(macro)
    parts += [
        heading(2, "Typed tables"),
        "The only content of a model. [Typed tables](../guides/typed-tables.md) shows how to use "
        "them.",
    ]
    for macro in typed_tables():
        parts += describe(macro)
    parts += [
        heading(2, "For message formats"),
        "What the mapping of a [message format](../guides/add-a-format.md) can call. A "
        "project that installs this package calls them with the prefix `kafka_cdc.`.",
    ]
    for macro in sorted(for_formats(), key=lambda one: (one.folder, one.name)):
        parts += describe(macro)
    return page("Macros", "the comments of the macros", *parts)


def decoders_page() -> str:
    """Return docs/reference/decoders.md."""
    parts = [
        "Macros that decode the exact text of a value into a type of Spark. [Typed "
        "tables](../guides/typed-tables.md) call them. A decoder is exact or null: it never "
        "rounds, cuts or shifts a value. [Types of all formats](../formats/types.md) lists which "
        "decoder each source type has.",
    ]
    for macro in sorted(decoders(), key=lambda one: one.name):
        parts += describe(macro, 2)
    return page("Decoders", "the comments of the macros", *parts)


def pages() -> dict[str, str]:
    """Return the generated pages, by path."""
    return {"reference/macros.md": macros_page(), "reference/decoders.md": decoders_page()}

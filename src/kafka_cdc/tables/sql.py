"""Names, texts and properties as SQL."""

from collections.abc import Mapping


def quote(*names: str) -> str:
    """Return the dotted SQL identifier of `names`."""
    return ".".join(f"`{name.replace('`', '``')}`" for name in names)


def literal(text: str) -> str:
    """Return `text` as a SQL string."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def format_properties(values: Mapping[str, str]) -> str:
    """Return the tblproperties of a table, without the parentheses."""
    return ", ".join(f"{literal(key)} = {literal(value)}" for key, value in values.items())

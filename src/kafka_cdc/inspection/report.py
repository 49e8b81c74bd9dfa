"""An inspection as text for people, and as JSON."""

import json
import textwrap
from typing import Any

from kafka_cdc.inspection.advice import LIMITS
from kafka_cdc.inspection.facts import TableFacts, TopicFacts
from kafka_cdc.progress import format_bytes

WIDTH = 100
SMALL_BYTES = 100_000
MAX_COLUMNS = 40  # of a table, in the text


def to_json(topics: list[TopicFacts], settings: str) -> str:
    """Return the inspection as one JSON object."""
    document: dict[str, Any] = {
        "topics": [topic.to_json() for topic in topics],
        "settings": settings,
        "limits": LIMITS,
    }
    return json.dumps(document, ensure_ascii=False, indent=2)


def to_text(topics: list[TopicFacts], settings: str) -> str:
    """Return the inspection as text."""
    parts = [describe_topic(topic) for topic in topics]
    if settings:
        parts.append(
            "Settings to add to dbt_project.yml, if they are right."
            f" The first line that matches a topic counts:\n\n{settings}"
        )
    else:
        parts.append("No setting is needed for these messages.\n")
    limits = "".join(f"{wrap(limit, '  * ', '    ')}\n" for limit in LIMITS)
    parts.append(f"What a sample cannot show:\n{limits}")
    return "\n".join(parts).rstrip("\n")


def describe_topic(topic: TopicFacts) -> str:
    """Return the text of a topic."""
    lines = [topic.topic]
    average = topic.sampled_bytes / topic.sampled if topic.sampled else 0
    size = describe_size(average * topic.messages)
    lines.append(
        fact(
            "messages",
            f"{topic.messages:,}, read {topic.sampled:,}; about {size},"
            f" {average:,.0f} bytes a message"
            if topic.sampled
            else f"{topic.messages:,}, read 0",
        )
    )
    if topic.formats:
        formats = (
            f"{part.format or 'no format'} {part.share:.1%}"
            + (" (setting topics)" if part.chosen_by == "topics" else "")
            for part in topic.formats
        )
        lines.append(fact("formats", ", ".join(formats)))
    if topic.outcomes:
        lines.append(fact("outcomes", count_all(topic.outcomes)))
    for table in topic.tables:
        lines += describe_table(table)
    for reject in topic.rejects:
        detail = f": {reject.detail}" if reject.detail else ""
        lines.append(
            fact(
                "rejected",
                f"{reject.messages:,} {reject.code}{detail}"
                f" (first: partition {reject.partition}, offset {reject.offset})",
            )
        )
    lines += [
        fact("settings", f"{name}: {line}")
        for name, found in topic.settings.items()
        for line in found
    ]
    lines += [fact("note", note) for note in topic.notes]
    return "\n".join(lines) + "\n"


def describe_table(table: TableFacts) -> list[str]:
    """Return the lines of a table."""
    key = f"{', '.join(table.key)} (from {table.key_from})" if table.key else "none"
    columns = [f"{column.name} {' or '.join(column.types)}".rstrip() for column in table.columns]
    if len(columns) > MAX_COLUMNS:
        columns = [*columns[:MAX_COLUMNS], f"and {len(columns) - MAX_COLUMNS} more (see --json)"]
    return [
        fact("table", f"{table.table or '(no name)'}, source {table.source_name}"),
        fact("  changes", count_all(table.operations)),
        fact("  key", key),
        fact("  order", table.order),
        fact("  columns", ", ".join(columns) or "none"),
    ]


def describe_size(size: float) -> str:
    """Return a number of bytes for people."""
    return f"{size:,.0f} bytes" if size < SMALL_BYTES else format_bytes(size)


def count_all(counts: dict[str, int]) -> str:
    """Return counts by name: 3 insert, 1 update."""
    return ", ".join(f"{number:,} {name}" for name, number in counts.items())


def fact(name: str, value: str) -> str:
    """Return a line with a name and a value, which may take more lines."""
    return wrap(value, f"  {name:<11}", " " * 13)


def wrap(text: str, first: str, others: str) -> str:
    """Return text in lines of at most WIDTH characters."""
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )

"""Settings that would improve how topics are read, and what a sample cannot show."""

import json
import re
from collections.abc import Mapping

from kafka_cdc.inspection.facts import BY_NOTHING, BY_OFFSET, TableFacts, TopicFacts

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
CHOICE = "FORMAT"  # in a line for topics, instead of one of several formats
QUERY_FORMAT = "cockroachdb_changefeed"  # a query may write a deletion as a row of nulls
YAML_WORDS = {"true", "false", "yes", "no", "on", "off", "null", "none", "y", "n"}
LIMITS = [
    "Messages outside the sample may have other formats, tables, columns and types.",
    "A proposed key is that of the sample's Kafka keys, or a guess. Check it in the source.",
    "No message shows whether the topic lacks changes, for example deletes of a compacted topic.",
    "Times without a time zone need the topic's `timezone`. No message names it.",
    "Some formats cannot be distinguished by one message: see docs/formats/index.md.",
]
"""What no sample shows."""


def add_settings(
    topics: list[TopicFacts], mapped_formats: list[str], lookalikes: Mapping[str, list[str]]
) -> str:
    """Add settings lines and notes to the topics.

    Args:
        topics: The topics.
        mapped_formats: The formats that the setting topics already names. Two lines with the same
            format need a `source`, which changes the name of the stream, so no line is proposed.
        lookalikes: A format to the other formats whose rows `auto` reads as it. A topic with such
            rows gets a line in which the user chooses the format.

    Returns:
        The settings as YAML, ready to paste. Empty if nothing needs to be set.
    """
    by_format: dict[str, list[str]] = {}
    binary: list[str] = []
    for topic in topics:
        topic.settings = {"topics": [], "tables": []}
        slug = find_single_format(topic)
        confused = find_confused_format(topic, lookalikes)
        is_binary = any(reject.code == "invalid_utf8" for reject in topic.rejects)
        if is_binary:
            binary.append(topic.topic)
            topic.notes.append(
                "The payloads are binary. Set encoding: base64 and the format of the topic."
                " Then inspect it again with --binary-topics."
            )
        elif confused:
            by_format.setdefault(CHOICE, []).append(topic.topic)
            topic.settings["topics"].append(f"{{topic: {text(topic.topic)}, format: {CHOICE}}}")
            topic.notes.append(
                f"Nothing in the messages shows whether their format is {confused} or one of"
                f" {', '.join(lookalikes[confused])}. Write the format of their producer for"
                f" {CHOICE}, then inspect the topic again. docs/formats/index.md has the"
                " differences."
            )
        elif slug and slug not in mapped_formats:
            by_format.setdefault(slug, []).append(topic.topic)
            topic.settings["topics"].append(f"{{topic: {text(topic.topic)}, format: {slug}}}")
        elif len({part.format for part in topic.formats if part.format}) > 1:
            topic.notes.append(
                "The topic has several formats. Leave it on auto, or have each producer write"
                " to a topic of its own."
            )
        if any(reject.code == "unknown_format" for reject in topic.rejects) and not is_binary:
            topic.notes.append(
                "No format recognizes some messages. If they are of a format that auto cannot"
                " tell, name it in topics. docs/formats/index.md lists the formats."
            )
        is_query = any(part.format == QUERY_FORMAT for part in topic.formats)
        for table in topic.tables:
            if is_query and table.empty_rows:
                topic.notes.append(
                    f"{table.empty_rows} rows of {table.table} contain only their key and nulls. If"
                    " the query of a changefeed writes them, they may be deletions. Select"
                    " event_op() in it, and name its column in operation_column of the topic."
                )
            add_table_settings(topic, table)
    lines = [
        f"{{topic: {names(topics_of)}, format: {slug}}}" for slug, topics_of in by_format.items()
    ]
    lines += [f"{{topic: {text(name)}, encoding: base64}}" for name in binary]
    table_lines = [line for topic in topics for line in topic.settings["tables"]]
    return format_settings(lines, list(dict.fromkeys(table_lines)))


def find_single_format(topic: TopicFacts) -> str | None:
    """Return the format to name in topics: the only one, if no setting names it already."""
    if len(topic.formats) != 1 or topic.formats[0].chosen_by == "topics":
        return None
    return topic.formats[0].format


def find_confused_format(topic: TopicFacts, lookalikes: Mapping[str, list[str]]) -> str | None:
    """Return the recognized format of the topic whose rows may be those of other formats."""
    recognized = [part.format for part in topic.formats if part.chosen_by != "topics"]
    return next((slug for slug in recognized if slug in lookalikes), None)


def add_table_settings(topic: TopicFacts, table: TableFacts) -> None:
    """Add the lines for a table without a key or without one order."""
    line = f"{{table: {text(table.table)}, source: {text(table.source_name)}"
    if table.keyless_changes:
        key = table.key_values or table.key_candidates[:1] or ["KEY_COLUMN"]
        guess = f"  # a guess from {table.inserts} inserts" if table.key_candidates else ""
        topic.settings["tables"].append(f"{line}, key: {names(key, is_list=True)}}}{guess}")
        found = ", ".join(table.key_candidates) or "no column"
        shown = f"Distinct in the {table.inserts} inserts of the sample: {found}."
        if table.key_values:
            shown = f"The Kafka keys have the values of {', '.join(table.key_values)}."
        topic.notes.append(
            f"{table.keyless_changes} changes of {table.table} have no key, so they are not in"
            f" the state. {shown}"
        )
    if table.order == BY_NOTHING:
        topic.settings["tables"].append(f"{line}, order_by: offset}}")
        topic.notes.append(
            f"Some changes of {table.table} have a position in the source's log and some do not."
        )
    elif table.order == BY_OFFSET and table.partitions > 1:
        topic.notes.append(
            f"{table.table} is in {table.partitions} partitions, and the offset orders it. That is"
            " right if all changes of a row are in one partition. Otherwise set"
            " order_by: kafka_timestamp."
        )


def format_settings(topics: list[str], tables: list[str]) -> str:
    """Return lines of the settings as YAML of dbt_project.yml."""
    parts = [
        f"    {name}:\n" + "".join(f"      - {line}\n" for line in lines)
        for name, lines in (("topics", topics), ("tables", tables))
        if lines
    ]
    return "vars:\n  kafka_cdc:\n" + "".join(parts) if parts else ""


def names(values: list[str], *, is_list: bool = False) -> str:
    """Return names as YAML: one name, or a list."""
    if len(values) == 1 and not is_list:
        return text(values[0])
    return f"[{', '.join(map(text, values))}]"


def text(value: str) -> str:
    """Return a text as YAML, in quotes if it needs them."""
    is_plain = PLAIN.fullmatch(value) and value.lower() not in YAML_WORDS
    return value if is_plain else json.dumps(value, ensure_ascii=False)

"""Random lines of the setting `topics`: SQL finds the same line as a search from the first line."""

import json
import os
import random
import re

import pytest
from dbt.clients.jinja import MacroGenerator

ROUNDS = 40 if os.environ.get("KAFKA_CDC_LONG") else 8
NAMES = ["a", "b", "ab", "a.b", "a_b", "abc", "a-b.c", "bab", "A", "1"]
GLOBS = ["*", "a*", "?", "a?b", "*b", "a*c", "b*", "??", "zzz*", "a.*"]
FORMATS = ["canal", "wal2json", "maxwell", "auto"]
SQL = "{{ kafka_cdc.topic_settings('topic') }}"


def random_lines(chance):
    """Return lines with names and globs, in which the same topic is often found twice."""
    lines = []
    for number in range(chance.choice([0, 1, 2, 5, 12])):
        globs = chance.sample(NAMES + GLOBS, chance.choice([1, 1, 2, 4]))
        line = {"topic": globs if len(globs) > 1 else globs[0], "source": f"source {number}'s"}
        if chance.random() < 0.7:
            line["format"] = chance.choice(FORMATS)
        if chance.random() < 0.5:
            line["key"] = chance.sample(["id", "no", "it's"], 2)
        if chance.random() < 0.3:
            line["timezone"] = "Asia/Shanghai"
        if chance.random() < 0.3:
            line["replica_identity"] = "full"
        if chance.random() < 0.3:
            line["binlog_row_image"] = "minimal"
        if chance.random() < 0.2:
            line["operation_column"] = "op"
        lines.append(line)
    return lines


def expected(lines, topic):
    """Return the settings of a topic: those of the first line with a glob that matches."""
    fields = [
        "format",
        "source",
        "timezone",
        "key",
        "replica_identity",
        "binlog_row_image",
        "operation_column",
        "encoding",
    ]
    for entry, line in enumerate(lines, 1):
        globs = [line["topic"]] if isinstance(line["topic"], str) else line["topic"]
        for glob in globs:
            parts = {"*": ".*", "?": "."}
            pattern = "".join(parts.get(character, re.escape(character)) for character in glob)
            if re.fullmatch(pattern, topic):
                found = {name: line.get(name) for name in fields}
                format = None if found["format"] == "auto" else found["format"]
                return found | {"format": format, "entry": str(entry)}
    return dict.fromkeys([*fields, "entry"])


@pytest.fixture(scope="module")
def settings(project):
    """A project that dbt parses once for all lines."""
    return project("topic_settings")


@pytest.mark.parametrize("number", range(ROUNDS))
def test_the_first_line_that_matches_counts(settings, spark, number):
    lines = random_lines(random.Random(number))
    inline = settings.dbt("compile", "--inline", SQL, topics=lines)
    compiled = inline.result.results[0].node.compiled_code
    topics = spark.createDataFrame([(name,) for name in [*NAMES, "", "other"]], "topic string")
    rows = topics.selectExpr("topic", f"{compiled} as settings").collect()
    found = {row["topic"]: row["settings"].asDict() for row in rows}
    assert found == {topic: expected(lines, topic) for topic in found}


NAMES_SQL = "{{ tojson(kafka_cdc._get_topics_with_max_silence(kafka_cdc.get_topic_settings())) }}"


@pytest.mark.parametrize("number", range(ROUNDS))
def test_the_first_line_decides_whether_a_topic_may_be_silent(settings, number):
    chance = random.Random(number)
    lines = random_lines(chance)
    for line in lines:
        if chance.random() < 0.6:
            line["expect"] = {"max_silence": "1h"}
    inline = settings.dbt("compile", "--inline", NAMES_SQL, topics=lines)
    found = json.loads(inline.result.results[0].node.compiled_code)
    named = {
        name
        for name in NAMES
        if any(name in ([one] if isinstance(one := line["topic"], str) else one) for line in lines)
    }
    decided = {name: int(expected(lines, name)["entry"]) - 1 for name in named}
    assert sorted(found) == sorted(name for name in named if "expect" in lines[decided[name]])


def test_a_thousand_names_are_not_compared_with_each_other(settings, monkeypatch):
    """Each comparison is a call of a macro: half a million of them took dbt minutes."""
    lines = [{"topic": f"name_{number}", "source": "one"} for number in range(1000)]
    calls, call = [], MacroGenerator.__call__

    def counted(macro, *arguments, **named):
        calls.append(macro.macro.name)
        return call(macro, *arguments, **named)

    monkeypatch.setattr(MacroGenerator, "__call__", counted)
    settings.dbt("compile", "--inline", NAMES_SQL, topics=lines)
    assert len(calls) < 20 * len(lines)
    assert "get_topic_settings" in calls

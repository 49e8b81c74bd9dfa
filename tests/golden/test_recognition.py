"""`auto` reads no message as a format that would read it differently, and recognizes each message once.

The messages are the golden cases and the samples: as they are, without each informational field,
and without all of them and the position. docs/data/recognition.yml has the result, and a page of
the documentation shows it. After a change, write it again:

    KAFKA_CDC_WRITE_RECOGNITION=1 python -m pytest tests/golden/test_recognition.py
"""

import os
import sys

import pytest
import yaml
from exact_json import exact_or_none, exact_text
from golden_cases import MEANING, read_messages, settings_of
from informational_fields import INFORMATIONAL, POSITION, without

from conftest import CASES, HOME, SAMPLES, samples

sys.path.insert(0, str(HOME))
from tools.docs_site.macros import callable_macros  # noqa: E402

DATA = HOME / "docs" / "data" / "recognition.yml"
HEAD = (
    "# Written by tests/golden/test_recognition.py, which describes it. tools/docs_site reads it.\n"
)
MACROS = callable_macros()
MAPPINGS = {slug: getattr(MACROS, f"format_{slug}")() for slug in MACROS.get_package_formats()}
RECOGNIZED_BY = {
    slug: mapping["recognized_by"]
    for slug, mapping in MAPPINGS.items()
    if mapping["recognized_by"]["condition"] != "false"
}
# A mapped topic of rows has Debezium's own messages about schema changes, which change no table there.
OWN_CONTROL_EVENTS = {("debezium_unwrapped", "debezium")}
ONE_MESSAGE = '{"type": "INSERT", "data": [{"id": "1"}], "isDdl": false, "gtid": "", "id": 1}'


def test_a_filter_on_the_format_does_not_recognize_again(project):
    """Spark computes a column again for each condition on it."""
    recognition = project("recognition")
    recognition.land([{"topic": "shop", "value": ONE_MESSAGE}])
    recognition.dbt("run", "--select", "recognized_messages")
    query = (
        "select kafka_topic, source_format from cdc_recognition_staging.recognized_messages "
        "where source_format is null or source_format in ('canal', 'debezium')"
    )
    settings = recognition.spark.conf
    length = settings.get("spark.sql.maxPlanStringLength")
    settings.set("spark.sql.maxPlanStringLength", "1000000")
    plan = recognition.spark.sql(query)._jdf.queryExecution().optimizedPlan().toString()
    settings.set("spark.sql.maxPlanStringLength", length)
    assert plan.count("from_json(StructField(__op,") == 1
    assert recognition.query(query) == [{"kafka_topic": "shop", "source_format": "canal"}]


def claims_of(spark, texts):
    """Return the formats that recognize each payload, in the order of the list of formats."""
    rows = list(enumerate(texts))
    spark.createDataFrame(rows, "place int, value string").createOrReplaceTempView("payloads")
    signature = {}
    for recognized_by in RECOGNIZED_BY.values():
        MACROS.merge_fields(signature, recognized_by["signature"])
    fields, options = MACROS.struct_fields(signature), MACROS.get_json_options()
    conditions = ", ".join(
        f"if({recognized_by['condition']}, '{slug}', null)"
        for slug, recognized_by in RECOGNIZED_BY.items()
    )
    claims = MACROS.sql_let(
        {"signature": f"from_json(value, '{fields}', {options})"},
        f"array_compact(array({conditions}))",
    )
    found = spark.sql(f"select {claims} as claims from payloads order by place").collect()
    return [row.claims for row in found]


def formats_left(claims):
    """Return the formats that could have written a message, by the formats that recognize it."""
    return [*claims[:1], *(slug for slug in claims[1:] if slug not in instead_of(claims[0]))]


def instead_of(slug):
    """Return the formats that give way to a format."""
    return RECOGNIZED_BY[slug].get("instead_of", [])


def case_messages():
    """Yield (the topic's line with its format, the lines of tables, message) of the golden cases."""
    for folder in sorted(file.parent for file in CASES.glob("*/*/expected_events.json")):
        topic, tables, _ = settings_of(folder)
        for message in read_messages(folder):
            yield {**topic, "format": folder.parent.name}, tables, message


def sample_messages(spark):
    """Yield the same of the samples. The format of a topic without a line is the recognized one."""
    settings = yaml.safe_load((SAMPLES / "settings.yml").read_text(encoding="utf-8"))
    lines = {line["topic"]: line for line in settings["topics"]}
    messages = list(samples())
    for message, claims in zip(messages, claims_of(spark, [one["value"] for one in messages])):
        recognized = {"topic": message["topic"], "format": "".join(formats_left(claims)[:1])}
        line = lines.get(message["topic"], recognized)
        if line["format"]:
            yield line, settings["tables"], message


def rows_of(events):
    """Return what must be the same in the events of a message.

    A topic may be the name of a table. A null before a change means as little as a missing column.
    """
    rows = []
    for event in events:
        before = event["before_row"] or {}
        known = {name: text for name, text in before.items() if text is not None}
        row = [{**event, "before_row": known}[name] for name in MEANING]
        rows.append([str(value).removeprefix("auto.").removeprefix("mapped.") for value in row])
    return rows


def variants(slug, text):
    """Yield a payload as it is, then without informational fields and the position."""
    yield text
    document = exact_or_none(text)
    if document is not None:
        fields, position = INFORMATIONAL.get(slug, []), POSITION.get(slug, [])
        every = [[name] for name in fields + position] + [fields, position, fields + position]
        changed = [without(document, names) for names in every]
        yield from dict.fromkeys(exact_text(one) for one in changed if one is not None)


@pytest.fixture(scope="module")
def claimed(spark):
    """Each message that another format recognizes, too: its topic, tables, text and the formats."""
    found = [
        (number, line, tables, {**message, "value": text})
        for number, (line, tables, message) in enumerate(
            [*case_messages(), *sample_messages(spark)]
        )
        for text in variants(line["format"], message["value"])
    ]
    # One variant of a message is enough for the same formats.
    chosen = {}
    texts = [message["value"] for *_, message in found]
    for (number, line, tables, message), claims in zip(found, claims_of(spark, texts)):
        if set(claims) - {line["format"]}:
            chosen.setdefault((number, *claims), (line, tables, message, claims))
    return list(chosen.values())


def test_a_format_is_in_the_list_before_those_that_give_way_to_it():
    order = list(MAPPINGS)
    late = [
        (slug, other)
        for slug in RECOGNIZED_BY
        for other in instead_of(slug)
        if order.index(other) < order.index(slug)
    ]
    assert late == []


@pytest.fixture(scope="module")
def compared(project, claimed):
    """The table of docs/data/recognition.yml, and what `auto` reads differently."""
    topics, tables, landed = {}, {}, []
    for offset, (line, its_tables, message, _) in enumerate(claimed):
        for way in ("auto", "mapped"):
            topic = f"{way}.{line['topic']}"
            topics[topic] = {**line, "topic": topic, "source": line["topic"]}
            landed.append({**message, "topic": topic, "partition": 0, "offset": offset})
        topics[f"auto.{line['topic']}"].pop("format")
        for table in its_tables:
            tables[line["topic"], str(table)] = {**table, "source": line["topic"]}
    both = project("recognized", topics=list(topics.values()), tables=list(tables.values()))
    both.land(landed)
    both.dbt("run", "--select", "events")
    columns = [
        "kafka_topic",
        "kafka_offset",
        "source_format",
        "reject_code",
        "reject_detail",
        *MEANING,
    ]
    query = f"select {', '.join(columns)} from {{cdc}}.events"
    events = {}
    for event in both.query(query + " order by kafka_topic, kafka_offset, row_index"):
        way = event["kafka_topic"].split(".")[0]
        events.setdefault((way, event["kafka_offset"]), []).append(event)
    table, different = {}, []
    for offset, (line, _, message, claims) in enumerate(claimed):
        mapped, auto = events["mapped", offset], events["auto", offset]
        own, left = line["format"], formats_left(claims)
        if mapped[0]["event_kind"] == "rejected" or (own, *left) in OWN_CONTROL_EVENTS:
            continue
        row = table.setdefault(own, {"precedes": set(), "read_as": set(), "ambiguous": set()})
        row["precedes"] |= {*claims} - {own, *left}
        if len(left) > 1:
            row["ambiguous"] |= {*left} - {own}
            rejects = {(event["reject_code"], event["reject_detail"]) for event in auto}
            ((code, detail),) = rejects
            is_right = code == "ambiguous_format" and detail.endswith(": " + ", ".join(left))
        elif auto[0]["event_kind"] == "rejected":
            # Another format rejects what it does not document. So does no format its own messages.
            is_right = own not in left
        else:
            row["read_as"] |= {*left} - {own}
            is_right = rows_of(mapped) == rows_of(auto) and auto[0]["source_format"] == left[0]
        if not is_right:
            different.append((line["topic"], claims, message["value"], rows_of(auto)))
    lists = {
        slug: {name: sorted(slugs) for name, slugs in row.items() if slugs}
        for slug, row in sorted(table.items())
    }
    return {slug: row for slug, row in lists.items() if row}, different


def test_no_message_is_read_as_a_format_that_reads_it_differently(compared):
    _, different = compared
    assert [f"{topic} {claims}: {text[:400]}" for topic, claims, text, _ in different] == []


def test_the_documentation_has_the_formats_that_recognize_the_same_messages(compared):
    table, _ = compared
    if os.environ.get("KAFKA_CDC_WRITE_RECOGNITION"):
        DATA.write_text(HEAD + yaml.safe_dump(table, sort_keys=False), encoding="utf-8")
    assert yaml.safe_load(DATA.read_text(encoding="utf-8")) == table

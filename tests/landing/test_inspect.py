"""`kafka-cdc inspect`: its facts equal those that Python counts in the files.

It lands nothing.
"""

import contextlib
import io
import json
import os
import shutil
import sys
from collections import Counter
from types import SimpleNamespace

import pytest
import yaml
from broker import free_ports
from format_files import recognized_samples

from conftest import HOME, SAMPLES, long, samples
from kafka_cdc import exit_codes, session
from kafka_cdc.cli import main
from kafka_cdc.inspection.advice import add_settings
from kafka_cdc.inspection.facts import (
    BY_NOTHING,
    BY_OFFSET,
    BY_SEQUENCE,
    IS_EMPTY,
    IS_ORDERED,
    Column,
    FormatShare,
    Reject,
    TableFacts,
    TopicFacts,
    add_key_candidates,
    get_order,
)
from kafka_cdc.inspection.samples import divide

sys.path.insert(0, str(HOME))
from tools.docs_site.macros import callable_macros  # noqa: E402

IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
# Three formats that settings name or that are recognized, and three samples with a fault each.
FILES = [
    "custom_inventory.jsonl",
    "docs.kcat.jsonl",
    "drs_crm.jsonl",
    "sequin_inventory.jsonl",
    "shop.kcat.jsonl",
    "wal2json_inventory.jsonl",
]
LANDED = list(samples(*([] if IS_LONG else FILES)))
TOPICS = {message["topic"] for message in LANDED}
ORDER = {
    "before": None,
    "source": {"connector": "mysql", "name": "shop", "db": "shop", "table": "orders"},
}


def inspect(*arguments):
    """Return exit code, stdout and stderr of an inspection in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["inspect", *map(str, arguments)])
    return code, out.getvalue(), err.getvalue()


def read(*arguments):
    """Return the JSON of an inspection that succeeds, its topics by name."""
    code, out, err = inspect(*arguments, "--json")
    assert (code, err) == (exit_codes.SUCCESS, "")
    document = json.loads(out)
    return document | {"topics": {topic["topic"]: topic for topic in document["topics"]}}


def namespaces():
    """Return the schemas of the lake that inspections have left."""
    found = session.start().sql("show namespaces").collect()
    return [row.namespace for row in found if row.namespace.startswith("inspection_")]


def order(position, operation, number, **columns):
    """Return a message of Debezium as text."""
    source = ORDER["source"] | {"file": "bin.1", "pos": position, "row": 0}
    return json.dumps(
        ORDER | {"source": source, "op": operation, "after": {"id": number, **columns}}
    )


@pytest.fixture(scope="module", autouse=True)
def shared_session(spark):
    """The session that the tests share. An inspection must not delete its lake."""


@pytest.fixture(scope="module")
def settings():
    """The settings of the samples."""
    settings = yaml.safe_load((SAMPLES / "settings.yml").read_text(encoding="utf-8"))
    return {name: settings[name] for name in ("topics", "tables")}


@pytest.fixture(scope="module")
def found(settings, tmp_path_factory):
    """The inspection of the samples with their settings. With --long, of all samples."""
    folder = tmp_path_factory.mktemp("samples")
    for name in FILES:
        shutil.copy(SAMPLES / name, folder)
    return read(SAMPLES if IS_LONG else folder, "--vars", json.dumps(settings))


def test_each_sample_topic_has_its_messages(found):
    messages, sizes, tombstones = Counter(), Counter(), Counter()
    for message in LANDED:
        topic, value = message["topic"], message["value"]
        messages[topic] += 1
        sizes[topic] += len((value or "").encode()) + len((message.get("key") or "").encode())
        tombstones[topic] += value is None
    topics = found["topics"]
    assert {name: topic["messages"] for name, topic in topics.items()} == messages
    assert {name: topic["sampled"] for name, topic in topics.items()} == messages
    assert {name: topic["sampled_bytes"] for name, topic in topics.items()} == sizes
    assert +tombstones == +Counter(
        {name: topic["outcomes"].get("tombstone", 0) for name, topic in topics.items()}
    )
    assert {name: sum(topic["outcomes"].values()) for name, topic in topics.items()} == messages


# How Python counts the operations of a topic: the code of a message, and each code's operation.
CODES = {
    "custom_inventory": (
        lambda m: m["meta"]["op"],
        dict(zip("SIUD", ("snapshot", "insert", "update", "delete"), strict=True)),
    ),
    "sequin_inventory": (
        lambda m: m["action"],
        {"read": "snapshot", "insert": "insert", "update": "update", "delete": "delete"},
    ),
}


@pytest.mark.parametrize("topic", CODES)
def test_a_table_has_its_operations_columns_key_and_order(found, topic):
    code_of, operations = CODES[topic]
    documents = [json.loads(message["value"]) for message in LANDED if message["topic"] == topic]
    row = next(d.get("record") or d.get("row") for d in documents)
    [table] = found["topics"][topic]["tables"]
    assert table["operations"] == Counter(operations[code_of(document)] for document in documents)
    assert [column["name"] for column in table["columns"]] == list(row)
    assert table["key"] == ["id"]
    assert table["order"] == "the position in the source's log"
    where = {"custom_inventory": "the message", "sequin_inventory": "the setting topics"}
    assert table["key_from"] == where[topic]
    formats = found["topics"][topic]["formats"]
    assert [(part["share"], part["chosen_by"]) for part in formats] == [(1.0, "topics")]


RECOGNIZED = {
    "cloudcanal_inventory": "cloudcanal",
    "cockroach_customers": "cockroachdb_changefeed",
    "events.inventory.customers": "debezium_cloudevents",
    "ogg_inventory": "goldengate",
    "qlik.inventory.customers": "qlik_replicate",
    "scylla.inventory.customers": "debezium_cells",
    "tencent_dts_json_inventory": "tencent_dts_json",
    "ticdc_open_inventory": "ticdc_open",
    "ticdc_simple_inventory": "ticdc_simple",
    "wal2json_inventory": "wal2json",
    "wal2json_v1_inventory": "wal2json_v1",
    **recognized_samples(),
}


@pytest.mark.parametrize("topic", [topic for topic in RECOGNIZED if topic in TOPICS])
def test_a_format_is_recognized_without_a_setting(found, topic):
    formats = [part for part in found["topics"][topic]["formats"] if part["format"]]
    assert [(part["format"], part["chosen_by"]) for part in formats] == [
        (RECOGNIZED[topic], "recognized")
    ]
    assert found["topics"][topic]["rejects"] == []


def test_a_key_of_debezium_comes_from_the_kafka_key(found):
    tables = found["topics"]["shop.public.customers"]["tables"]
    assert [(table["key"], table["key_from"]) for table in tables] == [(["id"], "the Kafka key")]


def test_rejects_name_an_example(found):
    """The faulty samples are known: their codes and offsets are on the page of the first run."""
    rejects = [
        (reject["code"], topic["topic"], reject["offset"])
        for topic in found["topics"].values()
        for reject in topic["rejects"]
    ]
    assert ("missing_image", "docs.inventory.customers", 11) in rejects
    assert ("unknown_operation", "drs_crm", 7) in rejects
    assert len(rejects) == (6 if IS_LONG else 3)


def test_proposed_settings_give_a_topic_its_key(tmp_path):
    """The lines that an inspection proposes are valid, and a second inspection proposes none.

    The rows of a source snapshot need no position.
    """
    lines = [order(n, "c", n, item="tea", sku=f"s{n}") for n in range(4)] + ['{"unknown": 1}']
    (tmp_path / "orders.jsonl").write_text("\n".join(lines) + "\n")
    row = {"database": "shop", "table": "copied", "primary_key_columns": ["id"], "ts": 1}
    copied = [
        row | {"type": "bootstrap-insert", "data": {"id": 1}},
        row | {"type": "insert", "data": {"id": 2}, "position": "bin.000001:4"},
    ]
    (tmp_path / "copied.jsonl").write_text("\n".join(map(json.dumps, copied)) + "\n")
    # Canal 1.1.4, class FlatMessage, has no gtid. MySQL 8.0.19 gives an int no length.
    row = {"id": 3, "database": "shop", "table": "sizes", "pkNames": ["id"], "isDdl": False}
    row |= {"es": 1735689701000, "ts": 1735689701420, "sql": "", "type": "INSERT", "old": None}
    row |= {"sqlType": {"id": 4}, "mysqlType": {"id": "int"}, "data": [{"id": "1"}]}
    (tmp_path / "sizes.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "notes.txt").write_text("no dump")
    first = read(tmp_path)
    [table] = first["topics"]["copied"]["tables"]
    assert table["order"] == "the position in the source's log"
    sizes = first["topics"].pop("sizes")
    assert sizes["settings"]["topics"] == ["{topic: sizes, format: FORMAT}"]
    assert "huawei_drs_json or one of huawei_drs_json_c, canal," in sizes["notes"][0]
    topic = first["topics"]["orders"]
    assert [(part["format"], part["share"]) for part in topic["formats"]] == [
        ("debezium", 0.8),
        (None, 0.2),
    ]
    [table] = topic["tables"]
    assert (table["key"], table["key_from"], table["keyless_changes"]) == ([], None, 4)
    assert table["key_candidates"] == ["id", "sku"]
    guess = "{table: shop.orders, source: shop, key: [id]}  # a guess from 4 inserts"
    assert topic["settings"]["tables"] == [guess]
    [reject] = topic["rejects"]
    assert (reject["code"], reject["messages"], reject["partition"], reject["offset"]) == (
        "unknown_format",
        1,
        0,
        4,
    )
    proposed = yaml.safe_load(first["settings"])["vars"]["kafka_cdc"]
    assert proposed == {
        "topics": [
            {"topic": "copied", "format": "maxwell"},
            {"topic": "sizes", "format": "FORMAT"},
        ],
        "tables": [{"table": "shop.orders", "source": "shop", "key": ["id"]}],
    }
    proposed["topics"][1]["format"] = "canal"  # what the note asks for
    second = read(tmp_path, "--vars", json.dumps(proposed))
    [table] = second["topics"]["orders"]["tables"]
    assert (table["key"], table["key_from"]) == (["id"], "the setting tables")
    assert second["settings"] == ""


@long
def test_a_sample_takes_the_newest_or_oldest_messages_of_all_partitions(tmp_path):
    """A message that a dump repeats counts once.

    Without a position the offset orders partitions.
    """
    lines = [
        {
            "topic": "plain",
            "partition": p,
            "offset": n,
            "key": f'{{"id":{n}}}',
            "payload": f'{{"id":{n},"v":"{p}-{n}"}}',
        }
        for p in (0, 1)
        for n in range(10)
    ]
    lines.append(lines[0])
    dump = tmp_path / "a.kcat.jsonl"
    dump.write_text("".join(json.dumps(line) + "\n" for line in lines))
    mapping = "{topics: [{topic: plain, format: plain_rows}]}"
    newest = read(dump, "--messages", 4, "--vars", mapping)["topics"]["plain"]
    assert (newest["messages"], newest["sampled"]) == (20, 4)
    [table] = newest["tables"]
    assert (table["partitions"], table["order"]) == (2, "the Kafka offset")
    assert table["key_from"] == "the Kafka key"
    assert any("order_by: kafka_timestamp" in note for note in newest["notes"])
    code, out, err = inspect(dump, "--messages", 4, "--from", "beginning", "--vars", mapping)
    assert (code, err) == (exit_codes.SUCCESS, "")
    assert "20, read 4" in out and "plain_rows 100.0% (setting topics)" in out
    assert "What a sample cannot show:" in out


@long
def test_a_broken_dump_is_named_and_the_others_are_shown(tmp_path):
    (tmp_path / "good.jsonl").write_text(order(1, "c", 1) + "\n")
    (tmp_path / "bad.kcat.jsonl").write_text("no dump\n")
    code, out, err = inspect(tmp_path)
    assert code == exit_codes.REJECTED
    assert "good" in out
    assert err.startswith("not inspected: ") and "bad.kcat.jsonl, line 1: not a line of kcat" in err
    assert err.count("\n") == 1


def test_errors_are_one_sentence(tmp_path):
    missing = tmp_path / "missing"
    empty = tmp_path / "empty"
    empty.mkdir()
    for arguments, sentence in {
        (missing,): f"error: {missing}: no such file or folder. "
        "Hint: name a folder or files that exist\n",
        (empty,): f"error: nothing to land: no <topic>.jsonl and no *.kcat.jsonl in {empty}. "
        "Hint: rename the files, or name another folder\n",
        (): "error: either files or topics can be inspected. "
        "Hint: name a folder or files, or --topics of a Kafka cluster\n",
        (
            empty,
            "--vars",
            "topics",
        ): "error: --vars is no mapping. Hint: write it as '{topics: [...], tables: [...]}'\n",
    }.items():
        assert inspect(*arguments) == (exit_codes.FAILURE, "", sentence)


def test_a_wrong_setting_is_one_sentence(tmp_path):
    (tmp_path / "good.jsonl").write_text(order(1, "c", 1) + "\n")
    code, out, err = inspect(tmp_path, "--vars", "{topics: [{topic: good, format: oracle}]}")
    assert (code, out, err.count("\n")) == (exit_codes.FAILURE, "", 1)
    assert 'the setting topics[entry 1: good].format is "oracle"; valid: auto, ' in err


@long
def test_kafka(broker):
    """Each partition gives its newest messages. Other topics of the cluster are not read."""
    topic = broker.create("inspected.orders", partitions=2)
    broker.create("inspected.empty")
    for partition, count in ((0, 1), (1, 9)):
        broker.produce(
            topic,
            [{"value": order(n, "c", n), "key": f'{{"id":{n}}}'} for n in range(count)],
            partition=partition,
        )
    found = read("--bootstrap-servers", broker.servers, "--topics", "inspected.*", "--messages", 4)
    assert set(found["topics"]) == {"inspected.orders", "inspected.empty"}
    orders = found["topics"]["inspected.orders"]
    assert (orders["messages"], orders["sampled"]) == (10, 4)
    [table] = orders["tables"]
    assert (table["operations"], table["key"], table["key_from"]) == (
        {"insert": 4},
        ["id"],
        "the Kafka key",
    )
    assert found["topics"]["inspected.empty"]["sampled"] == 0
    code, _, err = inspect(
        "--bootstrap-servers", broker.servers, "--topics", "inspected.empty,nowhere"
    )
    assert (code, err) == (exit_codes.REJECTED, "not inspected: no topic matches nowhere\n")
    code, out, err = inspect("--bootstrap-servers", broker.servers, "--topics", "nowhere")
    assert (code, out) == (exit_codes.FAILURE, "")
    assert err == f"error: {broker.servers}: no topic matches nowhere. Hint: check --topics\n"


@long
def test_a_broker_that_does_not_answer(spark):
    [port] = free_ports(1)
    code, out, err = inspect("--bootstrap-servers", f"127.0.0.1:{port}", "--topics", "orders")
    assert (code, out) == (exit_codes.FAILURE, "")
    assert err.startswith(f"error: 127.0.0.1:{port}: no Kafka broker answers within 15 s")


def test_nothing_stays(found):
    assert namespaces() == []


@pytest.mark.parametrize(
    ("positions", "sequenced", "unsequenced", "order"),
    [
        (5, 5, 0, BY_SEQUENCE),
        (0, 0, 5, BY_OFFSET),
        (0, 0, 0, BY_OFFSET),  # only snapshot rows
        (2, 2, 3, BY_NOTHING),
        (2, 2, 0, BY_SEQUENCE),  # snapshot rows without a position, such as those of Qlik Replicate
        (3, 0, 2, BY_OFFSET),  # positions of snapshot rows only
    ],
)
def test_rows_of_a_snapshot_need_no_position(positions, sequenced, unsequenced, order):
    counts = {"positions": positions, "sequenced": sequenced, "unsequenced": unsequenced}
    assert get_order(SimpleNamespace(order_by=None, **counts)) == order


def test_the_same_changes_need_a_position_in_a_run(spark):
    """Rows of a format without operations have no positions, so that both read the offset."""
    macros = callable_macros()
    ordered = {
        "null": macros.get_event_counts()["unsequenced_changes"],
        "array(1)": f"{macros.ordering_sequence()} is not null",
    }
    operations = "'insert', 'update', 'update_before', 'delete', 'snapshot', 'truncate'"
    for sequence, condition in ordered.items():
        columns = f"'change' as event_kind, 'canal' as source_format, {sequence} as source_sequence"
        found = spark.sql(
            f"select operation, {IS_ORDERED} as inspected, {condition} as in_a_run "
            f"from (select {columns}, explode(array({operations})) as operation)"
        ).collect()
        assert len(found) == 6
        assert [row for row in found if row.inspected != row.in_a_run] == []


@pytest.mark.parametrize(
    ("row", "code", "notes"),
    [
        ("map('id', '1', 'name', null)", "null", 1),
        ("map('id', '1', 'name', null, 'op', 'delete')", "null", 1),  # what event_op() yields
        ("map('id', '1', 'name', 'a')", "null", 0),
        ("map('id', '1')", "null", 0),
        ("map('id', '1', 'name', null)", "'upsert'", 0),  # operation_column names the operation
    ],
)
def test_a_row_of_nulls_may_be_a_deletion(spark, row, code, notes):
    """CockroachDB's changefeed with a query writes a deletion as its key and nulls."""
    columns = f"'snapshot' as operation, {code} as operation_code, array('id') as key_columns"
    [found] = spark.sql(
        f"select {IS_EMPTY} as empty from (select {columns}, {row} as after_row)"
    ).collect()
    table = TableFacts(
        "s", "t", 1, {}, ["id"], None, 0, int(found.empty), [], [], 0, BY_OFFSET, 1, []
    )
    shares = [FormatShare("cockroachdb_changefeed", 1, 1.0, "topics")]
    topic = TopicFacts("a", 1, formats=shares, tables=[table])
    add_settings([topic], [], {})
    assert sum("operation_column" in note for note in topic.notes) == notes


PAIRS = [("1", "a", "7"), ("1", "b", "8")]


@pytest.mark.parametrize(
    ("keys", "operation", "rows", "key"),
    [
        (['[1,"a"]', '[1,"b"]'], "snapshot", PAIRS, "[id, code]"),
        (['{"x":1,"y":"a"}', '{"x":1,"y":"b"}'], "insert", PAIRS, "[id, code]"),
        (["7", "8"], "insert", PAIRS, "[amt]"),
        (["a", '"b"'], "insert", PAIRS, "[code]"),
        # a change of the row
        (['[1,"a"]', '[1,"a"]', '[1,"b"]'], "snapshot", [("1", "a", "9"), *PAIRS], "[id, code]"),
        # The Kafka keys have no values of columns, or those of several columns.
        (['[1,"x"]', '[1,"y"]'], "insert", PAIRS, "[KEY_COLUMN]"),
        (["a", "b"], "insert", [("a", "a", "7"), ("b", "b", "8")], "[KEY_COLUMN]"),
        # The Kafka keys only distribute the rows, or are missing.
        (["1", "1"], "insert", PAIRS, "[code]}  # a guess from 2 inserts"),
        (["1", "1", "2"], "insert", [*PAIRS, ("2", "c", "9")], "[code]}  # a guess from 3 inserts"),
        ([None, None], "insert", PAIRS, "[code]}  # a guess from 2 inserts"),
        ([None, "7"], "insert", PAIRS, "[code]}  # a guess from 2 inserts"),
        (['[1,"a"]'], "insert", PAIRS[:1], "[id, code]"),
        (["9"], "insert", PAIRS[:1], "[KEY_COLUMN]"),
        ([None], "insert", PAIRS[:1], "[KEY_COLUMN]"),
    ],
)
def test_a_key_is_that_of_the_kafka_keys_or_marked_as_a_guess(keys, operation, rows, key):
    columns = [Column(name, []) for name in ("id", "code", "amt")]
    images = [dict(zip(("id", "code", "amt"), row, strict=True)) for row in rows]
    table = TableFacts("shop", "d.t", 2, {}, [], None, 2, 0, [], [], 0, BY_OFFSET, 1, columns)
    add_key_candidates(
        table,
        [
            SimpleNamespace(kafka_key=kafka_key, operation=operation, after_row=image)
            for kafka_key, image in zip(keys, images, strict=True)
        ],
    )
    topic = TopicFacts("a", 2, tables=[table])
    add_settings([topic], [], {})
    line = f"{{table: d.t, source: shop, key: {key}"
    assert topic.settings["tables"] == [line if "#" in key else line + "}"]


def test_topics_of_one_format_share_a_line():
    """Two lines of one format would need a source. A format that settings name gets no line."""
    topics = [
        TopicFacts(name, 1, formats=[FormatShare(slug, 1, 1.0, "recognized")])
        for name, slug in (("a", "canal"), ("eu/b", "canal"), ("c", "maxwell"), ("on", "debezium"))
    ]
    proposed = yaml.safe_load(add_settings(topics, ["maxwell"], {}))
    assert proposed["vars"]["kafka_cdc"]["topics"] == [
        {"topic": ["a", "eu/b"], "format": "canal"},
        {"topic": "on", "format": "debezium"},
    ]


@pytest.mark.parametrize(
    ("shares", "line"),
    [
        ([("huawei_drs_json", "recognized")], "format: FORMAT"),
        ([("huawei_drs_json", "recognized"), ("canal", "recognized")], "format: FORMAT"),
        ([("canal", "recognized")], "format: canal"),
        ([("huawei_drs_json", "topics")], None),
    ],
)
def test_rows_of_several_formats_leave_the_choice_to_the_user(shares, line):
    """DDL and rows of an old Canal server are recognized as two formats, and are of one."""
    formats = [FormatShare(slug, 1, 1 / len(shares), chosen_by) for slug, chosen_by in shares]
    topic = TopicFacts("a", len(shares), formats=formats)
    settings = add_settings([topic], [], {"huawei_drs_json": ["huawei_drs_json_c", "canal"]})
    assert topic.settings["topics"] == ([f"{{topic: a, {line}}}"] if line else [])
    assert settings.splitlines()[3:] == ([f"      - {{topic: a, {line}}}"] if line else [])
    is_choice = line == "format: FORMAT"
    assert ["huawei_drs_json or one of huawei_drs_json_c, canal" in n for n in topic.notes] == (
        [True] if is_choice else []
    )


@pytest.mark.parametrize(("code", "notes"), [("unknown_format", 1), ("invalid_json", 0)])
def test_a_cut_message_is_no_reason_to_name_a_format(code, notes):
    shares = [FormatShare("canal", 8, 0.9, "recognized"), FormatShare(None, 1, 0.1, "recognized")]
    topic = TopicFacts("a", 9, formats=shares, rejects=[Reject(code, None, 1, 0, 8)])
    add_settings([topic], [], {})
    assert sum("No format recognizes" in note for note in topic.notes) == notes


@pytest.mark.parametrize(
    ("available", "total", "shares"),
    [([5, 5], 4, [2, 2]), ([1, 9], 4, [1, 3]), ([0, 2], 4, [0, 2]), ([9, 9, 9], 1, [0, 0, 1])],
)
def test_partitions_give_equal_shares(available, total, shares):
    partitions = {("t", number): count for number, count in enumerate(available)}
    assert list(dict(sorted(divide(partitions, total).items())).values()) == shares

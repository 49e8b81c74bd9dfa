"""`kafka-cdc land files`: what is in raw afterwards, read without Spark, is what Python reads in the files."""

import contextlib
import io
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from datetime import datetime, timezone
from pathlib import Path

import pytest
from pyspark.sql import functions as F
from readers import Reader, folder_of

from conftest import long
from kafka_cdc import session
from kafka_cdc.cli import main
from kafka_cdc.errors import is_conflict
from kafka_cdc.files import landing as files
from kafka_cdc.files import lines
from kafka_cdc.tables import raw as table
from kafka_cdc.tables import table_format

MARK = "\ufeff".encode()
SCHEMAS = (f"landing_{number}" for number in itertools.count())


class Lake:
    """A schema of a lake, landed into by the command line in this process, read by others."""

    def __init__(self, folder=None, schema=None):
        self.folder = str(folder or os.environ["KAFKA_CDC_LAKE"])
        self.schema = schema or next(SCHEMAS)

    def land(self, *arguments):
        """Return exit code, stdout and stderr of a landing."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(["land", "files", *map(str, arguments), "--schema", self.schema])
        return code, out.getvalue(), err.getvalue()

    def table(self):
        """Return raw as others read it."""
        return Reader(self.folder, self.schema, "kafka_messages")

    def rows(self):
        """Return what is in raw, as mappings sorted by coordinates."""
        return sorted(
            self.table().rows(), key=lambda row: (row["topic"], row["partition"], row["offset"])
        )

    def values(self):
        """Return value by (topic, offset); a message that is in raw twice fails the test."""
        rows = self.rows()
        values = {(row["topic"], row["offset"]): row["value"] for row in rows}
        assert len(values) == len(rows)
        return values


def expected(path):
    """Return value by (topic, offset) of a <topic>.jsonl file, read without Spark."""
    lines = path.read_bytes().split(b"\n")
    lines = lines if lines[-1] else lines[:-1]
    return {
        (path.name[:-6], number): None if line in (b"", b"\r") else line.decode()
        for number, line in enumerate(lines)
    }


def kcat(offset, payload, **fields):
    """Return a line of kcat -J."""
    line = {
        "topic": "orders",
        "partition": 0,
        "offset": offset,
        "tstype": "create",
        "ts": 1600000000123,
        "broker": 1,
        "key": None,
    }
    return json.dumps(line | fields | {"payload": payload}, ensure_ascii=False) + "\n"


@pytest.fixture
def lake():
    session.start()
    return Lake()


def test_only_new_lines_land(lake, tmp_path):
    orders, other = tmp_path / "orders.jsonl", tmp_path / "other.topic_1.jsonl"
    orders.write_text('{"id": 1}\n\nnot json')
    other.write_text("x\n")
    (tmp_path / "notes.txt").write_text("ignored")
    code, out, err = lake.land(tmp_path)
    assert (code, err) == (0, "") and lake.values() == expected(orders) | expected(other)
    assert [line.split() for line in out.splitlines()[1:3]] == [
        ["orders", "0", "3", "0", "0-2"],
        ["other.topic_1", "0", "1", "0", "0-0"],
    ]
    [batch] = {row["landing_batch"] for row in lake.rows()}
    assert f"landing_batch: {batch}" in out and len({row["landed_at"] for row in lake.rows()}) == 1

    first, snapshot = lake.rows(), lake.table().snapshots()
    code, out, err = lake.land(tmp_path, orders)
    assert (code, err) == (0, "") and "nothing new" in out and lake.rows() == first
    assert lake.table().snapshots() == snapshot

    orders.write_text('{"id": 1}\n\nnot json\nmore\n\n')
    code, out, err = lake.land(orders)
    assert out.splitlines()[1].split() == ["orders", "0", "2", "3", "3-4"]
    assert (code, err) == (0, "") and lake.values() == expected(orders) | expected(other)
    assert [row for row in lake.rows() if row["landing_batch"] == batch] == first

    assert lake.land(orders, "--topic-prefix", "eu/")[0] == 0
    with pytest.raises(SystemExit):  # the setting topics could not name this topic
        lake.land(orders, "--topic-prefix", "eu:")
    assert {topic for topic, _ in lake.values()} == {"orders", "other.topic_1", "eu/orders"}


def test_table(lake, tmp_path):
    (tmp_path / "a.jsonl").write_text("x")
    lake.land(tmp_path)
    made = lake.table()
    assert made.columns() == [(name, comment) for name, _, comment in table.COLUMNS]
    if table_format.NAME == "iceberg":
        assert (
            made.table.format_version == 2 and str(made.table.spec().fields[0].transform) == "day"
        )
        assert made.properties()["write.distribution-mode"] == "none"
    else:
        assert made.properties()["delta.isolationLevel"] == "Serializable"


def test_contradictions(lake, tmp_path):
    (tmp_path / "changed.jsonl").write_text("a\nb\nc\n")
    (tmp_path / "shorter.jsonl").write_text("a\nb\n")
    (tmp_path / "nulled.jsonl").write_text("a\nb\n")
    assert lake.land(tmp_path)[0] == 0
    before = lake.rows()
    (tmp_path / "changed.jsonl").write_text("a\nB\nC\nd\n")
    (tmp_path / "shorter.jsonl").write_text("a\n")
    (tmp_path / "nulled.jsonl").write_text("\nb\n")
    (tmp_path / "fine.jsonl").write_text("a\n")
    code, _, err = lake.land(tmp_path)
    assert code == 3 and len(err.splitlines()) == 2
    assert (
        f"{tmp_path}/changed.jsonl, line 2: topic changed, partition 0, offset 1 has other content"
        in err
    )
    assert (
        f"{tmp_path}/nulled.jsonl, line 1: topic nulled, partition 0, offset 0 has other content"
        in err
    )
    assert [row for row in lake.rows() if row["topic"] != "fine"] == before and (
        "fine",
        0,
    ) in lake.values()


def test_same_topic_in_several_files(lake, tmp_path):
    for name, text in {"1": "a\nb\n", "2": "a\nb\nc\n", "3": "a\nX\n"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.jsonl").write_text(text)
    code, out, err = lake.land(*(tmp_path / name for name in "123"))
    assert code == 3 and lake.values() == {("t", 0): "a", ("t", 1): "b", ("t", 2): "c"}
    assert out.splitlines()[1].split() == ["t", "0", "3", "2", "0-2"]
    assert (
        f"3/t.jsonl, line 2: topic t, partition 0, offset 1 has other content here than in {tmp_path}/1/t.jsonl, line 2"
        in err
    )


def test_kcat(lake, tmp_path):
    dump = tmp_path / "dump.kcat.jsonl"
    text = 'é\u2028\ufeff\x00 "\\ud83d" \\ 😀 \r\n\t'
    lines = [
        kcat(7, text, partition=2, key="k\n", headers=["a", "1", "a", None, "é", ""]),
        kcat(8, None, partition=2, headers=None),
        kcat(7, text, partition=2, key="k\n", headers=["a", "1", "a", None, "é", ""]),
        kcat(2**40, "1", ts=0, tstype="unknown", headers=[]),
        kcat(2**40 + 5, "", ts=-1, topic="other"),
        kcat(2**40 + 6, "", ts=0, topic="other").replace("\n", "\r\n"),
        '{"payload":"\\ud83d\\ude00\\u0000\\\\ud800","offset":0,"partition":0,"topic":"escaped"}',
    ]
    dump.write_bytes(MARK + "".join(lines).encode())
    code, out, err = lake.land(dump)
    assert (code, err) == (0, "")
    rows = {(row["topic"], row["partition"], row["offset"]): row for row in lake.rows()}
    assert len(rows) == len(lake.rows()) == 6
    first = rows["orders", 2, 7]
    assert (first["key"], first["value"], first["timestamp"]) == (
        "k\n",
        text,
        datetime(2020, 9, 13, 12, 26, 40, 123000, timezone.utc),
    )
    assert [(header["key"], header["value"]) for header in first["headers"]] == [
        ("a", b"1"),
        ("a", None),
        ("é", b""),
    ]
    assert rows["orders", 2, 8]["value"] is None and not rows["orders", 2, 8]["headers"]
    assert (
        rows["orders", 0, 2**40]["timestamp"] is None
        and rows["other", 0, 2**40 + 5]["timestamp"] is None
    )
    assert rows["other", 0, 2**40 + 6]["timestamp"] == datetime(1970, 1, 1, tzinfo=timezone.utc)
    assert rows["escaped", 0, 0]["value"] == "😀\x00\\ud800"
    null = session.start().table(f"{lake.schema}.kafka_messages").where("headers is null").count()
    assert null == 5  # PyIceberg shows a null list as an empty one

    assert ["orders", "2", "2", "1", "7-8"] in [line.split() for line in out.splitlines()]
    assert lake.land(dump)[1].endswith("nothing new\n") and len(lake.rows()) == 6
    dump.write_text(
        kcat(7, text, partition=2, key="other key", headers=["a", "1", "a", None, "é", ""])
    )
    code, _, err = lake.land(dump)
    assert (
        code == 3
        and "line 1: topic orders, partition 2, offset 7 has other content here than in raw" in err
    )
    dump.write_text(kcat(50, "x") + kcat(51, "x") + kcat(51, "y"))
    code, _, err = lake.land(dump)
    assert (
        code == 3
        and f"line 3: topic orders, partition 0, offset 51 has other content here than in {dump}, line 2"
        in err
    )
    assert len(lake.rows()) == 6


WRONG_KCAT = {
    "no_object": "[1]",
    "text": "hello",
    "empty": "",
    "blank": " ",
    "two": '{"a":1}{"a":1}',
    "trailing": kcat(1, "x").strip() + ",",
    "bracket": kcat(1, "x").strip() + "]",
    "nested": "[" + kcat(1, "x").strip() + "]",
    "single_quotes": kcat(1, "x").strip().replace('"', "'"),
    "no_payload": '{"topic":"t","partition":0,"offset":1}',
    "payload_object": kcat(1, {"a": 1}).strip(),
    "payload_number": kcat(1, 1).strip(),
    "topic_number": kcat(1, "x", topic=5).strip(),
    "topic_null": kcat(1, "x", topic=None).strip(),
    "topic_name": kcat(1, "x", topic="a b").strip(),
    "offset_negative": kcat(-1, "x").strip(),
    "offset_text": kcat("1", "x").strip(),
    "offset_fraction": kcat(1.5, "x").strip(),
    "offset_long": kcat(2**63, "x").strip(),
    "partition_long": kcat(1, "x", partition=2**31).strip(),
    "partition_null": kcat(1, "x", partition=None).strip(),
    "key_number": kcat(1, "x", key=1).strip(),
    "ts_text": kcat(1, "x", ts="1").strip(),
    "ts_long": kcat(1, "x", ts=2**62).strip(),
    "headers_odd": kcat(1, "x", headers=["a"]).strip(),
    "headers_null": kcat(1, "x", headers=[None, "a"]).strip(),
    "headers_object": kcat(1, "x", headers={"a": "b"}).strip(),
    "headers_number": kcat(1, "x", headers=["a", 1]).strip(),
    "surrogate": kcat(1, "x").strip().replace('"x"', '"\\ud83d"'),
    "low_surrogate": kcat(1, "x").strip().replace('"x"', '"\\\\\\uDE00"'),
    "swapped": kcat(1, "x").strip().replace('"x"', '"\\ude00\\ud83d"'),
    "cut": kcat(1, "x").strip()[:-3],
}


def test_wrong_lines(lake, tmp_path):
    for name, line in WRONG_KCAT.items():
        (tmp_path / f"{name}.kcat.jsonl").write_text(
            kcat(0, "x", topic=name) + line + "\n" + kcat(2, "x", topic=name) + "also wrong"
        )
    (tmp_path / "bytes.kcat.jsonl").write_bytes(kcat(0, "x\udcff").encode(errors="surrogateescape"))
    for number, text in enumerate(
        (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80")
    ):
        (tmp_path / f"bad{number}.jsonl").write_bytes(b"fine\n\nfine" + text + b"\nfine\n" + text)
    (tmp_path / "not a topic.jsonl").write_text("x")
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "folder.jsonl" / "part.jsonl").write_text("not named")
    (tmp_path / "_good.jsonl").write_text("fine")
    code, _, err = lake.land(tmp_path)
    errors = dict(
        line.removeprefix(f"not landed: {tmp_path}/").split(": ", 1) for line in err.splitlines()
    )
    assert code == 3 and lake.values() == {("_good", 0): "fine"}
    assert {f"{name}.kcat.jsonl, line 2" for name in WRONG_KCAT} | {"bytes.kcat.jsonl, line 1"} | {
        f"bad{n}.jsonl, line 3" for n in range(5)
    } | {"not a topic.jsonl", "gone.jsonl", "pipe.jsonl", "folder.jsonl"} == set(errors)
    assert errors["folder.jsonl"].endswith("To land its files, name it in the command")
    assert (
        errors["bytes.kcat.jsonl, line 1"].endswith("it is not valid UTF-8")
        and "payload" in errors["no_payload.kcat.jsonl, line 2"]
    )
    for file, why in errors.items():
        if ".kcat." in file:
            part = file.split("_")[0].split(".")[0]
            assert (
                part not in ("topic", "payload", "offset", "partition", "key", "ts", "headers")
                or f"its {part} " in why
            ), (file, why)


FORMATTED = json.dumps({"before": None, "after": {"id": 1, "tags": ["a"]}, "op": "c"}, indent=2)


@pytest.mark.parametrize(
    ("text", "is_formatted"),
    [
        (FORMATTED, True),
        ("\ufeff\n\n" + FORMATTED + "\n" + FORMATTED, True),
        ("[\n1,\n2\n]", True),
        ('{"op": "c"', True),  # cut
        (FORMATTED + '\n{"op": "c"}', True),
        ('[\n{"op": "c"},\n{"op": "d"}\n]\n', True),
        ('{"op": \n{"op": "c"}', False),
        ("[1, 2]", False),
        ("eyJvcCI6ImMifQ==", False),  # base64
        ("1\n{\n}", False),
        ("\n\n", False),
        ("", False),
    ],
)
def test_lines_of_formatted_json(tmp_path, text, is_formatted):
    path = tmp_path / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    assert bool(files.inspect(0, path, "").warning) == is_formatted


def test_formatted_json_is_a_warning(lake, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(FORMATTED)
    (tmp_path / "b.jsonl").write_text("{}")
    code, _, err = lake.land(tmp_path)
    assert code == 0 and len(lake.values()) == FORMATTED.count("\n") + 2
    assert err.startswith(f"warning: {path}: its JSON values span lines") and "Hint: " in err
    assert err.count("\n") == 1


def test_nothing_to_land(lake, tmp_path):
    assert lake.land(tmp_path)[::2] == (
        1,
        f"error: nothing to land: no <topic>.jsonl and no *.kcat.jsonl in {tmp_path}. "
        "Hint: rename the files, or name another folder\n",
    )
    assert "no such file" in lake.land(tmp_path / "missing")[2]
    (tmp_path / "a.jsonl").write_text("")
    code, out, err = lake.land(tmp_path)
    assert (code, err) == (0, "") and "nothing new" in out and lake.rows() == []


def test_bytes_survive(lake, tmp_path):
    folder = tmp_path / "a [folder] {with} * ü=1"
    folder.mkdir()
    texts = {
        "marked": MARK + b"a\n" + MARK + b"\n",
        "only_mark": MARK,
        "mark_line": MARK + b"\n",
        "mark_return": MARK + b"\r\nx",
        "returns": b"a\r\n\r\n\r\r\nb\rc\n\r",
        "blank": b" \n\t\n",
        "empty_lines": b"\n\n\n",
        "_hidden": b"x",
        ".dot": b"x",
        "special": "\x00\n\u2028\u2029\x85\x0b\x0c\x1c\n\\ \\n \" ' \U0001f600\ud7ff\ue000\uffff\U0010ffff\n".encode(),
        "last": b"a\nb",
        "null": b'null\n""\nNULL',
        "wide": b"x" * 25_000_000 + b"\n" + "é".encode() * 12_500_000,
    }
    for name, text in texts.items():
        (folder / f"{name}.jsonl").write_bytes(text)
    code, _, err = lake.land(folder)
    assert (code, err) == (0, "")
    values = lake.values()
    assert values == {
        key: value for name in texts for key, value in expected(folder / f"{name}.jsonl").items()
    }
    assert (
        values["only_mark", 0] == "\ufeff"
        and values["mark_return", 0] == "\ufeff\r"
        and values["returns", 1] is None
    )
    wide = folder / "wide.kcat.jsonl"
    wide.write_text(kcat(0, "\x00é" * 10_000_000))
    assert lake.land(wide)[0] == 0 and lake.values()["orders", 0] == "\x00é" * 10_000_000


@pytest.fixture
def tiny_splits():
    """Make Spark cut files into splits of 7 bytes and read several of them in a task."""
    spark = session.start()
    settings = {"spark.sql.files.maxPartitionBytes": "7", "spark.sql.files.openCostInBytes": "1"}
    before = {name: spark.conf.get(name) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    yield
    for name, value in before.items():
        spark.conf.set(name, value)


def test_lines_across_splits(lake, tmp_path, tiny_splits):
    random.seed(7)
    paths = [tmp_path / f"t{number}.jsonl" for number in range(20)]
    for path in paths:
        pieces = [b"", b"\n", b"\r\n", b"x", b"\xc3\xa9", MARK, b"yyyyy", b"z" * 20]
        path.write_bytes(b"".join(random.choices(pieces, k=random.randrange(12))))
    assert lake.land(tmp_path)[::2] == (0, "")
    assert lake.values() == {key: value for path in paths for key, value in expected(path).items()}


@pytest.fixture
def between(monkeypatch):
    """Let a function be called once, with a landing's group, between the two readings of its files."""

    def call(work):
        pending = [work]

        def scan_then_work(group):
            lines.scan(group)
            if pending:
                pending.pop()(group)

        monkeypatch.setattr(files, "scan", scan_then_work)

    return call


@pytest.fixture
def setting():
    """Set settings of Spark's, name by name, that are as they were when the test ends."""
    spark, before = session.start(), {}

    def change(name, value):
        before.setdefault(name, spark.conf.get(name, None))
        spark.conf.set(name, value)

    yield change
    for name, value in before.items():
        spark.conf.unset(name) if value is None else spark.conf.set(name, value)


@pytest.mark.parametrize(
    "name, first, second",
    [
        (
            "spark.sql.leafNodeDefaultParallelism",
            "1",
            "20",
        ),  # what executors that register meanwhile do
        ("spark.sql.leafNodeDefaultParallelism", "20", "1"),
        ("spark.sql.files.maxPartitionBytes", "100000", "30000"),
    ],
)
def test_both_readings_cut_files_alike(lake, tmp_path, between, setting, name, first, second):
    wanted = write_topics(tmp_path, 5000)
    for path in (tmp_path / "topic0.jsonl", tmp_path):  # a file alone, and with others in one task
        setting(name, first)
        between(lambda group: setting(name, second))
        assert lake.land(path)[::2] == (0, "")
        assert lake.values() == {
            key: value for key, value in wanted.items() if key[0] == path.stem or path == tmp_path
        }


def test_no_split_is_passed_over(lake, tmp_path, between, tiny_splits):
    """A part of a file that the first pass did not read is an error in the second pass. Landing then repeats both."""
    (tmp_path / "t.jsonl").write_text("".join(f"{number}\n" for number in range(10)))

    def drop_split(group):
        group.files[0].splits.popitem()
        with pytest.raises(Exception, match="a file changed while it was read"):
            lines.get_messages(session.start(), group).collect()

    between(drop_split)
    assert lake.land(tmp_path)[::2] == (0, "") and lake.values() == expected(tmp_path / "t.jsonl")


def test_a_file_that_grows_while_it_is_read(lake, tmp_path, between):
    """If the second pass finds more lines than the first, landing repeats both passes. Other files in the same tasks do not matter."""
    wanted = write_topics(tmp_path, 100)

    def grow(group):
        with (tmp_path / "topic0.jsonl").open("a") as file:
            file.write("more\nand more\n")

    between(grow)
    code, out, err = lake.land(tmp_path)
    assert (code, err) == (0, "") and lake.values() == wanted | {
        ("topic0", 100): "more",
        ("topic0", 101): "and more",
    }
    assert out.splitlines()[1].split() == ["topic0", "0", "102", "0", "0-101"]


def test_lines_that_vanish_while_they_land(lake, tmp_path, between):
    """A file that is shorter in the second pass has not landed, even if raw contains some of its lines."""
    write_topics(tmp_path, 100)
    cut = tmp_path / "topic1.jsonl"
    text = cut.read_text()
    between(lambda group: cut.write_text("".join(text.splitlines(keepends=True)[:40])))
    code, _, err = lake.land(cut)
    assert (
        code == 1
        and err
        == f"error: {cut}: not all of its lines have landed, because it changed while it was read."
        " Hint: land it again\n"
    )
    assert lake.values() == expected(cut)
    cut.write_text(text)
    assert lake.land(cut)[0] == 0 and lake.values() == expected(cut)


def test_lines_that_vanish_before_they_are_compared(lake, tmp_path, between):
    """A file that has landed before and is shorter than it was a moment ago is read again."""
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(f"{number}\n" for number in range(10)))
    assert lake.land(cut)[0] == 0
    cut.write_text("".join(f"{number}\n" for number in range(100)))
    between(lambda group: cut.write_text("".join(f"{number}\n" for number in range(40))))
    code, out, err = lake.land(cut)
    assert (code, err) == (0, "") and out.splitlines()[1].split() == [
        "cut",
        "0",
        "30",
        "10",
        "10-39",
    ]
    assert lake.values() == expected(cut)


def test_executors_that_do_not_have_the_files(lake, tmp_path, monkeypatch):
    """If an executor does not find a file of the driver, a one-line error names the requirement of a cluster."""
    (tmp_path / "a.jsonl").write_text("x")

    def read_elsewhere(spark, chosen, folder, **options):
        found = lines.read(spark, chosen, folder, **options)
        for link in folder.glob("*/*"):
            link.unlink()
        return found

    monkeypatch.setattr(files, "read", read_elsewhere)
    code, _, err = lake.land(tmp_path)
    assert (
        code == 1
        and err.startswith("error: an executor did not find a file that is to land")
        and "TMPDIR" in err
        and len(err.splitlines()) == 1
    ), err


def test_whole_lines(lake, tmp_path):
    """With --skip-partial-line the last line of a file lands only after its newline was written. Without the option it lands as it is."""
    half, dump, alone, marked = (
        tmp_path / f"{name}.jsonl" for name in ("half", "dump.kcat", "alone", "marked")
    )
    texts = {
        half: "a\n\n" + '{"id": 1}\n{"id": "é',
        dump: kcat(0, "x") + kcat(1, "y")[:30],
        alone: "no newline",
        marked: "\ufeff",
    }
    for path, text in texts.items():
        path.write_bytes(
            text.encode()[:-1] if path == half else text.encode()
        )  # half of a character
    code, out, err = lake.land(tmp_path, "--skip-partial-line")
    assert (code, err) == (0, "") and lake.values() == {
        ("half", 0): "a",
        ("half", 1): None,
        ("half", 2): '{"id": 1}',
        ("orders", 0): "x",
    }
    assert lake.land(tmp_path, "--skip-partial-line")[1].endswith("nothing new\n")

    for path, rest in (
        (half, 'é"}\nmore'),
        (dump, kcat(1, "y")[30:]),
        (alone, "\n"),
        (marked, "\n"),
    ):
        path.write_bytes(
            (texts[path][:-1] if path == half else texts[path]).encode() + rest.encode()
        )
    assert lake.land(tmp_path, "--skip-partial-line")[::2] == (0, "")
    complete = lake.values()
    assert (
        complete["half", 3] == '{"id": "é"}'
        and complete["orders", 1] == "y"
        and complete["alone", 0] == "no newline"
        and complete["marked", 0] == "\ufeff"
    )
    assert len(complete) == 8 and ("half", 4) not in complete
    assert lake.land(tmp_path)[::2] == (0, "") and lake.values() == complete | {("half", 4): "more"}


def test_whole_lines_of_a_file_that_grows(lake, tmp_path, monkeypatch):
    """What is written after the file was found is for a later landing, also where the file ended with a newline then."""
    path = tmp_path / "t.jsonl"
    path.write_text("a\n")

    def grow(text):
        with path.open("a") as file:
            file.write(text)

    def grow_and_scan(group):
        grow("half")
        lines.scan(group)
        grow(" a line\nand ha")

    with monkeypatch.context() as patch:
        patch.setattr(files, "scan", grow_and_scan)
        assert lake.land(path, "--skip-partial-line")[::2] == (0, "") and lake.values() == {
            ("t", 0): "a"
        }
    assert lake.land(path, "--skip-partial-line")[::2] == (0, "") and lake.values() == {
        ("t", 0): "a",
        ("t", 1): "half a line",
    }


def test_many_small_files(lake, tmp_path):
    random.seed(1)
    paths = [tmp_path / f"topic.{number}.jsonl" for number in range(2000)]
    for path in paths:
        path.write_bytes(
            b"".join(
                random.choices(
                    [b"\n", b"a\n", b"\r\n", str(random.random()).encode() + b"\n"],
                    k=random.randrange(8),
                )
            )
        )
    code, out, err = lake.land(tmp_path)
    assert (code, err) == (0, "") and len(out.splitlines()) > 1000
    assert lake.values() == {key: value for path in paths for key, value in expected(path).items()}
    assert lake.table().files() <= 8
    assert lake.land(tmp_path)[1].endswith("nothing new\n")


def test_groups(lake, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "GROUP_BYTES", 10)
    for name, text in {"a": "12345", "b": "1234", "c": "12", "d": "x" * 50, "e": "1"}.items():
        (tmp_path / f"{name}.jsonl").write_text(text)
    assert lake.land(tmp_path)[0] == 0
    batches = Counter(row["landing_batch"] for row in lake.rows())
    assert sorted(batches.values()) == [1, 1, 1, 2] and len(lake.table().snapshots()) == 4
    assert all(
        len({row["landed_at"] for row in lake.rows() if row["landing_batch"] == batch}) == 1
        for batch in batches
    )


def commit_slowly(spark, name, topics, seconds):
    """Commit one message per topic from a thread each, all begun before the first has ended; return their errors."""
    errors = []

    def work(topic):
        slow = F.expr(
            f"reflect('java.lang.Thread', 'sleep', {1000 * seconds}L) is not null or true"
        )
        rows = (
            spark.range(1)
            .select(
                F.lit(topic).alias("topic"),
                F.lit(0).alias("partition"),
                F.col("id").alias("offset"),
                *(
                    F.expr(f"cast(null as {kind})").alias(column)
                    for column, kind, _ in table.COLUMNS
                    if column in table.CONTENT
                ),
                F.lit(0).alias("topic_incarnation"),
            )
            .where(slow)
        )
        try:
            table.merge_messages(
                spark,
                name,
                rows,
                ranges=[table.OffsetRange(topic, 0, 0, 0, 1)],
                landing_batch=table.new_batch(),
            )
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=[topic]) for topic in topics]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


@pytest.mark.parametrize("held", [False, True])
def test_commits_of_one_message_conflict(lake, held):
    spark = session.start()
    name = table.create(spark, lake.schema, "kafka_messages")
    if held:
        assert commit_slowly(spark, name, ["before"], 0) == []
    [error] = commit_slowly(spark, name, ["same", "same"], 2)
    assert is_conflict(error)
    errors = commit_slowly(spark, name, ["one", "two"], 2)
    assert len(errors) <= (table_format.NAME == "delta") and all(
        map(is_conflict, errors)
    )  # Delta's MERGE conflicts with other topics too: it is tried again
    landed = set(lake.values())
    assert len(landed & {("one", 0), ("two", 0)}) == 2 - len(errors) and landed - {
        ("one", 0),
        ("two", 0),
    } == {("same", 0)} | ({("before", 0)} if held else set())


def start(lake, *paths, **environment):
    """Start the command line in a process group of its own."""
    command = [
        sys.executable,
        "-m",
        "kafka_cdc",
        "land",
        "files",
        *map(str, paths),
        "--schema",
        lake.schema,
    ]
    environment = os.environ | {"KAFKA_CDC_LAKE": lake.folder} | environment
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, env=environment, start_new_session=True, **pipes)


def write_topics(folder, lines):
    """Write three files of many lines; return what raw should hold of them."""
    random.seed(lines)
    paths = [folder / f"topic{number}.jsonl" for number in range(3)]
    for path in paths:
        path.write_text(
            "".join(f'{{"line": {line}, "text": "{random.random()}"}}\n' for line in range(lines))
        )
    return {key: value for path in paths for key, value in expected(path).items()}


@long
def test_two_concurrent_landings(tmp_path):
    lake = Lake(tmp_path / "lake", "raw")
    wanted = write_topics(tmp_path, 1000)
    both = [start(lake, tmp_path) for _ in range(2)]
    ended = [process.communicate(timeout=300) for process in both]
    assert [process.returncode for process in both] == [0, 0] and [err for _, err in ended] == [
        "",
        "",
    ]
    assert lake.values() == wanted
    assert (
        sum(
            int(line.split()[2])
            for out, _ in ended
            for line in out.splitlines()
            if line.startswith("topic0")
        )
        == 1000
    )


@pytest.mark.parametrize(
    "file",
    {
        "iceberg": [
            pytest.param("data/*/*.parquet", marks=long),
            "metadata/snap-*.avro",
            pytest.param("metadata/00002-*.metadata.json", marks=long),
        ],
        "delta": [
            pytest.param("*.parquet", marks=long),
            "_delta_log/00000000000000000000.json",
            pytest.param("_delta_log/00000000000000000001.json", marks=long),
        ],
    }[table_format.NAME],
)
def test_killed(lake, tmp_path, file):
    """A landing is killed as soon as its first `file` exists; all files or none have landed, and the next one completes it."""
    wanted = write_topics(tmp_path, 30_000)
    process = start(lake, tmp_path)
    folder = folder_of(lake.folder, lake.schema)
    while not list(folder.glob(file)):
        assert process.poll() is None
        time.sleep(0.001)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert len(lake.rows()) in (0, len(wanted))
    code, _, err = lake.land(tmp_path)
    assert (code, err) == (0, "") and lake.values() == wanted


def test_tables_created_concurrently(lake):
    spark = session.start()
    names = []
    threads = [
        threading.Thread(
            target=lambda: names.append(table.create(spark, lake.schema, "kafka_messages"))
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names) == 4 and lake.rows() == []


def test_errors_are_one_line(lake, tmp_path):
    (tmp_path / "a.jsonl").write_text("x")
    for environment in (
        {"JAVA_HOME": "/missing"},
        {"KAFKA_CDC_MEMORY": "100m"},
        {"KAFKA_CDC_TARGET": "missing"},
    ):
        process = start(lake, tmp_path, **environment)
        _, err = process.communicate(timeout=60)
        assert (
            process.returncode == 1 and err.startswith("error: ") and len(err.splitlines()) == 1
        ), err


@long
@pytest.mark.parametrize("line_bytes", [60, 600, 25_000_000])
def test_two_gigabytes_in_two_gigabytes(tmp_path, line_bytes):
    """One file of 2 GB lands, and lands again without effect, in less than 2 GB for all processes together."""
    count = 2_000_000_000 // line_bytes
    with (tmp_path / "big.jsonl").open("w") as file:
        filler = "x" * (line_bytes - 45)
        for first in range(0, count, 1000):
            file.write(
                "".join(
                    f'{{"id": {line:12}, "v": {random.random():.10f}, "t": "{filler}"}}\n'
                    for line in range(first, min(first + 1000, count))
                )
            )
    lake = Lake(tmp_path / "lake", "raw")
    for landed in (count, 0):
        began = time.monotonic()
        process = start(lake, tmp_path, KAFKA_CDC_MEMORY="")
        peak, before = 0, 0
        while process.poll() is None:
            now = resident_bytes(process.pid)
            peak, before = (
                max(peak, min(before, now)),
                now,
            )  # a JVM that starts a process is seen twice for a moment, with the same memory
            time.sleep(0.1)
        out, err = process.communicate()
        print(
            f"{line_bytes} bytes a line, {landed} landed: {peak / 1e6:.0f} MB, {time.monotonic() - began:.0f} s"
        )
        assert process.returncode == 0 and peak < 2_000_000_000, (peak, err)
        assert out.splitlines()[1].split()[2:4] == [str(landed), str(count - landed)]


def resident_bytes(group):
    """Return the memory of all processes of a process group."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if int(folder.joinpath("stat").read_text().rsplit(")", 1)[1].split()[2]) == group:
                total += int(folder.joinpath("statm").read_text().split()[1]) * os.sysconf(
                    "SC_PAGESIZE"
                )
    return total

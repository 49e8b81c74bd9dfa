"""`kafka-cdc land kafka` with a real broker: what is in raw afterwards is what Kafka's own consumer for C reads, once."""

import base64
import contextlib
import io
import itertools
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace

import pytest
from broker import JAAS, PASSWORD, STORE_PASSWORD, USER, Broker, quoted, write_properties
from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, TopicPartition
from confluent_kafka.admin import NewTopic
from readers import data_files, folder_of
from test_files import Lake, resident_bytes

from conftest import long
from kafka_cdc import session
from kafka_cdc.cli import build_parser, main
from kafka_cdc.errors import LandingConflict, LandingError
from kafka_cdc.kafka import client as client_module
from kafka_cdc.kafka import committer, config, offsets, topics, watcher
from kafka_cdc.kafka import landing as landing_module
from kafka_cdc.kafka import progress as progress_module
from kafka_cdc.kafka.client import PartitionEnds
from kafka_cdc.kafka.command import TopicLanding
from kafka_cdc.kafka.landed import LandedOffsets
from kafka_cdc.kafka.landing import KafkaLanding
from kafka_cdc.kafka.losses import LossRecorder, get_gaps
from kafka_cdc.kafka.options import KafkaOptions
from kafka_cdc.kafka.planner import MAX_TOPICS_PER_COMMIT, MIN_DENSITY, CommitPlanner
from kafka_cdc.kafka.watcher import TopicWatcher
from kafka_cdc.shutdown import Shutdown
from kafka_cdc.tables import iceberg, table_format
from kafka_cdc.tables import raw as table

IS_LONG = "KAFKA_CDC_LONG" in os.environ
NAMES = (f"topic{number}" for number in itertools.count())


class KafkaLake(Lake):
    """A schema of the lake, landed into from the broker."""

    def __init__(self, broker, **place):
        super().__init__(**place)
        self.broker = broker

    def land(self, topics, *arguments, servers=True):
        """Return exit code, stdout and stderr of a landing in this process."""
        out, err = io.StringIO(), io.StringIO()
        servers = ["--bootstrap-servers", self.broker.servers] if servers else []
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(
                [
                    "land",
                    "kafka",
                    *servers,
                    "--topics",
                    topics,
                    *map(str, arguments),
                    "--schema",
                    self.schema,
                ]
            )
        return code, out.getvalue(), err.getvalue()

    def start(self, topics, *arguments, **environment):
        """Start a landing in a process group of its own."""
        command = [
            sys.executable,
            "-m",
            "kafka_cdc",
            "land",
            "kafka",
            "--bootstrap-servers",
            self.broker.servers,
            "--topics",
            topics,
        ]
        environment = (
            os.environ | {"KAFKA_CDC_LAKE": self.folder, "KAFKA_CDC_MEMORY": "1g"} | environment
        )
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(
            [*command, *map(str, arguments), "--schema", self.schema],
            env=environment,
            start_new_session=True,
            **pipes,
        )

    def messages(self):
        """Return each message's content by topic, incarnation, partition, offset; one that is in raw twice fails the test."""
        rows = (
            session.start()
            .table(f"{self.schema}.kafka_messages")
            .selectExpr(
                "topic",
                "topic_incarnation",
                "partition",
                "offset",
                "cast(key as binary)",
                "cast(value as binary)",
                "unix_millis(timestamp)",
                "headers",
                "landing_batch",
            )
            .collect()
        )
        found = {
            tuple(row[:4]): (
                raw(row[4]),
                raw(row[5]),
                row[6],
                [(head.key, raw(head.value)) for head in row[7] or []],
            )
            for row in rows
        }
        assert len(found) == len(rows)
        self.batches = Counter(row.landing_batch for row in rows)
        return found

    def texts(self, incarnation=0):
        """Return the values of an incarnation by topic, partition and offset."""
        return {
            (topic, *place): value and value.decode()
            for (topic, number, *place), (_, value, _, _) in self.messages().items()
            if number == incarnation
        }

    def offsets(self, outcome):
        """Return the rows of raw.kafka_messages_offsets with an outcome: topic, incarnation, partition, first and next offset."""
        table = (
            session.start()
            .table(f"{self.schema}.kafka_messages_offsets")
            .where(f"outcome = '{outcome}'")
        )
        return sorted(
            tuple(row)
            for row in table.select(
                "topic", "topic_incarnation", "partition", "first_offset", "next_offset"
            ).collect()
        )


def raw(value):
    """Return Spark's bytes as Python's."""
    return None if value is None else bytes(value)


def consume(broker, *names, incarnation=0):
    """Return what messages() should: the committed messages of topics, read without Spark and without Java."""
    consumer = Consumer(
        {
            "bootstrap.servers": broker.servers,
            "group.id": "check",
            "isolation.level": "read_committed",
            "enable.partition.eof": True,
            "log_level": 0,
        }
    )
    known = consumer.list_topics(timeout=10).topics
    places = [
        TopicPartition(name, partition, OFFSET_BEGINNING)
        for name in names
        for partition in known[name].partitions
    ]
    consumer.assign(places)
    found, ended = {}, set()
    while len(ended) < len(places):
        message = consumer.poll(10)
        assert message is not None
        if message.error():
            assert message.error().code() == KafkaError._PARTITION_EOF
            ended.add((message.topic(), message.partition()))
        else:
            place = message.topic(), incarnation, message.partition(), message.offset()
            found[place] = (
                message.key(),
                message.value(),
                message.timestamp()[1],
                message.headers() or [],
            )
    consumer.close()
    return found


@pytest.fixture
def lake(broker):
    session.start()
    return KafkaLake(broker)


@pytest.fixture
def topic():
    return next(NAMES)


@pytest.fixture
def during(monkeypatch):
    """Do something once while the next landing writes its files: before it reads Kafka, or when it has."""

    def prepare(work, before=False):
        stage, done, waiting = table_format.Table.stage, [], [work]

        def stage_and_work(table, rows):
            now = waiting.pop() if waiting and not table.name.endswith("_offsets`") else None
            if now and before:
                done.append(now())
            staged = stage(table, rows)
            if now and not before:
                done.append(now())
            return staged

        monkeypatch.setattr(table_format.Table, "stage", stage_and_work)
        return done

    return prepare


def test_messages_land_as_they_are(lake, broker, topic):
    broker.create(topic, 3)
    other = broker.create(f"{topic}.other_")
    strange = [
        '{"id": 1.10}',
        "",
        None,
        "é\u2028\ufeff\x00 😀 \r\n",
        b"\xff\xfe",
        b"\xed\xa0\x80",
        "x" * 5_000_000,
    ]
    broker.produce(topic, strange, key="k")
    messages = [
        {
            "value": "headers",
            "key": b"\xff\x00",
            "headers": [("a", b"\xff\x00"), ("a", None), ("", b""), ("é", "é")],
        },
        {"value": "old", "key": "", "timestamp": 1},
        {"value": "2020", "key": None, "timestamp": 1600000000123},
    ]
    broker.produce(topic, messages, partition=2)
    broker.produce(other, ["other"])
    broker.create(f"not_{topic}")
    code, out, _ = lake.land(f"{topic}*")
    expected = consume(broker, topic, other)
    assert code == 0 and len(expected) == 11 and lake.messages() == expected
    assert len(lake.batches) == 1 and lake.table().files() <= 2
    lines = [line.split() for line in out.splitlines()]
    size = sum(
        len(key or b"") + len(value or b"")
        for (name, *_), (key, value, _, _) in expected.items()
        if name == topic
    )
    assert [topic, "10", str(size), "0"] in [line[:4] for line in lines] and "0: 0-6, 2: 0-2" in out
    assert lines[-1] == ["landing_batch:", str(*lake.batches)]
    assert {
        (head["key"], head["value"])
        for row in lake.table().rows("partition", "headers")
        if row["partition"] == 2
        for head in row["headers"] or []
    } >= {("a", b"\xff\x00"), ("a", None)}

    snapshot = lake.table().snapshots()
    assert lake.land(f"{topic}*")[1] == "nothing new\n" and lake.table().snapshots() == snapshot
    broker.produce(topic, ["new"], partition=1)
    code, out, _ = lake.land(f"{topic},{topic}.?ther_")
    assert [topic, "1", "3", "0", "1:", "0-0"] in [line.split() for line in out.splitlines()]
    assert code == 0 and lake.messages() == consume(broker, topic, other)


def test_binary_topics_and_prefixes(lake, broker, topic, tmp_path, monkeypatch):
    payloads = [bytes(range(256)), b"", None, b"\x00" * 200]
    for name in (topic, f"{topic}_text", f"{topic}_named"):
        broker.create(name)
        broker.produce(name, payloads, key=b"\xff")
    settings = {
        "vars": {
            "kafka_cdc": {
                "topics": [
                    {"topic": f"eu/{topic}_text"},
                    {"topic": ["x", f"eu/{topic}*"], "encoding": "base64"},
                ]
            }
        }
    }
    (tmp_path / "dbt_project.yml").write_text(json.dumps(settings))
    monkeypatch.setenv("DBT_PROJECT_DIR", str(tmp_path))
    assert (
        lake.land(f"{topic}*", "--topic-prefix", "eu/", "--binary-topics", "nothing,eu/*_named")[0]
        == 0
    )
    encoded = [value if value is None else base64.b64encode(value) for value in payloads]
    found = lake.messages()
    assert [found[f"eu/{topic}", 0, 0, offset][:2] for offset in range(4)] == [
        (b"\xff", value) for value in encoded
    ]
    assert [found[f"eu/{topic}_text", 0, 0, offset][1] for offset in range(4)] == payloads
    assert [found[f"eu/{topic}_named", 0, 0, offset][1] for offset in range(4)] == encoded and len(
        found
    ) == 12


def test_transactions(lake, broker, topic):
    broker.create(topic)
    broker.transaction(topic, ["aborted"] * 20, commit=False)
    assert lake.land(topic)[0] == 0 and lake.messages() == {}
    assert lake.land(topic)[1] == "nothing new\n"
    broker.transaction(topic, ["a", "b"])
    broker.transaction(topic, ["aborted"], commit=False)
    broker.produce(topic, ["plain"])
    is_open = broker.transaction(topic, ["open"], commit=None)
    broker.produce(topic, ["after the open transaction"])
    code, _, err = lake.land(topic)
    assert (
        code == 0
        and sorted(lake.texts().values()) == ["a", "b", "plain"]
        and re.search(
            rf"open_transaction topic={topic} partition=0 first_offset=27 offsets=2 ", err
        )
    )
    is_open.commit_transaction()
    assert (
        lake.land(topic)[0] == 0
        and lake.messages() == consume(broker, topic)
        and len(lake.batches) == 2
    )
    assert lake.offsets("lost") == [] and "open_transaction" not in lake.land(topic)[2]


@long
def test_offsets_without_messages_take_few_commits(lake, broker, topic, monkeypatch):
    """Commits of 1000 offsets would be too small: each has no message."""
    broker.create(topic)
    broker.transaction(topic, ["aborted"] * 5000, commit=False)
    broker.produce(topic, ["a"])
    while not consume(broker, topic):  # the broker ends the transaction a moment later
        time.sleep(0.1)
    counts, observe = [], CommitPlanner.observe

    def observe_and_count(planner, ranges, sizes):
        counts.extend(until - first for first, until in ranges.values())
        observe(planner, ranges, sizes)

    monkeypatch.setattr(CommitPlanner, "observe", observe_and_count)
    assert lake.land(topic)[0] == 0 and counts == [1000, 4000, 2]
    assert lake.messages() == consume(broker, topic)


@long
def test_a_transaction_that_ends_during_the_landing_is_no_event(lake, broker, topic, monkeypatch):
    """A producer such as Debezium, which writes transactions all the time, always has one open."""
    broker.create(topic)
    transactions = [broker.transaction(topic, ["first"], commit=None)]
    log_open_transactions = TopicWatcher.log_open_transactions

    def continue_writing(watcher):
        transactions[0].commit_transaction()
        transactions.append(broker.transaction(topic, ["second"], commit=None))
        while watcher.client.get_latest([(topic, 0)])[topic, 0] == 0:
            time.sleep(0.05)
        log_open_transactions(watcher)

    monkeypatch.setattr(TopicWatcher, "log_open_transactions", continue_writing)
    code, _, err = lake.land(topic)
    assert code == 0 and "open_transaction" not in err
    transactions[1].commit_transaction()


def test_compacted_topics_have_no_gaps(lake, broker, topic):
    """The broker may compact them further while they are read."""
    broker.create(
        topic,
        cleanup_policy="compact",
        segment_ms=100,
        min_cleanable_dirty_ratio=0.01,
        max_compaction_lag_ms=100,
    )
    for number in range(3):
        broker.produce(topic, [f"{number}"] * 10, key="same")
        time.sleep(0.2)
    before = consume(broker, topic)
    code, _, err = lake.land(topic)
    assert code == 0 and " lost " not in err
    assert before.items() >= lake.messages().items() >= consume(broker, topic).items()


@pytest.mark.parametrize("is_before", [True, pytest.param(False, marks=long)])
def test_another_landing_meanwhile(lake, broker, topic, during, is_before):
    """While a landing reads, another one lands the same messages and more. The first then continues after those messages."""
    broker.create(topic, 2)
    for partition in range(2):
        broker.produce(topic, [f"{number}" for number in range(100)], partition=partition)
    assert lake.land(topic)[0] == 0
    broker.produce(topic, ["first"] * 10, partition=1)

    def work():
        broker.produce(topic, ["second"] * 10, partition=1)
        return lake.land(topic)

    done = during(work, is_before)
    code, out, err = lake.land(topic)
    assert re.search(r'Z repeated attempt=1 reason="[^\n]+"\n', err), err
    assert (
        code == 0 and done[0][0] == 0 and f"{topic}      20" in done[0][1] and "nothing new" in out
    )
    assert lake.messages() == consume(broker, topic) and lake.offsets("read") == [
        (topic, 0, 0, 0, 100),
        (topic, 0, 1, 0, 120),
    ]


@contextlib.contextmanager
def repeated(lake, topics, *arguments):
    """Yield what lands topics again and again, as a loop does, and the summary of a landing."""
    names = ["land", "kafka", "--bootstrap-servers", lake.broker.servers, "--topics", topics]
    options = build_parser().parse_args([*names, *arguments, "--schema", lake.schema])
    with Shutdown() as shutdown:
        landing = TopicLanding(options, shutdown, is_cycle=True, is_repeated=True)

        def land():
            with contextlib.redirect_stderr(io.StringIO()):
                landing.run(lambda _: None)
            sizes = landing.progress.summary.topics
            return {name: size.messages for name, size in sizes.items() if size.messages}

        with contextlib.closing(landing):
            yield landing, land


def test_a_loop_keeps_its_connection(lake, broker, topic, monkeypatch):
    """Another landing, a failed commit and a new topic in between change nothing.

    Only a failure ends the connection. A topic that is new in a loop is read from its start.
    """
    counted = Counter()
    check, connect = LandedOffsets.check, client_module.KafkaClient.__init__

    def count(name, work):
        def counting(*arguments, **options):
            counted[name] += 1
            return work(*arguments, **options)

        return counting

    monkeypatch.setattr(LandedOffsets, "check", count("checks", check))
    monkeypatch.setattr(client_module.KafkaClient, "__init__", count("connections", connect))
    later = f"{topic}_later"
    broker.create(topic, partitions=2)
    broker.produce(topic, ["before"], partition=0)
    with repeated(lake, f"{topic}*", "--starting-offsets", "latest") as (landing, land):
        assert land() == {}
        for number, partition in enumerate([0, 1, 0]):
            broker.produce(topic, [f"message {number}"], partition=partition)
            assert land() == {topic: 1}
        assert land() == {} and counted == {"connections": 1, "checks": 1}

        broker.produce(topic, ["by another landing", "as well"], partition=1)
        assert lake.land(topic)[0] == 0
        broker.produce(topic, ["by the loop"], partition=1)
        assert land() == {topic: 1}

        broker.create(later)
        broker.produce(later, ["the first of a new topic"])
        assert land() == {later: 1}

        connections = counted["connections"]
        broker.produce(topic, ["after a failure"], partition=0)
        with monkeypatch.context() as failing:
            failing.setattr(committer.Committer, "_add", lambda *_: 1 / 0)
            with pytest.raises(LandingError, match="ZeroDivisionError"):
                land()
        assert landing.client is None and counted["connections"] == connections
        assert land() == {topic: 1} and counted["connections"] == connections + 1
    texts = [
        *["message 0", "message 1", "message 2", "by another landing", "as well"],
        *["by the loop", "the first of a new topic", "after a failure"],
    ]
    assert sorted(lake.texts().values()) == sorted(texts)


@pytest.mark.parametrize("is_landed", [True, pytest.param(False, marks=long)])
def test_ends_between_its_two_commits(lake, broker, topic, monkeypatch, is_landed):
    """A landing dies between its two commits, or after the first commit without knowing that it succeeded."""
    broker.create(topic, 2)
    broker.produce(topic, ["0"] * 10)
    assert lake.land(topic)[0] == 0
    broker.produce(topic, ["1"] * 10, partition=1)
    commit = table_format.Table.commit

    def die(*arguments, **options):
        if is_landed:
            commit(*arguments, **options)
        raise RuntimeError("killed")

    monkeypatch.setattr(table_format.Table, "commit", die)
    assert lake.land(topic)[::2] == (1, "error: killed (RuntimeError)\n")
    monkeypatch.setattr(table_format.Table, "commit", commit)
    broker.produce(topic, ["2"] * 10, partition=1)
    code, out, _ = lake.land(topic)
    assert code == 0 and f"{topic}      {10 if is_landed else 20}" in out
    assert lake.messages() == consume(broker, topic) and lake.land(topic)[1] == "nothing new\n"


@pytest.mark.parametrize("is_binary_first", [False, pytest.param(True, marks=long)])
def test_the_encoding_changes_between_its_two_commits(
    lake, broker, topic, monkeypatch, is_binary_first
):
    """A landing is killed before it records its progress. Its messages keep their encoding."""
    payloads = [b"\xff\xfe", b"text", b"", None, b"x" * 200]
    broker.create(topic)
    broker.produce(topic, payloads, key=b"\xff")
    commit = table_format.Table.commit

    def die(*arguments, **options):
        commit(*arguments, **options)
        raise RuntimeError("killed")

    options = ["--binary-topics", topic]
    monkeypatch.setattr(table_format.Table, "commit", die)
    assert lake.land(topic, *(options if is_binary_first else []))[0] == 1
    monkeypatch.setattr(table_format.Table, "commit", commit)
    broker.produce(topic, [b"\xfe"])
    code, _, err = lake.land(topic, *([] if is_binary_first else options))
    assert code == 0 and "rejected" not in err, err
    found = [value for _, (_, value, _, _) in sorted(lake.messages().items())]
    encoded = [value if value is None else base64.b64encode(value) for value in payloads]
    assert found == (
        [*encoded, b"\xfe"] if is_binary_first else [*payloads, base64.b64encode(b"\xfe")]
    )
    assert lake.offsets("read") == [(topic, 0, 0, 0, 6)]

    # Another payload is still another message.
    monkeypatch.setattr(table_format.Table, "commit", die)
    broker.produce(topic, ["a"])
    assert lake.land(topic, *options)[0] == 1
    monkeypatch.setattr(table_format.Table, "commit", commit)
    session.start().sql(f"update {lake.schema}.kafka_messages set value = 'other' where offset = 6")
    assert lake.land(topic)[0] == 3


@long
@pytest.mark.parametrize("killed", [0, 1] if table_format.NAME == "delta" else [0])
def test_two_concurrent_landings_and_a_kill(broker, topic, tmp_path, killed):
    """Two landings of the same topics in small commits; one is killed at a random moment and started again. (On Delta, one serves the metastore to the other.)"""
    lake = KafkaLake(broker, folder=tmp_path / "lake", schema="raw")
    names = [broker.create(f"{topic}_{number}", 2) for number in range(2)]
    random.seed(5)
    for name, partition in itertools.product(names, range(2)):
        broker.produce(
            name, [random.randbytes(300).hex() for _ in range(2500)], partition=partition
        )
    arguments = f"{topic}*", "--max-commit-mb", 1
    processes = [lake.start(*arguments) for _ in range(2)]
    wait_for(lambda: data_files(lake.folder, "raw"), processes[1 - killed])
    time.sleep(random.uniform(0, 3))
    os.killpg(processes[killed].pid, signal.SIGKILL)
    processes[killed].communicate()
    processes[killed] = lake.start(*arguments)
    for process in processes:
        ended = process.communicate(timeout=300)
        assert process.returncode == 0, ended
    assert pyiceberg_values(lake) == {
        (name, partition, offset): value.decode()
        for (name, _, partition, offset), (_, value, _, _) in consume(broker, *names).items()
    }


def pyiceberg_values(lake):
    """Return the values in raw by topic, partition and offset, read without Spark; one that is there twice fails the test."""
    rows = lake.rows()
    values = {(row["topic"], row["partition"], row["offset"]): row["value"] for row in rows}
    assert len(values) == len(rows)
    return values


def wait_for(condition, process, seconds=120):
    """Return what `condition` returns as soon as that is something, while the process runs."""
    began = time.monotonic()
    while not (found := condition()):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() - began < seconds
        time.sleep(0.05)
    return found


def test_recreated_topic(lake, broker, topic, during):
    broker.create(topic, 2)
    broker.produce(topic, ["old"] * 5)
    assert lake.land(topic)[0] == 0
    first = consume(broker, topic)

    def again():
        broker.delete(topic)
        broker.create(topic)

    again()
    broker.produce(topic, ["new"] * 3)
    code, _, err = lake.land(topic)
    second = consume(broker, topic, incarnation=1)
    assert (
        code == 0
        and f"topic_recreated topic={topic} " in err
        and lake.messages() == first | second
        and len(second) == 3
    )
    assert lake.land(topic)[1] == "nothing new\n"

    broker.produce(topic, ["never read"] * 4)

    def while_it_reads():
        again()
        broker.produce(topic, ["newest"] * 20)

    during(while_it_reads, before=True)
    code, _, err = lake.land(topic)
    third = consume(broker, topic, incarnation=2)
    assert code == 0 and len(third) == 20 and lake.messages() == first | second | third
    assert (
        lake.offsets("lost") == [(topic, 1, 0, 3, 7)]
        and "first_offset=3 last_offset=6 offsets=4" in err
    )


def test_retention_passes_over(lake, broker, topic, during, project):
    monitored = project("unread_offsets", raw_schema=lake.schema)
    began = datetime.now(timezone.utc)

    def unread():
        monitored.dbt("run", "--select", "unread_offsets")
        rows = monitored.query("select * from {cdc}.unread_offsets order by first_offset")
        assert all(
            began < row.pop("noticed_at").astimezone(timezone.utc) <= datetime.now(timezone.utc)
            for row in rows
        )
        return [tuple(row.values()) for row in rows]

    table.create(session.start(), lake.schema, "kafka_messages")
    assert unread() == []
    broker.create(topic)
    broker.produce(topic, [f"{number}" for number in range(10)])
    broker.delete_records(topic, 0, 4)
    assert (
        lake.land(topic)[0] == 0
        and lake.offsets("lost") == []
        and lake.offsets("read") == [(topic, 0, 0, 4, 10)]
    )
    broker.produce(topic, [f"{number}" for number in range(10, 30)])
    broker.delete_records(topic, 0, 20)
    code, _, err = lake.land(topic, "--on-data-loss", "stop")
    assert (
        code == 1
        and f"topic {topic}, partition 0: offsets 10 to 19" in err.splitlines()[-1]
        and len(lake.texts()) == 6
    )
    during(lambda: broker.delete_records(topic, 0, 22))
    code, _, err = lake.land(topic)
    assert (
        code == 0
        and f"lost topic={topic} topic_incarnation=0 partition=0 first_offset=10 last_offset=19 offsets=10"
        in err
    )
    assert "first_offset=20 last_offset=21 offsets=2" in err
    assert lake.texts() == {
        (topic, 0, offset): f"{offset}" for offset in [*range(4, 10), *range(22, 30)]
    }
    assert lake.offsets("lost") == [(topic, 0, 0, 10, 20), (topic, 0, 0, 20, 22)]
    deleted = "Kafka deleted these offsets, or their topic, before landing read them."
    assert unread() == [
        (topic, 0, 0, 10, 19, 10, "lost", deleted),
        (topic, 0, 0, 20, 21, 2, "lost", deleted),
    ]
    skipped = "Landing was configured to start after these offsets (--starting-offsets)."
    assert lake.land(topic, "--topic-prefix", "b/", "--starting-offsets", "latest")[0] == 0
    assert (f"b/{topic}", 0, 0, 22, 29, 8, "skipped", skipped) in unread()


@long
def test_what_raw_holds_is_not_lost(lake, broker, topic, monkeypatch):
    """A landing dies when raw has its messages and the positions do not yet know; then retention passes over them."""
    broker.create(topic)
    broker.produce(topic, ["0"] * 10)
    record = offsets.OffsetStore.record

    def die(self, rows):
        if self.table.snapshot and any(row.next_offset == 10 for row in rows):
            raise RuntimeError("killed")
        return record(self, rows)

    monkeypatch.setattr(offsets.OffsetStore, "record", die)
    assert lake.land(topic)[0] == 1 and len(lake.texts()) == 10
    monkeypatch.setattr(offsets.OffsetStore, "record", record)
    broker.delete_records(topic, 0, 7)
    assert lake.land(topic, "--on-data-loss", "stop")[0] == 0 and lake.offsets("lost") == []
    broker.produce(topic, ["1"] * 10)
    broker.delete_records(topic, 0, 15)
    code, _, err = lake.land(topic)
    assert (
        code == 0
        and lake.offsets("lost") == [(topic, 0, 0, 10, 15)]
        and sorted(lake.texts()) == [(topic, 0, offset) for offset in [*range(10), *range(15, 20)]]
    )


@long
def test_a_loss_while_another_lands_the_rest(lake, broker, topic, during, monkeypatch):
    """A check for messages of a lost range in raw does not affect messages that landed for other partitions meanwhile."""
    broker.create(topic, partitions=2)
    for partition in range(2):
        broker.produce(topic, ["0"] * 10, partition=partition)
    assert lake.land(topic)[0] == 0
    for partition in range(2):
        broker.produce(topic, ["1"] * 10, partition=partition)
    expected = consume(broker, topic)

    def work():
        def die(*arguments):
            raise RuntimeError("killed")

        with monkeypatch.context() as patch:
            patch.setattr(committer.Committer, "record_progress", die)
            assert lake.land(topic)[0] == 1
        broker.delete_records(topic, 1, 15)

    during(work)
    assert lake.land(topic)[0] == 0
    assert lake.messages() == expected and lake.offsets("lost") == []


def test_lost_before_a_landing_has_met_the_partition(lake, broker, topic):
    broker.create(topic)
    broker.produce(topic, ["0"])
    assert lake.land(topic)[0] == 0
    broker.add_partitions(topic, 2)
    broker.produce(topic, ["1"] * 5, partition=1)
    broker.delete_records(topic, 1, 3)
    assert lake.land(topic, "--on-data-loss", "stop")[0] == 1
    code, _, err = lake.land(topic)
    assert (
        code == 0
        and f"lost topic={topic} topic_incarnation=0 partition=1 first_offset=0 last_offset=2 offsets=3"
        in err
    )
    assert lake.offsets("lost") == [(topic, 0, 1, 0, 3)] and lake.offsets("read") == [
        (topic, 0, 0, 0, 1),
        (topic, 0, 1, 3, 5),
    ]
    assert lake.messages() == consume(broker, topic)


@long
def test_commits_are_measured_by_topic(lake, broker, topic):
    """One small message, or the small ones of another topic, do not make those that follow small."""
    large = broker.create(f"{topic}_large")
    broker.create(topic)
    broker.produce(topic, ["s" * 10] * 1000)
    broker.produce(large, ["l" * 10_000] * 20)
    assert lake.land(f"{topic}*")[0] == 0
    averages = lambda: dict(
        session.start()
        .table(f"{lake.schema}.kafka_messages_offsets")
        .select("topic", "average_bytes")
        .collect()
    )
    assert averages() == {topic: 10, large: 10_000}
    broker.produce(large, [None])
    assert lake.land(f"{topic}*")[0] == 0 and averages() == {topic: 10, large: 2_500}


@long
def test_continuous(broker, topic, tmp_path):
    """Topics, partitions and incarnations that appear while it runs; what is produced is landed soon; SIGTERM ends it."""
    lake = KafkaLake(broker, folder=tmp_path / "lake", schema="raw")
    broker.create(topic)
    broker.produce(topic, ["before"])
    process = lake.start(
        f"{topic}*", "--continuous", "--interval", 0.5, "--starting-offsets", "latest"
    )

    def landed(name, text):
        return lambda: any((row["topic"], row["value"]) == (name, text) for row in lake.rows())

    wait_for(lambda: data_files(lake.folder, "raw", "kafka_messages_offsets"), process)
    broker.produce(topic, ["after"])
    wait_for(landed(topic, "after"), process)
    broker.add_partitions(topic, 2)
    broker.create(f"{topic}_more")
    broker.produce(topic, ["second partition"], partition=1)
    broker.produce(f"{topic}_more", ["more"])
    wait_for(landed(topic, "second partition"), process)
    wait_for(landed(f"{topic}_more", "more"), process)
    broker.delete(topic)
    broker.create(topic)
    broker.produce(topic, ["recreated"])
    wait_for(landed(topic, "recreated"), process)
    os.kill(process.pid, signal.SIGTERM)
    out, err = process.communicate(timeout=30)
    assert (
        process.returncode == 130
        and "stopped; the same command lands what is missing" in err
        and f"{topic}_more" in out
    )
    rows = sorted(
        (row["topic"], row["topic_incarnation"], row["partition"], row["offset"], row["value"])
        for row in lake.rows()
    )
    assert rows == [
        (topic, 0, 0, 1, "after"),
        (topic, 0, 1, 0, "second partition"),
        (topic, 1, 0, 0, "recreated"),
        (f"{topic}_more", 0, 0, 0, "more"),
    ]


@long
def test_starting(lake, broker, topic):
    broker.create(topic)
    now = datetime.now(timezone.utc)
    broker.produce(
        topic,
        [
            {
                "value": f"{hours}",
                "timestamp": int((now - timedelta(hours=hours)).timestamp() * 1000),
            }
            for hours in (3, 2, 1)
        ],
    )
    when = (now - timedelta(hours=2, minutes=30)).isoformat()
    assert lake.land(topic, "--starting-offsets", when)[0] == 0
    assert [*lake.texts().values()] == ["2", "1"] and lake.offsets("skipped") == [
        (topic, 0, 0, 0, 1)
    ]
    assert lake.land(topic, "--starting-offsets", "earliest")[1] == "nothing new\n"
    assert (
        lake.land(topic, "--starting-offsets", "latest", "--topic-prefix", "b/")[1]
        == "nothing new\n"
    )
    broker.produce(topic, ["0"])
    assert (
        lake.land(topic, "--topic-prefix", "b/")[0] == 0
        and lake.texts()[f"b/{topic}", 0, 3] == "0"
        and len(lake.texts()) == 3
    )


def test_what_files_have_landed(lake, broker, topic, tmp_path):
    broker.create(topic)
    broker.create(f"{topic}_other")
    stamp = 1600000000000
    broker.produce(topic, [{"value": f"{number}", "timestamp": stamp} for number in range(6)])
    broker.produce(f"{topic}_other", ["kafka's", "kafka's"])
    line = {
        "topic": topic,
        "partition": 0,
        "tstype": "create",
        "ts": stamp,
        "broker": 1,
        "key": None,
    }
    (tmp_path / "dump.kcat.jsonl").write_text(
        "".join(
            json.dumps(line | {"offset": offset, "payload": f"{offset}"}) + "\n"
            for offset in (2, 3, 5)
        )
    )
    (tmp_path / f"{topic}_other.jsonl").write_text("a file's\n")
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(["land", "files", str(tmp_path), "--schema", lake.schema]) == 0
    rewritten = '{"kafka_cdc_rewritten":[]}'  # as erase_row leaves it
    session.start().sql(
        f"update {lake.schema}.kafka_messages set value = '{rewritten}', timestamp = null where offset = 3"
    )
    code, out, err = lake.land(f"{topic}*")
    assert lake.texts() == {
        (topic, 0, number): rewritten if number == 3 else f"{number}" for number in range(6)
    } | {(f"{topic}_other", 0, 0): "a file's"}
    assert code == 3 and err.splitlines()[-1] == (
        f"not landed: topic {topic}_other, partition 0: raw has other messages at 1 of its offsets, the first is 0; land the topic with a --topic-prefix of its own"
    )
    assert f"{topic}             3      3    0" in out and [f"{topic}_other", "0", "0", "2"] in [
        line.split() for line in out.splitlines()
    ]


def test_a_message_that_spark_cannot_read(lake, broker, topic):
    broker.create(topic, 2, message_timestamp_after_max_ms=2**63 - 1)
    broker.produce(topic, ["a", "b", {"value": "c", "timestamp": 2**61}, "d"])
    broker.produce(topic, ["other"], partition=1)
    code, _, err = lake.land(topic)
    assert code == 3 and lake.texts() == {
        (topic, 0, 0): "a",
        (topic, 0, 1): "b",
        (topic, 1, 0): "other",
    }
    assert err.splitlines()[-1].startswith(
        f"not landed: topic {topic}, partition 0: Spark cannot read the message at offset 2"
    )


def test_a_topic_that_may_not_be_read_does_not_stop_the_others(lake, broker, topic, tmp_path):
    for name in (topic, f"{topic}_denied"):
        broker.create(name, 2)
        broker.produce(name, ["a"], partition=1)
    broker.allow(USER, f"{topic}_denied", "DESCRIBE")
    properties = write_properties(tmp_path / "client", client(broker, "scram"))
    arguments = [f"{topic}*", "--properties", properties]
    code, _, err = lake.land(*arguments, servers=False)
    assert code == 3 and lake.texts() == {(topic, 1, 0): "a"}
    assert err.splitlines()[-1] == (
        f"not landed: topic {topic}_denied, partition 1: this user may not read the topic."
        " Hint: allow it the operation READ, or leave the topic out of --topics"
    )
    broker.allow(USER, f"{topic}_denied", "READ")
    code, _, err = lake.land(*arguments, servers=False)
    assert code == 0 and "not landed" not in err
    assert lake.texts() == {(topic, 1, 0): "a", (f"{topic}_denied", 1, 0): "a"}


@long
def test_the_partitions_of_a_broker_that_is_away_land_later(tmp_path, topic, monkeypatch):
    """A cluster of two brokers. One of them ends, and comes back."""
    monkeypatch.setattr(client_module, "TIMEOUT_SECONDS", 5)
    broker = Broker(tmp_path)
    second = None
    try:
        broker.prepare_second()
        second = broker.start_second()
        lake = KafkaLake(broker)
        for name, brokers in ((topic, [[1], [2]]), (f"{topic}_other", [[1]])):
            new = NewTopic(name, len(brokers), replica_assignment=brokers)
            broker.admin.create_topics([new])[name].result()

        def produce_and_land(number):
            for partition in (0, 1) if second.poll() is None else (0,):
                broker.produce(topic, [f"{number}"], partition=partition)
            broker.produce(f"{topic}_other", [f"{number}"])
            return lake.land(f"{topic}*")

        assert produce_and_land(0)[0] == 0
        os.killpg(second.pid, signal.SIGKILL)
        second.wait()
        while broker.admin.list_topics(topic, timeout=5).topics[topic].partitions[1].leader >= 0:
            time.sleep(0.2)
        code, _, err = produce_and_land(1)
        assert code == 3 and err.splitlines()[-1] == (
            f"not landed: topic {topic}, partition 1:"
            " no broker leads the partition, so it lands after its brokers are back"
        )
        landed = {(topic, 0, 0): "0", (topic, 0, 1): "1", (topic, 1, 0): "0"}
        landed |= {(f"{topic}_other", 0, 0): "0", (f"{topic}_other", 0, 1): "1"}
        assert lake.texts() == landed
        second = broker.start_second()
        while broker.admin.list_topics(topic, timeout=5).topics[topic].partitions[1].leader < 0:
            time.sleep(0.2)
        code, _, err = produce_and_land(2)
        assert code == 0 and "not landed" not in err
        landed |= {(topic, 0, 2): "2", (topic, 1, 1): "2", (f"{topic}_other", 0, 2): "2"}
        assert lake.texts() == landed
    finally:
        if second and second.poll() is None:
            os.killpg(second.pid, signal.SIGKILL)
        broker.stop()


@pytest.mark.parametrize("is_split", [True, pytest.param(False, marks=long)])
def test_the_cluster_goes_away_in_a_commit(lake, broker, topic, monkeypatch, is_split):
    """What had landed by then does not land again: one part of two, or all of it."""
    broker.create(topic, 2, message_timestamp_after_max_ms=2**63 - 1)
    broker.produce(topic, ["a", {"value": "b", "timestamp": 2**61} if is_split else "b"])
    broker.produce(topic, ["other"], partition=1)
    verify, record = TopicWatcher.verify_ranges, offsets.OffsetStore.record
    failures = [ConnectionError("away")]

    def verify_and_fail(found, ranges):
        if is_split and failures and [key.partition for key in ranges] == [0]:
            raise failures.pop()
        verify(found, ranges)

    def record_and_fail(store, rows):
        rows = list(rows)
        if not is_split and failures and any(row.next_offset for row in rows):
            raise failures.pop()
        record(store, rows)

    monkeypatch.setattr(TopicWatcher, "verify_ranges", verify_and_fail)
    monkeypatch.setattr(offsets.OffsetStore, "record", record_and_fail)
    monkeypatch.setattr(KafkaLanding, "_wait_for_cluster", lambda *_: None)
    monkeypatch.setattr(
        client_module.KafkaClient,
        "is_transient",
        lambda _, error: isinstance(error, ConnectionError),
    )
    code, _, _ = lake.land(topic)
    assert not failures and code == (3 if is_split else 0)
    texts = {(topic, 0, 0): "a", (topic, 1, 0): "other"}
    assert lake.texts() == (texts if is_split else texts | {(topic, 0, 1): "b"})


def test_many_topics_make_few_files(lake, broker, topic):
    names = [f"{topic}_{number}" for number in range(25)]
    for name in names:
        broker.create(name, 2)
    for name in names:
        broker.produce(name, [name] * 3, partition=1)
    code, out, _ = lake.land(f"{topic}_*")
    assert code == 0 and len(lake.texts()) == 75 and lake.table().files() <= 2
    assert {tuple(line.split()[:4]) for line in out.splitlines()[1:-1]} == {
        (name, "3", str(3 * len(name)), "0") for name in names
    }


CLIENTS = {
    "scram": ("sasl_servers", {"security.protocol": "SASL_SSL", "sasl.mechanism": "SCRAM-SHA-512", "sasl.jaas.config": f"{JAAS}.scram.ScramLoginModule"}),
    "plain": ("sasl_servers", {"security.protocol": "SASL_SSL", "sasl.mechanism": "PLAIN", "sasl.jaas.config": f"{JAAS}.plain.PlainLoginModule"}),
    "tls": ("tls_servers", {"security.protocol": "SSL", "ssl.keystore.location": "client.p12", "ssl.keystore.password": STORE_PASSWORD}),
    "oauth": ("oauth_servers", {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "OAUTHBEARER", "group.id": "ignored", "sasl.jaas.config":
                                f'{JAAS}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="landing";'}),
    "tokens": ("token_servers", {"security.protocol": "SASL_PLAINTEXT", "sasl.mechanism": "OAUTHBEARER", "sasl.jaas.config": f"{JAAS}.oauthbearer.OAuthBearerLoginModule",
                                 "sasl.login.callback.handler.class": f"{JAAS}.oauthbearer.OAuthBearerLoginCallbackHandler"}),
}  # fmt: skip


def client(broker, name, password=PASSWORD):
    """Return the properties of a client."""
    servers, settings = CLIENTS[name]
    settings = {"bootstrap.servers": getattr(broker, servers)} | settings
    if settings["security.protocol"].endswith("SSL"):
        settings |= {
            "ssl.truststore.location": f"{broker.folder}/trust.p12",
            "ssl.truststore.password": STORE_PASSWORD,
        }
    if "ssl.keystore.location" in settings:
        settings["ssl.keystore.location"] = f"{broker.folder}/{settings['ssl.keystore.location']}"
    elif name == "tokens":
        settings["sasl.oauthbearer.token.endpoint.url"] = broker.tokens.url
        settings["sasl.jaas.config"] += (
            f" required clientId={quoted(USER)} clientSecret={quoted(password)};"
        )
    elif name != "oauth":
        settings["sasl.jaas.config"] += (
            f" required username={quoted(USER)} password={quoted(password)};"
        )
    return settings


@pytest.mark.parametrize(
    "name",
    [name if name in ("tls", "tokens") else pytest.param(name, marks=long) for name in CLIENTS],
)
def test_security(lake, broker, topic, tmp_path, monkeypatch, name):
    broker.create(topic)
    broker.produce(topic, [name])
    settings = client(broker, name)
    if name == "plain":
        for key, value in settings.items():
            monkeypatch.setenv(f"KAFKA_CDC_KAFKA_{key.upper().replace('.', '_')}", value)
        arguments = []
    else:
        arguments = ["--properties", write_properties(tmp_path / "client.properties", settings)]
    code, out, err = lake.land(topic, *arguments, servers=False)
    assert (
        code == 0
        and lake.texts() == {(topic, 0, 0): name}
        and (name != "tokens" or broker.tokens.given)
    )
    files = [
        path
        for path in [
            *folder_of(lake.folder, lake.schema).parent.rglob("*"),
            *Path(lake.folder).glob("*"),
        ]
        if path.is_file()
    ]
    held = b"".join(path.read_bytes() for path in files) + out.encode() + err.encode()
    assert files and all(
        secret.encode() not in held for secret in (PASSWORD, STORE_PASSWORD, "LoginModule")
    )


def test_what_goes_wrong_is_one_line(lake, broker, topic, tmp_path, monkeypatch):
    def land(name, settings, expected):
        properties = write_properties(tmp_path / name, settings)
        began = time.monotonic()
        code, out, err = lake.land(topic, "--properties", properties, servers=False)
        assert (
            (code, out) == (1, "")
            and err.startswith("error: ")
            and len(err.splitlines()) == 1
            and expected in err
        ), err
        assert time.monotonic() - began < 30 and not any(
            secret in err for secret in (PASSWORD, "wrong word", STORE_PASSWORD)
        )

    land("wrong", client(broker, "scram", "wrong word"), "Authentication failed")
    if IS_LONG:
        land("plain", client(broker, "plain", "wrong word"), "Authentication failed")
    land(
        "untrusted",
        client(broker, "scram") | {"ssl.truststore.location": f"{broker.folder}/client.p12"},
        "SSL handshake failed",
    )
    if IS_LONG:
        land(
            "store",
            client(broker, "scram") | {"ssl.truststore.password": "wrong word"},
            "Failed to load SSL keystore",
        )
        land("tokens", client(broker, "tokens", "wrong word"), "401")
        session.start()._jvm.java.lang.System.clearProperty(config.ALLOWED_URLS)
        with socket.create_server(("127.0.0.1", 0)) as silent:
            url = f"http://127.0.0.1:{silent.getsockname()[1]}/token"
            land(
                "silent",
                client(broker, "tokens") | {"sasl.oauthbearer.token.endpoint.url": url},
                "",
            )
        session.start()._jvm.java.lang.System.clearProperty(config.ALLOWED_URLS)
        land("mechanism", client(broker, "scram") | {"sasl.mechanism": "GSSAPI"}, "")
    assert client_module.TIMEOUT_SECONDS == 15
    monkeypatch.setattr(
        client_module, "TIMEOUT_SECONDS", 3
    )  # or the test would wait longer than it works
    land("nobody", {"bootstrap.servers": "127.0.0.1:1"}, "no Kafka broker answers within 3 s")
    if IS_LONG:
        land("no_tls", {"bootstrap.servers": broker.sasl_servers}, "no Kafka broker answers")
        land("no_host", {"bootstrap.servers": "nowhere.invalid:9092"}, "bootstrap")
    land("no_servers", {}, "no Kafka broker is named")
    assert (
        lake.land(topic, "--properties", tmp_path / "missing")[2]
        == f"error: {tmp_path}/missing: No such file or directory. Hint: --properties or"
        " KAFKA_CDC_KAFKA_PROPERTIES names a UTF-8 text file that this user may read\n"
    )
    assert lake.land("nothing*,n?ne")[::2] == (
        1,
        f"error: no topic of {broker.servers} matches nothing*, n?ne. Hint: check --topics\n",
    )


def test_names():
    matches = topics.compile_globs(topics.split_globs(" drs_*, a?b ,x.y,"))
    assert [
        name
        for name in ("drs_", "drs_1", "a.b", "ab", "x.y", "xzy", "drs")
        if matches.fullmatch(name)
    ] == ["drs_", "drs_1", "a.b", "x.y"]
    assert not topics.compile_globs([]).fullmatch("")
    assert config.from_environment(
        {"KAFKA_CDC_KAFKA_SSL_KEY_PASSWORD": "a", "KAFKA_CDC_KAFKA_PROPERTIES": "b", "KAFKA_X": "c"}
    ) == {"ssl.key.password": "a"}
    secrets = {
        "sasl.jaas.config": 'x.Y required username="u" password="p\\"q";',
        "ssl.key.password": "s3",
        "sasl.oauthbearer.assertion.private.key.passphrase": "p4",
        "bootstrap.servers": "host:1",
    }
    assert (
        config.hide_secrets('bad p\\"q, s3, p4, x.Y at host:1', secrets)
        == "bad [hidden], [hidden], [hidden], x.Y at host:1"
    )


@pytest.mark.parametrize("option", ["password='p7'", "password=p7", 'password = "p7"'])
def test_a_secret_of_jaas_is_hidden_in_each_of_its_forms(option):
    """Java's StreamTokenizer, with which Kafka reads the property, knows these three."""
    jaas = f"x.Y required useKeyTab=true {option};"
    assert config.hide_secrets("true: bad p7", {"sasl.jaas.config": jaas}) == "true: bad [hidden]"


@pytest.mark.parametrize("option", ['username="u"', "username = 'landing'", 'tokenauth="true"'])
def test_a_user_name_of_jaas_does_not_mangle_messages(option):
    """These options of Kafka's login modules are no secrets. user_NAME is the password of NAME."""
    jaas = f'x.Y required {option} password="p7" user_u="p8";'
    text = config.hide_secrets("true: landing of u: bad p7, p8", {"sasl.jaas.config": jaas})
    assert text == "true: landing of u: bad [hidden], [hidden]"


def test_a_part_of_a_password_is_not_in_the_error():
    """Kafka's class JaasConfig names the word after a value: here, a password without quotes."""
    found = client_module.KafkaClient.__new__(client_module.KafkaClient)
    found.properties = {"sasl.jaas.config": "x.Y required password=p7 q8;"}
    message = "Value not specified for key 'q8' in JAAS config"
    error = JavaError(("java.lang.IllegalArgumentException", message))
    text = found.describe_error(error)
    assert "sasl.jaas.config is malformed. Hint: " in text and "q8" not in text


class JavaError(Exception):
    """An error with a chain of Java exceptions: class and message, outermost first."""

    def __init__(self, *chain):
        super().__init__()
        self.java_exception = None
        for name, message in reversed(chain):
            kind = SimpleNamespace(
                getName=lambda name=name: name,
                getSimpleName=lambda name=name: name.rpartition(".")[2],
            )
            self.java_exception = SimpleNamespace(
                getClass=lambda kind=kind: kind,
                getMessage=lambda message=message: message,
                getCause=lambda cause=self.java_exception: cause,
            )


@pytest.mark.parametrize(
    ("name", "message", "is_transient", "text"),
    [
        (
            "org.apache.kafka.common.errors.TimeoutException",
            "Timed out waiting for a node assignment",
            True,
            "no Kafka broker answers within",
        ),
        (
            "java.util.concurrent.TimeoutException",  # of Spark's Kafka source
            "Cannot fetch record for offset 7 in 60000 milliseconds",
            True,
            "Cannot fetch record for offset 7 in 60000 milliseconds",
        ),
        ("java.util.concurrent.TimeoutException", "Futures timed out after [300 s]", False, None),
        ("org.apache.kafka.common.errors.DisconnectException", "away", True, "away"),
        ("org.apache.kafka.common.errors.TopicAuthorizationException", "no", False, None),
    ],
)
def test_only_timeouts_of_kafka_are_transient(name, message, is_transient, text):
    """Spark raises Java's TimeoutException too, for example if a broadcast takes too long."""
    found = client_module.KafkaClient.__new__(client_module.KafkaClient)
    found.properties = {}
    error = JavaError(("org.apache.spark.SparkException", "Job aborted"), (name, message))
    assert found.is_transient(error) == is_transient
    assert text is None or text in found.describe_error(error)


@pytest.mark.parametrize(
    ("names", "has_failed"),
    [
        (["CommitFailedException"], True),
        (["ValidationException"], True),
        (["CommitStateUnknownException"], False),
        (["CommitStateUnknownException", "CommitFailedException"], False),
        (["SparkException"], False),
    ],
)
def test_files_of_an_unknown_commit_are_kept(names, has_failed):
    """The table may contain them."""
    error = JavaError(*((f"org.apache.iceberg.exceptions.{name}", "no") for name in names))
    assert iceberg.certainly_failed(error) == has_failed


def test_progress_on_a_terminal(monkeypatch):
    progress = progress_module.KafkaProgress()
    assert progress.line() is None
    progress.is_terminal, progress.phase, progress.lag = True, "landing", 12345
    progress.summary.add({("a", 0, 0): (5, 10)}, {"a": (1000, 1_500_000), "b": (234, 500_000)})
    progress.summary.add({("a", 0, 0): (10, 12)}, {"a": (1, 0)})
    monkeypatch.setattr(time, "monotonic", lambda: progress.began + 4)
    assert progress.line() == "landing: 1,235 messages landed, 2.0 MB, 0.5 MB/s; lag 12,345"
    assert progress.summary.text({"a": 3, "c": 0}).splitlines() == [
        "topic  landed    bytes  lag  offsets read",
        "a        1001  1500000    3       0: 5-11",
        "nothing new",
    ]


def test_an_incarnation_is_known_by_its_id():
    known = offsets.OffsetStore.__new__(offsets.OffsetStore)
    known.set_rows(
        offsets.OffsetRow("t", incarnation, 0, "read", 0, 5, id_)
        for incarnation, id_ in enumerate("ab")
    )
    known.set_rows([*known.rows.values(), offsets.OffsetRow("none", 0, 0, "read", 0, 5, None)])
    assert [known.find_incarnation("t", id_) for id_ in ("a", "b", "c", None)] == [
        (0, False),
        (1, False),
        (2, True),
        (1, False),
    ]
    assert known.find_incarnation("none", "c") == (0, False) and known.find_incarnation(
        "other", "c"
    ) == (0, False)


def test_a_topic_gets_its_id_from_a_newer_broker():
    """Brokers before version 2.8 have no ids. A topic that is recreated later is recognized."""
    known = offsets.OffsetStore.__new__(offsets.OffsetStore)
    known.table = SimpleNamespace(replace=lambda rows: list(rows))
    first, second = (offsets.OffsetRow("t", 0, number, "read", 0, 5, None) for number in (0, 1))
    known.set_rows([first, second])
    found = watcher.TopicWatcher.__new__(watcher.TopicWatcher)
    found.offsets = known
    found.progress = SimpleNamespace(log=lambda *_, **__: None)
    for row, latest in ((first, 9), (second, 3)):  # the second one has fewer offsets than were read
        ends, rows, losses = PartitionEnds(0, latest), [], []
        found._inspect(watcher.Partition(row.key, ends, "a", False, None), rows, losses)
        known.record(rows)
    assert losses == [] and [row.topic_id for row in known.read.values()] == ["a", None]
    assert [known.find_incarnation("t", id_) for id_ in ("a", "b")] == [(0, False), (1, True)]
    with pytest.raises(LandingConflict):
        known.record([replace(first, topic_id="b")])


def watch(listed, *, is_deleted=False, leaderless=(), ends=PartitionEnds(0, 5), **options):
    """Return a watcher of a cluster that lists these topics, and the losses that it records.

    Kafka's client answers no question about several partitions if one of them has no leader.
    """
    losses = []

    def get_ends(partitions):
        asked = list(partitions)
        if {*asked}.intersection(leaderless):
            raise JavaError(("org.apache.kafka.common.errors.TimeoutException", "Timed out"))
        return dict.fromkeys(asked, ends)

    known = offsets.OffsetStore.__new__(offsets.OffsetStore)
    known.table = SimpleNamespace(replace=lambda rows: list(rows))
    known.set_rows([])
    found = TopicWatcher(
        SimpleNamespace(
            find_topics=lambda _: dict(listed),
            describe_topics=lambda names: {name: listed[name] for name in names},
            find_deleted=lambda names: set(names) if is_deleted else set(),
            find_leaderless=lambda names: {one for one in leaderless if one[0] in names},
            is_transient=lambda error: "Timed out" in str(error.java_exception.getMessage()),
            get_offsets_at=lambda partitions, _: dict.fromkeys(partitions, 4),
            get_ends=get_ends,
        ),
        known,
        losses=SimpleNamespace(record=losses.extend),
        progress=SimpleNamespace(log=lambda *_, **__: None),
        options=KafkaOptions(["t"], lambda _: False, **options),
    )
    return found, losses


@pytest.mark.parametrize(
    ("before", "after", "is_lost"), [("a", "b", True), ("a", None, False), (None, "a", False)]
)
def test_a_broker_without_ids_loses_nothing(before, after, is_lost):
    """While a cluster is upgraded, only some brokers report ids. The topic is the same."""
    listed = {"t": client_module.Topic("t", before, 1)}
    found, losses = watch(listed)
    found.refresh()
    listed["t"] = client_module.Topic("t", after, 1)
    found.refresh()
    assert [(loss.row.next_offset, loss.until) for loss in losses] == [(0, 5)] * is_lost
    assert {key.incarnation for key in found.ends} == {int(is_lost)}


@pytest.mark.parametrize("is_deleted", [True, False])
def test_a_topic_that_is_hidden_for_a_while_loses_nothing(is_deleted):
    """Kafka lists no topic that the user may not describe. A deleted one loses offsets."""
    topic = client_module.Topic("t", "a", 1)
    listed = {"t": topic}
    found, losses = watch(listed, is_deleted=is_deleted)
    found.refresh()
    listed.clear()
    assert not found.refresh() and not found.ends
    assert [(loss.row.next_offset, loss.until) for loss in losses] == [(0, 5)] * is_deleted
    listed["t"] = topic
    assert found.refresh() and len(losses) == is_deleted


def test_a_partition_without_a_leader_does_not_stop_the_others():
    """It keeps its next offset. If its topic is deleted meanwhile, its unread offsets are lost."""
    leaderless = set()
    listed = {
        "t": client_module.Topic("t", "a", 2),
        "other": client_module.Topic("other", "b", 1),
    }
    found, losses = watch(listed, leaderless=leaderless)
    found.refresh()
    first, second = (offsets.PartitionKey("t", 0, number) for number in (0, 1))
    leaderless.add(("t", 1))
    for _ in range(2):
        assert not found.refresh()
        assert {key.topic for key in found.ends} == {"t", "other"} and second not in found.ends
        assert found.leaderless == {second: PartitionEnds(0, 5)} and found.lag() == 10
    del listed["t"]
    found.client.find_deleted = set
    found.refresh()
    assert {(loss.row.key, loss.until) for loss in losses} == {(first, 5), (second, 5)}


@pytest.mark.parametrize("starting, first", [("earliest", 2), ("latest", 5), (1, 4)])
def test_a_topic_begins_with_all_its_partitions(starting, first):
    """Otherwise a partition that is met later would have lost what is before its first offset."""
    leaderless = {("t", 1)}
    listed = {"t": client_module.Topic("t", "a", 2)}
    found, losses = watch(
        listed, leaderless=leaderless, ends=PartitionEnds(2, 5), starting_offsets=starting
    )
    for _ in range(2):
        assert not found.refresh() and not found.ends and not found.offsets.read
    leaderless.clear()
    assert found.refresh() and losses == [] and not found.leaderless
    assert [row.next_offset for row in found.offsets.read.values()] == [first, first]


@pytest.mark.parametrize("reason", ["a conflict", "a hidden topic"])
def test_a_topic_that_waits_for_a_leader_loses_nothing(reason):
    """It begins later, with the offsets that it has then, also after a failed refresh."""
    leaderless, listed = {("t", 1)}, {"t": client_module.Topic("t", "a", 2)}
    found, losses = watch(
        listed, leaderless=leaderless, ends=PartitionEnds(2, 5), starting_offsets="latest"
    )
    found.refresh()
    topic = listed["t"]
    if reason == "a conflict":
        leaderless.clear()
        record, failures = found.offsets.record, [LandingConflict("held")]

        def fail_once(rows):
            if failures:
                raise failures.pop()
            record(rows)

        found.offsets.record = fail_once
        with pytest.raises(LandingConflict):
            found.refresh()
    else:
        del listed["t"]
        found.refresh()
        listed["t"] = topic
        leaderless.clear()
    assert found.refresh() and losses == [] and not found.waiting
    assert [row.next_offset for row in found.offsets.read.values()] == [5, 5]


def test_a_topic_that_was_recreated_while_it_waited_begins_with_its_first_message():
    """It is then new. What starting_offsets leaves out was in the old topic."""
    leaderless, listed = {("t", 0)}, {"t": client_module.Topic("t", "a", 1)}
    found, losses = watch(listed, leaderless=leaderless, starting_offsets="latest")
    found.refresh()
    leaderless.clear()
    listed["t"] = client_module.Topic("t", "b", 1)
    assert found.refresh() and losses == []
    assert [row.next_offset for row in found.offsets.read.values()] == [0]


def test_a_partition_without_a_leader_is_logged_once():
    """So is that its topic was recreated, although no offsets of the new topic are known."""
    leaderless = set()
    listed = {"t": client_module.Topic("t", "a", 1)}
    found, _ = watch(listed, leaderless=leaderless, is_continuous=True)
    found.refresh()
    logged, asked, get_ends = [], [], found.client.get_ends
    found.progress.log = lambda event, **facts: logged.append((event, facts.get("note")))

    def get_ends_and_count(partitions):
        asked.append(set(partitions))
        return get_ends(asked[-1])

    found.client.get_ends = get_ends_and_count
    leaderless.add(("t", 0))
    listed["t"] = client_module.Topic("t", "c", 1)
    for _ in range(3):
        found.refresh()
    assert logged == [
        ("topic_recreated", watcher.RECREATED_NOTE),
        ("waiting", f'"{watcher.NO_LEADER}"'),
    ]
    # The first question waits for a leader until its timeout.
    assert asked == [{("t", 0)}, set(), set(), set()]


def test_a_topic_that_waits_is_reported_as_a_whole():
    leaderless = {("t", 1)}
    found, _ = watch({"t": client_module.Topic("t", "a", 2)}, leaderless=leaderless)
    found.refresh()
    key = offsets.PartitionKey("t", 0, 1)
    assert found.describe_leaderless(key) == watcher.NO_LEADER_AT_BEGIN
    leaderless.clear()
    found.refresh()
    leaderless.add(("t", 1))
    found.refresh()
    assert found.leaderless and found.describe_leaderless(key) == watcher.NO_LEADER


def test_a_cluster_that_is_away_is_no_partition_without_a_leader():
    found, _ = watch({"t": client_module.Topic("t", "a", 1)}, leaderless={("t", 0)})
    found.client.find_leaderless = lambda _: set()
    with pytest.raises(JavaError):
        found.refresh()


def landing_that_fails(error, offsets_after=itertools.repeat(0)):
    """Return a landing whose commits fail, what it has logged, and the failures of a commit."""
    key, logged, pauses, failures = offsets.PartitionKey("t", 0, 0), [], [], []
    store = SimpleNamespace(read={key: offsets.OffsetRow(*key, "read", 0, 0, None)})

    def load():
        store.read = {key: replace(store.read[key], next_offset=next(offsets_after))}

    def commit(ranges):
        failures.append(ranges)
        raise error

    store.load = load
    progress = progress_module.KafkaProgress()
    progress.log = lambda event, **facts: logged.append((event, facts))
    stop = SimpleNamespace(check=lambda: None, pause=pauses.append)
    found = TopicWatcher(
        None, store, losses=None, progress=progress, options=KafkaOptions(["t"], lambda _: False)
    )
    found.topics, found.ends = {"t": None}, {key: PartitionEnds(0, 1000)}
    found.refresh = lambda: False
    landing = KafkaLanding(
        client=SimpleNamespace(properties={"ssl.key.password": "secret"}),
        watcher=found,
        planner=CommitPlanner(256_000_000),
        committer=SimpleNamespace(
            commit_readable=commit,
            offsets=store,
            landed=LandedOffsets(None),
            rejected=committer.RejectedPartitions(progress),
        ),
        options=found.options,
        progress=progress,
        shutdown=stop,
        attempts=landing_module.Attempts(progress, stop),
    )
    return landing, logged, pauses, failures


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (LandingConflict("held, secret"), r"held, \[hidden\]"),
        (client_module.TopicsChanged(), "the topics changed while they were read"),
    ],
)
def test_a_commit_that_always_fails_ends_the_landing(error, why):
    """Each attempt is a line of the log, and the pauses grow. Commits get smaller."""
    landing, logged, pauses, failures = landing_that_fails(error)
    count = landing_module.MAX_ATTEMPTS
    with pytest.raises(LandingError, match=f"failed {count} times in a row: {why}. Hint: "):
        landing.run()
    assert len(failures) == count and [event for event, _ in logged] == ["repeated"] * (count - 1)
    assert [facts["attempt"] for _, facts in logged] == [*range(1, count)]
    assert all(re.fullmatch(f'"{why}"', facts["reason"]) for _, facts in logged)
    assert pauses[0] < 1 and 8 >= max(pauses) > 1
    [(_, first)], [(_, last)] = failures[0].values(), failures[-1].values()
    assert 1 <= last < first


def get_cycle(landing, monkeypatch, commit):
    """Return the landing as that of a loop, with a committer whose method commit() is this one."""
    monkeypatch.setattr(committer.Committer, "commit", commit)
    landing.watcher.options = replace(landing.options, is_repeated=True)
    real = committer.Committer(
        reader=None, watcher=landing.watcher, planner=landing.planner,
        offsets=landing.committer.offsets, landed=landing.committer.landed, schemas=None,
        rejected=landing.committer.rejected, progress=landing.progress, shutdown=landing.shutdown,
    )  # fmt: skip
    return replace(landing, committer=real)


def test_a_loop_does_not_search_an_unreadable_message_in_each_cycle(monkeypatch):
    """Each cycle reports it, and the log has it once. It is tried again after an hour."""
    landing, logged, _, _ = landing_that_fails(LandingConflict("unused"))
    unreadable, other = offsets.PartitionKey("t", 0, 0), offsets.PartitionKey("t", 0, 1)
    store, jobs, bad, now = landing.committer.offsets, [], [600], [0.0]
    store.read[other] = offsets.OffsetRow(*other, "read", 0, 0, None)

    def commit(_, ranges):
        jobs.append(ranges)
        first, until = ranges.get(unreadable, (0, 0))
        if any(first <= offset < until for offset in bad):
            raise JavaError(("java.lang.ArithmeticException", "long overflow"))
        for key, (_, end) in ranges.items():
            store.read[key] = replace(store.read[key], next_offset=end)

    monkeypatch.setattr(committer, "time", SimpleNamespace(monotonic=lambda: now[0]))
    cycle = get_cycle(landing, monkeypatch, commit)

    def run_cycle():
        """Return how many jobs a cycle with 10 new messages of the other partition runs."""
        jobs.clear()
        landing.progress.summary = progress_module.KafkaSummary()
        end = store.read[other].next_offset + 10
        landing.watcher.ends = {unreadable: PartitionEnds(0, 1000), other: PartitionEnds(0, end)}
        cycle.run()
        assert store.read[other].next_offset == end
        return len(jobs)

    assert run_cycle() > 9 and store.read[unreadable].next_offset == 600
    for seconds in (0, committer.RETRY_UNREADABLE_SECONDS - 1):
        now[0] = seconds
        assert run_cycle() == 1 and store.read[unreadable].next_offset == 600
        (error,) = landing.progress.summary.errors
        assert error.startswith("topic t, partition 0: Spark cannot read the message at offset 600")
    now[0] += 1
    assert run_cycle() > 9 and len(landing.progress.summary.errors) == 1
    assert [event for event, _ in logged] == ["rejected"]
    bad.clear()  # compaction
    assert run_cycle() == 1 and store.read[unreadable].next_offset == 600
    now[0] += committer.RETRY_UNREADABLE_SECONDS
    assert run_cycle() == 1 and store.read[unreadable].next_offset == 1000
    assert landing.progress.summary.errors == []


def test_a_loop_does_not_try_a_topic_that_may_not_be_read_in_each_cycle(monkeypatch):
    """Each cycle reports it, and the log has it once. It is tried again after 5 minutes."""
    landing, logged, _, _ = landing_that_fails(LandingConflict("unused"))
    store, jobs, denied, now = landing.committer.offsets, [], ["t"], [0.0]
    error = JavaError(("x.TopicAuthorizationException", "Not authorized to access topics: [t]"))
    error.java_exception.unauthorizedTopics = lambda: denied

    def commit(_, ranges):
        jobs.append(ranges)
        if denied:
            raise error
        for key, (_, end) in ranges.items():
            store.read[key] = replace(store.read[key], next_offset=end)

    monkeypatch.setattr(committer, "time", SimpleNamespace(monotonic=lambda: now[0]))
    cycle = get_cycle(landing, monkeypatch, commit)

    def run_cycle(seconds):
        """Return how many jobs a cycle at this time runs, and what it reports."""
        now[0] = seconds
        jobs.clear()
        landing.progress.summary = progress_module.KafkaSummary()
        cycle.run()
        return len(jobs), landing.progress.summary.errors

    report = [f"topic t, partition 0: {committer.UNAUTHORIZED}"]
    retry = committer.RETRY_UNAUTHORIZED_SECONDS
    assert run_cycle(0) == (1, report)
    assert run_cycle(retry - 1) == (0, report)
    assert run_cycle(retry) == (1, report)
    assert [event for event, _ in logged] == ["rejected"]
    denied.clear()
    assert run_cycle(2 * retry) == (1, [])
    assert [row.next_offset for row in store.read.values()] == [1000]


def test_a_continuous_landing_tries_a_topic_that_may_not_be_read_again(monkeypatch):
    """After 5 minutes. The log has it once, and the summary until it has landed."""
    landing, logged, _, _ = landing_that_fails(LandingConflict("unused"))
    store, jobs, denied, now = landing.committer.offsets, [], ["t"], [0.0]
    error = JavaError(("x.TopicAuthorizationException", "Not authorized to access topics: [t]"))
    error.java_exception.unauthorizedTopics = lambda: denied
    summary = landing.progress.summary

    def commit(_, ranges):
        jobs.append((now[0], len(summary.errors)))
        if denied:
            raise error
        for key, (_, end) in ranges.items():
            store.read[key] = replace(store.read[key], next_offset=end)

    def pause(seconds):
        now[0] += seconds
        if now[0] == 650:
            denied.clear()
            assert summary.errors == [f"topic t, partition 0: {committer.UNAUTHORIZED}"]
        if now[0] == 1000:
            raise KeyboardInterrupt

    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr(committer, "time", clock)
    monkeypatch.setattr(landing_module, "time", clock)
    landing.shutdown.pause = pause
    cycle = get_cycle(landing, monkeypatch, commit)
    options = replace(landing.options, is_continuous=True, interval_seconds=50)
    with pytest.raises(KeyboardInterrupt):
        replace(cycle, options=options).run()
    assert committer.RETRY_UNAUTHORIZED_SECONDS == 300
    assert jobs == [(0, 0), (300, 0), (600, 0), (900, 0)] and summary.errors == []
    assert [event for event, _ in logged] == ["rejected"]
    assert [row.next_offset for row in store.read.values()] == [1000]


def test_a_partition_continues_when_kafka_has_deleted_the_unreadable_message():
    """Its next offset is then another one."""
    progress = SimpleNamespace(log=lambda *_, **__: None, summary=progress_module.KafkaSummary())
    rejected, key = committer.RejectedPartitions(progress), offsets.PartitionKey("t", 0, 0)
    rejected.reject_unreadable(key, 600)
    rejected.begin({key: 600})
    assert rejected.keys == {key}
    rejected.begin({key: 700})
    assert rejected.keys == set()
    rejected.reject_unreadable(key, 800)
    rejected.release({key: 800})  # of a continuous landing
    assert rejected.keys == {key} and len(progress.summary.errors) == 3
    rejected.release({key: 900})
    assert rejected.keys == set() and len(progress.summary.errors) == 2


def test_a_continuous_landing_logs_a_misspelled_topic_once():
    """The line appears while it runs, and again if a topic that a name matched is gone."""
    landing, logged, _, _ = landing_that_fails(LandingConflict("unused"))
    landing.watcher.ends = {}
    listed = iter([["t"], ["t"], ["t", "late"], ["t"], ["t"]])

    def refresh():
        names = next(listed, None)
        if names is None:
            raise KeyboardInterrupt
        landing.watcher.topics = dict.fromkeys(names)
        return False

    landing.watcher.refresh = refresh
    options = KafkaOptions(["t", "misspelled", "late*"], lambda _: False, is_continuous=True)
    with pytest.raises(KeyboardInterrupt):
        replace(landing, options=options).run()
    assert logged == [
        ("topic_unmatched", {"note": f'"no topic matches {name}; check --topics"'})
        for name in ("misspelled", "late*", "late*")
    ]


def test_a_slow_refresh_does_not_stop_a_continuous_landing(monkeypatch):
    """A refresh of 15 seconds, as of a partition that lost its leader, and an interval of 10."""
    landing, _, _, _ = landing_that_fails(LandingConflict("unused"))
    now, steps = [0.0], []

    def refresh():
        steps.append("refresh")
        if len(steps) > 8:
            raise KeyboardInterrupt
        now[0] += 15
        return False

    def commit(ranges):
        steps.append("commit")
        now[0] += 10

    landing.watcher.refresh, landing.committer.commit_readable = refresh, commit
    monkeypatch.setattr(landing_module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    options = KafkaOptions(["t"], lambda _: False, is_continuous=True, interval_seconds=10)
    with pytest.raises(KeyboardInterrupt):
        replace(landing, options=options).run()
    assert steps == ["refresh", "commit"] * 4 + ["refresh"]


def test_a_slower_landing_does_not_end():
    """Another landing wins each time, and this one has its offsets. That is progress."""
    landing, logged, _, failures = landing_that_fails(
        LandingConflict("faster"), iter(range(1, 1001))
    )
    landing.run()
    assert len(failures) == 1000 and {facts["attempt"] for _, facts in logged} == {1}


def test_a_bounded_landing_leaves_the_rest_to_the_next_cycle():
    """A small topic does not wait for a large one. A partition without a leader is reported."""
    landing, _, _, _ = landing_that_fails(LandingConflict("unused"))
    large, small, leaderless = (offsets.PartitionKey(topic, 0, 0) for topic in "tuv")
    store = landing.committer.offsets
    for key in (large, small):
        store.read[key] = offsets.OffsetRow(*key, "read", 0, 0, None, average_bytes=1000)
    landing.watcher.ends = {large: PartitionEnds(0, 2990), small: PartitionEnds(0, 10)}
    landing.watcher.leaderless = {leaderless: None}

    def commit(ranges):
        sizes = {key.topic: (until - first, 0) for key, (first, until) in ranges.items()}
        landing.progress.summary.add(ranges, sizes)
        for key, (_, until) in ranges.items():
            store.read[key] = replace(store.read[key], next_offset=until)

    landing.committer.commit_readable = commit
    for last, has_more in [(990, True), (1990, True), (2990, False), (2990, False)]:
        landing.progress.summary = progress_module.KafkaSummary()
        assert landing.run(1000) is has_more
        assert (store.read[large].next_offset, store.read[small].next_offset) == (last, 10)
        assert len(landing.progress.summary.errors) == 1
    store.read[large] = replace(store.read[large], next_offset=0)
    assert landing.run() is False and store.read[large].next_offset == 2990


def test_a_sparse_topic_is_bounded_by_its_messages():
    """A commit still reads a tenth of the bound, or ever smaller ones would look for the last."""
    landing, _, _, _ = landing_that_fails(LandingConflict("unused"))
    key, store, commits = offsets.PartitionKey("t", 0, 0), landing.committer.offsets, []
    store.read[key] = offsets.OffsetRow(*key, "read", 0, 0, None, average_bytes=1)
    landing.watcher.ends = {key: PartitionEnds(0, 10**6)}

    def commit(ranges):
        [(first, until)] = ranges.values()
        commits.append(until - first)
        landing.progress.summary.add(ranges, {"t": ((until - first) // 100, 0)})
        store.read[key] = replace(store.read[key], next_offset=until)

    landing.committer.commit_readable = commit
    assert landing.run(1000) is True
    assert min(commits) == 100 and 1000 <= landing.progress.summary.count_messages() <= 1100
    assert landing.run(10**6) is False and store.read[key].next_offset == 10**6


def test_a_topic_that_a_broker_does_not_know_yet_is_read_later():
    """A broker that has just started may report that a topic does not exist."""
    listed = {"t": client_module.Topic("t", "a", 1)}
    found, _ = watch(listed, is_deleted=True)
    landed = SimpleNamespace(table=SimpleNamespace(snapshot=lambda: 1), find_extremes=lambda *_: {})
    found.losses = LossRecorder(found.offsets, landed, found.progress, stop_on_data_loss=False)
    found.refresh()
    topic = listed.pop("t")
    found.refresh()
    rows = found.offsets.rows.values()
    assert found.lag() == 0 and {(row.outcome, row.next_offset) for row in rows} == {
        ("lost", 5),
        ("read", 0),
    }
    listed["t"] = topic
    found.refresh()
    assert found.lag() == 5


@pytest.mark.parametrize("is_continuous", [True, False])
def test_only_partitions_that_lag_are_looked_up_in_raw(is_continuous):
    """An empty partition begins at 0. Each landing would read all that raw has of the topic."""
    empty, read, lagging = (offsets.PartitionKey("t", 0, number) for number in range(3))
    found, seen = TopicWatcher.__new__(TopicWatcher), []
    found.options = KafkaOptions(["t"], lambda _: False, is_continuous=is_continuous)
    found.ends = dict.fromkeys([read, lagging], PartitionEnds(0, 9)) | {empty: PartitionEnds(0, 0)}
    rows = [(empty, 0), (read, 9), (lagging, 5)]
    found.offsets = SimpleNamespace(
        read={key: offsets.OffsetRow(*key, "read", 0, until, None) for key, until in rows}
    )
    known = LandedOffsets(SimpleNamespace(snapshot=lambda: 1))
    known.find_last_offsets = lambda wanted, _: seen.append(wanted) or {}
    assert not known.has_checked({lagging: (5, 9)})
    known.check(found.get_next_offsets())
    assert seen == [dict(rows) if is_continuous else {lagging: 5}]
    assert known.has_checked({lagging: (5, 9)})
    assert known.has_checked({empty: (0, 1), lagging: (5, 9)}) == is_continuous
    known.invalidate()
    assert not known.has_checked({lagging: (5, 9)})


def read_partition(offset_count, has_message, *, max_bytes=1_000_000, size=1000):
    """Return the offsets and the messages of each commit that the planner makes of a partition."""
    planner, key = CommitPlanner(max_bytes), offsets.PartitionKey("t", 0, 0)
    row = offsets.OffsetRow(*key, "read", 0, 0, None, average_bytes=size)
    commits = []
    while ranges := planner.plan({key: PartitionEnds(0, offset_count)}, {key: row}, set()):
        [(first, until)] = ranges.values()
        messages = sum(map(has_message, range(first, until)))
        commits.append((until - first, messages))
        # Like a commit without files, one without messages reports no topic.
        observed = {"t": progress_module.Size(messages, messages * size)} if messages else {}
        planner.observe(ranges, observed)
        row = replace(row, next_offset=until)
    assert row.next_offset == offset_count
    return commits


def test_a_sparse_topic_lands_in_few_commits():
    """The messages per offset of earlier commits decide how many offsets the next one reads."""
    assert read_partition(10_000, lambda _: True) == [(1000, 1000)] * 10
    half = read_partition(10_000, lambda offset: offset % 2 == 0)
    assert half[:2] == [(1000, 500), (2000, 1000)] and len(half) == 6
    empty = read_partition(100_000, lambda _: False)
    assert [count for count, _ in empty[:4]] == [1000, 4000, 16_000, 16_000] and len(empty) == 8


def test_a_dense_part_after_a_sparse_one_stays_bounded():
    """One commit is larger, and the next ones have their size again."""
    commits = read_partition(200_000, lambda offset: offset >= 100_000)
    largest = max(messages for _, messages in commits)
    assert largest <= 1000 / MIN_DENSITY and commits[-2] == (1000, 1000)
    assert sum(messages > 1000 for _, messages in commits) <= 1


def test_small_topics_do_not_wait_for_all_larger_ones():
    """More topics lag than a commit may have. Each has its turn, and all commits stay large."""
    large, small = MAX_TOPICS_PER_COMMIT + 100, MAX_TOPICS_PER_COMMIT
    planner = CommitPlanner(300_000_000)
    keys = [offsets.PartitionKey(f"t{number}", 0, 0) for number in range(large + small)]
    ends = {key: PartitionEnds(0, 10**6 if at < large else 5) for at, key in enumerate(keys)}
    read = {key: offsets.OffsetRow(*key, "read", 0, 0, None, average_bytes=1000) for key in keys}
    turns = -(-len(keys) // (MAX_TOPICS_PER_COMMIT // 2))
    for _ in range(turns):
        unused = planner.plan(ends, read, set())  # a refresh is due, so that it is planned again
        ranges = planner.plan(ends, read, set())
        planner.begin(ranges)
        assert ranges == unused and len(ranges) == MAX_TOPICS_PER_COMMIT
        size = 1000 * sum(until - first for first, until in ranges.values())
        assert planner.bytes - 1000 * MAX_TOPICS_PER_COMMIT <= size <= planner.bytes
        read |= {key: replace(read[key], next_offset=until) for key, (_, until) in ranges.items()}
    assert all(read[key].next_offset == 5 for key in keys[large:])
    assert all(read[key].next_offset > 0 for key in keys[:large])


def test_all_topics_share_the_offsets_of_a_cycle():
    """What a small one leaves is for the others. Each gets an offset, also if there are more."""
    keys = [offsets.PartitionKey(f"t{number}", 0, 0) for number in range(10)]
    ends = {key: PartitionEnds(0, 10**6 if at else 5) for at, key in enumerate(keys)}
    read = {key: offsets.OffsetRow(*key, "read", 0, 0, None, average_bytes=1000) for key in keys}
    for most, counts in [(905, [5, *[100] * 9]), (3, [1] * 10)]:
        ranges = CommitPlanner(256_000_000).plan(ends, read, set(), most)
        assert [until for _, until in map(ranges.get, keys)] == counts


@pytest.mark.parametrize("has_landed", [False, True])
def test_messages_that_have_landed_before_make_no_topic_sparse(has_landed):
    """A commit leaves them out, so that their number does not describe the topic."""
    key, planner = offsets.PartitionKey("t", 0, 0), CommitPlanner(1_000_000)
    frame = SimpleNamespace(coalesce=lambda _: None, select=lambda *_: frame)
    frame.observe = lambda *_: frame
    done = committer.Committer(
        reader=SimpleNamespace(read=lambda _: frame, parallelism=1),
        watcher=SimpleNamespace(verify_ranges=lambda _: None),
        planner=planner,
        offsets=SimpleNamespace(read={key: offsets.OffsetRow(*key, "read", 0, 0, None)}),
        landed=SimpleNamespace(
            has_checked=lambda _: True,
            overlaps=lambda _: has_landed,
            drop_landed=lambda messages, _: (messages, {}),
            table=SimpleNamespace(stage=lambda _: [], row_count=lambda _: 0),
        ),
        schemas=None,
        rejected=committer.RejectedPartitions(None),
        progress=None,
        shutdown=None,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(committer, "Observation", lambda: None)
        patch.setattr(committer, "size_metrics", lambda _: [])
        patch.setattr(committer.raw, "with_landing", lambda messages, _: messages)
        patch.setattr(committer.Committer, "record_progress", lambda *_: None)
        done.commit({key: (0, 1000)})
    assert planner.densities == ({} if has_landed else {"t": 0.25})


@pytest.mark.parametrize(
    ("landed", "gaps"),
    [
        (None, [(100, 1000)]),
        ((100, 110), [(111, 1000)]),  # a killed landing
        ((500, 600), [(100, 500), (601, 1000)]),  # a file
        ((500, 2000), [(100, 500)]),
        ((100, 2000), []),
        ((1500, 2000), [(100, 1000)]),
    ],
)
def test_lost_offsets_surround_what_has_landed(landed, gaps):
    assert get_gaps(100, 1000, landed) == gaps


@long
@pytest.mark.parametrize("size", [100, 5_000_000])
def test_two_gigabytes_in_two_gigabytes(broker, topic, tmp_path, size):
    """A backlog of 2 GB lands, and all processes of the landing together take less than 2 GB."""
    lake, count = KafkaLake(broker, folder=tmp_path / "lake", schema="raw"), 2_000_000_000 // size
    broker.create(topic, 3)
    for partition in range(3):
        broker.produce(
            topic,
            (random.randbytes(size // 2).hex() for _ in range(count // 3)),
            partition=partition,
        )
    process = lake.start(topic)
    peak, before, began = 0, 0, time.monotonic()
    while process.poll() is None:
        now = resident_bytes(process.pid)
        peak, before = max(peak, min(before, now)), now
        time.sleep(0.1)
    out, err = process.communicate()
    print(
        f"{size} bytes a message: {peak / 1e6:.0f} MB, {time.monotonic() - began:.0f} s, {len(err.splitlines())} commits"
    )
    assert process.returncode == 0 and peak < 2_000_000_000, (peak, err)
    assert [topic, str(count // 3 * 3), str(count // 3 * 3 * size), "0"] == out.splitlines()[
        1
    ].split()[:4]
    assert len(lake.table().rows("offset")) == count // 3 * 3
    broker.delete(topic)


@long
def test_killed_many_times(broker, topic, tmp_path):
    """Landings are killed at random moments while producers write and the broker is restarted; in the end everything is there once."""
    lake, rounds = KafkaLake(broker, folder=tmp_path / "lake", schema="raw"), 12
    names = [broker.create(f"{topic}_{number}", 3) for number in range(3)]
    random.seed(11)
    process = None
    for number in range(rounds):
        for name, partition in itertools.product(names, range(3)):
            broker.produce(
                name, [random.randbytes(200).hex() for _ in range(700)], partition=partition
            )
            broker.transaction(name, ["aborted"] * 3, commit=False, partition=partition)
        process = lake.start(f"{topic}*", "--continuous", "--interval", 0.2, "--max-commit-mb", 1)
        if number == rounds // 2:
            wait_for(lambda: data_files(lake.folder, "raw"), process)
            broker.stop()
            broker.start()
        time.sleep(random.uniform(4, 16))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    process = lake.start(f"{topic}*")
    assert process.communicate(timeout=600) and process.returncode == 0
    assert pyiceberg_values(lake) == {
        (name, partition, offset): value.decode()
        for (name, _, partition, offset), (_, value, _, _) in consume(broker, *names).items()
    }

"""Random histories of tables in three formats: however messages are split, ordered and repeated, the state equals the source.

A history is made by changing tables in memory and writing down what each vendor would send; the tables are the expectation.
Every variant lands the same messages under topics of its own, so that the same few runs read them all:
in order, at once, shuffled, backwards, with some messages delivered again, with all of them delivered again.
"""

import collections
import json
import os
import random

import pytest
from oracle import assert_defined_rows

from conftest import long

SEED = int(os.environ.get("KAFKA_CDC_SEED", "20261121"))
pytestmark = long  # more of the same kind as test_state.py
HISTORIES, STEPS, RUNS = 4, 40, 2
STREAMS = {"debezium": "debezium", "drs": "huawei_drs_json", "dataworks": "alibaba_dataworks"}
VARIANTS = ["in_order", "at_once", "shuffled", "backwards", "some_again", "all_again"]
STATE = ["--select", "+current_state", "--exclude", "staging"]
UNCHANGED = '"__debezium_unavailable_value"'


def text_of(token):
    """Return a JSON scalar as a column's text."""
    return None if token == "null" else json.loads(token) if token.startswith('"') else token


def object_of(row):
    return (
        None
        if row is None
        else "{" + ",".join(f"{json.dumps(column)}:{token}" for column, token in row.items()) + "}"
    )


class Table:
    """A source table: rows of column → JSON token by key."""

    def __init__(self, chance, database, name):
        self.chance, self.database, self.name = chance, database, name
        self.key = chance.choice([["id"], ["id"], ["no", "id"]])
        self.rows, self.known, self.ids = {}, [], 0

    def key_of(self, row):
        return tuple(row[column] for column in self.key)

    def new_key(self):
        """Return a key that no row has, sometimes one of a deleted row."""
        gone = [key for key in self.known if key not in self.rows]
        if gone and self.chance.random() < 0.5:
            return self.chance.choice(gone)
        self.ids += 1
        key = tuple(self.token(str(self.ids), column) for column in self.key)
        self.known.append(key)
        return key

    def token(self, text, column):
        return text if column == "id" else json.dumps(f"n{text}")

    def value(self):
        return self.chance.choice(
            [
                "null",
                '""',
                "1.50",
                "-0.0",
                "1e3",
                "true",
                '"x"',
                '"1.50"',
                '"it\'s"',
                '"库"',
                str(self.chance.randrange(10**6)),
            ]
        )

    def new_row(self, key):
        return {
            **dict(zip(self.key, key)),
            "a": self.value(),
            "b": self.value(),
            "long": self.chance.choice(["null", '"long text"', '"other long text"']),
        }

    def changed(self, row):
        """Return the row with some of its values changed."""
        return (
            row
            | {
                column: self.value()
                for column in self.chance.sample(["a", "b"], self.chance.randint(1, 2))
            }
            | (
                {"long": f'"new long text {self.chance.randrange(100)}"'}
                if self.chance.random() < 0.3
                else {}
            )
        )

    def pick(self):
        return self.chance.choice(sorted(self.rows))

    def put(self, row):
        self.rows[self.key_of(row)] = row


class History:
    """One stream of one vendor's messages: (partition, offset, key, value), and the tables after each of them."""

    def __init__(self, chance, stream, number):
        self.chance, self.stream, self.position = chance, stream, 0
        self.tables = [Table(chance, f"h{number}", name) for name in ("one", "two", "three")]
        self.messages, self.states, self.offsets = [], [], collections.Counter()
        for table in self.tables:
            for _ in range(chance.randrange(4)):
                row = table.new_row(table.new_key())
                self.send(table, "snapshot", [(None, row)])
        for _ in range(STEPS):
            self.step(chance.choice(self.tables))

    def step(self, table):
        chance = self.chance
        does = chance.choice(
            ["insert"] * 3
            + (
                ["update"] * 4
                + ["move"] * 2
                + ["delete"] * 2
                + ["snapshot"] * (self.stream == "debezium")
                if table.rows
                else []
            )
        )
        if chance.random() < 0.03:
            self.send(table, "truncate", [])
        elif does == "insert":
            keys = {table.new_key() for _ in range(self.count())}
            self.send(table, "insert", [(None, table.new_row(key)) for key in sorted(keys)])
        elif does == "snapshot":
            self.send(table, "snapshot", [(None, table.rows[table.pick()])])
        else:
            keys = sorted(
                chance.sample(sorted(table.rows), min(self.count(), len(table.rows))), reverse=True
            )
            olds = [table.rows[key] for key in keys]
            if does == "delete":
                self.send(table, "delete", [(old, None) for old in olds])
            elif does == "update":
                self.send(table, "update", [(old, table.changed(old)) for old in olds])
            elif (
                len(table.key) == 1 and chance.random() < 0.3
            ):  # ids go up by one, the highest first, as MySQL does it
                keys = (
                    sorted(table.rows, key=lambda key: int(key[0]), reverse=True)
                    if self.stream == "drs"
                    else keys[:1]
                )
                if self.stream == "drs" or (str(int(keys[0][0]) + 1),) not in table.rows:
                    table.ids = max(table.ids, int(keys[0][0]) + 1)
                    table.known += [(str(int(key[0]) + 1),) for key in keys]
                    self.send(
                        table,
                        "update",
                        [
                            (table.rows[key], table.rows[key] | {"id": str(int(key[0]) + 1)})
                            for key in keys
                        ],
                    )
            else:
                news = [dict(zip(table.key, key)) for key in {table.new_key() for _ in olds}]
                self.send(
                    table,
                    "update",
                    [(old, table.changed(old) | new) for old, new in zip(olds, news)],
                )

    def count(self):
        """Return how many rows a message of the stream has."""
        return self.chance.choice([1, 1, 2, 3]) if self.stream == "drs" else 1

    def send(self, table, operation, images):
        """Record the messages of one change, and change the table with the last of them."""
        self.position += self.chance.randint(1, 3)
        getattr(self, f"send_{self.stream}")(table, operation, images)

    def write(self, value, key=None, apply=lambda: None):
        apply()
        partition = self.chance.randrange(3)
        self.messages.append(
            {"partition": partition, "offset": self.offsets[partition], "key": key, "value": value}
        )
        self.offsets[partition] += 1
        self.states.append(
            {
                (table.database, table.name, key): row
                for table in self.tables
                for key, row in self.rows_of(table)
            }
        )

    def rows_of(self, table):
        for row in table.rows.values():
            key = json.dumps(
                {column: text_of(row[column]) for column in sorted(table.key)},
                separators=(",", ":"),
            )
            yield key, {column: text_of(token) for column, token in row.items()}

    def send_debezium(self, table, operation, images):
        is_postgresql = table.name != "one"
        if is_postgresql:
            source = {
                "connector": "postgresql",
                "schema": "public",
                "lsn": self.position * 100,
                "sequence": json.dumps([str(self.position * 100 - 50), str(self.position * 100)]),
            }
        else:
            source = {
                "connector": "mysql",
                "file": f"bin.{1 + self.position // 40:06}",
                "pos": self.position % 40,
                "row": 0,
            }
        source = json.dumps(
            {
                "name": "shop",
                "ts_ms": self.position,
                "db": table.database,
                "table": table.name,
                **source,
            }
        )

        def write(op, before, after, apply, key=None):
            body = f'{{"before":{object_of(before) or "null"},"after":{object_of(after) or "null"},"source":{source},"op":"{op}","ts_ms":{self.position}}}'
            row = before or after
            self.write(
                body,
                None if op == "t" else object_of({column: row[column] for column in table.key}),
                apply,
            )

        if operation == "truncate":
            return write("t", None, None, table.rows.clear)
        ((old, new),) = images

        def before(row):
            return (
                {column: token if column in table.key else "null" for column, token in row.items()}
                if is_postgresql
                else row
            )

        if old is None:
            write("r" if operation == "snapshot" else "c", None, new, lambda: table.put(new))
        elif new is not None and table.key_of(old) == table.key_of(new):
            after = (
                new | {"long": UNCHANGED}
                if is_postgresql and old["long"] == new["long"] and self.chance.random() < 0.7
                else new
            )
            write(
                "u",
                self.chance.choice([None, before(old)]) if is_postgresql else old,
                after,
                lambda: table.put(new),
            )
        else:
            write("d", before(old), None, lambda: table.rows.pop(table.key_of(old)))
            self.write(None, object_of({column: old[column] for column in table.key}))
            if new is not None:
                write("c", None, new, lambda: table.put(new))

    def send_drs(self, table, operation, images):
        head = {
            "mysqlType": {"id": "int"},
            "id": self.position,
            "es": self.position * 1000,
            "ts": self.position * 1000,
            "database": table.database,
            "table": table.name,
            "isDdl": operation == "truncate",
            "sql": f"truncate table {table.name}" if operation == "truncate" else "",
            "pkNames": table.key,
            "type": {"snapshot": "INIT", "truncate": "DDL"}.get(operation, operation.upper()),
        }
        as_text = lambda row: {
            column: token if token.startswith('"') or token == "null" else f'"{token}"'
            for column, token in row.items()
        }
        changes = (
            self.chance.random() < 0.5 and operation == "update"
        )  # canal's way: old has the changed columns only
        olds = [
            as_text(
                {
                    column: token
                    for column, token in old.items()
                    if not changes or new[column] != token
                }
            )
            for old, new in images
            if old
        ]
        news = [as_text(new) for _, new in images if new]

        def apply():
            if operation == "truncate":
                table.rows.clear()
            for old, new in images:
                if old:
                    table.rows.pop(table.key_of(old))
                if new:
                    table.put(new)

        arrays = ",".join(
            f'"{name}":' + ("[" + ",".join(map(object_of, rows)) + "]" if rows else "null")
            for name, rows in (("data", news), ("old", olds))
        )
        self.write(f"{json.dumps(head)[:-1]},{arrays}}}", None, apply)

    def send_dataworks(self, table, operation, images):
        is_copy = operation == "snapshot"
        sequence = "-1" if is_copy else f"1620457642589{self.position:06}"

        def write(op, before, after, apply=lambda: None):
            schema = {
                "dataColumn": [{"name": "id", "type": "LONG"}],
                "primaryKey": table.key,
                "source": {"dbType": "MySQL", "dbName": table.database, "tableName": table.name},
            }
            rows = ",".join(
                f'"{name}":' + (f'{{"dataColumn":{object_of(row)}}}' if row else "null")
                for name, row in (("before", before), ("after", after))
            )
            times = {"eventTime": -1 if is_copy else self.position, "systemTime": 1620457896977}
            self.write(
                f'{{"schema":{json.dumps(schema)},"payload":{{{rows},"sequenceId":"{sequence}","op":"{op}","timestamp":{json.dumps(times)},"ddl":null}},"version":"0.0.1"}}',
                None,
                apply,
            )

        if operation == "truncate":
            return write("TRUNCATE", None, None, table.rows.clear)
        ((old, new),) = images

        def apply():
            if old:
                table.rows.pop(table.key_of(old))
            if new:
                table.put(new)

        if operation == "update" and self.chance.random() < 0.6:
            write(self.chance.choice(["UPDATE_BEFOR", "UPDATE_BEFORE"]), old, None)
            write("UPDATE_AFTER", None, new, apply)
        else:
            write(
                {"update": "UPDATE_AFTER"}.get(
                    operation, "INSERT" if is_copy else operation.upper()
                ),
                old,
                new,
                apply,
            )


def delivered(variant, messages, offsets, chance):
    """Return a variant's messages, a list for each run."""
    messages = list(messages)
    if variant.endswith("again"):
        again = [message for message in messages if variant == "all_again" or chance.random() < 0.3]
        if variant == "some_again":
            chance.shuffle(again)
        offsets = offsets.copy()
        for message in again:
            messages.append({**message, "offset": offsets[message["partition"]]})
            offsets[message["partition"]] += 1
    if variant in ("shuffled", "some_again"):
        chance.shuffle(messages)
    if variant == "backwards":
        messages.reverse()
    if variant == "at_once":
        return [[]] * (RUNS - 1) + [messages]
    cuts = [0, *sorted(chance.randrange(len(messages)) for _ in range(RUNS - 1)), len(messages)]
    return [messages[begin:end] for begin, end in zip(cuts, cuts[1:])]


@pytest.fixture(scope="module")
def built(project):
    """Every variant of every history after every run: the expectation, what was landed in order, and current_state by variant."""
    chance = random.Random(SEED)
    histories = [
        History(chance, stream, number) for number in range(HISTORIES) for stream in STREAMS
    ]
    topics = [
        {
            "topic": f"{variant}.{stream}.*",
            "format": STREAMS[stream],
            "source": f"{variant}.{stream}",
        }
        for variant in VARIANTS
        for stream in STREAMS
    ]
    built = project("batching", topics=topics, compaction_threshold=0)
    runs, ends = [[] for _ in range(RUNS)], [0] * len(histories)
    expected = [
        {} for _ in range(RUNS)
    ]  # of the variant in_order after each run; of all variants after the last
    for at, history in enumerate(histories):
        for variant in VARIANTS:
            for run, messages in enumerate(
                delivered(variant, history.messages, history.offsets, chance)
            ):
                runs[run] += [
                    {"topic": f"{variant}.{history.stream}.{at}", **message} for message in messages
                ]
                if variant == "in_order":
                    ends[at] += len(messages)
                    state = history.states[ends[at] - 1] if ends[at] else {}
                    expected[run].update(
                        {(history.stream, *key): row for key, row in state.items()}
                    )
    states = []
    for number, messages in enumerate(runs):
        chance.shuffle(messages)
        half = chance.randrange(len(messages))
        built.land(messages[:half])
        built.land(messages[half:])
        # Some events wait to be merged, and are merged by a later run.
        built.dbt("run", *STATE, compaction_threshold=1000 * (number % 2))
        assert_defined_rows(built, number)
        states.append(state_of(built))
    assert_defined_rows(built)
    built.dbt("run", *STATE, replay="all")
    states.append(state_of(built))
    return expected, states, built


def state_of(built):
    """Return current_state by variant, then by stream, database, table and key."""
    variants = {variant: {} for variant in VARIANTS}
    for row in built.query("select * from {cdc}.current_state"):
        variant, stream = row["source_name"].split(".")
        key = (stream, row["source_database"], row["source_table"], row["row_key"])
        assert key not in variants[variant], "a row twice"
        variants[variant][key] = {
            name: row[name]
            for name in (
                "row_values",
                "incomplete_columns",
                "last_operation",
                "occurred_at",
                "source_sequence",
                "column_types",
            )
        }
    return variants


def differences(found, expected):
    """Return a few rows that are missing, unexpected or different."""
    return {
        key: {"found": found.get(key), "expected": expected.get(key)}
        for key in sorted(found.keys() | expected.keys())
        if found.get(key) != expected.get(key)
    }


def values_of(state):
    return {key: row["row_values"] for key, row in state.items()}


def test_every_message_is_parsed(built):
    rejected = built[2].query(
        "select kafka_topic, kafka_offset, reject_code, reject_detail from {cdc}.events where event_kind = 'rejected'"
    )
    assert rejected[:3] == []


@pytest.mark.parametrize("run", range(RUNS))
def test_the_state_follows_the_source(built, run):
    expected, states, _ = built
    assert len(expected[-1]) > 10 * HISTORIES
    assert differences(values_of(states[run]["in_order"]), expected[run]) == {}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_ends_like_the_source(built, variant):
    expected, states, _ = built
    assert differences(values_of(states[RUNS - 1][variant]), expected[-1]) == {}


@pytest.mark.parametrize("variant", VARIANTS[1:])
def test_every_variant_has_the_same_columns_at_the_end(built, variant):
    _, states, _ = built
    assert differences(states[RUNS - 1][variant], states[RUNS - 1]["in_order"]) == {}


def test_no_row_is_incomplete(built):
    assert {
        key: row
        for key, row in built[1][RUNS - 1]["in_order"].items()
        if row["incomplete_columns"] is not None
    } == {}


def test_a_replay_changes_nothing(built):
    _, states, _ = built
    assert states[RUNS] == states[RUNS - 1]

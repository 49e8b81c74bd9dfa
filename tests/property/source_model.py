"""Source databases in plain Python, and what each vendor's connector sends of their changes.

A Stream changes tables at random and records the messages. An Expectation holds what the state must show. It applies each
change by hand, at its message, with the stream's settings. Nothing here reads the project or its SQL.

Names of databases (schemas, where a vendor sends no database) end in VARIANT, which each variant of a delivery replaces by its own
name: so the tables of all variants lie apart in one project.
"""

import collections
import copy
import json
from datetime import datetime, timedelta, timezone

import mongodb_updates

VARIANT = "@"
BASE = datetime(2026, 1, 1, tzinfo=timezone.utc)
KEY = "id"
COLUMNS = ["a", "b", "long"]


def dump(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Expectation:
    """What current_state and row_history contain for one stream. A table is (database, schema, name), a row column → text."""

    def __init__(self):
        self.rows = collections.defaultdict(dict)  # table → key → row
        self.versions = collections.defaultdict(list)  # (table, key) → [row, valid_from, valid_to]

    def put(self, table, key, row, at):
        self.end(table, key, at)
        self.rows[table][key] = dict(row)
        self.versions[table, key].append([dict(row), at, None])

    def end(self, table, key, at):
        if key in self.rows[table]:
            del self.rows[table][key]
            self.versions[table, key][-1][2] = at

    def clear(self, table, at):
        for key in list(self.rows[table]):
            self.end(table, key, at)

    def rename(self, old, new):
        for key in list(self.rows[old]):
            self.rows[new][key] = self.rows[old].pop(key)
        for table, key in [place for place in self.versions if place[0] == old]:
            self.versions[new, key] = sorted(
                self.versions[new, key] + self.versions.pop((old, key)),
                key=lambda version: version[1],
            )

    def state(self, name_key):
        return {
            (*table, name_key(key)): dict(row)
            for table, rows in self.rows.items()
            for key, row in rows.items()
        }

    def history(self, name_key):
        return {
            (*table, name_key(key)): [
                (row, begin, end, end is None) for row, begin, end in versions
            ]
            for (table, key), versions in self.versions.items()
            if versions
        }


class Stream:
    """The messages of one vendor about a few tables, and the state after each of them. A subclass is a vendor with settings."""

    slug = ""
    partitions = 3
    has_sequence = True
    topic = {}  # more settings of the topic
    table = {}  # the entry of the setting tables, without table and source
    steps = {"insert": 6, "update": 8, "move": 3, "delete": 4, "truncate": 1}
    marks_full_images = True  # whether readers recognize an update with all columns as a full image

    def __init__(self, chance, number, steps):
        self.chance, self.number, self.position, self.ids = chance, number, 0, 0
        self.databases = [f"h{number}_{VARIANT}", f"h{number}_other_{VARIANT}"]
        self.real = {
            self.name_of(self.databases[0], "one"): {},
            self.name_of(self.databases[0], "two"): {},
            self.name_of(self.databases[1], "three"): {},
        }
        self.expected, self.messages, self.states, self.offsets, self.sequence_resets = (
            Expectation(),
            [],
            [],
            collections.Counter(),
            [],
        )
        self.partial_moves = collections.Counter()  # (table, key) → moves since a full image
        self.touched = set()  # since a snapshot began
        for _ in range(steps):
            self.step()

    # What a vendor may say otherwise --------------------------------------------------------------------------------------

    def name_of(self, database, name):
        return (database, "", name)

    def text(self, value):
        """Return a value as the state shows it."""
        return value

    def applies(self, policy):
        """Return whether a statement applies to the rows. By default it does if both share an order, as in all streams here."""
        return self.table.get(policy, "keep" if policy == "on_rename" else "apply") in (
            "apply",
            "apply_by_time",
        )

    def partition(self, key):
        return self.chance.randrange(self.partitions)

    # The source ----------------------------------------------------------------------------------------------------------

    def step(self):
        self.position += self.chance.randint(1, 3)
        table = self.chance.choice(sorted(self.real))
        names = [
            name
            for name in self.steps
            if self.real[table] or name not in ("update", "move", "delete", "shift")
        ]
        getattr(self, "do_" + self.chance.choices(names, [self.steps[name] for name in names])[0])(
            table
        )

    @property
    def at(self):
        return BASE + timedelta(seconds=self.position)

    def value(self):
        return self.chance.choice(
            [None, "", "1.50", "x", "1.50", "it's", "库", str(self.chance.randrange(10**6))]
        )

    def new_row(self, key):
        return {
            KEY: key,
            "a": self.value(),
            "b": self.value(),
            "long": self.chance.choice([None, "long text", "other long text"]),
        }

    def new_key(self, table):
        """Return a key that no row of the table has, often one that a row had before."""
        gone = [
            str(number) for number in range(1, self.ids + 1) if str(number) not in self.real[table]
        ]
        if gone and self.chance.random() < 0.6:
            return self.chance.choice(gone)
        self.ids += 1
        return str(self.ids)

    def changed(self, row):
        columns = self.chance.sample(["a", "b"], self.chance.randint(1, 2)) + ["long"] * (
            self.chance.random() < 0.2
        )
        return row | {
            column: f"new {column} {self.chance.randrange(100)}"
            if self.chance.random() < 0.7
            else self.value()
            for column in columns
        }

    def do_insert(self, table):
        self.change(table, "insert", None, self.new_row(self.new_key(table)))

    def do_update(self, table):
        old = self.real[table][self.chance.choice(sorted(self.real[table]))]
        self.change(table, "update", old, self.changed(old))

    def do_move(self, table):
        old = self.real[table][self.chance.choice(sorted(self.real[table]))]
        if not self.marks_full_images and self.partial_moves[table, old[KEY]] == 2:
            return self.do_update(table)  # a third move would leave the row incomplete
        self.change(
            table,
            "update",
            old,
            (self.changed(old) if self.chance.random() < 0.7 else old) | {KEY: self.new_key(table)},
        )

    def do_delete(self, table):
        self.change(
            table, "delete", self.real[table][self.chance.choice(sorted(self.real[table]))], None
        )

    def do_truncate(self, table):
        self.real[table].clear()
        self.send_truncate(
            table, lambda: self.applies("on_truncate") and self.expected.clear(table, self.at)
        )

    def do_drop(self, table):
        """DROP TABLE, and CREATE TABLE of the same name."""
        self.real[table].clear()
        self.send_ddl(
            table,
            "drop",
            f"DROP TABLE {self.quoted(table)}",
            lambda: self.applies("on_drop") and self.expected.clear(table, self.at),
        )
        self.position += 1
        self.send_ddl(table, "create", f"CREATE TABLE {self.quoted(table)} (id int)")

    def do_drop_database(self, _):
        database = self.databases[1]

        def effect():
            for table in (
                [table for table in self.expected.rows if table[0] == database]
                if self.applies("on_drop")
                else []
            ):
                self.expected.clear(table, self.at)

        for table in self.real:
            if table[0] == database:
                self.real[table].clear()
        self.send_ddl((database, "", ""), "drop_database", f"DROP DATABASE `{database}`", effect)

    def do_rename(self, table):
        """Rename a table, sometimes to a name that it had before."""
        new = self.name_of(table[0], f"{table[2].rstrip('0123456789')}{self.chance.randrange(3)}")
        if new not in self.real:
            self.send_renames(
                [(table, new)], f"ALTER TABLE {self.quoted(table)} RENAME TO {self.quoted(new)}"
            )

    def do_swap(self, table):
        """What gh-ost does: a shadow table, filled, takes the table's place. The shadow of a table "two" is not captured."""
        is_captured = table[2] != "two"
        shadow, old = (self.name_of(table[0], f"_{table[2]}_{end}") for end in ("gho", "del"))
        if not self.real[table]:
            return
        rows = copy.deepcopy(self.real[table])
        if is_captured:
            self.real[shadow] = {}
            for row in rows.values():
                self.position += 1
                self.change(shadow, "insert", None, row)
        self.position += 1
        sql = f"RENAME TABLE {self.quoted(table)} TO {self.quoted(old)}, {self.quoted(shadow)} TO {self.quoted(table)}"
        if is_captured:
            self.send_renames([(table, old), (shadow, table)], sql)
        else:  # no row of the shadow ever came: the table keeps its rows
            self.send_ddl(table, "rename", sql)
        self.position += 1
        self.real.pop(old, None)
        self.send_ddl(
            old,
            "drop",
            f"DROP TABLE {self.quoted(old)}",
            lambda: self.applies("on_drop") and self.expected.clear(old, self.at),
        )

    def do_replace_table(self, table):
        """DROP a table and RENAME another to its name, as older tools do."""
        new = self.name_of(table[0], f"{table[2]}_new")
        if table[2].endswith("_new"):
            return
        self.real[new] = {}
        for _ in range(2):
            self.position += 1
            self.do_insert(new)
        self.position += 1
        self.real[table].clear()
        self.send_ddl(
            table,
            "drop",
            f"DROP TABLE {self.quoted(table)}",
            lambda: self.applies("on_drop") and self.expected.clear(table, self.at),
        )
        self.position += 1
        del self.real[table]
        self.send_renames(
            [(new, table)], f"RENAME TABLE {self.quoted(new)} TO {self.quoted(table)}"
        )

    def send_renames(self, renames, sql):
        def effect():
            for old, new in renames if self.applies("on_rename") else []:
                self.expected.rename(old, new)

        for old, new in renames:
            self.real[new] = self.real.pop(old)
        self.send_ddl(renames[0][0], "rename", sql, effect)

    def do_snapshot(self, table):
        """Copy all rows of a table again. Some rows changed or disappeared in the meantime without a message."""
        is_replaced = self.table.get("on_snapshot") == "replace"
        rows, at, self.touched = self.real[table], self.at, set()
        if is_replaced:
            for key in [key for key in rows if self.chance.random() < 0.3]:
                if self.chance.random() < 0.5:
                    del rows[key]
                else:
                    rows[key] = self.changed(rows[key])
        is_whole = not is_replaced or self.chance.random() < 0.8

        def complete():
            for key in [
                key
                for key in self.expected.rows[table]
                if is_replaced and is_whole and key not in self.touched
            ]:
                self.expected.end(table, key, at)

        if rows:
            self.send_snapshot(table, list(rows.values()), is_whole, complete)

    def quoted(self, table):
        return ".".join(f"`{part}`" for part in table if part)

    # Messages ------------------------------------------------------------------------------------------------------------

    def change(self, table, operation, old, new):
        rows = self.real[table]
        if old is not None:
            del rows[old[KEY]]
        if new is not None:
            rows[new[KEY]] = new
        self.send_rows(table, operation, [(old, new)])

    def effect_of(self, table, images):
        def effect():
            for old, new in images:
                if old is not None and (new is None or old[KEY] != new[KEY]):
                    self.expected.end(table, old[KEY], self.at)
                if new is not None:
                    self.touched.add(new[KEY])
                    self.expected.put(table, new[KEY], self.shown(new), self.at)

        return effect

    def shown(self, row):
        return {self.column(name): self.text(value) for name, value in row.items()}

    def column(self, name):
        return name

    def row_key(self, key):
        return dump({self.column(KEY): self.text(key)})

    def write(self, value, effect=None, key=None, of=None):
        """Record one message, after its effect on the state. `of` decides the partition, if given."""
        if effect:
            effect()
        partition = self.partition(of)
        self.messages.append(
            {
                "partition": partition,
                "offset": self.offsets[partition],
                "key": key,
                "timestamp": self.at,
                "value": value if value is None or isinstance(value, str) else dump(value),
            }
        )
        self.offsets[partition] += 1
        self.states.append(self.expected.state(self.row_key))

    def is_partial(self, table, old, new):
        """Decide whether an update may contain only a part of the row: not after two partial moves."""
        if old[KEY] == new[KEY]:
            return self.chance.random() < 0.7
        moves = self.partial_moves.pop((table, old[KEY]), 0)
        is_partial = moves < 2 and self.chance.random() < 0.7
        self.partial_moves[table, new[KEY]] = (
            moves + 1 if is_partial or not self.marks_full_images else 0
        )
        return is_partial


def differing(old, new):
    return {name for name in new if name == KEY or old[name] != new[name]}


def part(row, names):
    return {name: value for name, value in row.items() if name in names}


class HuaweiDrs(Stream):
    """MySQL through Huawei DRS: a sequence, full images, several rows per message, DDL in the same order."""

    slug = "huawei_drs_json"
    steps = {
        **Stream.steps,
        "shift": 2,
        "many": 2,
        "snapshot": 1,
        "drop": 1,
        "drop_database": 1,
        "rename": 1,
        "swap": 1,
        "replace_table": 1,
    }
    table = {"on_drop": "apply", "on_rename": "apply"}

    def do_shift(self, table):
        """UPDATE … SET id = id + 1, the highest first, in one message."""
        rows = self.real[table]
        olds = [rows[key] for key in sorted(rows, key=int, reverse=True)]
        images = [(old, old | {KEY: str(int(old[KEY]) + 1)}) for old in olds]
        self.ids = max(self.ids, int(olds[0][KEY]) + 1)
        rows.clear()
        rows.update({new[KEY]: new for _, new in images})
        self.send_rows(table, "update", images)

    def do_many(self, table):
        news = []
        for _ in range(self.chance.randint(2, 3)):
            news.append(self.new_row(self.new_key(table)))
            self.real[table][news[-1][KEY]] = news[-1]
        self.send_rows(table, "insert", [(None, new) for new in news])

    def message(self, table, code, data=None, old=None, sql=""):
        return {
            "mysqlType": {KEY: "int"},
            "id": self.position,
            "es": int(self.at.timestamp() * 1000),
            "ts": int(self.at.timestamp() * 1000),
            "database": table[0],
            "table": table[2],
            "type": code,
            "isDdl": code == "DDL",
            "sql": sql,
            "data": data or None,
            "old": old or None,
            "pkNames": [KEY],
        }

    def send_rows(self, table, operation, images):
        changes_only = self.chance.random() < 0.5 and operation == "update"  # canal's way
        olds = [
            part(old, differing(new, old)) if changes_only else old for old, new in images if old
        ]
        self.write(
            self.message(table, operation.upper(), [new for _, new in images if new], olds),
            self.effect_of(table, images),
        )

    def send_truncate(self, table, effect):
        self.write(self.message(table, "DDL", sql=f"truncate table {self.quoted(table)}"), effect)

    def send_ddl(self, table, operation, sql, effect=None):
        self.write(self.message(table, "DDL", sql=sql), effect)

    def send_snapshot(self, table, rows, is_whole, complete):
        images = [(None, row) for row in rows]
        self.write(
            self.message(table, "INIT", rows), lambda: (self.effect_of(table, images)(), complete())
        )


class HuaweiDrsByDefault(HuaweiDrs):
    """The same without settings: TRUNCATE and DROP apply, and rows of a renamed table keep its old name."""

    table = {}
    steps = {**HuaweiDrs.steps, "swap": 0, "replace_table": 0}


class HuaweiDrsKept(HuaweiDrsByDefault):
    """The same with settings by which no statement changes rows."""

    table = {"on_truncate": "keep", "on_drop": "keep", "on_rename": "keep"}


class HuaweiDrsEpochs(HuaweiDrs):
    """A recreated task: the sequence restarts, all rows are copied again, and missing rows are removed (on_snapshot: replace)."""

    table = {"on_snapshot": "replace"}
    steps = {
        **HuaweiDrs.steps,
        "snapshot": 0,
        "swap": 0,
        "replace_table": 0,
        "rename": 0,
        "drop": 0,
        "drop_database": 0,
    }

    def step(self):
        super().step()
        if len(self.messages) > 20 and not self.sequence_resets:
            self.restart()

    @property
    def at(self):
        return BASE + timedelta(seconds=self.position + 1000 * bool(self.sequence_resets))

    def restart(self):
        self.sequence_resets = [
            {"partition": partition, "offset": self.offsets[partition]}
            for partition in range(self.partitions)
        ]
        self.restarted = len(self.messages)
        self.position = 1
        for table, rows in self.real.items():
            if (
                len(rows) > 1
            ):  # a table without rows sends none: the stream does not say that it is empty
                for key in self.chance.sample(sorted(rows), 1):
                    del rows[key]
            if rows:
                begin, self.touched = self.at, set()
                before = list(self.expected.rows[table])
                # Missing rows are known from the first row of the copy on, which begins a configured sequence generation.
                effect = lambda: [
                    self.expected.end(table, key, begin)
                    for key in before
                    if key in self.expected.rows[table]
                ]
                for row in list(rows.values()):
                    self.write(
                        self.message(table, "INIT", [row]),
                        lambda: (effect and effect(), self.effect_of(table, [(None, row)])()),
                    )
                    effect = None
                self.position += 1


class Canal(Stream):
    """MySQL through Canal: no sequence. The offsets of the single partition order rows and DDL."""

    slug = "canal"
    partitions, has_sequence = 1, False
    table = {"on_drop": "apply", "on_rename": "apply"}
    steps = {
        **Stream.steps,
        "drop": 1,
        "drop_database": 1,
        "rename": 1,
        "swap": 1,
        "replace_table": 1,
    }
    codes = {"drop": "ERASE", "create": "CREATE", "rename": "RENAME", "drop_database": "QUERY"}

    def message(self, table, code, data=None, old=None, sql=""):
        milliseconds = int(self.at.timestamp() * 1000)
        return {
            "data": data,
            "database": table[0],
            "es": milliseconds,
            "gtid": "",
            "id": 7,
            "isDdl": data is None,
            "mysqlType": {KEY: "int"},
            "old": old,
            "pkNames": [KEY],
            "sql": sql,
            "sqlType": {KEY: 4},
            "table": table[2],
            "ts": milliseconds,
            "type": code,
        }

    def send_rows(self, table, operation, images):
        ((old, new),) = images
        olds = (
            [part(old, differing(new, old) - ({KEY} if old[KEY] == new[KEY] else set()))]
            if operation == "update"
            else None
        )
        self.write(
            self.message(table, operation.upper(), [new or old], olds),
            self.effect_of(table, images),
            of=(new or old)[KEY],
        )

    def send_truncate(self, table, effect):
        self.write(
            self.message(table, "TRUNCATE", sql=f"truncate table {self.quoted(table)}"), effect
        )

    def send_ddl(self, table, operation, sql, effect=None):
        self.write(self.message(table, self.codes[operation], sql=sql), effect)


class CanalByTimestamp(Canal):
    """The same through several partitions, ordered by Kafka's timestamp."""

    partitions, has_sequence = 3, True  # what came again has its timestamp again
    table = {"on_drop": "apply", "on_rename": "apply", "order_by": "kafka_timestamp"}


class CanalByTime(Canal):
    """The same, with each row in the partition of its key and DDL in the first: TRUNCATE and DROP by the source's clock."""

    partitions = 3
    table = {"on_truncate": "apply_by_time", "on_drop": "apply_by_time"}
    steps = {**Canal.steps, "move": 0, "rename": 0, "swap": 0, "replace_table": 0}

    def partition(self, key):
        return int(key or 0) % self.partitions


class DebeziumMysql(Stream):
    """MySQL through Debezium: d, tombstone and c for a primary-key update. Snapshots with marks replace."""

    slug = "debezium"
    table = {"on_snapshot": "replace"}
    steps = {**Stream.steps, "snapshot": 2}

    def source(self, table):
        return {
            "connector": "mysql",
            "name": "shop",
            "db": table[0],
            "table": table[2],
            "file": f"bin.{1 + self.position // 40:06}",
            "pos": self.position % 40,
            "row": 0,
        }

    def event(self, table, op, before, after, effect, **source):
        milliseconds = int(self.at.timestamp() * 1000)
        value = {
            "before": before,
            "after": after,
            "source": {**self.source(table), "ts_ms": milliseconds, **source},
            "op": op,
            "ts_ms": milliseconds,
        }
        row = before or after
        self.write(value, effect, key=row and dump({KEY: row[KEY]}))

    def before(self, row):
        return row

    def after(self, table, old, new):
        return new

    def send_rows(self, table, operation, images):
        ((old, new),) = images
        after = new and self.after(table, old, new)
        if old and new and old[KEY] == new[KEY]:
            return self.event(table, "u", self.before(old), after, self.effect_of(table, images))
        if old:
            self.event(table, "d", self.before(old), None, self.effect_of(table, [(old, None)]))
            self.write(None, key=dump({KEY: old[KEY]}))
        if new:
            self.event(table, "c", None, after, self.effect_of(table, [(None, new)]))

    def send_truncate(self, table, effect):
        self.event(table, "t", None, None, effect)

    def send_snapshot(self, table, rows, is_whole, complete):
        for at, row in enumerate(rows):
            is_last = at == len(rows) - 1
            mark = (
                "true"
                if is_last and not is_whole
                else "last_in_data_collection"
                if is_last
                else "first_in_data_collection"
                if at == 0
                else "true"
            )
            effect = self.effect_of(table, [(None, row)])
            self.event(
                table,
                "r",
                None,
                row,
                (lambda: (effect(), complete())) if is_last else effect,
                snapshot=mark,
            )


class DebeziumPostgresql(DebeziumMysql):
    """PostgreSQL through Debezium: before contains only the key. Unchanged TOAST columns are missing, also in primary-key updates."""

    table = {}

    def name_of(self, database, name):
        return (database, "public", name)

    def source(self, table):
        lsn = self.position * 100
        return {
            "connector": "postgresql",
            "name": "shop",
            "db": table[0],
            "schema": table[1],
            "table": table[2],
            "lsn": lsn,
            "sequence": dump([str(lsn - 50), str(lsn)]),
        }

    def before(self, row):
        return {name: value if name == KEY else None for name, value in row.items()}

    def after(self, table, old, new):
        if old is None or old["long"] is None or old["long"] != new["long"]:
            return new
        return (
            new | {"long": "__debezium_unavailable_value"}
            if self.is_partial(table, old, new)
            else new
        )


class AlibabaDataworks(Stream):
    """Alibaba DataWorks: updates in one message, or in a before and an after message."""

    slug = "alibaba_dataworks"
    table = {"on_drop": "apply"}
    steps = {**Stream.steps, "drop": 1}

    def event(self, table, op, before=None, after=None, effect=None, sql=None):
        image = lambda row: row and {"dataColumn": row}
        self.write(
            {
                "schema": {
                    "dataColumn": [{"name": KEY, "type": "LONG"}],
                    "primaryKey": [KEY],
                    "source": {"dbType": "MySQL", "dbName": table[0], "tableName": table[2]},
                },
                "payload": {
                    "before": image(before),
                    "after": image(after),
                    "sequenceId": f"1620457642589{self.position:06}",
                    "op": op,
                    "timestamp": {
                        "eventTime": int(self.at.timestamp() * 1000),
                        "systemTime": 1620457896977,
                    },
                    "ddl": sql and {"text": sql},
                },
                "version": "0.0.1",
            },
            effect,
        )

    def send_rows(self, table, operation, images):
        ((old, new),) = images
        effect = self.effect_of(table, images)
        if operation == "update" and self.chance.random() < 0.6:
            self.event(table, "UPDATE_BEFOR", old)
            self.event(table, "UPDATE_AFTER", None, new, effect)
        else:
            self.event(
                table,
                "UPDATE_AFTER" if operation == "update" else operation.upper(),
                old,
                new,
                effect,
            )

    def send_truncate(self, table, effect):
        self.event(table, "TRUNCATE", effect=effect)

    def send_ddl(self, table, operation, sql, effect=None):
        self.event(table, {"drop": "ERASE", "create": "CREATE"}[operation], effect=effect, sql=sql)


class HuaweiDrsOracle(HuaweiDrs):
    """Oracle through Huawei DRS: updates contain the key and what changed, also if the key changes."""

    slug = "huawei_drs_typed_json"
    table = {}
    steps = {**Stream.steps, "snapshot": 1}
    marks_full_images = False

    def name_of(self, database, name):
        return ("", database, name)

    def message(self, table, code, data=None, old=None, sql=""):
        message = super().message(table, code, data, old, sql)
        del message["mysqlType"]
        return {
            **message,
            "columnType": dict.fromkeys([KEY, *COLUMNS], "varchar2"),
            "dbType": "Oracle",
            "schema": table[1],
            "opType": code,
        }

    def send_rows(self, table, operation, images):
        ((old, new),) = images
        after, before = new, old
        if operation == "update":
            if self.is_partial(table, old, new):
                after = part(new, differing(old, new))
            before = part(old, differing(new, old) if self.chance.random() < 0.5 else {KEY})
        self.write(
            self.message(table, operation.upper(), after and [after], before and [before]),
            self.effect_of(table, images),
        )


class GoldenGate(Stream):
    """Oracle GoldenGate, compressed updates."""

    slug = "goldengate"
    topic = {"timezone": "UTC"}
    marks_full_images = False

    def name_of(self, database, name):
        return ("", database, name)

    def event(self, table, op, before, after, effect):
        self.write(
            {
                "table": f"{table[1]}.{table[2]}",
                "op_type": op,
                "op_ts": f"{self.at:%Y-%m-%d %H:%M:%S}.000000",
                "current_ts": f"{self.at:%Y-%m-%dT%H:%M:%S}.000000",
                "pos": f"{1 + self.position // 50:010}{self.position % 50:010}",
                "primary_keys": [KEY],
                "before": before,
                "after": after,
            },
            effect,
        )

    def send_rows(self, table, operation, images):
        ((old, new),) = images
        after = new
        if operation == "update" and self.is_partial(table, old, new):
            after = part(new, differing(old, new))
        before = (
            part(old, differing(new, old))
            if operation == "update" and self.chance.random() < 0.7
            else old
        )
        self.event(table, operation[0].upper(), before, after, self.effect_of(table, images))

    def send_truncate(self, table, effect):
        self.event(table, "T", None, None, effect)


class Maxwell(Stream):
    """MySQL through Maxwell without positions, one partition: the offset orders. A bootstrap replaces."""

    slug = "maxwell"
    partitions, has_sequence = 1, False
    table = {"on_snapshot": "replace", "on_drop": "apply"}
    steps = {**Stream.steps, "truncate": 0, "snapshot": 2, "drop": 1, "drop_database": 1}

    def event(self, table, code, effect=None, at=None, **more):
        seconds = int((at or self.at).timestamp())
        is_ddl = code.startswith(("table-", "database-"))
        row = more.get("data")
        self.write(
            {
                "database": table[0],
                "table": table[2],
                "type": code,
                "ts": seconds * (1000 if is_ddl else 1),
                **more,
            },
            effect,
            key=row and dump({"database": table[0], "table": table[2], "pk.id": row[KEY]}),
        )

    def send_rows(self, table, operation, images):
        ((old, new),) = images
        more = (
            {"old": part(old, differing(new, old) - ({KEY} if old[KEY] == new[KEY] else set()))}
            if operation == "update"
            else {}
        )
        self.event(table, operation, self.effect_of(table, images), data=new or old, **more)

    def send_ddl(self, table, operation, sql, effect=None):
        self.event(
            table,
            {"drop": "table-drop", "create": "table-create", "drop_database": "database-drop"}[
                operation
            ],
            effect,
            sql=sql,
        )

    def send_snapshot(self, table, rows, is_whole, complete):
        self.event(table, "bootstrap-start", data={})
        for row in rows:
            self.event(table, "bootstrap-insert", self.effect_of(table, [(None, row)]), data=row)
        if is_whole:
            self.event(table, "bootstrap-complete", complete, data={})


class MongodbChangeStream(Stream):
    """MongoDB change streams: updates contain what they set and unset."""

    slug = "mongodb_change_stream"
    documents = ["document", "other"]
    table = {"on_drop": "apply", "on_rename": "apply"}
    steps = {"insert": 6, "update": 24, "delete": 3, "drop": 1, "rename": 1}

    def column(self, name):
        return "_id" if name == KEY else name

    def text(self, value):
        return None if value is None else dump(value)

    def step(self):
        for _ in range(3):
            super().step()

    def new_row(self, key):
        documents = {name: mongodb_updates.new_document(self.chance) for name in self.documents}
        return super().new_row(key) | documents

    def changed(self, row):
        """Change columns, each document by an operator, and remove a field. Keep how a server describes the operators."""
        new, self.described = super().changed(row), {}
        for name in self.documents:
            if self.chance.random() < 0.6:
                new, self.described[name] = mongodb_updates.update(self.chance, new, name)
        unset = self.chance.choice(list(new)) if self.chance.random() < 0.3 else KEY
        return {name: value for name, value in new.items() if name == KEY or name != unset}

    def description(self, old, new):
        """Return the updateDescription of the last change."""
        plain = [
            {name: value for name, value in row.items() if name not in self.described}
            for row in (old, new)
        ]
        parts = [mongodb_updates.describe(*plain)]
        for name, described in self.described.items():
            if name in new:
                parts.append(described)
            elif name in old:
                parts.append(mongodb_updates.describe({name: old[name]}, {}))
        return mongodb_updates.message_of(parts)

    def event(self, table, code, effect=None, **more):
        self.write(
            {
                "_id": {"_data": "82"},
                "operationType": code,
                "clusterTime": {"$timestamp": {"t": int(self.at.timestamp()), "i": 1}},
                "ns": {"db": table[0], "coll": table[2]},
                "wallTime": {"$date": int(self.at.timestamp() * 1000)},
                **more,
            },
            effect,
        )

    def document(self, row):
        return {self.column(name): value for name, value in row.items()}

    def send_rows(self, table, operation, images):
        ((old, new),) = images
        more = {"documentKey": {"_id": (new or old)[KEY]}}
        if operation == "update" and self.chance.random() < 0.8:
            more["updateDescription"] = self.description(old, new)
            if self.chance.random() < 0.2:
                more["fullDocumentBeforeChange"] = self.document(old)
        elif operation != "delete":
            more["fullDocument"] = self.document(new)
            operation = "replace" if operation == "update" else operation
        self.event(table, operation, self.effect_of(table, images), **more)

    def send_renames(self, renames, sql):
        super().send_renames(renames, renames[0][1])

    def send_ddl(self, table, operation, sql, effect=None):
        if operation == "rename":
            return self.event(table, "rename", effect, to={"db": sql[0], "coll": sql[2]})
        self.event(table, operation, effect)


STREAMS = {
    "drs": HuaweiDrs,
    "drs_default": HuaweiDrsByDefault,
    "drs_kept": HuaweiDrsKept,
    "drs_epochs": HuaweiDrsEpochs,
    "canal": Canal,
    "canal_timestamp": CanalByTimestamp,
    "canal_by_time": CanalByTime,
    "debezium_mysql": DebeziumMysql,
    "debezium_postgresql": DebeziumPostgresql,
    "dataworks": AlibabaDataworks,
    "drs_oracle": HuaweiDrsOracle,
    "goldengate": GoldenGate,
    "maxwell": Maxwell,
    "mongodb": MongodbChangeStream,
}

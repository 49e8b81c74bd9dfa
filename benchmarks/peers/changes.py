"""Generate the change stream of one table, and the rows that it leaves.

Keys and operations are random and the same in each run. Half of the changes are inserts, four of ten
are updates, and one of ten is a delete. A key stays in one partition, as with Kafka's own partitioner.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

DATABASE, TABLE, PARTITIONS = "shop", "orders", 4
TYPES = {
    "id": "bigint",
    "customer": "varchar(64)",
    "email": "varchar(64)",
    "status": "varchar(16)",
    "quantity": "int",
    "amount": "decimal(38,10)",
    "weight": "double",
    "note": "varchar(255)",
    "carrier": "varchar(32)",
    "version": "bigint",
}  # of MySQL; `version` is the number of the change that wrote the row
START = 1_700_000_000_000  # milliseconds
Row = dict[str, object]


@dataclass(frozen=True)
class Message:
    """A Kafka message. `value` is None in a tombstone."""

    partition: int
    key: str
    value: str | None


def as_texts(row: Row) -> dict[str, str | None]:
    """Return the row with text values, as Canal sends it."""
    return {name: None if value is None else str(value) for name, value in row.items()}


def canal(number: int, operation: str, before: Row, after: Row) -> Iterator[str]:
    """Yield the Canal message of a change."""
    row = before if operation == "DELETE" else after
    changed = {name: value for name, value in before.items() if value != after.get(name)}
    yield json.dumps({
        "data": [as_texts(row)], "database": DATABASE, "es": START + number, "gtid": "", "id": number + 1, "isDdl": False, "mysqlType": TYPES,
        "old": [as_texts(changed)] if operation == "UPDATE" else None, "pkNames": ["id"], "sql": "", "sqlType": dict.fromkeys(TYPES, 12),
        "table": TABLE, "ts": START + number, "type": operation,
    })  # fmt: skip


def debezium(number: int, operation: str, before: Row, after: Row) -> Iterator[str | None]:
    """Yield the Debezium message of a change without the schema envelope, and a delete's tombstone."""
    source = {"version": "3.5.0.Final", "connector": "mysql", "name": "shop", "ts_ms": START + number, "snapshot": "false", "db": DATABASE,
              "sequence": None, "table": TABLE, "server_id": 1, "gtid": None, "file": "mysql-bin.000003", "pos": 400 * (number + 1), "row": 0, "thread": 7, "query": None}  # fmt: skip
    yield json.dumps({
        "before": None if operation == "INSERT" else before, "after": None if operation == "DELETE" else after, "source": source,
        "op": {"INSERT": "c", "UPDATE": "u", "DELETE": "d"}[operation], "ts_ms": START + number + 1, "transaction": None,
    })  # fmt: skip
    if operation == "DELETE":
        yield None


FORMATS = {"canal": canal, "debezium": debezium}


@dataclass
class Changes:
    """A table that changes. `rows` are its rows after the changes so far."""

    format_: str
    chance: random.Random = field(default_factory=lambda: random.Random(28))
    rows: dict[int, Row] = field(default_factory=dict)
    keys: list[int] = field(default_factory=list)
    number: int = 0
    last_id: int = 0

    def next(self, count: int) -> Iterator[Message]:
        """Yield the messages of `count` more changes."""
        for _ in range(count):
            operation, before, after = self._change()
            key = after.get("id", before.get("id"))
            for value in FORMATS[self.format_](self.number, operation, before, after):
                yield Message(int(key) % PARTITIONS, json.dumps({"id": key}), value)
            self.number += 1

    def _change(self) -> tuple[str, Row, Row]:
        """Change a row and return the operation, and the row before and after it."""
        kind = self.chance.random()
        if kind < 0.5 or len(self.keys) < 2:
            self.last_id += 1
            self.keys.append(self.last_id)
            self.rows[self.last_id] = after = self._row(self.last_id)
            return "INSERT", {}, after
        at = self.chance.randrange(len(self.keys))
        key = self.keys[at]
        before = self.rows[key]
        if kind < 0.9:
            new = self._row(key)
            changed = {name: new[name] for name in ("status", "amount", "weight", "version")}
            self.rows[key] = after = before | changed
            return "UPDATE", before, after
        self.keys[at] = self.keys[-1]
        self.keys.pop()
        return "DELETE", self.rows.pop(key), {}

    def _row(self, key: int) -> Row:
        """Return a new row. The decimal is a text, as Debezium sends it with `decimal.handling.mode=string`."""
        digits = self.chance.randrange(10**9)
        return {
            "id": key,
            "customer": f"First Last {digits}",
            "email": f"first.last{digits}@example.com",
            "status": ("new", "paid", "sent", "returned")[digits % 4],
            "quantity": digits % 100,
            "amount": f"{digits // 10000}.{digits % 10000:04d}",
            "weight": digits % 100_000 / 100,
            "note": f"text {digits} of some length, as people write it",
            "carrier": "carrier-" + str(digits % 12),
            "version": self.number,
        }

    def expected(self) -> tuple[int, int]:
        """Return the number of rows and the sum of their versions, which a finished table has."""
        return len(self.rows), sum(int(str(row["version"])) for row in self.rows.values())

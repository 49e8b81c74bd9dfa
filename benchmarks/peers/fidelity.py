"""Cases that a pipeline may get wrong, and the rows that must come out.

Each case has keys of its own. All go through one partition, in this order, after the other changes. The expected rows are
computed from the positions in the source, not from the offsets in Kafka.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from .changes import FORMATS, Row

DIGITS = "1234567890123456789012345678.0123456789"  # as many as decimal(38,10) holds
BARE = re.compile(r'("amount": )"([^"]*)"')
FIRST = 1_000_000_000  # keys and positions from here on belong to cases
AFTER_CASES = FIRST + 100  # the first position of the batches, after CASES and LAST
AFTER_BATCHES = FIRST  # what the later cases add to their positions, which must not fall


@dataclass(frozen=True)
class Step:
    """A change at a position of the source. Steps are sent in their order, which may be another one."""

    position: int
    operation: str
    before: Row
    after: Row


@dataclass(frozen=True)
class Case:
    """A name, the steps, and raw texts that are sent before them.

    If `is_bare`, amounts are JSON numbers, as some connectors send decimals. Canal's are always texts.
    """

    name: str
    steps: list[Step]
    raw: list[str] = field(default_factory=list)
    is_bare: bool = False

    def keys(self) -> set[int]:
        """Return the keys of the case."""
        return {int(str(row["id"])) for step in self.steps for row in (step.before, step.after) if row}  # fmt: skip

    def expected(self) -> dict[int, Row]:
        """Return the rows after the steps in the order of the source."""
        rows: dict[int, Row] = {}
        for step in sorted(self.steps, key=lambda step: step.position):
            if step.before:
                rows.pop(int(str(step.before["id"])), None)
            if step.after:
                rows[int(str(step.after["id"]))] = step.after
        return rows


def row(key: int, **more: object) -> Row:
    """Return a row."""
    base: Row = {
        "id": FIRST + key, "customer": "Ada", "email": "ada@example.com", "status": "new", "quantity": 1, "amount": "10.5000000000",
        "weight": 0.5, "note": "a note", "carrier": "carrier-1", "version": key,
    }  # fmt: skip
    return base | more


def insert(position: int, key: int, **more: object) -> Step:
    """Return an insert."""
    return Step(FIRST + position, "INSERT", {}, row(key, **more))


def update(position: int, before: Row, **more: object) -> Step:
    """Return an update of a row."""
    return Step(FIRST + position, "UPDATE", before, before | more)


def delete(position: int, before: Row) -> Step:
    """Return a delete of a row."""
    return Step(FIRST + position, "DELETE", before, {})


CASES = [
    Case("38 digits in a decimal", [insert(10, 100, amount=DIGITS)]),
    Case("38 digits, negative, after an update", [insert(11, 110), update(12, row(110), amount=f"-{DIGITS}")]),
    Case("the largest 64-bit integer", [insert(13, 120, version=9_223_372_036_854_775_807)]),
    Case("a text with quotes, line breaks and an emoji", [insert(14, 130, note='"a"\n\\ \u00fc \U0001f600')]),
    Case("a text that looks like null, and an empty one", [insert(15, 140, note="null", customer="")]),
    Case("an update to null", [insert(16, 150), update(17, row(150), note=None, weight=None)]),
    Case("38 digits in a bare JSON number", [insert(18, 160, amount=DIGITS)], is_bare=True),
    Case("a delete", [insert(20, 200), delete(21, row(200))]),
    Case("a delete, then the key again", [insert(22, 210), delete(23, row(210)), insert(24, 210, status="back")]),
    Case("a primary-key update", [insert(30, 300), update(31, row(300), id=FIRST + 301, status="moved")]),
    Case("an insert that is sent again after an update", [insert(43, 410), update(44, row(410), status="newer"), insert(43, 410)]),
    Case("an insert that is sent again after the delete", [insert(45, 420), delete(46, row(420)), insert(45, 420)]),
]  # fmt: skip
LAST = Case("the last row", [insert(50, 500)])  # sent after all cases
BAD = [
    Case("a text that is no JSON", [insert(AFTER_BATCHES + 60, 600)], ["this is no JSON"]),
    Case("JSON that is cut off", [insert(AFTER_BATCHES + 61, 610)], ['{"data": [{"id": "1"']),
    Case(
        "JSON without the fields of the format",
        [insert(AFTER_BATCHES + 62, 620)],
        ['{"hello": "world"}'],
    ),
]

# Sent after all others: kafka_cdc holds the table, because a position that falls may be that of a
# new log.
LATE = Case(
    "a late update, after a newer one",
    [
        insert(AFTER_BATCHES + 70, 400),
        update(AFTER_BATCHES + 72, row(400), status="newer"),
        update(AFTER_BATCHES + 71, row(400), status="older"),
    ],
)
AFTER_LATE = Case("the row after it", [insert(AFTER_BATCHES + 73, 700)])


def messages_of(format_: str, case: Case) -> Iterator[tuple[str, str | None]]:
    """Yield the key and value of each message."""
    for text in case.raw:
        yield json.dumps({"id": min(case.keys())}), text
    for step in case.steps:
        for image in images_of(format_, step):
            key = image.after.get("id", image.before.get("id"))
            for value in FORMATS[format_](image.position, image.operation, image.before, image.after):  # fmt: skip
                is_bare = case.is_bare and format_ == "debezium" and value
                yield json.dumps({"id": key}), BARE.sub(r"\1\2", value) if is_bare else value


def images_of(format_: str, step: Step) -> Iterator[Step]:
    """Yield the changes that a connector sends. Debezium sends a primary-key update as two."""
    has_new_key = step.operation == "UPDATE" and step.before["id"] != step.after["id"]
    if format_ == "debezium" and has_new_key:
        yield Step(step.position, "DELETE", step.before, {})
        yield Step(step.position, "INSERT", {}, step.after)
    else:
        yield step


def is_equal(expected: object, found: object) -> bool:
    """Return whether a value is right. Numbers may be texts, if they have the exact value."""
    if expected is None or found is None:
        return expected is found
    if isinstance(expected, int | float) or str(expected).strip("-").replace(".", "", 1).isdigit():
        try:
            return Decimal(str(expected)) == Decimal(str(found))
        except InvalidOperation:
            return False
    return str(expected) == str(found)


def fault_of(case: Case, table: Mapping[int, Mapping[str, object]]) -> str | None:
    """Return what is wrong with the rows of a case in a table, or None."""
    expected = case.expected()
    for key in sorted(case.keys()):
        if key not in expected and key in table:
            return f"row {key} is still there"
        if key in expected and key not in table:
            return f"row {key} is missing"
        for name, value in expected.get(key, {}).items():
            if not is_equal(value, table[key].get(name)):
                return f"{name} is {table[key].get(name)!r}, not {value!r}"
    return None

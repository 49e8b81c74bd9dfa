"""Messages of Canal and Maxwell, beside those of benchmarks/messages.py: the same rows in these envelopes. To be deleted, with shared.py, once that module has both."""

import json
import random
from collections.abc import Callable, Iterator

from .. import messages

Row = dict[str, object]


def rows(number: int, has_decimals: bool, chance: random.Random, columns: int) -> tuple[Row, Row]:
    """Return a row of so many columns before and after an update of one of them; with a price if it `has_decimals`."""
    row: Row = {"id": number % 20_000}
    row |= {f"column_{at}": f"text {chance.randrange(10**9)} of some length" for at in range(columns - 1)}
    if has_decimals:
        row["price"] = chance.randrange(10**6) / 100
    return row, row | {"column_3": "changed"}


def changed(before: Row, after: Row) -> Row:
    """Return what the row before said in the columns that changed."""
    return {name: value for name, value in before.items() if value != after[name]}


def canal(number: int, before: Row, after: Row) -> str:
    """Return a flat message of Canal: all values are texts, `old` holds what changed."""
    types = dict.fromkeys(after, "varchar(255)") | {"id": "int(11)"} | ({"price": "decimal(10,2)"} if "price" in after else {})
    data, old = ({name: str(value) for name, value in row.items()} for row in (after, changed(before, after)))
    return json.dumps({
        "data": [data], "database": "shop", "es": 1624614713000, "gtid": "", "id": number, "isDdl": False, "mysqlType": types, "old": [old],
        "pkNames": ["id"], "sql": "", "sqlType": dict.fromkeys(types, 12), "table": "orders", "ts": 1624614713990, "type": "UPDATE",
    })


def maxwell(number: int, before: Row, after: Row) -> str:
    """Return a message of Maxwell's daemon: numbers are JSON numbers, `old` holds what changed."""
    return json.dumps({
        "database": "shop", "table": "orders", "type": "update", "ts": 1624614713, "xid": number, "commit": True,
        "position": f"master.000006:{number}", "server_id": 23042, "thread_id": 108, "primary_key_columns": ["id"],
        "data": after, "old": changed(before, after),
    })


FORMATS: dict[str, Callable[[int, Row, Row], str]] = {"canal": canal, "maxwell": maxwell}


def lines(format_: str, count: int, decimal_share: float, first: int = 0, columns: int = 10) -> Iterator[tuple[str, str]]:
    """Yield `count` messages of a format as (key, value), the same ones each time."""
    if format_ in messages.FORMATS:
        yield from messages.lines(format_, count, decimal_share, first)
        return
    chance = random.Random(f"{format_} {first}")
    for number in range(first, first + count):
        before, after = rows(number, chance.random() < decimal_share, chance, columns)
        yield json.dumps({"id": after["id"]}), FORMATS[format_](number, before, after)

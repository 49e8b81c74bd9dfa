"""Messages of three vendors as a busy table sends them: updates of rows of `width` columns, a share of them with decimals."""

import json
import random
from collections.abc import Callable, Iterator

COLUMNS = 10


def rows(number: int, has_decimals: bool, chance: random.Random) -> tuple[dict[str, object], dict[str, object]]:
    """Return a row before and after an update."""
    row: dict[str, object] = {"id": number % 20_000}
    row |= {f"column_{at}": f"text {chance.randrange(10**9)} of some length" for at in range(COLUMNS - 1)}
    if has_decimals:
        row["price"] = chance.randrange(10**6) / 100
    return row, row | {"column_3": "changed"}


def huawei_drs_json(number: int, before: dict[str, object], after: dict[str, object]) -> str:
    """Return a DRS message: all values are texts."""
    images = [{name: str(value) for name, value in row.items()} for row in (before, after)]
    types = {name: "varchar" for name in before} | {"id": "int"}
    return json.dumps({
        "mysqlType": types, "id": number, "es": 1624614713000, "ts": 1625058726990, "database": "shop", "table": "orders",
        "type": "UPDATE", "isDdl": False, "sql": "", "sqlType": dict.fromkeys(types, 12), "data": images[1:], "old": images[:1],
        "pkNames": ["id"],
    })


def alibaba_dataworks(number: int, before: dict[str, object], after: dict[str, object]) -> str:
    """Return a DataWorks message."""
    source = {"dbType": "MySQL", "dbName": "shop", "tableName": "orders"}
    return json.dumps({
        "schema": {"dataColumn": [{"name": name, "type": "STRING"} for name in before], "primaryKey": ["id"], "source": source},
        "payload": {"before": {"dataColumn": before}, "after": {"dataColumn": after}, "sequenceId": f"1620457642589{number:06d}",
                    "timestamp": {"eventTime": 1620457896000, "systemTime": 1620457896977, "checkpointTime": 1620457896000},
                    "op": "UPDATE_AFTER", "ddl": None},
        "version": "0.0.1",
    })


def debezium(number: int, before: dict[str, object], after: dict[str, object]) -> str:
    """Return a Debezium message of MySQL without the schema envelope."""
    source = {"version": "3.4.0.Final", "connector": "mysql", "name": "shop", "ts_ms": 1465581029000, "snapshot": "false", "db": "shop",
              "table": "orders", "server_id": 1, "gtid": None, "file": "mysql-bin.000003", "pos": number, "row": 0, "thread": 7}
    return json.dumps({"before": before, "after": after, "source": source, "op": "u", "ts_ms": 1465581029523, "transaction": None})


FORMATS: dict[str, Callable[[int, dict[str, object], dict[str, object]], str]] = {
    "huawei_drs_json": huawei_drs_json, "alibaba_dataworks": alibaba_dataworks, "debezium": debezium,
}


def lines(format_: str, count: int, decimal_share: float, first: int = 0) -> Iterator[tuple[str, str]]:
    """Yield `count` messages of a format as (key, value), the same ones each time."""
    chance = random.Random(f"{format_} {first}")
    for number in range(first, first + count):
        before, after = rows(number, chance.random() < decimal_share, chance)
        yield json.dumps({"id": after["id"]}), FORMATS[format_](number, before, after)

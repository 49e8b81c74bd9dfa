"""Generate update messages of five vendors.

A share of the rows has decimals. If a format allows it, one message in a hundred has many rows.
"""

import json
import random
from collections.abc import Callable, Iterator

COLUMNS = 10
ROWS = 10  # in a message with many rows
Row = dict[str, object]
Images = list[tuple[Row, Row]]


def rows(number: int, has_decimals: bool, columns: int, chance: random.Random) -> tuple[Row, Row]:
    """Return a row before and after an update. With decimals, every fifth column is a fraction.

    Two of five columns are texts with dots, as many real columns are: an address, and a decimal.
    """
    row: Row = {"id": number}
    for at in range(columns - 1):
        digits = chance.randrange(10**9)
        if at % 5 == 4 and has_decimals:
            row[f"column_{at}"] = digits // 1000 / 100
        elif at % 5 == 1:
            row[f"column_{at}"] = f"first.last{digits}@example.com"
        elif at % 5 == 2:
            row[f"column_{at}"] = f"{digits // 1000 / 100:.2f}"
        else:
            row[f"column_{at}"] = f"text {digits} of some length"
    return row, row | {"column_3": "changed"}


def as_texts(row: Row) -> dict[str, str]:
    """Return the row with text values."""
    return {name: str(value) for name, value in row.items()}


def mysql_types(row: Row) -> dict[str, str]:
    """Return the MySQL types of a row's columns."""
    return {
        name: {int: "int(11)", float: "decimal(12,2)"}.get(type(value), "varchar(64)")
        for name, value in row.items()
    }


def huawei_drs_json(number: int, images: Images) -> str:
    """Return a DRS message. All values are texts."""
    types = mysql_types(images[0][1])
    return json.dumps({
        "mysqlType": types, "id": number, "es": 1624614713000, "ts": 1625058726990, "database": "shop", "table": "orders",
        "type": "UPDATE", "isDdl": False, "sql": "", "sqlType": dict.fromkeys(types, 12), "data": [as_texts(after) for _, after in images],
        "old": [as_texts(before) for before, _ in images], "pkNames": ["id"],
    })  # fmt: skip


def canal(number: int, images: Images) -> str:
    """Return a Canal message. All values are texts, and `old` contains only what changed."""
    types = mysql_types(images[0][1])
    return json.dumps({
        "data": [as_texts(after) for _, after in images], "database": "shop", "es": 1624614713000, "gtid": f"7e1f:{number}", "id": number, "isDdl": False,
        "mysqlType": types, "old": [{"column_3": before["column_3"]} for before, _ in images], "pkNames": ["id"], "sql": "",
        "sqlType": dict.fromkeys(types, 12), "table": "orders", "ts": 1625058726990, "type": "UPDATE",
    })  # fmt: skip


def alibaba_dataworks(number: int, images: Images) -> str:
    """Return a DataWorks message."""
    ((before, after),) = images
    source = {"dbType": "MySQL", "dbName": "shop", "tableName": "orders"}
    return json.dumps({
        "schema": {"dataColumn": [{"name": name, "type": "STRING"} for name in before], "primaryKey": ["id"], "source": source},
        "payload": {"before": {"dataColumn": before}, "after": {"dataColumn": after}, "sequenceId": f"1620457642589{number:06d}",
                    "timestamp": {"eventTime": 1620457896000, "systemTime": 1620457896977, "checkpointTime": 1620457896000},
                    "op": "UPDATE_AFTER", "ddl": None},
        "version": "0.0.1",
    })  # fmt: skip


def debezium(number: int, images: Images) -> str:
    """Return a Debezium message of MySQL without the schema envelope."""
    ((before, after),) = images
    source = {"version": "3.4.0.Final", "connector": "mysql", "name": "shop", "ts_ms": 1465581029000, "snapshot": "false", "db": "shop",
              "table": "orders", "server_id": 1, "gtid": None, "file": "mysql-bin.000003", "pos": number, "row": 0, "thread": 7}  # fmt: skip
    return json.dumps(
        {
            "before": before,
            "after": after,
            "source": source,
            "op": "u",
            "ts_ms": 1465581029523,
            "transaction": None,
        }
    )


def maxwell(number: int, images: Images) -> str:
    """Return a Maxwell message with its position. `old` contains only what changed."""
    ((before, after),) = images
    return json.dumps({
        "database": "shop", "table": "orders", "type": "update", "ts": 1624614713, "xid": number, "commit": True, "position": f"mysql-bin.000003:{number}",
        "primary_key_columns": ["id"], "data": after, "old": {"column_3": before["column_3"]},
    })  # fmt: skip


FORMATS: dict[str, Callable[[int, Images], str]] = {
    "huawei_drs_json": huawei_drs_json, "alibaba_dataworks": alibaba_dataworks, "debezium": debezium, "canal": canal, "maxwell": maxwell,
}  # fmt: skip
MULTI_ROW_FORMATS = {"huawei_drs_json", "canal"}


def lines(
    format_: str, count: int, decimal_share: float, first: int = 0, columns: int = COLUMNS
) -> Iterator[tuple[str, str]]:
    """Yield `count` messages of a format as (key, value). They are the same in each run."""
    chance = random.Random(f"{format_} {first} {columns}")
    for number in range(first, first + count):
        has_decimals = chance.random() < decimal_share
        many = ROWS if format_ in MULTI_ROW_FORMATS and number % 100 == 99 else 1
        images = [
            rows(number % 20_000 + at * 20_000, has_decimals, columns, chance) for at in range(many)
        ]
        yield json.dumps({"id": images[0][1]["id"]}), FORMATS[format_](number, images)

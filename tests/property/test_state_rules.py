"""The rules of the state, one by one: a few messages, and the rows and versions that must result.

An example is a function that returns its messages, the live rows, and the versions if the rule is about them. Its decorator names
the format and the settings. All examples are built at once, each under its own topic and source. Numbers are seconds: a message
at 3 happened in second 3 and has position 3 in a vendor's sequence. Its offset is its index in the list, unless it sets another one.
"""

import contextlib
import io
import itertools
import json
import os
from datetime import datetime, timezone

import pytest

# Commands on a row and the names of its table: all of them, or one of each.
COMMANDS = [*itertools.product(("explain_row", "erase_row"), ("t", "archive"))]
if "KAFKA_CDC_LONG" not in os.environ:
    COMMANDS = [("explain_row", "archive"), ("erase_row", "t")]
EXAMPLES = {}
TYPES = {"id": "int", "a": "varchar", "b": "varchar"}


def example(slug, table=None, sequence_resets=(), topic=None):
    """Register an example of a format with its entries of the settings tables, sequence_resets and topics."""

    def register(function):
        EXAMPLES[function.__name__] = (
            function,
            slug,
            table or {},
            list(sequence_resets),
            topic or {},
        )
        return function

    return register


def row(key, **values):
    return {"id": str(key), **values}


def message(value, key=None, **more):
    return {
        "value": value if value is None else json.dumps(value),
        "key": key and json.dumps(key),
        **more,
    }


def drs(at, code, data=None, old=None, table="t", sql="", **more):
    """Huawei DRS of MySQL."""
    return message(
        {
            "mysqlType": {"id": "int"},
            "id": at,
            "es": at * 1000,
            "ts": at * 1000,
            "database": "d",
            "table": table,
            "type": code,
            "isDdl": code == "DDL",
            "sql": sql,
            "data": data,
            "old": old,
            "pkNames": ["id"],
        },
        **more,
    )


def oracle(at, code, data=None, old=None, **more):
    """Huawei DRS of Oracle: an update contains only what changed."""
    return message(
        {
            "columnType": TYPES,
            "dbType": "Oracle",
            "schema": "s",
            "opType": code,
            "id": at,
            "es": at * 1000,
            "ts": at * 1000,
            "database": "",
            "table": "t",
            "type": code,
            "isDdl": False,
            "sql": "",
            "data": data,
            "old": old,
            "pkNames": ["id"],
        },
        **more,
    )


def canal(at, code, data=None, old=None, sql="", table="t", database="d", **more):
    return message(
        {
            "data": data,
            "database": database,
            "es": at * 1000,
            "gtid": "",
            "id": 7,
            "isDdl": data is None,
            "mysqlType": {"id": "int"},
            "old": old,
            "pkNames": ["id"],
            "sql": sql,
            "sqlType": {"id": 4},
            "table": table,
            "ts": at * 1000,
            "type": code,
        },
        **more,
    )


def ckafka(at, code, new=None, old=None):
    """Tencent CKafka: rows have a position in the binlog, statements have none."""
    written = f"197001010800{at:02}"
    return message(
        {
            "BINLOG_NAME": "mysql-bin.000001",
            "BINLOG_POS": at,
            "DATABASE": "d",
            "TABLE": "t",
            "TIME": written,
            "TYPE": code,
            "NEW_VALUES": new,
            "OLD_VALUES": old,
        }
    )


def ckafka_ddl(at, code, sql, table="t"):
    return message(
        {
            "data": None,
            "database": "d",
            "es": at * 1000,
            "id": 0,
            "isDdl": True,
            "mysqlType": None,
            "old": None,
            "pkNames": None,
            "sql": sql,
            "sqlType": None,
            "table": table,
            "ts": at * 1000,
            "type": code,
        }
    )


def debezium(
    at, op, before=None, after=None, connector="mysql", snapshot="false", partition=0, **more
):
    position = (
        {"file": "bin.000001", "pos": at}
        if connector == "mysql"
        else {"lsn": at, "sequence": json.dumps([str(at), str(at)])}
    )
    source = {
        "connector": connector,
        "name": "shop",
        "db": "d",
        "schema": "public",
        "table": "t",
        "ts_ms": at * 1000,
        "snapshot": snapshot,
        **position,
    }
    image = before or after
    return message(
        {"before": before, "after": after, "source": source, "op": op, "ts_ms": at * 1000},
        image and {"id": image["id"]},
        partition=partition,
        **more,
    )


def postgresql(*arguments, **more):
    return debezium(*arguments, connector="postgresql", **more)


def old_canal(identity, at, code, data=None, sql=""):
    """Canal before 1.1.7, without gtid: `auto` takes its rows for another format's."""
    return message(
        {
            "data": data,
            "database": "d",
            "es": at * 1000,
            "id": identity,
            "isDdl": data is None,
            "mysqlType": data and {"id": "int"},
            "old": None,
            "pkNames": data and ["id"],
            "sql": sql,
            "sqlType": data and {"id": 4},
            "table": "t",
            "ts": at * 1000,
            "type": code,
        }
    )


def dataworks(at, code, before=None, after=None):
    """Alibaba DataWorks."""
    return message(
        {
            "schema": {
                "dataColumn": [{"name": "id", "type": "LONG"}, {"name": "a", "type": "STRING"}],
                "primaryKey": ["id"],
                "source": {"dbType": "MySQL", "dbName": "d", "tableName": "t"},
            },
            "payload": {
                "before": before and {"dataColumn": before},
                "after": after and {"dataColumn": after},
                "sequenceId": f"1620457642589{at:06}",
                "op": code,
                "ddl": None,
                "timestamp": {
                    "eventTime": at * 1000,
                    "systemTime": at * 1000,
                    "checkpointTime": at * 1000,
                },
            },
            "version": "0.0.1",
        }
    )


def unwrapped(file, position, key, text, **more):
    """Debezium's rows after ExtractNewRecordState, with their position in the binlog."""
    return message(
        {
            "id": key,
            "a": text,
            "__op": "c",
            "__table": "t",
            "__db": "d",
            "__file": f"bin.{file:06}",
            "__pos": position,
        },
        {"id": key},
        **more,
    )


def at_second(second):
    return datetime.fromtimestamp(second, timezone.utc)


def goldengate(at, op, before=None, after=None):
    return message(
        {
            "table": "s.t",
            "op_type": op,
            "op_ts": f"1970-01-01 00:00:{at:02}.000000",
            "pos": f"{1:010}{at:010}",
            "primary_keys": ["id"],
            "before": before,
            "after": after,
        }
    )


def mongodb(at, code, document=None, collection="t", **more):
    return message(
        {
            "_id": {"_data": "82"},
            "operationType": code,
            "clusterTime": {"$timestamp": {"t": at, "i": 1}},
            "ns": {"db": "d", "coll": collection},
            **(
                {"documentKey": {"_id": document["_id"]}, "fullDocument": document}
                if document
                else {}
            ),
            **more,
        }
    )


def maxwell(at, code, data=None, **more):
    return message(
        {"database": "d", "table": "t", "type": code, "ts": at, "data": data or {}, **more},
        {"database": "d", "table": "t", "pk.id": (data or {}).get("id", "")},
    )


UNCHANGED = "__debezium_unavailable_value"


def debezium_mongodb(at, op, before=None, after=None, **more):
    """Debezium of MongoDB, with the document before the change."""
    source = {
        "connector": "mongodb",
        "name": "shop",
        "db": "d",
        "collection": "t",
        "ts_ms": at * 1000,
        "ord": 1,
    }
    documents = {"before": before and json.dumps(before), "after": after and json.dumps(after)}
    return message(
        {**documents, "source": source, "op": op, "ts_ms": at * 1000, **more}, {"id": "1"}
    )


# Moves with partial images ---------------------------------------------------------------------------------------------------


@example("huawei_drs_typed_json")
def late_events_of_the_old_key_reach_the_moved_row():
    return (
        [
            oracle(5, "UPDATE", [row(2, a="new")], [row(1)]),
            oracle(3, "UPDATE", [row(1, b="changed")], [row(1)]),
            oracle(1, "INSERT", [row(1, a="first", b="first")]),
        ],
        {("t", "2"): row(2, a="new", b="changed")},
        {
            ("t", "1"): [
                (row(1, a="first", b="first"), 1, 3),
                (row(1, a="first", b="changed"), 3, 5),
            ],
            ("t", "2"): [(row(2, a="new", b="changed"), 5, None)],
        },
    )


@example("huawei_drs_typed_json")
def two_partial_moves_in_a_chain():
    return (
        [
            oracle(1, "INSERT", [row(1, a="first", b="first")]),
            oracle(2, "UPDATE", [row(2)], [row(1)]),
            oracle(3, "UPDATE", [row(3, b="last")], [row(2)]),
        ],
        {("t", "3"): row(3, a="first", b="last")},
        {
            ("t", "1"): [(row(1, a="first", b="first"), 1, 2)],
            ("t", "2"): [(row(2, a="first", b="first"), 2, 3)],
            ("t", "3"): [(row(3, a="first", b="last"), 3, None)],
        },
    )


@example("huawei_drs_typed_json")
def three_partial_moves_in_a_chain():
    """Three moves without a full image in between: the row is complete, or missing columns are marked."""
    return (
        [
            oracle(1, "INSERT", [row(1, a="first", b="first")]),
            *(oracle(at, "UPDATE", [row(at)], [row(at - 1)]) for at in (2, 3, 4)),
        ],
        {("t", "4"): row(4, a="first", b="first")},
        None,
    )


@example("huawei_drs_typed_json")
def a_row_moves_away_and_back():
    return (
        [
            oracle(1, "INSERT", [row(1, a="first", b="first")]),
            oracle(2, "UPDATE", [row(2, a="moved")], [row(1)]),
            oracle(3, "UPDATE", [row(1)], [row(2)]),
        ],
        {("t", "1"): row(1, a="moved", b="first")},
        {
            ("t", "1"): [
                (row(1, a="first", b="first"), 1, 2),
                (row(1, a="moved", b="first"), 3, None),
            ],
            ("t", "2"): [(row(2, a="moved", b="first"), 2, 3)],
        },
    )


@example("huawei_drs_typed_json")
def a_partial_move_that_comes_again():
    move = oracle(2, "UPDATE", [row(2, a="moved")], [row(1)])
    return (
        [oracle(1, "INSERT", [row(1, a="first", b="first")]), move, move],
        {("t", "2"): row(2, a="moved", b="first")},
        {
            ("t", "1"): [(row(1, a="first", b="first"), 1, 2)],
            ("t", "2"): [(row(2, a="moved", b="first"), 2, None)],
        },
    )


@example("huawei_drs_typed_json")
def a_chain_of_partial_moves_that_comes_again():
    moves = [oracle(2, "UPDATE", [row(2)], [row(1)]), oracle(3, "UPDATE", [row(3)], [row(2)])]
    return (
        [oracle(1, "INSERT", [row(1, a="first", b="first")]), *moves, *moves],
        {("t", "3"): row(3, a="first", b="first")},
        None,
    )


@example("huawei_drs_typed_json")
def a_new_row_under_the_old_key_does_not_reach_the_moved_row():
    return (
        [
            oracle(1, "INSERT", [row(1, a="first", b="first")]),
            oracle(2, "UPDATE", [row(2)], [row(1)]),
            oracle(3, "INSERT", [row(1, a="other", b="other")]),
            oracle(4, "UPDATE", [row(1, a="newer")], [row(1)]),
        ],
        {("t", "1"): row(1, a="newer", b="other"), ("t", "2"): row(2, a="first", b="first")},
        None,
    )


@example("huawei_drs_typed_json")
def a_moved_row_shows_nothing_of_an_older_row_of_its_key():
    """The moved row was never seen before, so b is unknown."""
    return (
        [
            oracle(1, "INSERT", [row(2, a="older", b="older")]),
            oracle(2, "DELETE", None, [row(2)]),
            oracle(3, "UPDATE", [row(2, a="moved")], [row(1)]),
        ],
        {("t", "2"): row(2, a="moved")},
        {("t", "2"): [(row(2, a="older", b="older"), 1, 2), (row(2, a="moved"), 3, None)]},
    )


@example("debezium")
def a_key_update_with_an_unchanged_toast_column():
    return (
        [
            postgresql(10, "c", None, row(1, a="first", long="long text")),
            postgresql(20, "d", row(1, a=None, long=None)),
            message(None, {"id": "1"}),
            postgresql(20, "c", None, row(2, a="new", long=UNCHANGED)),
        ],
        {("t", "2"): row(2, a="new", long="long text")},
        {
            ("t", "1"): [(row(1, a="first", long="long text"), 10, 20)],
            ("t", "2"): [(row(2, a="new", long="long text"), 20, None)],
        },
    )


@example("debezium")
def a_key_update_with_an_unchanged_toast_column_comes_again():
    pair = [
        postgresql(20, "d", row(1, a=None, long=None)),
        message(None, {"id": "1"}),
        postgresql(20, "c", None, row(2, a="new", long=UNCHANGED)),
    ]
    return (
        [postgresql(10, "c", None, row(1, a="first", long="long text")), *pair, *pair],
        {("t", "2"): row(2, a="new", long="long text")},
        None,
    )


# What empties tables ---------------------------------------------------------------------------------------------------------


@example("goldengate", topic={"timezone": "UTC"})
def a_truncate_between_partial_updates():
    """Row 1 is inserted again after it. Of row 2 only later columns are known."""
    return (
        [
            goldengate(1, "I", None, row(1, a="first", b="first")),
            goldengate(2, "I", None, row(2, a="first", b="first")),
            goldengate(3, "U", row(1, a="first"), row(1, a="second")),
            goldengate(4, "T"),
            goldengate(5, "I", None, row(1, a="third", b=None)),
            goldengate(6, "U", row(1, b=None), row(1, b="fourth")),
            goldengate(7, "U", row(2), row(2, a="late")),
        ],
        {("t", "1"): row(1, a="third", b="fourth"), ("t", "2"): row(2, a="late")},
        {
            ("t", "1"): [
                (row(1, a="first", b="first"), 1, 3),
                (row(1, a="second", b="first"), 3, 4),
                (row(1, a="third", b=None), 5, 6),
                (row(1, a="third", b="fourth"), 6, None),
            ],
            ("t", "2"): [(row(2, a="first", b="first"), 2, 4), (row(2, a="late"), 7, None)],
        },
    )


@example("huawei_drs_typed_json", {"on_truncate": "apply"})
def a_partial_move_after_a_truncate_brings_nothing_back():
    return (
        [
            oracle(1, "INSERT", [row(1, a="first", b="first")]),
            message(
                {
                    **json.loads(oracle(2, "DDL")["value"]),
                    "isDdl": True,
                    "sql": "truncate table s.t",
                }
            ),
            oracle(3, "UPDATE", [row(2, a="new")], [row(1)]),
        ],
        {("t", "2"): row(2, a="new")},
        None,
    )


@example("huawei_drs_json", {"on_drop": "apply"})
def drop_and_create_start_an_empty_table():
    return (
        [
            drs(1, "INSERT", [row(1, a="old"), row(2, a="old")]),
            drs(2, "DDL", sql="DROP TABLE `d`.`t`"),
            drs(3, "DDL", sql="CREATE TABLE `d`.`t` (id int)"),
            drs(4, "INSERT", [row(1, b="new")]),
        ],
        {("t", "1"): row(1, b="new")},
        {
            ("t", "1"): [(row(1, a="old"), 1, 2), (row(1, b="new"), 4, None)],
            ("t", "2"): [(row(2, a="old"), 1, 2)],
        },
    )


@example("huawei_drs_json")
def drop_applies_by_default_where_it_shares_the_order_of_the_rows():
    """Apply if the statement and the rows share an order, else error."""
    return (
        [drs(1, "INSERT", [row(1, a="old")]), drs(2, "DDL", sql="DROP TABLE t")],
        {},
        {("t", "1"): [(row(1, a="old"), 1, 2)]},
    )


@example("huawei_drs_json", {"on_drop": "keep", "on_truncate": "keep"})
def drop_and_truncate_keep_the_rows_if_set_to():
    return (
        [
            drs(1, "INSERT", [row(1, a="old")]),
            drs(2, "DDL", sql="DROP TABLE t"),
            drs(3, "DDL", sql="TRUNCATE TABLE t"),
        ],
        {("t", "1"): row(1, a="old")},
        {("t", "1"): [(row(1, a="old"), 1, None)]},
    )


@example("huawei_drs_json", {"on_drop": "apply"})
def drop_database_empties_each_of_its_tables():
    return (
        [
            drs(1, "INSERT", [row(1)]),
            drs(2, "INSERT", [row(1)], table="u"),
            drs(3, "DDL", sql="DROP DATABASE d", table=""),
            drs(4, "INSERT", [row(2)], table="u"),
        ],
        {("u", "2"): row(2)},
        {
            ("t", "1"): [(row(1), 1, 3)],
            ("u", "1"): [(row(1), 2, 3)],
            ("u", "2"): [(row(2), 4, None)],
        },
    )


@example("huawei_drs_json")
def create_or_replace_drops_the_rows_before_it():
    """The statement arrives last. The row of the new table has a later position."""
    return (
        [
            drs(1, "INSERT", [row(1, a="old")]),
            drs(4, "INSERT", [row(2, a="new")]),
            drs(3, "DDL", sql="CREATE OR REPLACE TABLE t (id int)"),
        ],
        {("t", "2"): row(2, a="new")},
        {
            ("t", "1"): [(row(1, a="old"), 1, 3)],
            ("t", "2"): [(row(2, a="new"), 4, None)],
        },
    )


@example("huawei_drs_json")
def drops_of_what_is_no_table_drop_nothing():
    statements = [
        "DROP EVENT IF EXISTS e",
        "/* why */ DROP VIEW t",
        "DROP PROCEDURE t",
        "DROP TEMPORARY TABLE t",
        "DROP /*!40005 TEMPORARY */ TABLE t",
        "CREATE OR REPLACE TEMPORARY TABLE t (id int)",
    ]
    return (
        [
            drs(1, "INSERT", [row(1)]),
            *(drs(at, "DDL", sql=sql, table="") for at, sql in enumerate(statements, 2)),
        ],
        {("t", "1"): row(1)},
        {("t", "1"): [(row(1), 1, None)]},
    )


@example("canal", {"on_truncate": "apply_by_time"})
def truncate_by_the_clock_of_the_source():
    """The TRUNCATE is in another partition than the rows. Its time decides."""
    return (
        [
            canal(1, "INSERT", [row(1)], partition=1, offset=100),
            canal(3, "INSERT", [row(2)], partition=2, offset=0),
            canal(2, "TRUNCATE", sql="truncate table d.t", partition=0, offset=50),
        ],
        {("t", "2"): row(2)},
        {("t", "1"): [(row(1), 1, 2)], ("t", "2"): [(row(2), 3, None)]},
    )


# Renames ---------------------------------------------------------------------------------------------------------------------

APPLIED = {"on_rename": "apply", "on_drop": "apply"}


@example("huawei_drs_json", APPLIED)
def double_rename_with_a_captured_shadow_table():
    return (
        [
            drs(1, "INSERT", [row(1, a="old")]),
            drs(2, "INSERT", [row(1, a="copied")], table="_t_gho"),
            drs(3, "DDL", sql="RENAME TABLE d.t TO d._t_del, d._t_gho TO d.t"),
            drs(4, "INSERT", [row(2, a="new")]),
            drs(5, "DDL", sql="DROP TABLE d._t_del", table="_t_del"),
        ],
        {("t", "1"): row(1, a="copied"), ("t", "2"): row(2, a="new")},
        {
            ("_t_del", "1"): [(row(1, a="old"), 1, 5)],
            ("t", "1"): [(row(1, a="copied"), 2, None)],
            ("t", "2"): [(row(2, a="new"), 4, None)],
        },
    )


@example("huawei_drs_json", APPLIED)
def double_rename_with_a_shadow_table_that_is_not_captured():
    return (
        [
            drs(1, "INSERT", [row(1, a="old")]),
            drs(3, "DDL", sql="RENAME TABLE d.t TO d._t_del, d._t_gho TO d.t"),
            drs(4, "INSERT", [row(2, a="new")]),
            drs(5, "DDL", sql="DROP TABLE d._t_del", table="_t_del"),
        ],
        {("t", "1"): row(1, a="old"), ("t", "2"): row(2, a="new")},
        {("t", "1"): [(row(1, a="old"), 1, None)], ("t", "2"): [(row(2, a="new"), 4, None)]},
    )


@example("huawei_drs_json", APPLIED)
def truncate_under_a_new_name_that_no_row_had_yet():
    return (
        [
            drs(1, "INSERT", [row(1)]),
            drs(2, "DDL", sql="RENAME TABLE d.t TO d.u"),
            drs(3, "DDL", sql="TRUNCATE TABLE d.u", table="u"),
        ],
        {},
        {("u", "1"): [(row(1), 1, 3)]},
    )


@example("huawei_drs_json", APPLIED)
def drop_under_a_new_name_that_no_row_had_yet():
    return (
        [
            drs(1, "INSERT", [row(1)]),
            drs(2, "DDL", sql="RENAME TABLE d.t TO d.u"),
            drs(3, "DDL", sql="DROP TABLE d.u", table="u"),
        ],
        {},
        {("u", "1"): [(row(1), 1, 3)]},
    )


@example("huawei_drs_json", APPLIED)
def a_table_that_takes_a_dropped_tables_name_keeps_its_rows():
    return (
        [
            drs(1, "INSERT", [row(1, a="old")]),
            drs(2, "INSERT", [row(1, a="new")], table="t_new"),
            drs(3, "DDL", sql="DROP TABLE d.t"),
            drs(4, "DDL", sql="RENAME TABLE d.t_new TO d.t"),
        ],
        {("t", "1"): row(1, a="new")},
        None,
    )


@example("huawei_drs_json", APPLIED)
def a_name_that_is_used_again_after_its_table_was_renamed():
    return (
        [
            drs(1, "INSERT", [row(1, a="old")]),
            drs(2, "DDL", sql="RENAME TABLE d.t TO d.archive"),
            drs(3, "INSERT", [row(1, a="new")]),
            drs(4, "DELETE", None, [row(1, a="new")]),
        ],
        {("archive", "1"): row(1, a="old")},
        {("archive", "1"): [(row(1, a="old"), 1, None)], ("t", "1"): [(row(1, a="new"), 3, 4)]},
    )


@example("huawei_drs_json")
def rename_keeps_the_names_by_default():
    return (
        [
            drs(1, "INSERT", [row(1)]),
            drs(2, "DDL", sql="RENAME TABLE d.t TO d.u"),
            drs(3, "INSERT", [row(2)], table="u"),
        ],
        {("t", "1"): row(1), ("u", "2"): row(2)},
        None,
    )


@example("canal", APPLIED)
def a_rename_through_the_one_partition_of_its_rows():
    return (
        [
            canal(1, "INSERT", [row(1, a="old")]),
            canal(2, "RENAME", sql="RENAME TABLE d.t TO d.u", table="u"),
            canal(3, "UPDATE", [row(1, a="new")], [{"a": "old"}], table="u"),
            canal(4, "INSERT", [row(2)]),
        ],
        {("t", "2"): row(2), ("u", "1"): row(1, a="new")},
        None,
    )


@example("canal", APPLIED)
def a_rename_through_another_partition_than_its_rows():
    """The source renamed before it wrote t/2: offsets of two partitions do not show it."""
    return (
        [
            canal(1, "INSERT", [row(1)], partition=1, offset=10),
            canal(2, "RENAME", sql="RENAME TABLE d.t TO d.u", table="u", partition=0, offset=30),
            canal(3, "INSERT", [row(2)], partition=1, offset=11),
        ],
        {("t", "1"): row(1), ("t", "2"): row(2)},
        None,
    )


@example("canal", APPLIED)
def a_rename_to_a_name_of_another_partition():
    """The rows of the two names are in two partitions. The change of row 1 under u must not lose against t by its offset."""
    return (
        [
            canal(1, "INSERT", [row(1, a="old")], offset=70),
            canal(2, "RENAME", sql="RENAME TABLE d.t TO d.u", table="u", offset=71),
            canal(3, "UPDATE", [row(1, a="new")], [{"a": "old"}], table="u", partition=1, offset=5),
        ],
        {("t", "1"): row(1, a="old"), ("u", "1"): row(1, a="new")},
        None,
    )


@example("tencent_ckafka", APPLIED, topic={"key": ["id"]})
def a_rename_without_the_sequence_of_its_rows():
    return (
        [
            ckafka(1, "I", row(1)),
            ckafka_ddl(2, "RENAME", "RENAME TABLE d.t TO d.u", "u"),
            ckafka(3, "I", row(2)),
        ],
        {("t", "1"): row(1), ("t", "2"): row(2)},
        None,
    )


@example("tencent_ckafka", {**APPLIED, "order_by": "offset"}, topic={"key": ["id"]})
def a_rename_by_the_offset_of_one_partition():
    return (
        [
            ckafka(1, "I", row(1)),
            ckafka_ddl(2, "RENAME", "RENAME TABLE d.t TO d.u", "u"),
            ckafka(3, "I", row(2)),
        ],
        {("u", "1"): row(1), ("t", "2"): row(2)},
        None,
    )


@example("mongodb_change_stream", {"on_rename": "apply"})
def a_rename_over_a_collection_drops_what_it_held():
    """Row 1 is the renamed collection's, row 2 was the other's alone."""
    over = {
        "to": {"db": "d", "coll": "u"},
        "operationDescription": {"dropTarget": {"$uuid": "ca5e1029-09d2-443c-a4f1-cd5b61bd6f43"}},
    }
    return (
        [
            mongodb(1, "insert", {"_id": 1, "a": 1}),
            mongodb(1, "insert", {"_id": 1, "a": 9}, "u"),
            mongodb(1, "insert", {"_id": 2}, "u"),
            mongodb(2, "rename", **over),
            mongodb(3, "insert", {"_id": 3}, "u"),
        ],
        {("u", "1"): {"_id": "1", "a": "1"}, ("u", "3"): {"_id": "3"}},
        None,
    )


@example("canal", {"on_rename": "apply", "on_truncate": "apply"})
def a_truncate_of_several_tables_empties_each():
    return (
        [
            canal(1, "INSERT", [row(1)]),
            canal(2, "INSERT", [row(1)], table="u"),
            canal(3, "INSERT", [row(1)], table="v"),
            canal(4, "TRUNCATE", sql="TRUNCATE TABLE t, d.u"),
            canal(5, "INSERT", [row(2)], table="u"),
        ],
        {("u", "2"): row(2), ("v", "1"): row(1)},
        {
            ("t", "1"): [(row(1), 1, 4)],
            ("u", "1"): [(row(1), 2, 4)],
            ("u", "2"): [(row(2), 5, None)],
            ("v", "1"): [(row(1), 3, None)],
        },
    )


@example("canal", {"on_rename": "apply"})
def a_truncate_through_another_partition_under_a_name_that_no_row_had_yet():
    """The rows stay, and a check names the setting."""
    return (
        [
            canal(1, "INSERT", [row(1)]),
            canal(2, "RENAME", sql="RENAME TABLE d.t TO d.u", table="u"),
            canal(3, "TRUNCATE", sql="TRUNCATE TABLE d.u", table="u", partition=1, offset=9),
        ],
        {("u", "1"): row(1)},
        None,
    )


# Columns that go -------------------------------------------------------------------------------------------------------------


@example("debezium_mongodb")
def a_removed_column_does_not_come_back_with_the_before_image():
    document = {"_id": 1, "a": "x", "phone": "5"}
    update = {"updatedFields": '{"a":"y"}', "removedFields": ["phone"], "truncatedArrays": []}
    return (
        [
            debezium_mongodb(1, "c", None, document),
            debezium_mongodb(2, "u", document, updateDescription=update),
        ],
        {("t", "1"): {"_id": "1", "a": '"y"'}},
        None,
    )


# Snapshots -------------------------------------------------------------------------------------------------------------------

REPLACED = {"on_snapshot": "replace"}


def copied(at, rows, marks, offsets=None, partitions=None):
    """Rows of one snapshot of Debezium, each with its mark."""
    places = (
        [
            {"partition": partition, "offset": offset}
            for partition, offset in zip(partitions or [0] * len(rows), offsets)
        ]
        if offsets
        else [{}] * len(rows)
    )
    return [
        debezium(at, "r", None, one, snapshot=mark, **place)
        for one, mark, place in zip(rows, marks, places)
    ]


FIRST, MIDDLE, LAST = "first_in_data_collection", "true", "last_in_data_collection"


@example("debezium", REPLACED)
def a_whole_snapshot_replaces():
    return (
        [
            *copied(1, [row(1, a="1"), row(2, a="1"), row(3, a="1")], [FIRST, MIDDLE, LAST]),
            debezium(2, "c", None, row(4, a="2")),
            *copied(3, [row(1, a="3"), row(4, a="2")], [FIRST, LAST]),
            debezium(4, "c", None, row(5, a="4")),
        ],
        {("t", "1"): row(1, a="3"), ("t", "4"): row(4, a="2"), ("t", "5"): row(5, a="4")},
        {
            ("t", "1"): [(row(1, a="1"), 1, 3), (row(1, a="3"), 3, None)],
            ("t", "2"): [(row(2, a="1"), 1, 3)],
            ("t", "3"): [(row(3, a="1"), 1, 3)],
            ("t", "4"): [(row(4, a="2"), 2, 3), (row(4, a="2"), 3, None)],
            ("t", "5"): [(row(5, a="4"), 4, None)],
        },
    )


@example("debezium")
def a_snapshot_upserts_by_default():
    return (
        [
            *copied(1, [row(1, a="1"), row(2, a="1")], [FIRST, LAST]),
            *copied(3, [row(1, a="3")], [LAST]),
        ],
        {("t", "1"): row(1, a="3"), ("t", "2"): row(2, a="1")},
        None,
    )


@example("debezium", REPLACED)
def a_whole_snapshot_through_several_partitions_keeps_all_its_rows():
    """Its rows have one position and any offsets. The first one is not the lowest."""
    return (
        copied(1, [row(1), row(2), row(3)], [FIRST, MIDDLE, LAST], [100, 5, 200], [0, 1, 2]),
        {("t", "1"): row(1), ("t", "2"): row(2), ("t", "3"): row(3)},
        None,
    )


@example("debezium", REPLACED)
def a_second_snapshot_through_several_partitions_replaces():
    return (
        [
            *copied(1, [row(1), row(2), row(3)], [FIRST, MIDDLE, LAST], [100, 5, 200], [0, 1, 2]),
            *copied(
                2,
                [row(1, a="2"), row(4, a="2"), row(3, a="2")],
                [FIRST, MIDDLE, LAST],
                [101, 6, 201],
                [0, 1, 2],
            ),
        ],
        {("t", "1"): row(1, a="2"), ("t", "3"): row(3, a="2"), ("t", "4"): row(4, a="2")},
        None,
    )


@example("debezium", REPLACED)
def an_incomplete_snapshot_removes_nothing():
    return (
        [
            *copied(1, [row(1, a="1"), row(2, a="1")], [FIRST, LAST]),
            *copied(3, [row(1, a="3")], [FIRST]),
        ],
        {("t", "1"): row(1, a="3"), ("t", "2"): row(2, a="1")},
        None,
    )


@example("debezium", REPLACED)
def a_snapshot_of_one_row_replaces_what_an_incomplete_one_copied():
    """A table of one row has the last mark only."""
    return (
        [*copied(1, [row(1), row(2)], [FIRST, MIDDLE]), *copied(3, [row(1, a="3")], [LAST])],
        {("t", "1"): row(1, a="3")},
        None,
    )


@example("debezium", REPLACED)
def the_last_message_of_a_snapshot_comes_again():
    """At the same position: the same snapshot, not one of one row."""
    snapshot = copied(3, [row(1, a="3"), row(2, a="3")], [FIRST, LAST])
    return (
        [debezium(1, "c", None, row(9)), *snapshot, snapshot[1]],
        {("t", "1"): row(1, a="3"), ("t", "2"): row(2, a="3")},
        None,
    )


@example("debezium", {**REPLACED, "order_by": "offset"})
def the_last_message_of_a_snapshot_comes_again_in_the_order_of_offsets():
    return the_last_message_of_a_snapshot_comes_again()


@example("debezium", {**REPLACED, "order_by": "kafka_timestamp"})
def a_snapshot_of_several_kafka_times_is_one():
    first, second = (
        copied(at, [row(key, a=str(at)) for key in keys], [FIRST, MIDDLE, MIDDLE, LAST])
        for at, keys in ((1, range(1, 5)), (2, range(2, 6)))
    )
    times = [datetime.fromtimestamp(second, timezone.utc) for second in (1, 1, 2, 3, 4, 4, 5, 6)]
    messages = [{**one, "timestamp": time} for one, time in zip([*first, *second], times)]
    return messages, {("t", str(key)): row(key, a="2") for key in range(2, 6)}, None


@example("debezium", REPLACED)
def a_snapshot_that_comes_again_is_one_version():
    snapshot = copied(3, [row(1, a="3"), row(2, a="3")], [FIRST, LAST])
    return (
        [debezium(1, "c", None, row(1, a="1")), *snapshot, *snapshot],
        {("t", "1"): row(1, a="3"), ("t", "2"): row(2, a="3")},
        {
            ("t", "1"): [(row(1, a="1"), 1, 3), (row(1, a="3"), 3, None)],
            ("t", "2"): [(row(2, a="3"), 3, None)],
        },
    )


@example("maxwell", REPLACED)
def the_last_mark_of_a_bootstrap_comes_again():
    return (
        [
            maxwell(1, "insert", row(1)),
            maxwell(3, "bootstrap-start"),
            maxwell(3, "bootstrap-insert", row(2)),
            maxwell(3, "bootstrap-complete"),
            maxwell(3, "bootstrap-complete"),
        ],
        {("t", "2"): row(2)},
        None,
    )


@example("debezium", REPLACED, sequence_resets=[{"partition": 0, "offset": 1}])
def an_incremental_snapshot_removes_nothing_after_a_sequence_reset_either():
    """It copies only the requested rows, here one of two, and nothing marks its end."""
    return (
        [
            debezium(9, "c", None, row(1, a="before the epoch")),
            *copied(1, [row(1, a="1"), row(2, a="1")], [FIRST, LAST]),
            *copied(3, [row(1, a="3")], ["incremental"]),
        ],
        {("t", "1"): row(1, a="3"), ("t", "2"): row(2, a="1")},
        None,
    )


@example("maxwell", REPLACED)
def a_bootstrap_replaces_when_it_is_complete():
    return (
        [
            maxwell(1, "insert", row(1)),
            maxwell(2, "insert", row(2)),
            maxwell(3, "bootstrap-start"),
            maxwell(3, "bootstrap-insert", row(1, a="3")),
            maxwell(4, "insert", row(3)),
            maxwell(3, "bootstrap-complete"),
        ],
        {("t", "1"): row(1, a="3"), ("t", "3"): row(3)},
        None,
    )


@example("maxwell", REPLACED)
def a_bootstrap_of_an_empty_table_removes_all():
    return (
        [
            maxwell(1, "insert", row(1)),
            maxwell(3, "bootstrap-start"),
            maxwell(3, "bootstrap-complete"),
        ],
        {},
        {("t", "1"): [(row(1), 1, 3)]},
    )


@example("huawei_drs_json", REPLACED, sequence_resets=[{"partition": 0, "offset": 3}])
def a_sequence_generation_begins_with_a_snapshot_that_replaces():
    return (
        [
            drs(90, "INSERT", [row(1, a="old"), row(2, a="old")]),
            drs(91, "INSERT", [row(3, a="old")]),
            drs(92, "DELETE", None, [row(3, a="old")]),
            drs(1, "INIT", [row(1, a="copied")]),
            drs(2, "UPDATE", [row(1, a="new")], [row(1, a="copied")]),
        ],
        {("t", "1"): row(1, a="new")},
        None,
    )


# What comes again ------------------------------------------------------------------------------------------------------------


@example("huawei_drs_json")
def a_message_that_moves_rows_into_each_others_keys_comes_again():
    """id = id + 1: key 2 goes and comes within the message. What came again is no second version."""
    shift = drs(2, "UPDATE", [row(3, a="two"), row(2, a="one")], [row(2, a="two"), row(1, a="one")])
    return (
        [drs(1, "INSERT", [row(1, a="one"), row(2, a="two")]), shift, shift],
        {("t", "2"): row(2, a="one"), ("t", "3"): row(3, a="two")},
        {
            ("t", "1"): [(row(1, a="one"), 1, 2)],
            ("t", "2"): [(row(2, a="two"), 1, 2), (row(2, a="one"), 2, None)],
            ("t", "3"): [(row(3, a="two"), 2, None)],
        },
    )


@example("huawei_drs_json")
def a_change_that_comes_again_is_one_version():
    first, second = (
        drs(1, "INSERT", [row(1, a="one")]),
        drs(2, "UPDATE", [row(1, a="two")], [row(1, a="one")]),
    )
    return (
        [second, first, second, first, first],
        {("t", "1"): row(1, a="two")},
        {("t", "1"): [(row(1, a="one"), 1, 2), (row(1, a="two"), 2, None)]},
    )


@example("huawei_drs_json", {"table": "d.t", "order_by": "offset"})
def a_drop_of_the_database_counts_in_the_order_of_the_table():
    """The message names no table, so the setting of another table does not apply."""
    return (
        [
            drs(1, "INSERT", [row(1)]),
            drs(2, "DDL", sql="DROP DATABASE d", table=""),
            drs(3, "INSERT", [row(2)]),
        ],
        {("t", "2"): row(2)},
        None,
    )


@example("huawei_drs_json", {"table": "d.t", "order_by": "offset"})
def a_drop_that_names_another_table_first_counts_in_the_order_of_the_table():
    return (
        [
            drs(1, "INSERT", [row(1)]),
            drs(2, "DDL", sql="DROP TABLE d.a, d.t", table="a"),
            drs(3, "INSERT", [row(2)]),
        ],
        {("t", "2"): row(2)},
        None,
    )


@example("canal", {"table": "d.t", "order_by": "kafka_timestamp"})
def a_drop_that_names_another_table_first_counts_in_kafkas_time_of_the_table():
    return (
        [
            canal(1, "INSERT", [row(1)], timestamp=at_second(1)),
            canal(2, "ERASE", sql="DROP TABLE d.a, d.t", table="a", timestamp=at_second(2)),
        ],
        {},
        None,
    )


@example("canal", {"table": "d.t", "order_by": "kafka_timestamp"})
def a_key_on_two_partitions_without_kafka_times():
    """Nothing orders its changes. The table is held until they have an order."""
    return (
        [
            canal(1, "INSERT", [row(1)]),
            {**canal(2, "UPDATE", [row(1, a="2")], [{"a": None}]), "partition": 1},
        ],
        {("t", "1"): row(1, a="2")},
        None,
    )


@example("plain_rows", topic={"key": ["id"]})
def plain_rows_of_a_key_on_two_partitions():
    """Each row replaces the one before it, and nothing orders them. The table is held."""
    return (
        [
            message(row(1, a="1"), timestamp=at_second(1)),
            message(row(1, a="2"), partition=1, timestamp=at_second(2)),
        ],
        {("plain_rows_of_a_key_on_two_partitions", "1"): row(1, a="2")},
        None,
    )


@example("huawei_drs_json", {"on_rename": "apply"})
def two_tables_swap_their_names_in_one_statement():
    """As in MySQL, by a name that exists only inside the statement."""
    return (
        [
            drs(1, "INSERT", [row(1)], table="a"),
            drs(2, "INSERT", [row(2)], table="b"),
            drs(3, "DDL", sql="RENAME TABLE d.a TO d.tmp, d.b TO d.a, d.tmp TO d.b", table="a"),
        ],
        {("a", "2"): row(2), ("b", "1"): row(1)},
        None,
    )


@example("huawei_drs_json", {"on_rename": "apply"})
def a_table_that_got_its_name_by_a_rename_takes_the_place_of_another():
    return (
        [
            drs(1, "INSERT", [row(1)], table="x"),
            drs(2, "DDL", sql="RENAME TABLE d.x TO d.t_new", table="x"),
            drs(3, "INSERT", [row(5)]),
            drs(4, "DDL", sql="RENAME TABLE d.t TO d.t_old, d.t_new TO d.t"),
        ],
        {("t", "1"): row(1), ("t_old", "5"): row(5)},
        None,
    )


@example("huawei_drs_json", {"on_rename": "apply", "on_drop": "apply"})
def each_table_of_a_rotation_can_be_dropped():
    return (
        [
            drs(1, "INSERT", [row(1)]),
            drs(2, "DDL", sql="RENAME TABLE d.t TO d.t_1"),
            drs(3, "INSERT", [row(2)]),
            drs(4, "DDL", sql="RENAME TABLE d.t TO d.t_2"),
            drs(5, "INSERT", [row(3)]),
            drs(6, "DDL", sql="DROP TABLE d.t_2", table="t_2"),
        ],
        {("t_1", "1"): row(1), ("t", "3"): row(3)},
        None,
    )


@example("canal", APPLIED)
def a_drop_of_the_database_empties_a_table_whose_name_no_row_had_yet():
    return (
        [
            canal(1, "INSERT", [row(1)]),
            canal(2, "RENAME", sql="RENAME TABLE d.t TO d.u"),
            canal(3, "QUERY", sql="DROP DATABASE d", table=""),
        ],
        {},
        {("u", "1"): [(row(1), 1, 3)]},
    )


@example("canal", APPLIED)
def a_drop_of_the_database_that_a_table_moved_to_empties_it():
    return (
        [
            canal(1, "INSERT", [row(1)]),
            canal(2, "RENAME", sql="RENAME TABLE d.t TO e.u"),
            canal(3, "INSERT", [row(2)]),
            canal(4, "QUERY", sql="DROP DATABASE e", table="", database="e"),
        ],
        {("t", "2"): row(2)},
        {("u", "1"): [(row(1), 1, 4)], ("t", "2"): [(row(2), 3, None)]},
    )


@example("canal", APPLIED)
def a_drop_of_the_database_that_a_table_has_left_keeps_it():
    return (
        [
            canal(1, "INSERT", [row(1)]),
            canal(2, "RENAME", sql="RENAME TABLE d.t TO e.u"),
            canal(3, "INSERT", [row(2)]),
            canal(4, "QUERY", sql="DROP DATABASE d", table=""),
        ],
        {("u", "1"): row(1)},
        {("u", "1"): [(row(1), 1, None)], ("t", "2"): [(row(2), 3, 4)]},
    )


@example("alibaba_dataworks")
def a_row_moves_by_an_update_in_two_messages():
    return (
        [
            dataworks(1, "INSERT", None, row(1)),
            dataworks(2, "UPDATE_BEFOR", row(1), None),
            dataworks(2, "UPDATE_AFTER", None, row(2)),
        ],
        {("t", "2"): row(2)},
        None,
    )


@example("alibaba_dataworks")
def a_before_event_of_one_row_is_not_paired_with_another():
    """One statement updates two rows at a position, and the second before event is lost."""
    return (
        [
            dataworks(1, "INSERT", None, row(1, a="first")),
            dataworks(1, "INSERT", None, row(2, a="second")),
            dataworks(2, "UPDATE_BEFOR", row(1, a="first"), None),
            dataworks(2, "UPDATE_AFTER", None, row(1, a="changed")),
            dataworks(2, "UPDATE_AFTER", None, row(2, a="changed")),
        ],
        {("t", "1"): row(1, a="changed"), ("t", "2"): row(2, a="changed")},
        None,
    )


@example("huawei_drs_json", sequence_resets=[{"partition": 0, "offset": 1}])
def a_drop_through_a_topic_without_the_sequence_reset_of_its_rows():
    """It is in the previous sequence generation, and a check reports it."""
    statement = drs(2, "DDL", sql="DROP TABLE d.t", topic="_statements", offset=0)
    return (
        [drs(900, "INSERT", [row(1)]), drs(1, "INSERT", [row(2)]), statement],
        {("t", "1"): row(1), ("t", "2"): row(2)},
        None,
    )


@example(
    "huawei_drs_json",
    sequence_resets=[
        {"partition": 0, "offset": 1},
        {
            "topic": "a_drop_through_a_topic_with_the_sequence_reset_of_its_rows_statements",
            "partition": 0,
            "offset": 0,
        },
    ],
)
def a_drop_through_a_topic_with_the_sequence_reset_of_its_rows():
    statement = drs(2, "DDL", sql="DROP TABLE d.t", topic="_statements", offset=0)
    return [drs(900, "INSERT", [row(1)]), drs(1, "INSERT", [row(2)]), statement], {}, None


@example(
    "debezium_unwrapped",
    {"on_tombstone": "delete"},
    sequence_resets=[{"partition": 0, "offset": 1}],
)
def a_tombstone_after_a_sequence_reset_deletes_nothing_of_the_new_generation():
    return (
        [
            unwrapped(900, 10, 7, "1", timestamp=at_second(1)),
            message(None, {"id": 7}, timestamp=at_second(2)),
            unwrapped(1, 20, 7, "2", timestamp=at_second(3)),
        ],
        {("t", "7"): row(7, a="2")},
        None,
    )


@example("debezium_unwrapped", {"on_tombstone": "delete"})
def a_tombstone_through_another_partition_than_its_row_deletes_it():
    """The topic was given more partitions; what is written after the tombstone stays."""
    return (
        [
            unwrapped(900, 10, 8, "1", offset=5, timestamp=at_second(1)),
            message(None, {"id": 8}, partition=1, offset=0, timestamp=at_second(2)),
            unwrapped(900, 20, 9, "1", offset=6, timestamp=at_second(1)),
            message(None, {"id": 9}, partition=1, offset=1, timestamp=at_second(2)),
            unwrapped(900, 30, 9, "2", partition=1, offset=2, timestamp=at_second(3)),
        ],
        {("t", "9"): row(9, a="2")},
        None,
    )


# ------------------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def built(project):
    """All examples, built at once: their rows, missing columns and versions, by example."""
    topics, tables, sequence_resets, messages = [], [], [], []
    for name, (function, slug, table, its_epochs, topic) in EXAMPLES.items():
        topics.append(
            {"topic": [name, f"{name}_statements"], "format": slug, **topic, "source": name}
        )
        tables += [{"table": "*", "source": name, **table}] if table else []
        sequence_resets += [{"topic": name, **line} for line in its_epochs]
        messages += [
            {"offset": at, **one, "topic": name + one.get("topic", "")}
            for at, one in enumerate(function()[0])
        ]
    messages += [
        {"topic": "not_mapped", "offset": at, **one}
        for at, one in enumerate(
            [
                old_canal(5, 1, "INSERT", [row(1)]),
                old_canal(6, 2, "TRUNCATE", sql="truncate table t"),
            ]
        )
    ]
    built = project("rules", topics=topics, tables=tables, sequence_resets=sequence_resets)
    built.land(messages)
    built.dbt("run", "--select", "+current_state", "row_history", "--exclude", "staging")
    rejected = built.query(
        "select kafka_topic, kafka_offset, reject_code, reject_detail from {cdc}.events where event_kind = 'rejected'"
    )
    assert rejected == []
    rows, missing, versions = (
        {name: {} for name in (*EXAMPLES, "huawei_drs_json")} for _ in range(3)
    )  # the last: what auto read
    for found in built.query("select * from {cdc}.current_state"):
        place = found["source_table"], *json.loads(found["row_key"]).values()
        rows[found["source_name"]][place] = found["row_values"]
        missing[found["source_name"]][place] = found["incomplete_columns"]
    for found in built.query(
        "select *, unix_seconds(valid_from) as began, unix_seconds(valid_to) as ended from {cdc}.row_history order by began, ended nulls last"
    ):
        place = found["source_table"], *json.loads(found["row_key"]).values()
        versions[found["source_name"]].setdefault(place, []).append(
            (found["row_values"], found["began"], found["ended"])
        )
        assert found["is_current"] == (found["ended"] is None), found
    built.dbt("run", "--select", "table_holds", check_in_run=True)
    findings = {
        "table_holds": {
            (row["source_name"], row["source_table"], row["check_name"]): (
                row["finding"],
                row["remedy"],
            )
            for row in built.query(
                "select * from {cdc}.table_holds where check_name <> 'falling_sequence'"
            )
        }
    }
    commands = {}
    for command, table in COMMANDS:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            source = "a_name_that_is_used_again_after_its_table_was_renamed"
            result = built.invoke(
                "run-operation",
                command,
                "--args",
                json.dumps({"table": f"d.{table}", "source": source, "key": {"id": 1}}),
            )
        commands[command, table] = result.success, printed.getvalue() + str(result.exception or "")
    built.dbt("run", "--select", "split_updates")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        result = built.invoke(
            "run-operation",
            "erase_row",
            "--args",
            json.dumps(
                {
                    "table": "d.t",
                    "source": "a_row_moves_by_an_update_in_two_messages",
                    "key": {"id": 2},
                }
            ),
        )
    findings["erase_row"] = result.success, printed.getvalue() + str(result.exception or "")
    return rows, missing, versions, findings, commands


@pytest.mark.parametrize("name", EXAMPLES)
def test_rows(built, name):
    rows, missing, *_ = built
    _, expected, _ = EXAMPLES[name][0]()
    if (
        name == "three_partial_moves_in_a_chain"
    ):  # two moves are followed; what is further away may be missing, but not silently
        for place, values in rows[name].items():
            values.update(
                {column: expected[place][column] for column in missing[name][place] or ()}
            )
    assert rows[name] == expected


@pytest.mark.parametrize(
    "name", [name for name, (function, *_) in EXAMPLES.items() if function()[2] is not None]
)
def test_versions(built, name):
    assert built[2][name] == EXAMPLES[name][0]()[2]


@pytest.mark.parametrize(
    "name, missing",
    [
        ("a_moved_row_shows_nothing_of_an_older_row_of_its_key", {("t", "2"): ["b"]}),
        ("a_partial_move_after_a_truncate_brings_nothing_back", {("t", "2"): ["b"]}),
        ("a_truncate_between_partial_updates", {("t", "1"): None, ("t", "2"): ["*"]}),
        ("late_events_of_the_old_key_reach_the_moved_row", {("t", "2"): None}),
        ("two_partial_moves_in_a_chain", {("t", "3"): None}),
        ("a_partial_move_that_comes_again", {("t", "2"): None}),
        ("a_row_moves_away_and_back", {("t", "1"): None}),
    ],
)
def test_missing_columns_are_marked(built, name, missing):
    assert built[1][name] == missing


def test_tables_are_held_with_the_setting_that_releases_them(built):
    """Checks each example whose messages need a setting, and that no other table is held: the table, the statement and the setting."""
    rename = "has a RENAME that shares no order with its rows"
    on_rename = "on_rename: keep, or for both names with order_by: offset (one partition) or kafka_timestamp"
    truncate = "has a TRUNCATE that shares no order with its rows"
    on_truncate = "on_truncate: apply, apply_by_time or keep"
    statements = "a_drop_through_a_topic_without_the_sequence_reset_of_its_rows"
    expected = {
        ("huawei_drs_json", "t", "statement_of_another_source"): (
            "topic not_mapped has a statement on table d.t that was read as source canal, but the rows were read as source huawei_drs_json",
            "Set the format in topics: - {topic: not_mapped, format: ...}",
        ),
        (statements, "t", "unequal_sequence_resets"): (
            f"topic {statements}_statements, partition 0 has 0 lines of sequence_resets and the rows of source {statements} that its statements reach have 1",
            "Add the first offset of the new task in this partition, too (last offset so far: 0)",
        ),
    }
    untimed = "a_key_on_two_partitions_without_kafka_times"
    expected[untimed, "t", "key_on_several_partitions"] = (
        f"table d.t of source {untimed} has a key on several partitions and changes"
        " without a Kafka timestamp",
        "Land the messages again in an empty lake, with their timestamps,"
        " or those of each key as one partition",
    )
    plain = "plain_rows_of_a_key_on_two_partitions"
    expected[plain, plain, "key_on_several_partitions"] = (
        f"table {plain} of source {plain} has a key on several partitions and no sequence",
        "Decide with order_by: kafka_timestamp, in tables:"
        f" - {{table: {plain}, source: {plain}, ...}}",
    )
    for name, table, check, problem, setting, other in [
        (
            "a_rename_through_another_partition_than_its_rows",
            "t",
            "unordered_rename",
            rename,
            on_rename,
            "u",
        ),
        (
            "a_rename_to_a_name_of_another_partition",
            "t",
            "unordered_rename",
            rename,
            on_rename,
            "u",
        ),
        (
            "a_rename_without_the_sequence_of_its_rows",
            "t",
            "unordered_rename",
            rename,
            on_rename,
            "u",
        ),
        (
            "a_truncate_through_another_partition_under_a_name_that_no_row_had_yet",
            "u",
            "unordered_statement",
            truncate,
            on_truncate,
            "t",
        ),
    ]:
        finding = f"table d.{table} of source {name} {problem}"
        remedy = f"Decide with {setting}, in tables: - {{table: d.{table}, source: {name}, ...}}"
        expected[name, table, check] = finding, remedy
        expected[name, other, "renamed_with_held_table"] = (
            f"a RENAME connects this table with a held one: {finding}",
            remedy,
        )
    assert built[3]["table_holds"] == expected


def test_operations_on_a_row_stop_if_messages_and_state_name_its_table_differently(built):
    line = "kafka_cdc: the rename of d.t to d.archive of source a_name_that_is_used_again_after_its_table_was_renamed is applied, so that rows of d.{} have another name"
    assert len(built[4]) == len(COMMANDS)
    for (command, table), (success, output) in built[4].items():
        assert not success and line.format(table) in " ".join(output.split()), (
            command,
            table,
            output,
        )


def test_a_row_with_a_split_key_update_is_not_erased_before_its_old_key(built):
    """The row of the old key would return, because only both messages together delete it."""
    success, output = built[3]["erase_row"]
    assert (
        not success
        and 'the row of d.t had another key before: {"id":"1"}. Hint: erase the row of that key first, then this one'
        in " ".join(output.split())
    ), output

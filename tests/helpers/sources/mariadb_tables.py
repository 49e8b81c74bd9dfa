"""The tables of the workload on MariaDB, and what their values are in typed tables, by the server's own words."""

import re
import struct
from datetime import date
from decimal import Decimal

from .pipeline import OUTSIDE
from .workload import Table, characters, key, number, one_of, words

BYTES = ["''", "x'00'", "x'ff00ff'", "x'5f5f6465'", "x'deadbeef'", "x'e5ba93'"]
# Not among them: inet6, which Debezium 3.5 cannot parse; uuid, which Canal does not know; columns with a character set of their own, whose
# CREATE TABLE Canal 1.1.7 cannot read in MariaDB's log; the year 0000, which Debezium makes 1900; floats of more than the six digits that
# the server shows.
EVERYTHING = {
    "tiny": ("tinyint(4)", number(-128, 127)),
    "tiny_plus": ("tinyint(3) unsigned", number(0, 255)),
    "flag": ("tinyint(1)", number(-128, 127)),
    "small": ("smallint(6)", number(-(2**15), 2**15 - 1)),
    "medium_plus": ("mediumint(8) unsigned", number(0, 2**24 - 1)),
    "whole": ("int(11)", number(-(2**31), 2**31 - 1)),
    "whole_plus": ("int(10) unsigned", number(0, 2**32 - 1)),
    "big": ("bigint(20)", number(-(2**63), 2**63 - 1)),
    "big_plus": ("bigint(20) unsigned", number(0, 2**64 - 1)),
    "filled": ("int(8) unsigned zerofill", number(0, 2**32 - 1)),
    "price": ("decimal(10,2)", one_of("0", "1.10", "-0.01", "99999999.99", "-99999999.99", "12.5")),
    "exact": (
        "decimal(38,10)",
        one_of(
            "0",
            "9999999999999999999999999999.9999999999",
            "-9999999999999999999999999999.9999999999",
            "1.1",
            "0.0000000001",
        ),
    ),
    "widest": (
        "decimal(65,30)",
        one_of("0", "1.1", "99999999999999999999999999999999999.999999999999999999999999999999"),
    ),
    "single": ("float", one_of("0", "1.5", "-3.40282e38", "65536", "0.25")),
    "twice": (
        "double",
        one_of(
            "0",
            "0.1",
            "1.7976931348623157e308",
            "2.2250738585072014e-308",
            "-1234567.890625",
            "1e22",
            "123456789.123",
        ),
    ),
    "fixed": ("char(5)", one_of("'a'", "''", "'é库😀ab'", "'12345'")),
    "short": ("varchar(40)", words(40)),
    "long": ("mediumtext", words(200)),
    "bytes3": ("binary(3)", one_of("x'000000'", "x'ff00ff'", "x'e5ba93'")),
    "bytes": ("varbinary(40)", one_of(*BYTES)),
    "blob_of": ("blob", one_of(*BYTES)),
    "one_bit": ("bit(1)", one_of("b'0'", "b'1'")),
    "bits": ("bit(9)", one_of("b'000000000'", "b'111111111'", "b'100000001'")),
    "day": (
        "date",
        one_of(
            "'2026-11-22'",
            "'1000-01-01'",
            "'9999-12-31'",
            "'1900-02-28'",
            "'1969-12-31'",
            "'2000-02-29'",
        ),
    ),
    "clock": (
        "time",
        one_of("'00:00:00'", "'838:59:59'", "'-838:59:59'", "'12:34:56'", "'-00:00:01'"),
    ),
    "clock6": ("time(6)", one_of("'00:00:00.000001'", "'23:59:59.999999'", "'-12:34:56.7'")),
    "moment": (
        "datetime",
        one_of(
            "'2026-11-22 04:51:00'",
            "'1000-01-01 00:00:00'",
            "'9999-12-31 23:59:59'",
            "'1969-12-31 23:59:59'",
            "'1582-10-10 01:02:03'",
        ),
    ),
    "moment3": (
        "datetime(3)",
        one_of(
            "'2026-11-22 04:51:00.12'", "'1000-01-01 00:00:00.001'", "'9999-12-31 23:59:59.999'"
        ),
    ),
    "moment6": (
        "datetime(6)",
        one_of(
            "'2026-11-22 04:51:00.12'",
            "'1000-01-01 00:00:00.000001'",
            "'9999-12-31 23:59:59.999999'",
        ),
    ),
    "instant": (
        "timestamp null",
        one_of("'2026-11-22 04:51:00'", "'1970-01-01 00:00:01'", "'2038-01-19 03:14:07'"),
    ),
    "instant6": (
        "timestamp(6) null",
        one_of("'2026-11-22 04:51:00.000001'", "'1970-01-01 00:00:01.5'"),
    ),
    "era": ("year(4)", one_of("1901", "2155", "2026")),
    "mood": ("enum('sad','it''s ok','库')", one_of("'sad'", "'it''s ok'", "'库'")),
    "tags": ("set('a','b','c d')", one_of("''", "'a'", "'a,c d'", "'a,b,c d'")),
    "doc": (
        "longtext check (json_valid(doc))",
        one_of('\'{"b": 1.10,  "a": [1, 2e2, null]}\'', "'\"text\"'", "'null'", "'[]'"),
    ),
}


def tables(database):
    """Return the SQL that makes the tables in a database, and the tables."""
    types = ", ".join(f"`{name}` {type_}" for name, (type_, _) in EVERYTHING.items())
    sql = f"""
        create table {database}.everything (id bigint(20) primary key, {types});
        create table {database}.pairs (a int, `B` varchar(40), v text not null default 'none', n decimal(20,6), primary key (a, `B`));
        create table {database}.documents (id int primary key, body mediumtext, data mediumblob, note varchar(40));
        create table {database}.emptied (id int primary key, v text);
        create table {database}.altered (id int primary key, v text, n int, gone text, touched int not null default 0);
        create table {database}.marks (id int primary key);
    """
    named = lambda name: f"{database}.{name}"
    unpadded = lambda rng: (
        "'" + words(40, none=0)(rng)[1:-1].rstrip(" ") + "'"
    )  # keys that differ in spaces at their end are one to MariaDB
    long_bytes = lambda rng: (
        "null" if rng.random() < 0.1 else f"x'{rng.randbytes(rng.choice([10, 9000])).hex()}'"
    )
    return sql, [
        Table(
            named("everything"),
            {"id": key(-(2**63), 2**63 - 1)}
            | {f"`{name}`": make for name, (_, make) in EVERYTHING.items()},
            weight=4,
        ),
        Table(
            named("pairs"),
            {
                "a": key(-3, 300),
                "`B`": unpadded,
                "v": words(100, none=0),
                "n": one_of("0", "1.1", "-99999999999999.999999"),
            },
            keys=2,
            weight=3,
        ),
        Table(
            named("documents"),
            {
                "id": key(1, 60),
                "body": characters(3000, 12000),
                "data": long_bytes,
                "note": words(40),
            },
        ),
        Table(named("emptied"), {"id": key(1, 2000), "v": words(40)}, is_emptied=True),
        Table(
            named("altered"),
            {
                "id": key(1, 3000),
                "v": words(40),
                "n": number(-(2**31), 2**31 - 1),
                "gone": words(40),
            },
        ),
    ]


def alter(database, workload):
    """Return the SQL that changes the columns of the table `altered`, and so its rows; the workload goes on with them."""
    [table] = [table for table in workload.tables if table.name == f"{database}.altered"]
    table.columns = {
        "id": table.columns["id"],
        "renamed": table.columns["v"],
        "n": number(-(2**63), 2**63 - 1),
        "added": number(0, 9, none=0),
        "later": words(40),
    }
    return "".join(
        f"alter table {table.name} {change};"
        for change in (
            "add column added int not null default 7",
            "add column later text",
            "change column v renamed text",
            "modify column n bigint",
            "drop column gone",
        )
    )


def expected(type_, text):
    """Return what a typed column holds of a value that MariaDB writes so, as Spark's Python API returns it; instants as text."""
    if text is None:
        return None
    name, arguments = (
        re.match(r"\w+", type_)[0],
        [int(digits) for digits in re.findall(r"\d+", type_)],
    )
    if name in ("binary", "varbinary") or name.endswith("blob"):
        return bytes(text) if isinstance(text, bytes) else text.encode("latin-1")
    if name == "bit":
        bits = f"{int.from_bytes(text if isinstance(text, bytes) else text.encode('latin-1')):0{arguments[0]}b}"
        return bits == "1" if arguments == [1] else bits
    text = text.decode() if isinstance(text, bytes) else text
    if name.endswith("int") or name == "year":
        return int(text) if type_ != "bigint(20) unsigned" else Decimal(text)
    if name == "decimal":
        return (
            Decimal(text)
            if arguments[0] <= 38
            else OUTSIDE
            if len(text.strip("-").split(".")[0]) > 20
            else Decimal(text)
        )
    if name == "float":
        return struct.unpack("f", struct.pack("f", float(text)))[0]
    if name == "double":
        return float(text)
    if name == "date":
        return date.fromisoformat(text)
    if name in ("datetime", "timestamp"):
        return text.rstrip("0").rstrip(".") if "." in text else text
    if name == "time":
        return text.rstrip("0").rstrip(".") if "." in text else text
    return text

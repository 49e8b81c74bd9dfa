"""The tables of the workload on PostgreSQL, and what their values are in typed tables, by the server's own words."""

import re
import struct
from datetime import date
from decimal import Decimal, localcontext

from .pipeline import OUTSIDE
from .workload import Table, characters, key, number, one_of, words

BYTES = ["''", "'\\x00'", "'\\xff00ff'", "'\\x5f5f6465'", "'\\xdeadbeef'"]
EVERYTHING = {
    "small": ("smallint", number(-(2**15), 2**15 - 1)),
    "whole": ("integer", number(-(2**31), 2**31 - 1)),
    "big": ("bigint", number(-(2**63), 2**63 - 1)),
    "price": ("numeric(10,2)", one_of("0", "1.10", "-0.01", "99999999.99", "-99999999.99", "12.5")),
    "exact": (
        "numeric(38,10)",
        one_of(
            "0",
            "9999999999999999999999999999.9999999999",
            "-9999999999999999999999999999.9999999999",
            "1.1",
            "0.0000000001",
        ),
    ),
    "free": (
        "numeric",
        one_of(
            "0",
            "1.10",
            "-12345678901234567890.123456789012345678",
            "0.000000000000000001",
            "1e19",
            "1234567890123456789012345678901234567890",
        ),
    ),
    "single": (
        "real",
        one_of(
            "0",
            "1.1",
            "-3.4028235e38",
            "1e-45",
            "16777217",
            "'-0'",
            "'NaN'",
            "'Infinity'",
            "'-Infinity'",
        ),
    ),
    "twice": (
        "double precision",
        one_of(
            "0",
            "0.1",
            "1.7976931348623157e308",
            "5e-324",
            "-1234567.890625",
            "1e22",
            "123456789.123",
            "'-0'",
            "'NaN'",
            "'Infinity'",
            "'-Infinity'",
        ),
    ),
    "yes": ("boolean", one_of("true", "false")),
    "fixed": ("character(5)", one_of("'a'", "''", "'é库😀ab'", "'12345'")),
    "short": ("character varying(40)", words(40)),
    "long": ("text", words(200)),
    "bytes": ("bytea", one_of(*BYTES)),
    "day": (
        "date",
        one_of(
            "'2026-11-22'",
            "'0001-01-01'",
            "'9999-12-31'",
            "'1582-10-10'",
            "'1900-02-28'",
            "'1969-12-31'",
            "'2000-02-29'",
            "'10000-01-01'",
            "'4713-01-01 BC'",
        ),
    ),
    "clock": (
        "time without time zone",
        one_of("'00:00'", "'23:59:59.999999'", "'12:34:56.7'", "'00:00:00.000001'"),
    ),
    "clock3": ("time(3) without time zone", one_of("'00:00'", "'23:59:59.999'", "'12:34:56.07'")),
    "zoned": (
        "time with time zone",
        one_of("'12:34:56+00'", "'12:34:56.5+02'", "'00:00:00-01:30'"),
    ),
    "moment": (
        "timestamp without time zone",
        one_of(
            "'2026-11-22 04:51:00'",
            "'0001-01-01 00:00:00'",
            "'9999-12-31 23:59:59.999999'",
            "'1969-12-31 23:59:59.999999'",
            "'1582-10-10 01:02:03'",
            "'10000-01-01'",
            "'1900-01-01 00:00:00.000001'",
        ),
    ),
    "moment3": (
        "timestamp(3) without time zone",
        one_of(
            "'2026-11-22 04:51:00.12'",
            "'0001-01-01 00:00:00'",
            "'9999-12-31 23:59:59.999'",
            "'1900-01-01 00:00:00.001'",
        ),
    ),
    "instant": (
        "timestamp with time zone",
        one_of(
            "'2026-11-22 04:51:00.000001+05:30'",
            "'0001-01-01 00:00:00+00'",
            "'9999-12-31 23:59:59.999999+00'",
            "'1969-12-31 23:59:59.999999+00'",
            "'1850-06-01 12:00:00+00'",
        ),
    ),
    "span": (
        "interval",
        one_of(
            "'1 day'",
            "'-1 month'",
            "'1 year 2 mons 3 days 04:05:06.789'",
            "'00:00:00.000001'",
            "'-10 days 3 hours'",
        ),
    ),
    "id16": (
        "uuid",
        one_of(
            "'00000000-0000-0000-0000-000000000000'",
            "'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'",
            "'6f9619ff-8b86-d011-b42d-00cf4fc964ff'",
        ),
    ),
    "raw_json": (
        "json",
        one_of(
            '\'{"b": 1.10,  "a": [1, 2e2, null], "b": 2}\'',
            "'\"text\"'",
            "'null'",
            "'[]'",
            "'12345678901234567890.10'",
        ),
    ),
    "json": (
        "jsonb",
        one_of(
            '\'{"b": 1.10, "a": [1, 2e2, null]}\'',
            "'\"text\"'",
            "'null'",
            "'{}'",
            '\'{"é\\n": "😀"}\'',
        ),
    ),
    "numbers": ("integer[]", one_of("'{}'", "'{1,null,-2147483648}'", "'{7}'")),
    "texts": ("text[]", one_of("'{}'", '\'{a,null,"NULL","é,\\""}\'', "'{\"\"}'")),
    "one_bit": ("bit(1)", one_of("B'0'", "B'1'")),
    "bits": ("bit(9)", one_of("B'000000000'", "B'111111111'", "B'100000001'", "B'000000110'")),
    "address": ("inet", one_of("'10.0.0.1'", "'10.0.0.1/8'", "'::1'", "'2001:db8::/32'")),
    "network": ("cidr", one_of("'10.0.0.0/8'", "'2001:db8::/32'")),
    "card": ("macaddr", one_of("'08:00:2b:01:02:03'")),
    "range": ("int4range", one_of("'[1,5)'", "'empty'", "'(,)'")),
    "period": ("tstzrange", one_of("'[2026-01-01 00:00:00+00,2026-02-01 00:00:00+00)'")),
    "coins": (
        "money",
        one_of("'1.10'", "'-92233720368547758.08'", "'92233720368547758.07'", "'0'"),
    ),
    "mood": ("mood", one_of("'sad'", "'it''s ok'", "'库'")),
    "percent": ("percent", one_of("0", "100", "33")),
}


def tables(schema):
    """Return the SQL that makes the tables of a schema, and the tables."""
    types = ", ".join(f"{name} {type_}" for name, (type_, _) in EVERYTHING.items())
    sql = f"""
        create schema {schema};
        set search_path to {schema};
        create type mood as enum ('sad', 'it''s ok', '库');
        create domain percent as smallint check (value between 0 and 100);
        create table everything (id bigint primary key, {types});
        create table pairs (a integer, "B" varchar(40), v text not null default 'none', n numeric(20,6), primary key (a, "B"));
        create table documents (id integer primary key, body text, data bytea, note varchar(40), items text[]);
        alter table documents alter body set storage external, alter data set storage external, alter items set storage external;
        create table emptied (id integer primary key, v text);
        create table altered (id integer primary key, v text, n integer, gone text);
        create table marks (id integer primary key);
        create table signals (id varchar(64) primary key, type varchar(32), data varchar(2048));
    """
    named = lambda name: f"{schema}.{name}"
    long_bytes = lambda rng: (
        "null" if rng.random() < 0.1 else f"'\\x{rng.randbytes(rng.choice([10, 9000])).hex()}'"
    )
    items = lambda rng: (
        "null" if rng.random() < 0.3 else f"array[{characters(5000, 6000, none=0)(rng)}, 'x']"
    )
    return sql, [
        Table(
            named("everything"),
            {"id": key(-(2**63), 2**63 - 1)}
            | {f'"{name}"': make for name, (_, make) in EVERYTHING.items()},
            weight=4,
        ),
        Table(
            named("pairs"),
            {
                "a": key(-3, 300),
                '"B"': words(40, none=0),
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
                "items": items,
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


def alter(schema, workload):
    """Return the SQL that changes the columns of the table `altered`.

    No message reports the change. The workload continues with the new columns.
    """
    [table] = [table for table in workload.tables if table.name == f"{schema}.altered"]
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
            "add column added integer not null default 7",
            "add column later text",
            "rename column v to renamed",
            "alter column n type bigint",
            "drop column gone",
        )
    )


def number_in(text, precision, scale):
    """Return a number as decimal(precision, scale) holds it, OUTSIDE where it does not."""
    value = Decimal(text)
    with localcontext(prec=400):
        if (
            not value.is_finite()
            or value != round(value, scale)
            or abs(value) >= 10 ** (precision - scale)
        ):
            return OUTSIDE
    return value


def wall_time(text):
    """Return a time as Spark prints it."""
    return (
        OUTSIDE
        if "BC" in text or "infinity" in text or not re.match(r"\d{4}-", text)
        else text.removesuffix("+00")
    )


def to_utc(text):
    """Return a time with its zone as Debezium prints it: in UTC, hours that pass midnight wrapped."""
    hours, minutes, seconds, sign, zone_hours, zone_minutes = re.fullmatch(
        r"(\d\d):(\d\d):(\d\d(?:\.\d+)?)([+-])(\d\d)(?::(\d\d))?", text
    ).groups()
    at = (
        int(hours) * 60
        + int(minutes)
        - int(sign + "1") * (int(zone_hours) * 60 + int(zone_minutes or 0))
    )
    return f"{at // 60 % 24:02}:{at % 60:02}:{seconds}Z"


def micros(text):
    """Return an interval of PostgreSQL in microseconds, a month of 365.25 / 12 days, as Debezium documents it."""
    found = {unit: int(value) for value, unit in re.findall(r"(-?\d+) (year|mon|day)", text)}
    days = Decimal("365.25") / 12 * (found.get("year", 0) * 12 + found.get("mon", 0)) + found.get(
        "day", 0
    )
    clock = re.search(r"([+-]?)(\d+):(\d\d):(\d\d(?:\.\d+)?)", text)
    seconds = (
        (int(clock[2]) * 3600 + int(clock[3]) * 60 + Decimal(clock[4])) * int(clock[1] + "1")
        if clock
        else 0
    )
    return int((days * 86400 + seconds) * 1_000_000)


def json_array(text, is_text):
    """Return an array of PostgreSQL in the form that the project keeps nested JSON in.

    The form has no white space. Characters beyond U+FFFF are escape sequences.
    """
    if text == "{}":
        return "[]"
    items = re.findall(r'"((?:[^"\\]|\\.)*)"|([^,{}]+)', text)
    elements = [
        (
            '"' + plain_text(quoted) + '"'
            if not bare
            else "null"
            if bare == "NULL"
            else f'"{bare}"'
            if is_text
            else bare
        )
        for quoted, bare in items
    ]
    return re.sub(
        "[\U00010000-\U0010ffff]",
        lambda found: "\\u{:04X}\\u{:04X}".format(
            *struct.unpack(">2H", found[0].encode("utf-16-be"))
        ),
        "[" + ",".join(elements) + "]",
    )


def plain_text(text):
    return re.sub(r"\\(.)", r"\1", text).replace("\\", "\\\\").replace('"', '\\"')


def expected(type_, text):
    """Return what a typed column holds of a value that PostgreSQL writes so, as Spark's Python API returns it; instants as text."""
    if text is None:
        return None
    name, arguments = (
        re.sub(r"^\w+\.|\(.*?\)| without time zone", "", type_),
        re.findall(r"\d+", type_),
    )
    if name.endswith("[]"):
        return json_array(text, name == "text[]")
    if name in ("smallint", "integer", "bigint", "percent"):
        return int(text)
    if name == "numeric":
        return number_in(text, *map(int, arguments or ["38", "18"]))
    if name == "money":
        return Decimal(re.sub(r"[$,]", "", text))
    if name == "real":
        return struct.unpack("f", struct.pack("f", float(text)))[0]
    if name == "double precision":
        return float(text)
    if name == "boolean" or type_ == "bit(1)":
        return text in ("t", "1")
    if name == "bytea":
        return bytes.fromhex(text[2:])
    if name == "date":
        return date.fromisoformat(text) if wall_time(text) is not OUTSIDE else OUTSIDE
    if name == "interval":
        return micros(text)
    if type_ == "time with time zone":
        return to_utc(text)
    if name.startswith("timestamp"):
        return wall_time(text)
    return text

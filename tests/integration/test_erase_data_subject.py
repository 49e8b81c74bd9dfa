"""dbt run-operation erase_data_subject: it erases a person in all tables, and nobody else."""

import base64
import contextlib
import hashlib
import hmac
import io
import json
import re
import shlex
from pathlib import Path

import pytest
from golden_cases import COORDINATES
from test_typed_tables_are_read import BUILD, Shop
from test_typed_tables_maintained import texts_on_disk

from conftest import LAKE, MASK_SECRET, long, long_except
from kafka_cdc.lineage.events import ColumnSource, get_column_sources

KEYS = {  # source and table to its key
    "crm shop.customers": ["id"],
    "crm shop.orders": ["region", "number"],
    "crm shop.item1": ["item"],
    "crm shop.item2": ["item"],
    "crm shop.payments": ["payment"],
    "bill bill.invoices": ["invoice"],
    "bill bill.lines": ["line"],
    "bill bill.contacts": ["email"],
    "web shop.customers": ["id"],
}
CUSTOMERS = {"table": "shop.customers", "columns": {"customer_id": "id"}}
OTHER_SOURCE = {"table": "shop.customers", "source": "crm", "columns": {"customer": "id"}}
ORDERS = {"table": "shop.orders", "columns": {"order_region": "region", "order_number": "number"}}
SAME_EMAIL = {"table": "shop.customers", "source": "crm", "columns": {"email": "email"}}
MASKED = [
    {"table": "shop.customers", "columns": {"email": {"mask": "hash"}}},
    {"table": "bill.contacts", "columns": {"email": {"mask": "hash"}}},
]
REFERENCES = [
    {"table": "shop.orders", "references": [CUSTOMERS]},
    {"table": "shop.item?", "references": [ORDERS]},
    {
        "table": "shop.payments",
        "source": "crm",
        "references": [{**CUSTOMERS, "columns": {column: "id"}} for column in ("payer", "payee")],
    },
    {"table": "bill.invoices", "references": [OTHER_SOURCE]},
    {
        "table": "bill.lines",
        "references": [{"table": "bill.invoices", "columns": {"of": "invoice"}}],
    },
    {"table": "bill.contacts", "references": [SAME_EMAIL]},
]
SETTINGS = {
    "topics": [
        {"topic": f"{source}_*", "format": "huawei_drs_json", "source": source}
        for source in ("crm", "bill", "web")
    ],
    "compaction_threshold": 0,
}
MODELS = {
    "customers": "current_table('shop.customers', source='crm')",
    "orders_history": "history_table('shop.orders')",
    "items": "current_table('shop.item?')",
    "invoices": "current_table('bill.invoices')",
}


def hashed(text):
    """Return the HMAC-SHA-256 of a text."""
    return hmac.new(MASK_SECRET.encode(), text.encode(), hashlib.sha256).hexdigest()


def message(at, name, kind, *rows, old=None):
    """Return a message. The text of each row names the person that it belongs to."""
    source, path = name.split()
    database, table = path.split(".")
    return {
        "topic": f"{source}_{table}",
        "offset": at,
        "key": json.dumps({column: rows[0][column] for column in KEYS[name]}),
        "value": json.dumps(
            {
                "mysqlType": dict.fromkeys(rows[0], "varchar(50)"),
                "id": at,
                "es": 1624614713000 + at,
                "ts": 1624614713000 + at,
                "database": database,
                "table": table,
                "type": kind,
                "isDdl": False,
                "sql": "",
                "data": rows,
                "old": old and [old],
                "pkNames": KEYS[name],
            }
        ),
    }


def customer(number, person):
    return {"id": number, "name": f"name of {person}", "email": f"{person}@mail.example"}


def order(region, number, customer, person):
    return {
        "region": region,
        "number": number,
        "customer_id": customer,
        "note": f"order of {person}",
    }


def item(number, region, order, person):
    return {
        "item": number,
        "order_region": region,
        "order_number": order,
        "text": f"item of {person}",
    }


def payment(number, payer, payee, text):
    return {"payment": number, "payer": payer, "payee": payee, "text": text}


CHANGES = [
    ("crm shop.customers", "INSERT", customer("1", "anna")),
    ("crm shop.customers", "INSERT", customer("2", "ben")),
    ("crm shop.customers", "INSERT", customer("3", "chris")),
    # Another source has the same table and key.
    ("web shop.customers", "INSERT", customer("1", "zoe")),
    # The same number in another region, and the same text in another column, are other rows.
    ("crm shop.orders", "INSERT", order("eu", "7", "1", "anna")),
    ("crm shop.orders", "INSERT", order("us", "7", "2", "ben")),
    ("crm shop.orders", "INSERT", order("eu", "1", "2", "ben")),
    ("crm shop.orders", "INSERT", order("eu", "9", None, "nobody")),
    # Two shards have equal keys.
    ("crm shop.item1", "INSERT", item("1", "eu", "7", "anna")),
    ("crm shop.item2", "INSERT", item("1", "us", "7", "ben")),
    ("crm shop.item2", "INSERT", item("2", "eu", "7", "anna")),
    # One message has rows of two persons.
    ("crm shop.item1", "INSERT", item("2", "eu", "1", "ben"), item("6", "eu", "7", "anna")),
    # The person gets another key. Later rows name the new one.
    ("crm shop.customers", "UPDATE", customer("11", "anna"), {"id": "1"}),
    ("crm shop.orders", "INSERT", order("eu", "8", "11", "anna")),
    ("crm shop.item1", "INSERT", item("3", "eu", "8", "anna")),
    # The key of an order moves, and its items follow.
    ("crm shop.orders", "UPDATE", order("as", "80", "11", "anna"), {"region": "eu", "number": "8"}),
    ("crm shop.item1", "INSERT", item("4", "as", "80", "anna")),
    ("crm shop.payments", "INSERT", payment("n/é1", "1", "2", "paid by anna")),
    ("crm shop.payments", "INSERT", payment("2", "3", "11", "paid to anna")),
    ("crm shop.payments", "INSERT", payment("3", "2", "3", "paid by ben")),
    # A deleted row of the person is still in the events.
    ("crm shop.item1", "INSERT", item("5", "eu", "7", "anna")),
    ("crm shop.item1", "DELETE", item("5", "eu", "7", "anna")),
    # All rows of a table belong to the person.
    ("bill bill.invoices", "INSERT", {"invoice": "9", "customer": "11", "text": "for anna"}),
    ("bill bill.lines", "INSERT", {"line": "1", "of": "9", "text": "line of anna"}),
    ("bill bill.lines", "INSERT", {"line": "2", "of": "8", "text": "line of ben"}),
    ("bill bill.contacts", "INSERT", {"email": "anna@mail.example", "text": "contact of anna"}),
    ("bill bill.contacts", "INSERT", {"email": "ben@mail.example", "text": "contact of ben"}),
]
MESSAGES = [
    message(
        at,
        name,
        kind,
        *rows[: len(rows) - (kind == "UPDATE")],
        old=rows[-1] if kind == "UPDATE" else None,
    )
    for at, (name, kind, *rows) in enumerate(CHANGES)
]
QUARANTINE = {  # offset to what is in quarantine, and whether it may concern the person
    99: ("crm_orders", "no JSON", None, False),
    98: ("crm_orders", '{"region": "eu", "number": "7", "note": "order of anna', None, True),
    97: ("crm_orders", '{"region": "eu", "number": "77", "note": "order of ben', None, False),
    96: ("crm_customers", "{", '{"id":"11"}', True),
    95: ("bill_contacts", '{"email": "anna@mail.example"', None, True),
    94: ("crm_orders", base64.b64encode(b"\x02eu\x007\x05anna").decode(), None, True),
    93: ("crm_orders", base64.b64encode(b"\x02us\x007\x05ben\x00").decode(), None, False),
    92: ("other topic's", "customer 11", None, True),
    91: ("crm_payments", '{"payment": "N\\/\\u00E91", "text": ', None, True),
}
OF_PERSON = {  # table to its keys and the number of events
    "crm shop.customers": (["1", "11"], 2),
    "crm shop.orders": (["as 80", "eu 7", "eu 8"], 3),
    "crm shop.item1": (["1", "3", "4", "5", "6"], 6),
    "crm shop.item2": (["2"], 1),
    "crm shop.payments": (["2", "n/é1"], 2),
    "bill bill.invoices": (["9"], 1),
    "bill bill.lines": (["1"], 1),
    "bill bill.contacts": ([hashed("anna@mail.example")], 1),
}
OTHERS = {
    ("crm shop.customers", "2"),
    ("crm shop.customers", "3"),
    ("web shop.customers", "1"),
    ("crm shop.orders", "us 7"),
    ("crm shop.orders", "eu 1"),
    ("crm shop.orders", "eu 9"),
    ("crm shop.item1", "2"),
    ("crm shop.item2", "1"),
    ("crm shop.payments", "3"),
    ("bill bill.lines", "2"),
    ("bill bill.contacts", hashed("ben@mail.example")),
}
PERSON = re.compile(
    r"anna|\{\\*\"id\\*\":\\*\"11\\*\"|" + hashed("anna@mail.example")  # also in metadata of files
)
STATE = ("merged_rows", "current_rows", "row_history", *MODELS)


def contents(project):
    """Return the rows of all tables as texts, without the fingerprint of what is compacted."""
    names = ["{raw}.kafka_messages", *(f"{{cdc}}.{name}" for name in ("events", *STATE))]
    return {
        name.split(".")[1]: sorted(
            re.sub(r',"merged_version":-?\d+', "", row["row"])
            for row in project.query(f"select to_json(struct(*)) as row from {name}")
        )
        for name in names
    }


def erase(project, table="shop.customers", key=None, *, source="crm", dry_run=False, **settings):
    """Run the command. Return its receipt or its error."""
    key = {"id": 1} if key is None else key
    arguments = {"table": table, "key": key, "source": source, "dry_run": dry_run}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        result = project.invoke(
            "run-operation", "erase_data_subject", "--args", json.dumps(arguments), **settings
        )
    if not result.success:
        return re.sub(r"\s+", " ", printed.getvalue() + str(result.exception or ""))
    [receipt] = [line for line in project.log_lines if " person in " in line]
    return receipt.splitlines()


def found_rows(receipt):
    """Return the tables of a receipt with their keys, events and messages."""
    tables = {}
    for line in receipt:
        if found := re.fullmatch(
            r"  table (\S+) of source (\w+): (\d+) keys, (\d+) events in (\d+) messages", line
        ):
            path, source, keys, events, messages = found.groups()
            tables[f"{source} {path}"] = listed = ([], int(events))
            assert messages == events  # no message has two rows of the person
        elif line.startswith("    {"):
            listed[0].append(" ".join(map(json.loads(line).get, KEYS[f"{source} {path}"])))
            assert len(listed[0]) <= int(keys)
    return {name: (sorted(keys), events) for name, (keys, events) in tables.items()}


class OneManifest(dict):
    """The manifest for any settings. References and masks change no model."""

    def __init__(self, built):
        parsed = built.invoke("parse")
        assert parsed.success, parsed.exception
        self.manifest = parsed.result

    def __contains__(self, settings):
        return True

    def __getitem__(self, settings):
        return self.manifest


@pytest.fixture(scope="module")
def shop(project, tmp_path_factory):
    """A lake with the tables of several persons, before any erasure."""
    shop = Shop(project, tmp_path_factory.mktemp("person"), name="person")
    built = shop.built
    built.settings = {**SETTINGS, "tables": MASKED}
    shop.models.mkdir()
    for name, call in MODELS.items():
        (shop.models / f"{name}.sql").write_text(f"{{{{ kafka_cdc.{call} }}}}\n", encoding="utf-8")
    built.manifests = OneManifest(built)
    rejected = [
        {"topic": topic, "offset": offset, "key": key, "value": value}
        for offset, (topic, value, key, _) in QUARANTINE.items()
    ]
    built.land([*MESSAGES, *rejected])
    built.dbt("seed", "--select", "source_types")
    built.dbt("run", *BUILD[1:])
    return built


def test_references_change_no_typed_table(shop):
    """No model reads them. A typed table is written again if a setting of its rows changes."""
    before = {name: shop.snapshots(f"{{cdc}}.{name}") for name in MODELS}
    shop.settings = {**SETTINGS, "tables": [*MASKED, *REFERENCES]}
    shop.dbt("run", *BUILD[1:])
    assert {name: shop.snapshots(f"{{cdc}}.{name}") for name in MODELS} == before


def tables(*references, table="shop.orders", source="crm", masked=()):
    """Return settings in which one table references others."""
    line = {"table": table, "source": source, "references": list(references)}
    return {"tables": [*masked, line]}


@pytest.mark.parametrize(
    ("arguments", "settings", "error"),
    long_except(
        {10, 11},
        [
            (
                {"table": "shop.customer"},
                {},
                "no table shop.customer of source crm in the changelog",
            ),
            ({"source": None}, {}, "several streams have a table shop.customers: "),
            ({"key": 1}, {}, "key is 1. Hint: write the row's key columns"),
            (
                {"key": {"id": 4}},
                {},
                'no event of shop.customers of source crm has the key {"id":"4"}. Hint: check',
            ),
            (
                {},
                tables({**CUSTOMERS, "table": "shop.customer"}),
                "tables[entry 1: shop.orders].references[entry 1: shop.customer].table is shop.customer,"
                " but source crm has no such table",
            ),
            (
                {},
                tables({**OTHER_SOURCE, "source": "erp"}, table="bill.invoices", source="bill"),
                "tables[entry 1: bill.invoices].references[entry 1: shop.customers].table is shop.customers,"
                " but source erp has no such table",
            ),
            (
                {},
                tables({**CUSTOMERS, "tenant": "t1"}),
                "is shop.customers, but source crm, tenant t1 has no such table",
            ),
            (
                {},
                tables(CUSTOMERS, table="shop.ordrs"),
                "no table of source crm matches shop.ordrs, which has references",
            ),
            (
                {},
                tables({**CUSTOMERS, "columns": {"customer": "id"}}),
                "tables[entry 1: shop.orders].references[entry 1: shop.customers] names the column customer,"
                " which no row of shop.orders of source crm has",
            ),
            (
                {},
                tables({**CUSTOMERS, "columns": {"customer_id": "ident"}}),
                "names the column ident, which no row of shop.customers of source crm has",
            ),
            (
                {},
                tables(SAME_EMAIL, table="bill.contacts", source="bill", masked=MASKED[:1]),
                "tables[entry 2: bill.contacts].references[entry 1: shop.customers] compares bill.contacts.email with no mask"
                " and shop.customers.email with the mask hash",
            ),
            (
                {},
                {
                    "tables": [
                        *tables(
                            CUSTOMERS,
                            {"table": "shop.item1", "columns": {"number": "order_number"}},
                        )["tables"],
                        *REFERENCES[1:3],
                    ]
                },
                "references form a cycle, so that it is not clear which rows belong to one person:"
                " shop.item1 of source crm; shop.orders of source crm. Hint: remove one",
            ),
            ({}, tables({"table": "shop.customers"}), "[entry 1: shop.customers].columns"),
            ({}, tables({**CUSTOMERS, "table": "shop.*"}), "[entry 1: shop.*].table"),
            ({}, {"tables": [{"table": "a", "references": {}}]}, "tables[entry 1: a].references"),
        ],
    ),
)
def test_a_wrong_input_changes_nothing(shop, arguments, settings, error):
    versions = [shop.snapshots(name) for name in ("{raw}.kafka_messages", "{cdc}.events")]
    found = erase(shop, **arguments, **settings)
    assert error in found and "Hint: " in found, found
    assert [shop.snapshots(name) for name in ("{raw}.kafka_messages", "{cdc}.events")] == versions
    assert shop.query("show tables in {cdc} like 'erased_rows'") == []


@long
def test_a_dry_run_only_counts(shop):
    before = contents(shop)
    receipt = erase(shop, dry_run=True)
    assert receipt[0].startswith("Nothing is erased. A person in shop.customers of source crm has")
    assert found_rows(receipt) == OF_PERSON
    assert contents(shop) == before


def quarantine(project):
    """Return the offsets of the messages in quarantine."""
    return {row["kafka_offset"] for row in project.query("select * from {cdc}.quarantine")}


def erase_messages(project, arguments):
    """Run erase_messages with the text of its arguments. Return what it prints, or its error."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        result = project.invoke("run-operation", "erase_messages", "--args", arguments)
    if not result.success:
        return re.sub(r"\s+", " ", printed.getvalue() + str(result.exception or ""))
    return project.log_lines[-1]


def test_messages_in_quarantine_are_named_and_erased(shop):
    """The receipt prints the command. It erases no other message."""
    shop.dbt("run", "--select", "quarantine")
    receipt = erase(shop, dry_run=True)
    begin = receipt.index("  not erased: messages in quarantine that contain a key: 6")
    assert receipt[begin + 1 : begin + 8] == [
        "    topic bill_contacts, partition 0, offset 95: invalid_json",
        "    topic crm_customers, partition 0, offset 96: invalid_json",
        "    topic crm_orders, partition 0, offset 94: invalid_json",
        "    topic crm_orders, partition 0, offset 98: invalid_json",
        "    topic crm_payments, partition 0, offset 91: invalid_json",
        "    topic other topic's, partition 0, offset 92: invalid_json",
        "    Look at them in quarantine. To erase all of them:",
    ]
    assert receipt[begin + 9].startswith("  not searched: ")
    command = shlex.split(receipt[begin + 8])
    assert command[:4] == ["dbt", "run-operation", "erase_messages", "--args"]

    messages = shop.query("select count(*) as n from {raw}.kafka_messages")
    printed = erase_messages(shop, command[4])
    assert printed.startswith("Erased: 6 messages in quarantine\n") and "NOT YET" not in printed
    rest = {offset for offset, (*_, is_of_person) in QUARANTINE.items() if not is_of_person}
    assert quarantine(shop) == rest
    erased = shop.query("select * from {raw}.kafka_messages where offset between 91 and 98")
    assert sum(row["key"] is None and "anna" not in row["value"] for row in erased) == 8
    events = shop.query("select * from {cdc}.events where operation_code = 'erased'")
    texts = {name for row in events for name, value in row.items() if value not in (None, "")}
    assert texts <= {*COORDINATES, "source_format", "event_kind", "operation_code"}
    assert shop.query("select count(*) as n from {raw}.kafka_messages") == messages
    shop.erased = rest, command[4]


@pytest.mark.parametrize(
    ("arguments", "error"),
    long_except(
        {4, 5},
        [
            (
                {"messages": "orders/0/1"},
                'messages is "orders/0/1", and not a list of messages. Hint: ',
            ),
            ({"messages": []}, "messages is [], and not a list"),
            (
                {"messages": [{"topic": "crm_orders", "partition": 0}]},
                "messages[entry 1: crm_orders] is {",
            ),
            (
                {"messages": [{"topic": "crm_orders", "partition": 0, "offsets": ["1) or (true"]}]},
                "needs",
            ),
            (
                {"messages": [{"topic": "crm_orders", "partition": 0, "offsets": [99, 98765]}]},
                "topic crm_orders, partition 0, offset 98765 is in no event. Hint: copy",
            ),
            (
                {"messages": [{"topic": "crm_orders", "partition": 0, "offsets": [99, 4]}]},
                "topic crm_orders, partition 0, offset 4 is not in quarantine. Hint: erase rows of",
            ),
        ],
    ),
)
def test_wrong_coordinates_erase_nothing(shop, arguments, error):
    before = quarantine(shop)
    assert error in erase_messages(shop, json.dumps(arguments))
    assert quarantine(shop) == before


def test_the_person_is_gone_and_the_others_stay(shop):
    """Rows of the others are the same texts as before, except in raw and events of a shared one."""
    before = contents(shop)
    restored = shop.spark.table(f"cdc_{shop.name}.customers").where("name like '%anna'").collect()
    receipt = erase(shop)
    after = contents(shop)
    assert receipt[0] == "Erased: a person in shop.customers of source crm"
    assert found_rows(receipt) == OF_PERSON
    number = sum(events for _, events in OF_PERSON.values())
    assert [line for line in receipt[1:] if not line.startswith(("  table ", "    "))] == [
        f"  erased in raw_person.kafka_messages: payloads, keys and headers of {number} messages, if retention has not deleted them",
        f"  erased in cdc_person.events: {number} events",
        f"  erased in cdc_person.merged_rows: {len(before['merged_rows']) - len(after['merged_rows'])} rows",
        "  erased in cdc_person.customers: 1 rows",
        "  erased in cdc_person.invoices: 1 rows",
        "  erased in cdc_person.items: 5 rows",
        "  erased in cdc_person.orders_history: 3 rows",
        "  deleted: older versions of all tables, and their files",
        "  not erased: messages in quarantine that contain a key: 0",
        "  not searched: numbers in binary messages in quarantine: 1",
        "  not reached: DDL text, the logs of dbt",
        "  not reached: messages in Kafka until its retention deletes them, and copies and backups of the tables",
    ]
    assert "anna" not in "".join(receipt)

    for table in STATE:
        assert after[table] == [row for row in before[table] if not is_of_person(row)], table
    assert not [row for rows in after.values() for row in rows if PERSON.search(row)]
    assert live_rows(shop) == OTHERS
    [invoices] = shop.query("select count(*) as rows from {cdc}.invoices")
    assert restored and invoices == {"rows": 0}
    shop.restored = restored


def is_of_person(text):
    """Return whether a row has the person's values, or a key that the person's rows have or had."""
    row = json.loads(text)
    if not row.get("row_key") or "source_name" not in row or PERSON.search(text):
        return PERSON.search(text) is not None
    name = f"{row['source_name']} {row['source_database']}.{row['source_table']}"
    key = " ".join(map(json.loads(row["row_key"]).get, KEYS[name]))
    return key in OF_PERSON.get(name, ([],))[0]


def live_rows(shop):
    """Return the rows of current_rows, table and key."""
    query = """select concat_ws(' ', source_name, concat_ws('.', source_database, source_table)) as name,
        row_key from {cdc}.current_rows"""
    return {
        (row["name"], " ".join(map(json.loads(row["row_key"]).get, KEYS[row["name"]])))
        for row in shop.query(query)
    }


def test_no_file_contains_the_person(shop):
    """Neither do files without a table version, nor the metadata files of the table formats."""
    texts = [
        text
        for schema in ("raw_person", "cdc_person")
        for folder in Path(LAKE.name).glob(f"{schema}*/*")
        for text in texts_on_disk(folder)
    ]
    assert any("ben" in text for text in texts)
    assert not [text[:300] for text in texts if PERSON.search(text)]


@long
def test_a_repeated_command_reports_that_nothing_is_left(shop):
    """It repeats the last steps, as after an interruption before typed tables were rewritten."""
    name = f"cdc_{shop.name}.customers"
    rows = shop.spark.createDataFrame(shop.restored, shop.spark.table(name).schema)
    rows.coalesce(1).writeTo(name).append()
    before = contents(shop)
    receipt = erase(shop, dry_run=True)
    assert receipt[0] == (
        "Nothing is left of a person in shop.customers of source crm, which an earlier command has erased"
    )
    assert contents(shop) == before
    receipt = erase(shop)
    assert receipt[0].endswith("which an earlier command has erased. Its last steps were repeated.")
    assert sorted(receipt[1:9]) == sorted(
        f"  table {name.split()[1]} of source {name.split()[0]}: no row" for name in OF_PERSON
    )
    assert [line for line in receipt if "erased in cdc_person" in line] == [
        "  erased in cdc_person.events: 0 events",
        "  erased in cdc_person.merged_rows: 0 rows",
        "  erased in cdc_person.customers: 1 rows",
    ]
    assert not [row for rows in contents(shop).values() for row in rows if PERSON.search(row)]


@long
def test_duplicates_and_a_replay_restore_nothing(shop):
    columns = columns_of(shop, "invoices")
    shop.land([{**message, "offset": 100 + message["offset"]} for message in MESSAGES])
    shop.dbt("run", *BUILD[1:], replay="all")
    assert live_rows(shop) == OTHERS
    rest, command = shop.erased
    assert quarantine(shop) == rest
    assert erase_messages(shop, command).startswith("Erased: 0 messages")
    assert columns_of(shop, "invoices") == columns
    assert shop.query("select * from {cdc}.invoices") == []
    erase(shop)
    assert not [row for rows in contents(shop).values() for row in rows if PERSON.search(row)]


def columns_of(project, name):
    """Return the names and types of the columns of a table."""
    return project.spark.table(f"cdc_{project.name}.{name}").dtypes


@long
def test_a_typed_table_without_rows_gets_new_ones(shop):
    """A full refresh in between keeps the columns. A new model has none yet, except its own."""
    columns = columns_of(shop, "invoices")
    shop.dbt("run", "--full-refresh", "--select", "invoices")
    assert columns_of(shop, "invoices") == columns

    shop.spark.sql("alter table cdc_person.invoices rename to cdc_person.invoices_before")
    shop.dbt("run", "--select", "invoices")
    assert not {"invoice", "customer", "text"} & dict(columns_of(shop, "invoices")).keys()
    shop.spark.sql("drop table cdc_person.invoices")
    shop.spark.sql("alter table cdc_person.invoices_before rename to cdc_person.invoices")

    invoice = {"invoice": "20", "customer": "2", "text": "for ben"}
    shop.land([message(200, "bill bill.invoices", "INSERT", invoice)])
    result = shop.dbt("run", *BUILD[1:]).result
    [node] = [one.node.to_dict() for one in result if one.node.name == "invoices"]
    assert get_column_sources(node, node) == tuple(
        ColumnSource(column, "cdc_person.current_state", "row_values", column) for column in invoice
    )
    rows = shop.query("select * from {cdc}.invoices")
    assert [(row["invoice"], row["text"]) for row in rows] == [("20", "for ben")]
    assert columns_of(shop, "invoices") == columns


@long
def test_two_tables_with_one_path(project):
    """Names with dots. The rows of one of the tables would stay."""
    line = {"table": "shop.x.y", "references": [CUSTOMERS]}
    built = project("one_path", **SETTINGS, tables=[line])
    messages = [message(0, "crm shop.customers", "INSERT", customer("1", "anna"))]
    for at, (database, table) in enumerate([("shop", "x.y"), ("shop.x", "y")], 1):
        sent = message(at, "crm shop.orders", "INSERT", order("eu", str(at), "1", "anna"))
        value = json.loads(sent["value"]) | {"database": database, "table": table}
        messages.append({**sent, "value": json.dumps(value)})
    built.land(messages)
    built.dbt("run", "--select", "+current_state", "--exclude", "staging")
    versions = built.snapshots("{raw}.kafka_messages")
    found = erase(built)
    assert "several tables have the name shop.x.y of source crm. Hint: their databases" in found
    assert built.snapshots("{raw}.kafka_messages") == versions

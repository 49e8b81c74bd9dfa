"""on_tombstone: delete, for compacted topics that keep only the tombstone of a deleted row."""

import json
import os
import re

import pytest

from conftest import long

POLICIES = ("delete", "ignore")
ERASED = POLICIES if "KAFKA_CDC_LONG" in os.environ else POLICIES[:1]
MODELS = ["+current_state", "+row_history", "+orphan_tombstones"]
ENVELOPE = '{"schema":{"type":"struct","fields":[]},"payload":{"id":4}}'


def key_of(row):
    return f'{{"id":{row}}}'


def change(at, op, before, after, table="orders", snapshot="false"):
    source = {
        "connector": "postgresql",
        "name": "shop",
        "ts_ms": 1000 + at,
        "db": "shop",
        "schema": "public",
        "table": table,
        "lsn": at,
        "sequence": json.dumps([str(at), str(at)]),
        "snapshot": snapshot,
    }
    return {
        "topic": table,
        "offset": at,
        "key": key_of((after or before)["id"]),
        "value": json.dumps(
            {"before": before, "after": after, "source": source, "op": op, "ts_ms": 2000}
        ),
    }


def live(shop, policy, table):
    return sorted(
        json.loads(row["row_key"])["id"]
        for row in shop.query(
            "select row_key from {cdc}.current_state"
            f" where source_name = '{policy}_shop' and source_table = '{table}'"
        )
    )


def tombstone(at, key, topic="orders"):
    return {"topic": topic, "offset": at, "key": key, "value": None}


def rows_and_a_tombstone(topic, keys, values):
    """Return two rows of a topic with an unusual Kafka key, and a tombstone of the first. Its delete was compacted away."""
    rows = [
        {"topic": topic, "offset": at, "key": json.dumps(key), "value": json.dumps(value)}
        for at, (key, value) in enumerate(zip(keys, values))
    ]
    return [*rows, tombstone(2, json.dumps(keys[0]), topic)]


def keys_of_another_spelling():
    """Topics into which Debezium routes several tables, with envelope and unwrapped, and MongoDB's, with its own form of _id."""
    routed = [
        {"id": at, "__dbz__physicalTableIdentifier": f"shop.public.part_{at}"} for at in (1, 2)
    ]
    source = {
        "connector": "postgresql",
        "name": "routed",
        "ts_ms": 1,
        "db": "shop",
        "schema": "public",
        "table": "parts",
    }
    document = {
        "connector": "mongodb",
        "name": "documents",
        "ts_ms": 1,
        "db": "shop",
        "collection": "notes",
        "ord": 1,
    }
    return [
        *rows_and_a_tombstone(
            "routed",
            routed,
            [
                {
                    "before": None,
                    "after": {"id": at},
                    "source": {**source, "lsn": at, "sequence": json.dumps([str(at), str(at)])},
                    "op": "c",
                    "ts_ms": 1,
                }
                for at in (1, 2)
            ],
        ),
        *rows_and_a_tombstone(
            "unwrapped",
            routed,
            [{"id": at, "__op": "c", "__table": "parts", "__lsn": at} for at in (1, 2)],
        ),
        *rows_and_a_tombstone(
            "documents",
            [{"id": '{"$oid":"64b1"}'}, {"schema": {"type": "struct"}, "payload": {"id": "2"}}],
            [
                {"after": after, "source": document, "op": "c", "ts_ms": 1}
                for after in ('{"_id": {"$oid": "64b1"}}', '{"_id": {"$numberLong": "2"}}')
            ],
        ),
        tombstone(3, '{"id":"\\"2\\""}', "documents"),
    ]


@pytest.fixture(scope="module")
def built(project):
    """A lake with the same messages for each policy, under topics and sources of its own, and the live orders after each of three runs.

    The second run brings messages missing from the first. Then 5 is erased.
    """
    topics, tables = [], []
    for policy in POLICIES:
        for topic, slug, source in (
            ("orders", "debezium", "shop"),
            ("visitors", "debezium", "shop"),
            ("routed", "debezium", "routed"),
            ("unwrapped", "debezium_unwrapped", "unwrapped"),
            ("documents", "debezium_mongodb", "documents"),
        ):
            source = f"{policy}_{source}"
            topics.append({"topic": f"{policy}.{topic}", "format": slug, "source": source})
            tables.append({"table": "*", "source": source, "on_tombstone": policy})
        tables.append({"table": "*.visitors", "source": f"{policy}_shop", "on_snapshot": "replace"})
    tables = [line for at, line in enumerate(tables) if line not in tables[:at]]
    shop, states = project("tombstones", topics=topics, tables=tables), []
    rows = {at: {"id": at, "item": f"item {at}"} for at in range(1, 6)}
    for messages in (
        # 1 and 2 are deleted, the deletes were compacted away; 3 is deleted and comes back; 4's tombstone has Connect's envelope
        [change(at, "c", None, rows[at]) for at in (1, 2, 3, 4, 5)]
        + [tombstone(10, '{"id":1}'), tombstone(11, '{"id":3}'), change(12, "c", None, rows[3])],
        keys_of_another_spelling()
        + [tombstone(13, ENVELOPE), tombstone(9, '{"id":2}'), tombstone(14, '{"id":77}')],
        [change(15, "c", None, rows[1]), change(16, "d", rows[5], None), tombstone(17, '{"id":5}')]
        + [
            change(20, "c", None, {"id": 1}, "visitors"),
            change(21, "r", None, {"id": 2}, "visitors", "last"),
        ],  # only 2 remains
    ):
        shop.land(
            [
                {**message, "topic": f"{policy}.{message['topic']}"}
                for policy in POLICIES
                for message in messages
            ]
        )
        shop.dbt("run", "--select", *MODELS, "--exclude", "staging")
        states.append({policy: live(shop, policy, "orders") for policy in POLICIES})
    others = {
        row["source_name"]: json.loads(row["keys"])
        for row in shop.query("""
        select source_name, to_json(array_sort(collect_list(row_key))) as keys from {cdc}.current_state where source_name not like '%shop' group by source_name""")
    }
    history = {
        (row["source_name"], row["row_key"]): row["versions"]
        for row in shop.query(
            "select source_name, row_key, count(*) as versions from {cdc}.row_history where source_table = 'orders' group by all"
        )
    }
    for policy in ERASED:
        arguments = {
            "table": "shop.public.orders",
            "source": f"{policy}_shop",
            "key": {"id": 5},
        }
        shop.dbt("run-operation", "erase_row", "--args", json.dumps(arguments))
    return states, history, others, shop


@pytest.fixture(params=POLICIES)
def state(built, request):
    """What the lake has of a policy."""
    policy, (states, history, others, shop) = request.param, built
    return (
        policy,
        [each[policy] for each in states],
        {key: count for (source, key), count in history.items() if source == f"{policy}_shop"},
        {
            source.removeprefix(f"{policy}_"): keys
            for source, keys in others.items()
            if source.startswith(policy)
        },
        shop,
    )


def test_a_tombstone_deletes_if_set_to(state):
    policy, states, history, *_ = state
    expected = {
        "delete": [["2", "3", "4", "5"], ["3", "5"], ["1", "3"]],
        "ignore": [["1", "2", "3", "4", "5"]] * 2 + [["1", "2", "3", "4"]],
    }
    assert states == expected[policy]
    assert history == {f'{{"id":"{at}"}}': 2 if at in (1, 3) else 1 for at in range(1, 6)}


def test_a_tombstones_key_is_parsed_like_the_row_keys_of_its_format(state):
    """The last tombstone of the documents is that of the text "2", not of the number 2."""
    policy, *_, others, _ = state
    first, second = (
        ['{"id":"1"}', '{"_id":"{\\"$oid\\":\\"64b1\\"}"}'],
        ['{"id":"2"}', '{"_id":"2"}'],
    )
    gone = policy == "delete"
    assert others == {
        name: sorted([second[at]] + [first[at]] * (not gone))
        for name, at in (("routed", 0), ("unwrapped", 0), ("documents", 1))
    }


def test_tombstones_of_an_erased_row_lose_their_keys(state):
    policy, shop = state[0], state[-1]
    if policy not in ERASED:
        pytest.skip("one policy stands for both")
    kept = shop.query(
        f"select `offset`, key from {{raw}}.kafka_messages where value is null and topic = '{policy}.orders' order by `offset`"
    )
    assert kept == [
        {"offset": at, "key": key}
        for at, key in [
            (9, '{"id":2}'),
            (10, '{"id":1}'),
            (11, '{"id":3}'),
            (13, ENVELOPE),
            (14, '{"id":77}'),
        ]
    ]
    tables = {
        "{raw}.kafka_messages": "topic",
        "{cdc}.events": "kafka_topic",
        "{cdc}.current_rows": "kafka_topic",
        "{cdc}.row_history": "kafka_topic",
        "{cdc}.orphan_tombstones": "kafka_topic",
    }
    contents = "".join(
        row["row"]
        for table, topic in tables.items()
        for row in shop.query(
            f"select to_json(struct(*)) as row from {table} where {topic} like '{policy}.%'"
        )
    )
    assert (
        "item 4" in contents
        and "item 5" not in contents
        and not re.search(r'\\"id\\":(\\")?5', contents)
    )
    assert shop.query(
        "select kafka_offset, deletes_row from {cdc}.orphan_tombstones"
        f" where kafka_topic = '{policy}.orders' and kafka_offset in (14, 17)"
    ) == [{"kafka_offset": 14, "deletes_row": policy == "delete"}]


def test_only_tombstones_that_delete_no_row_are_a_warning(built):
    shop = built[-1]
    result = shop.dbt("test", "--select", "streams_are_healthy_event_batch_stats_")
    tests = [run.status for run in result.result if run.node.resource_type == "test"]
    assert tests == ["warn"]
    sentences = [line for line in shop.log_lines if "tombstones without a delete" in line]
    assert {line.split("topic ")[1].split(".")[0] for line in sentences} == {"ignore"}
    findings = shop.query("select distinct kafka_topic, deletes_row from {cdc}.orphan_tombstones")
    topics = {(row["kafka_topic"].split(".")[0], row["deletes_row"]) for row in findings}
    assert topics == {("delete", True), ("ignore", False)}


@long
def test_a_snapshot_of_an_erased_row_still_replaces(state):
    policy, shop = state[0], state[-1]
    if policy == "delete":
        pytest.skip("once is enough")
    assert live(shop, policy, "visitors") == ["2"]
    arguments = {
        "table": "shop.public.visitors",
        "source": f"{policy}_shop",
        "key": {"id": 2},
    }
    shop.dbt("run-operation", "erase_row", "--args", json.dumps(arguments))
    assert live(shop, policy, "visitors") == []

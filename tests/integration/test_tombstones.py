"""on_tombstone: delete, for compacted topics that keep only the tombstone of a deleted row."""

import json

import pytest


def change(at, op, before, after):
    source = {"connector": "postgresql", "name": "shop", "ts_ms": 1000 + at, "db": "shop", "schema": "public", "table": "orders", "lsn": at, "sequence": json.dumps([str(at), str(at)])}
    return {"topic": "orders", "offset": at, "key": json.dumps({"id": (after or before)["id"]}), "value": json.dumps({"before": before, "after": after, "source": source, "op": op, "ts_ms": 2000})}


def tombstone(at, key):
    return {"topic": "orders", "offset": at, "key": key, "value": None}


@pytest.fixture(scope="module", params=["delete", "ignore"])
def state(project, request):
    """The orders that are live after each of three runs; the second brings what the first lacks of the same partition."""
    tables = [{"table": "shop.*", "source": "shop", "on_tombstone": request.param}]
    shop, states = project(f"tombstones_{request.param}", topics=[{"topic": "orders", "format": "debezium"}], tables=tables), []
    rows = {at: {"id": at, "item": f"item {at}"} for at in range(1, 6)}
    for messages in (
        # 1 and 2 are deleted, the deletes were compacted away; 3 is deleted and comes back; 4's tombstone has Connect's envelope
        [change(at, "c", None, rows[at]) for at in (1, 2, 3, 4, 5)] + [tombstone(10, '{"id":1}'), tombstone(11, '{"id":3}'), change(12, "c", None, rows[3])],
        [tombstone(13, '{"schema":{"type":"struct","fields":[]},"payload":{"id":4}}'), tombstone(9, '{"id":2}'), tombstone(14, '{"id":77}')],
        [change(15, "c", None, rows[1]), change(16, "d", rows[5], None), tombstone(17, '{"id":5}')],
    ):
        shop.land(messages)
        shop.dbt("run", "--select", "events+")
        states.append(sorted(json.loads(row["row_key"])["id"] for row in shop.query("select row_key from {cdc}.current_state")))
    history = {row["row_key"]: row["versions"] for row in shop.query("select row_key, count(*) as versions from {cdc}.row_history group by row_key")}
    return request.param, states, history


def test_a_tombstone_deletes_where_the_setting_says_so(state):
    policy, states, history = state
    expected = {"delete": [["2", "3", "4", "5"], ["3", "5"], ["1", "3"]], "ignore": [["1", "2", "3", "4", "5"]] * 2 + [["1", "2", "3", "4"]]}
    assert states == expected[policy]
    assert history == {f'{{"id":"{at}"}}': 2 if at in (1, 3) else 1 for at in range(1, 6)}

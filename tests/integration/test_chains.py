"""A before image that is not the row before it proves a fault of the connector. Healthy streams break no chain."""

import json
from datetime import datetime, timezone

from conftest import long

RUN = ["run", "--select", "+broken_chains", "--exclude", "staging"]


def debezium(offset, code, before, after, table="customers", position=None, at=None):
    at = offset if at is None else at
    source = {
        "connector": "mysql",
        "name": "shop",
        "db": "shop",
        "table": table,
        "ts_ms": (1_700_000_000 + at) * 1000,
        "file": "mysql-bin.000001",
        "pos": 100 + (offset if position is None else position),
        "row": 0,
    }
    key = (after or before)["id"]
    return {
        "topic": f"shop.{table}",
        "offset": offset,
        "timestamp": datetime.fromtimestamp(1_700_000_000 + at, timezone.utc),
        "key": json.dumps({"id": key}),
        "value": json.dumps(
            {
                "before": before,
                "after": after,
                "source": source,
                "op": code,
                "ts_ms": source["ts_ms"],
            }
        ),
    }


def breaks(built):
    return [
        (
            row["source_table"],
            row["break_kind"],
            row["proposed_cause"],
            row["different_columns"],
            row["changes"],
        )
        for row in built.query(
            "select * from {cdc}.broken_chains left join (select landing_batch, max(landed_at) as landed_at"
            " from {cdc}.event_batch_stats group by landing_batch) using (landing_batch)"
            " order by landed_at, source_table, break_kind, proposed_cause"
        )
    ]


def explains(result):
    """Return whether a run looked for causes. It costs more than to see that no chain is broken."""
    (node,) = (each.node for each in result.result if each.node.name == "chain_breaks")
    return "lost_change" in node.compiled_code


@long
def test_a_lost_update_is_found_across_batches(project):
    built = project("chains_lost", check_chains="warn")
    row = lambda n, key=1: {"id": key, "name": f"name {n}", "n": n}
    built.land(
        [
            debezium(0, "c", None, row(0)),
            debezium(1, "u", row(0), row(1)),
            debezium(0, "c", None, row(0), "gaps"),
            debezium(0, "c", None, {"id": 1, "n": "0.000000000000000002"}, "wallets"),
            debezium(0, "c", None, {"id": 1, "n": "-1.10"}, "spellings"),
        ]
    )
    assert not explains(built.dbt(*RUN))
    assert breaks(built) == []
    built.land(
        [
            debezium(2, "u", row(2), row(3)),
            debezium(3, "u", row(3), row(4)),
            debezium(4, "u", row(3), row(4), position=3, at=3),
            # The offsets 1 to 4 are missing: what is checked next to the gap is what follows it.
            debezium(5, "u", row(6), row(7), "gaps"),
            debezium(6, "u", row(8), row(9), "gaps"),
            # Numbers are compared by all of their digits.
            debezium(
                1,
                "u",
                {"id": 1, "n": "0.000000000000000001"},
                {"id": 1, "n": "5"},
                "wallets",
            ),
            debezium(1, "u", {"id": 1, "n": "-001.1"}, {"id": 1, "n": "5"}, "spellings"),
        ]
    )
    assert explains(built.dbt(*RUN))
    second = [
        ("customers", "before_image_differs", "lost_change", ["n", "name"], 1),
        ("customers", "repeated_change", "repeated_range", [], 1),
        ("gaps", "before_image_differs", "lost_change", ["n", "name"], 1),
        ("spellings", "before_image_differs", "number_format", ["n"], 1),
        ("wallets", "before_image_differs", "lost_change", ["n"], 1),
    ]
    assert breaks(built) == second
    built.land(
        [
            debezium(5, "d", row(4), None),
            debezium(6, "d", row(9, 7), None),
            debezium(7, "c", None, row(5)),
        ]
    )
    built.dbt(*RUN)
    assert breaks(built) == [
        *second,
        ("customers", "change_of_unseen_row", "lost_insert", [], 1),
    ]

"""Typed tables follow a source that changes its columns, by the policy on_schema_change."""

import pytest
from test_typed_tables_are_read import BUILD, TYPES, Shop, canal, order

from conftest import long
from kafka_cdc.report import queries

pytestmark = pytest.mark.delta_long

ODD = {
    "rate": {"text": "1.25", "reason": "out of range, too precise, or not a valid int"},
    "size": {"text": "XL", "reason": "not a valid int"},
}
CHANGES = "typed_table, source_table, column_name, change, type_before, type_after, policy"
POLICIES = {
    "evolves": "current_table('shop.orders')",
    "evolves_history": "history_table('shop.orders')",
    "tries": "current_table('shop.orders', on_schema_change='try_evolve')",
    "lenient": "current_table('shop.orders', on_schema_change='lenient')",
    "ignores": "current_table('shop.orders', on_schema_change='ignore')",
    "stops": "current_table('shop.orders', on_schema_change='exception')",
}


def changes(built):
    """Return the rows of applied_schema_changes, without the schema of the tables and the time."""
    return sorted(
        (row.pop("typed_table").split(".")[-1], *row.values())
        for row in built.query(f"select {CHANGES} from {{cdc}}.applied_schema_changes")
    )


def reported_change(row):
    """Return what the report shows of an applied change, in the order of CHANGES."""
    table = row.table.removeprefix("shop.")
    return table, row.column, row.change, row.old_type, row.new_type, row.policy


def types(built, name):
    """Return the columns of a typed table with their types."""
    table = built.spark.table(f"cdc_{built.name}.{name}")
    return {field.name: field.dataType.simpleString() for field in table.schema}


@long
def test_each_policy_follows_a_change_of_columns(project, tmp_path):
    shop = Shop(project, tmp_path, name="typed_change")
    built = shop.built
    built.dbt("seed", "--select", "source_types")
    first = TYPES | {"price": "decimal(10,2)", "rate": "decimal(6,2)", "size": "varchar(9)"}
    built.land([canal(0, "INSERT", order(0, price="0", rate="1.25", size="XL"), first)])
    shop.models.mkdir()
    for name, call in POLICIES.items():
        (shop.models / f"{name}.sql").write_text("{{ kafka_cdc." + call + " }}\n", encoding="utf-8")
    built.manifests.clear()
    built.dbt(*BUILD)
    assert changes(built) == []

    changed = first | {"price": "decimal(12,4)", "rate": "int", "size": "int", "note": "text"}
    new = order(1, price="7.1234", rate="3", size="52", note="n")
    built.land([canal(1, "INSERT", new, changed)])
    result = built.invoke(*BUILD)
    failed = {run.node.name: run.message for run in result.result if run.status == "error"}
    assert list(failed) == ["stops"]
    assert (
        "the source changed shop.orders: column price decimal(10, 2) is now decimal(12, 4); column"
        " rate decimal(6, 2) is now int; column size string is now int; column note string is new."
        " Hint: set on_schema_change"
    ) in failed["stops"]
    of_column = {
        "note": ("note", "added", None, "string"),
        "price": ("price", "retyped", "decimal(10, 2)", "decimal(12, 4)"),
        "rate": ("rate", "retyped", "decimal(6, 2)", "int"),
        "size": ("size", "retyped", "string", "int"),
    }
    expected = [
        (name, "orders", *of_column[column], "evolve")
        for name in ("evolves", "evolves_history")
        for column in of_column
    ]
    wider = {column: of_column[column] for column in ("note", "price")}
    expected += [("tries", "orders", *wider[column], "try_evolve") for column in wider]
    expected += [
        ("lenient", "orders", *change, "lenient")
        for change in (
            *wider.values(),
            ("rate_v2", "added", None, "int"),
            ("size_v2", "added", None, "int"),
        )
    ]
    expected.sort(key=str)
    assert sorted(changes(built), key=str) == expected
    kept = [line for line in built.log_lines if ".tries: " in line and "stays" in line]
    assert len(kept) == 2
    assert "rate stays decimal(6, 2), because int does not hold its values. Hint: " in kept[0]
    for name, columns in (("tries", 1), ("lenient", 2)):
        found = types(built, name)
        assert found["rate"] == "decimal(6,2)" and found["size"] == "string"
        assert found["price"] == "decimal(12,4)"
        assert {"rate_v2", "size_v2"} & found.keys() == (
            {"rate_v2", "size_v2"} if columns == 2 else set()
        )
    rows = built.query("select * from {cdc}.lenient order by id")
    assert [
        tuple(str(row[name]) for name in ("rate", "rate_v2", "size", "size_v2", "undecoded"))
        for row in rows
    ] == [("1.25", "None", "XL", "None", "{}"), ("3.00", "3", "52", "52", "{}")]
    for name in ("evolves", "evolves_history"):
        assert types(built, name).items() >= {"price": "decimal(12,4)", "note": "string"}.items()
        assert sorted(
            (str(row["price"]), row["note"], row["undecoded"])
            for row in built.query(f"select * from {{cdc}}.{name}")
        ) == [("0.0000", None, ODD), ("7.1234", "n", {})]
    for name in ("ignores", "stops"):
        assert types(built, name)["price"] == "decimal(10,2)"
        assert "note" not in types(built, name)
    ignored = built.query("select price, undecoded from {cdc}.ignores order by id desc limit 1")[0]
    assert (ignored["price"], ignored["undecoded"]["price"]["text"]) == (None, "7.1234")

    # a full refresh follows the source under every policy, and is listed
    built.dbt("run", "--full-refresh", "--select", "stops", "evolves")
    expected += [("stops", "orders", *of_column[column], "exception") for column in of_column]
    expected.sort(key=str)
    assert sorted(changes(built), key=str) == expected, built.log_lines
    assert types(built, "stops")["price"] == "decimal(12,4)"

    # the model lists the same, without the hook
    built.dbt("run", "--full-refresh", "--select", "applied_schema_changes")
    assert sorted(changes(built), key=str) == expected

    # and so does the report
    query = queries.APPLIED_CHANGES.format(cdc=f"cdc_{built.name}", table=queries.TABLE)
    listed = queries.read_listing(built.spark, queries.facts.AppliedChange, query, len(expected))
    assert {row.table for row in listed} == {"shop.orders"}
    assert all(row.applied_at > 0 for row in listed) and listed.total == len(expected)
    reported = [(row.typed_table.split(".")[-1], *reported_change(row)) for row in listed]
    assert sorted(reported, key=str) == expected

    # without another change, nothing is applied or reported again
    built.land([canal(2, "INSERT", order(2, price="2.5", rate="8", size="XS", note="m"), changed)])
    built.dbt("run", *BUILD[1:], "--exclude", "stops")
    assert sorted(changes(built), key=str) == expected
    assert [line for line in built.log_lines if "stays" in line] == []
    (row,) = built.query("select * from {cdc}.lenient order by id desc limit 1")
    assert (str(row["rate"]), row["rate_v2"], row["size"], row["size_v2"]) == (
        "8.00",
        8,
        "XS",
        None,
    )
    assert row["undecoded"] == {}

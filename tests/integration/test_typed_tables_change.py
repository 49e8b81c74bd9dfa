"""Typed tables follow a source that changes its columns, by the policy on_schema_change."""

import pytest
from test_typed_tables_are_read import BUILD, TYPES, Shop, canal, order

pytestmark = pytest.mark.delta

CHANGES = "typed_table, source_table, column_name, change, type_before, type_after, policy"
POLICIES = {
    "evolves": "current_table('shop.orders')",
    "evolves_history": "history_table('shop.orders')",
    "ignores": "current_table('shop.orders', on_schema_change='ignore')",
    "stops": "current_table('shop.orders', on_schema_change='exception')",
}


def changes(built):
    """Return the rows of applied_schema_changes, without the schema of the tables and the time."""
    return sorted(
        (row.pop("typed_table").split(".")[-1], *row.values())
        for row in built.query(f"select {CHANGES} from {{cdc}}.applied_schema_changes")
    )


def types(built, name):
    """Return the columns of a typed table with their types."""
    table = built.spark.table(f"cdc_{built.name}.{name}")
    return {field.name: field.dataType.simpleString() for field in table.schema}


def test_each_policy_follows_a_change_of_columns(project, tmp_path):
    shop = Shop(project, tmp_path, name="typed_change")
    built = shop.built
    built.dbt("seed", "--select", "source_types")
    built.land([canal(0, "INSERT", order(0, price="0"), TYPES | {"price": "decimal(10,2)"})])
    shop.models.mkdir()
    for name, call in POLICIES.items():
        (shop.models / f"{name}.sql").write_text("{{ kafka_cdc." + call + " }}\n", encoding="utf-8")
    built.manifests.clear()
    built.dbt(*BUILD)
    assert changes(built) == []

    changed = TYPES | {"price": "decimal(12,4)", "note": "text"}
    built.land([canal(1, "INSERT", order(1, note="n", price="7.1234"), changed)])
    result = built.invoke(*BUILD)
    failed = {run.node.name: run.message for run in result.result if run.status == "error"}
    assert list(failed) == ["stops"]
    assert (
        "the source changed shop.orders: column price decimal(10, 2) is now decimal(12, 4); column"
        " note string is new. Hint: set on_schema_change"
    ) in failed["stops"]
    of_column = {
        "note": ("note", "added", None, "string"),
        "price": ("price", "retyped", "decimal(10, 2)", "decimal(12, 4)"),
    }
    expected = [
        (name, "orders", *of_column[column], "evolve")
        for name in ("evolves", "evolves_history")
        for column in of_column
    ]
    assert changes(built) == expected
    for name in ("evolves", "evolves_history"):
        assert types(built, name).items() >= {"price": "decimal(12,4)", "note": "string"}.items()
        assert sorted(
            (str(row["price"]), row["note"], row["undecoded"])
            for row in built.query(f"select * from {{cdc}}.{name}")
        ) == [("0.0000", None, {}), ("7.1234", "n", {})]
    for name in ("ignores", "stops"):
        assert types(built, name)["price"] == "decimal(10,2)"
        assert "note" not in types(built, name)
    ignored = built.query("select price, undecoded from {cdc}.ignores order by id desc limit 1")[0]
    assert (ignored["price"], ignored["undecoded"]["price"]["text"]) == (None, "7.1234")

    # a full refresh follows the source under every policy, and is listed
    built.dbt("run", "--full-refresh", "--select", "stops", "evolves")
    expected += [("stops", "orders", *of_column[column], "exception") for column in of_column]
    assert changes(built) == expected, built.log_lines
    assert types(built, "stops")["price"] == "decimal(12,4)"

    # the model lists the same, without the hook
    built.dbt("run", "--full-refresh", "--select", "applied_schema_changes")
    assert changes(built) == expected

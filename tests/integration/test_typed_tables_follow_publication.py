"""Typed tables follow what is published: replays, changed models, interrupted publications."""

import json
import re

import pytest
from dbt.adapters.sql.connections import SQLConnectionManager
from test_typed_tables_are_read import BUILD, Shop, canal, order

from conftest import long
from kafka_cdc.tables import table_format

pytestmark = pytest.mark.delta_long

TYPED = ["run", "--select", "path:models/typed"]
MODELS = {
    "orders": "current_table('shop.orders')",
    "orders_history": "history_table('shop.orders')",
    "items": "current_table('shop.items')",
}


def item(offset, name, **more):
    return canal(offset, "INSERT", order(offset, name=name), table="items", **more)


@pytest.fixture(scope="module")
def shop(project, tmp_path_factory):
    """Two tables whose messages share a batch and a partition."""
    shop = Shop(project, tmp_path_factory.mktemp("publication"), name="typed_publication")
    shop.models.mkdir()
    for name, call in MODELS.items():
        write(shop, name, call)
    shop.built.dbt("seed", "--select", "source_types")
    shop.built.land(
        [
            canal(0, "INSERT", order(0, name="wrong")),
            item(1, "wrong"),
            canal(3, "INSERT", order(3)),
        ]
    )
    shop.built.dbt(*BUILD)
    return shop


def write(shop, name, call):
    """Write a model."""
    (shop.models / f"{name}.sql").write_text("{{ kafka_cdc." + call + " }}\n", encoding="utf-8")
    shop.built.manifests.clear()


def names(shop, model):
    """Return the names in a typed table, and in the state of its source table."""
    found = shop.built.query(f"select name from {{cdc}}.{model} order by id")
    table = model.removesuffix("_history")
    state = shop.built.query(
        "select row_values['name'] as name from {cdc}.current_state"
        f" where source_table = '{table}' order by cast(row_values['id'] as decimal(38))"
    )
    return [row["name"] for row in found], [row["name"] for row in state]


def make_shop_of_one_order(project, folder, name):
    """Return a shop with the model of orders. One order has landed, and nothing is built."""
    shop = Shop(project, folder, name=name)
    shop.models.mkdir()
    write(shop, "orders", MODELS["orders"])
    shop.built.dbt("seed", "--select", "source_types")
    shop.built.land([canal(0, "INSERT", order(0))])
    return shop


def built_from(shop):
    """Return the property kafka_cdc.built_from of the typed table, as Spark writes it."""
    [value] = [
        row["value"]
        for row in shop.built.query("show tblproperties {cdc}.orders")
        if row["key"] == "kafka_cdc.built_from"
    ]
    return value


def test_a_replay_reaches_all_tables_of_a_batch(shop):
    """The rows of two tables change alike, in one batch and partition."""
    correction = "set value = replace(value, 'wrong', 'right') where offset < 2"
    shop.built.spark.sql(f"update {shop.built.raw} {correction}")
    shop.built.dbt(*BUILD, replay=["shop"])
    for model in ("orders", "orders_history", "items"):
        found, state = names(shop, model)
        assert found == state and "right" in found and "wrong" not in found, model


@long
def test_a_column_gives_way_to_a_column_of_the_model(project, tmp_path):
    """A full refresh gives it its own name again when the model no longer has it."""
    shop = Shop(project, tmp_path, name="typed_marks")
    shop.models.mkdir()
    write(shop, "marks", "current_table('shop.marks')")
    shop.built.dbt("seed", "--select", "source_types")
    row = {"id": "1", "is_deleted": "1"}
    types = {"id": "bigint", "is_deleted": "int"}
    shop.built.land([canal(0, "INSERT", row, types, table="marks")])
    shop.built.dbt(*BUILD)
    rows = "select * from {cdc}.marks"
    assert shop.built.query(rows)[0]["is_deleted"] == 1
    write(shop, "marks", "current_table('shop.marks', deletes='soft')")
    shop.built.dbt(*TYPED)
    [found] = shop.built.query(rows)
    assert (found["is_deleted_"], found["is_deleted"], found["deleted_at"]) == (1, False, None)
    shop.built.dbt(*TYPED, "--full-refresh")
    assert shop.built.query(rows) == [found]
    write(shop, "marks", "current_table('shop.marks')")
    for options, name in (((), "is_deleted_"), (("--full-refresh",), "is_deleted")):
        shop.built.dbt(*TYPED, *options)
        assert shop.built.query(rows)[0][name] == 1


@long
def test_a_view_that_was_not_replaced_in_time(shop):
    """A build was killed after it had published the tables."""
    view = f"cdc_{shop.built.name}.current_rows"
    created = shop.built.query(f"show create table {view}")[0]["createtab_stmt"]
    shop.built.land([canal(10, "INSERT", order(10, name="ten"))])
    shop.built.dbt("run", *BUILD[1:], "path:models/typed")
    query = created[re.search(r"\bAS\s", created).end() :]
    change = "create or replace view" if table_format.NAME == "iceberg" else "alter view"
    shop.built.spark.sql(f"{change} {view} as {query}")
    shop.built.dbt(*TYPED)
    found, state = names(shop, "orders")
    assert found == state and "ten" in found


@long
def test_a_hold_that_ended_before_its_views_were_replaced(shop):
    """A build was killed after it had published the tables.

    The views still withhold the events of the hold.
    """
    shop.built.settings["tables"] = [{"table": "shop.items", "hold": True}]
    shop.built.dbt(*BUILD)
    shop.built.land([item(15, "fifteen")])
    shop.built.dbt(*BUILD)
    shop.built.settings["tables"] = []
    changelog = "+path:models/marts/changelog.sql"
    shop.built.dbt("run", "--select", changelog, "--exclude", "staging")
    shop.built.dbt(*TYPED)
    found, state = names(shop, "items")
    assert found == state and "fifteen" in found


@long
@pytest.mark.skipif(table_format.NAME == "delta", reason="a Delta table has no tag to move")
def test_statistics_that_were_published_alone(shop):
    """A build was killed while it published. Only the next build can tell what may be published.

    All typed tables stop.
    """
    shop.built.land([canal(11, "INSERT", order(11, name="eleven"))])
    shop.built.dbt("run", "--select", "events", "event_batch_stats")
    stats = f"cdc_{shop.built.name}.event_batch_stats"
    shop.built.spark.sql(f"alter table {stats} create or replace tag published")
    result = shop.built.invoke(*TYPED)
    failed = {run.node.name: run.message for run in result.result if run.status == "error"}
    assert "orders" in failed and "Hint: run dbt build" in failed["orders"]
    assert "orders_history" in failed
    shop.built.dbt(*BUILD)
    found, state = names(shop, "orders")
    assert found == state and "eleven" in found


@long
def test_the_newest_type_is_that_of_the_newest_position(project, tmp_path):
    """A topic follows another one. Its offsets begin at 0, and its positions go on."""
    shop = Shop(project, tmp_path, name="typed_newest")
    shop.built.settings["topics"] = [
        {"topic": topic, "format": "huawei_drs_json", "source": "drs"} for topic in ("old", "new")
    ]
    shop.models.mkdir()
    write(shop, "orders", "current_table('shop.orders')")
    shop.built.dbt("seed", "--select", "source_types")
    ids = {"id": "bigint", "amount": "int"}
    old = canal(1_000_000, "INSERT", {"id": "1", "amount": "7"}, ids, id=1)
    shop.built.land([{**old, "topic": "old"}])
    shop.built.dbt(*BUILD)
    wide = ids | {"amount": "bigint"}
    new = canal(0, "INSERT", {"id": "2", "amount": "3000000000"}, wide, id=2)
    shop.built.land([{**new, "topic": "new"}])
    shop.built.dbt(*BUILD)
    rows = shop.built.query("select id, amount, undecoded from {cdc}.orders order by id")
    assert [(row["amount"], row["undecoded"]) for row in rows] == [(7, {}), (3000000000, {})]


@long
def test_batches_without_a_known_time(project):
    """A batch from before times were mapped is known by its number. One with a time is new."""
    built = project("typed_times")
    known = {"last_batch": 5, "recent_from": None, "recent_batches": []}
    literal = json.dumps(known).replace("null", "none")
    inline = f"{{{{ kafka_cdc.known_batches_condition({literal}) }}}}"
    compiled = built.dbt("compile", "--inline", inline).result.results[0].node.compiled_code
    rows = built.spark.sql(
        f"select {compiled} as is_known from values (4L, null), (6L, null),"
        " (4L, timestamp '2026-01-01') as batches (landing_batch, landed_at)"
    ).collect()
    assert [row.is_known for row in rows] == [True, False, False]


@long
def test_offsets_of_another_partition_do_not_decide(shop, monkeypatch):
    """A low offset needs no older events, if no later one of the row is known."""
    execute, merges = SQLConnectionManager.execute, []

    def record(self, sql, *arguments, **options):
        if "merge into" in sql and ".orders as target" in sql:
            merges.append(sql)
        return execute(self, sql, *arguments, **options)

    monkeypatch.setattr(SQLConnectionManager, "execute", record)

    shop.built.land([canal(500, "INSERT", order(500))])
    shop.built.land([{**canal(0, "INSERT", order(501)), "partition": 1}])
    shop.built.dbt(*BUILD)
    shop.built.land([{**canal(1, "INSERT", order(501, name="new")), "partition": 1}])
    merges.clear()
    shop.built.dbt(*BUILD)
    found, state = names(shop, "orders")
    assert found == state and "new" in found
    [merge] = merges
    assert "new_events as (" in merge

    # The older change of a row lands after the newer one, next to a new row.
    shop.built.land([{**canal(6, "INSERT", order(501, name="newest")), "partition": 1}])
    shop.built.dbt(*BUILD)
    late = [canal(4, "INSERT", order(501, name="late")), canal(8, "INSERT", order(502))]
    shop.built.land([{**message, "partition": 1} for message in late])
    merges.clear()
    shop.built.dbt(*BUILD)
    found, state = names(shop, "orders")
    assert found == state and "newest" in found and "late" not in found
    [merge] = merges
    assert "new_events as (" not in merge


@long
def test_rows_of_two_runs_at_once_are_written_again(shop, monkeypatch):
    """Another run ends during a merge, and the merge writes older rows over its rows."""
    shop.built.land([canal(900, "INSERT", order(900, name="newest"))])
    shop.built.dbt(*BUILD)
    execute, done = SQLConnectionManager.execute, []

    def meet(self, sql, *arguments, **options):
        result = execute(self, sql, *arguments, **options)
        if "merge into" in sql and ".orders as target" in sql and not done:
            done.append(True)
            shop.built.query("update {cdc}.orders set name = 'older' where name = 'newest'")
            other = json.dumps({"definition": "of the other run"}).encode().hex()
            shop.built.query(
                f"alter table {{cdc}}.orders set tblproperties ('kafka_cdc.built_from' = '{other}')"
            )
        return result

    monkeypatch.setattr(SQLConnectionManager, "execute", meet)
    shop.built.land([canal(901, "INSERT", order(901))])
    shop.built.dbt(*BUILD)
    assert done and "older" in names(shop, "orders")[0]
    shop.built.dbt(*BUILD)
    found, state = names(shop, "orders")
    assert found == state and "newest" in found


@long
def test_each_run_leaves_another_property(shop):
    """Otherwise a merge would not notice that another run has replaced its rows by older ones."""
    values = set()
    for _ in range(2):
        shop.built.dbt(*TYPED, "--full-refresh")
        values.add(built_from(shop))
    assert len(values) == 2


@long
def test_a_replay_of_a_batch_that_a_killed_run_has_merged(project, tmp_path):
    """The run was killed before it wrote the property. The replayed batch has another key."""
    shop = make_shop_of_one_order(project, tmp_path, "typed_replayed")
    shop.built.dbt("run", *BUILD[1:])
    before = built_from(shop)
    rejected = canal(2, "INSERT", order(2, id=None))
    shop.built.land([canal(1, "INSERT", order(1, name="one")), rejected])
    shop.built.dbt("run", *BUILD[1:])
    assert "one" in names(shop, "orders")[0]
    shop.built.query(
        f"alter table {{cdc}}.orders set tblproperties ('kafka_cdc.built_from' = '{before}')"
    )

    correction = f"value = replace(value, '{2**63 + 1}', '{2**63 + 2}')"
    shop.built.spark.sql(f"update {shop.built.raw} set {correction} where offset = 1")
    shop.built.dbt("run", *BUILD[1:], replay="quarantine")  # of the second batch only
    found, state = names(shop, "orders")
    assert found == state and len(found) == 2


@long
def test_a_held_table_is_not_written_again_for_each_batch(project, tmp_path):
    """Batch numbers are random: nearly each one is below the highest published one.

    The list of a hold does not get longer.
    """
    shop = Shop(project, tmp_path, name="typed_held")
    shop.models.mkdir()
    for name in ("orders", "items"):
        write(shop, name, MODELS[name])
    shop.built.dbt("seed", "--select", "source_types")
    shop.built.land([canal(0, "INSERT", order(0)), item(1, "first")], batch=2**62)
    shop.built.dbt(*BUILD)
    shop.built.settings["tables"] = [{"table": "shop.orders", "hold": True}]
    shop.built.land([canal(2, "INSERT", order(2))], batch=5)
    shop.built.dbt(*BUILD)  # the hold begins
    written = shop.built.snapshots("{cdc}.orders")
    shop.built.land([canal(3, "INSERT", order(3)), item(4, "second")], batch=4)
    shop.built.dbt(*BUILD)
    [hold] = shop.built.query("select late_batches from {cdc}.table_holds")
    assert hold["late_batches"] == [5]  # batch 4 landed after the hold began
    assert shop.built.snapshots("{cdc}.orders") == written
    for model, number in (("orders", 1), ("items", 2)):
        found, state = names(shop, model)
        assert found == state and len(found) == number, model
    shop.built.settings["tables"] = []
    shop.built.dbt(*BUILD)
    found, state = names(shop, "orders")
    assert found == state and len(found) == 3


def test_a_version_with_other_sql_of_the_state_writes_the_table_again(shop):
    """An upgrade may correct how rows are computed, without new events."""
    written = shop.built.snapshots("{cdc}.orders")
    macro = shop.built.home / "macros" / "state" / "effects" / "whole_image_condition.sql"
    text = macro.read_text(encoding="utf-8")
    assert "in ('full', 'key')" in text
    macro.write_text(text.replace("in ('full', 'key')", "in ('key', 'full')"), encoding="utf-8")
    shop.built.manifests.clear()
    shop.built.dbt(*BUILD)
    again = shop.built.snapshots("{cdc}.orders")
    assert again != written
    shop.built.dbt(*BUILD)
    assert shop.built.snapshots("{cdc}.orders") == again

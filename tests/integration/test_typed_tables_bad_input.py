"""Each bad input of typed tables leads to one sentence with the setting or command that helps."""

import json

import pytest
from test_typed_tables_are_read import BUILD, TYPES, Shop, canal, order

from conftest import long
from kafka_cdc import exit_codes, typed_models
from kafka_cdc.tables import table_format

ODD = TYPES | {"Name": "varchar(20)", "place": "hyperspace(3)"}
NUMBERS = {"id": "bigint", "#no": "int", "name": "varchar(20)"}
TAKEN = {"id": "bigint", "a.b": "int", "undecoded": "int", "row_key": "varchar(20)"}
WORDS = {"id": "bigint unsigned", "text": "int", "NAME": "date", "source_text": "int"}
MODELS = {
    "words": "current_table('shop.words')",
    "missing": "current_table('shop.nothing')",
    "keyless": "current_table('shop.keyless')",
    "rejected": "current_table('shop.rejected')",
    "twice": "current_table('shop.orders')",
    "numbers": "current_table('shop.numbers')",
    "renamed": "current_table('shop.orders', source='three')",
    "taken": "current_table('shop.taken')",
    "odd": "current_table('shop.odd', source='one')",
    "odd_history": "history_table('shop.odd', source='one')",
}
UNDECODED = {"id": "1", "text": "3000000000", "NAME": "0000-00-00", "source_text": "x"}
SENTENCES = {
    "missing": "no published table shop.nothing, for {schema}.missing. Hint: published are",
    "keyless": "the changes of shop.keyless of source one have no key, for {schema}.keyless. Hint:"
    " add to tables: - {{table: shop.keyless, key: [its key columns]}}, then run dbt build --vars"
    " '{{replay: [\"one\"]}}'",
    "rejected": "see held_tables for tables that are held, and quarantine for rejected messages",
    "twice": "several streams have a table shop.orders, for {schema}.twice."
    " Hint: set source to one of one, two",
    "renamed": "no published table shop.orders of source three, for {schema}.renamed."
    " Hint: its source is one or two. If topics renamed it, set it in the model and in tables",
}


def of_table(table, *arguments, topic="one", **more):
    """Return a message about a table, in a topic."""
    return {**canal(*arguments, table=table, **more), "topic": topic}


def taken(key):
    """Return a row whose columns have the names of a field's path and of the typed table's own."""
    return {"id": str(key), "a.b": str(key), "undecoded": "x", "row_key": f"key {key}"}


@pytest.fixture(scope="module")
def shop(project, tmp_path_factory):
    """A project with all bad input at once, built."""
    shop = Shop(project, tmp_path_factory.mktemp("bad"), name="typed_bad")
    shop.built.settings["topics"] = [
        {"topic": name, "format": "canal", "source": name} for name in ("one", "two")
    ]
    types = {"plant": "varchar(20)"}
    shop.built.settings["tables"] = [{"table": "shop.odd", "source": "two", "column_types": types}]
    shop.built.land(
        [
            of_table("orders", 0, "INSERT", order(0)),
            of_table("orders", 0, "INSERT", order(0), topic="two"),
            of_table("keyless", 1, "INSERT", order(0), pkNames=None),
            of_table("rejected", 2, "INSERT", order(0, id=None)),
            of_table("words", 0, "INSERT", UNDECODED, WORDS),
            of_table("numbers", 8, "INSERT", {"id": "1", "#no": "7", "name": "a"}, NUMBERS),
            of_table("taken", 19, "INSERT", taken(1), TAKEN),
            of_table(
                "odd", 3, "INSERT", order(0, Name="upper", place="x", plant="y", plaza="z"), ODD
            ),
            of_table("odd", 4, "INSERT", order(0, id=None, Name="upper", place="x"), ODD),
        ]
    )
    shop.built.dbt("seed", "--select", "source_types")
    shop.models.mkdir()
    for name, call in MODELS.items():
        (shop.models / f"{name}.sql").write_text(f"{{{{ kafka_cdc.{call} }}}}\n", encoding="utf-8")
    shop.built.manifests.clear()
    result = shop.built.invoke(*BUILD)
    shop.log = list(shop.built.log_lines)
    shop.failed = {run.node.name: run.message for run in result.result if run.status == "error"}
    return shop


@pytest.mark.parametrize("name", SENTENCES)
def test_a_model_without_one_table_with_a_key(shop, name):
    assert SENTENCES[name].format(schema="cdc_typed_bad") in shop.failed.pop(name)


@pytest.mark.parametrize(
    ("parts", "hint"),
    [
        ([{"source_tenant": "t1"}, {"source_tenant": "t2"}], "set tenant to one of t1, t2"),
        (
            [{"source_database": "a.b"}, {"source_database": "a", "source_schema": "b"}],
            "their databases, schemas and tables differ, but have dots in their names; set another",
        ),
    ],
    ids=["two tenants", "one path"],
)
def test_tables_of_one_name_and_source(shop, parts, hint, capsys):
    """To set the only source would not help."""
    tables = [
        {
            "path": "shop.orders",
            "keyless_topics": None,
            "tables": {"source_name": "oms", "source_tenant": "", **part},
        }
        for part in parts
    ]
    published = {"tables": tables, "by_path": {"shop.orders": tables}}
    literal = json.dumps(published).replace("null", "none")
    call = f"kafka_cdc.find_published_table({literal}, none, 'shop.orders')"
    assert not shop.built.invoke("compile", "--inline", f"{{{{ {call} }}}}").success
    printed = capsys.readouterr().out
    assert "several streams have a table shop.orders, for " in printed
    assert f"Hint: {hint}" in printed


@pytest.mark.parametrize("selected", ["events", "path:models/typed"])
def test_an_empty_run_writes_nothing(shop, selected, capsys):
    """dbt's --empty lets models read no rows, and the landing batches would count as read."""
    assert not shop.built.invoke("run", "--empty", "--select", selected).success
    printed = capsys.readouterr().out
    assert "kafka_cdc: --empty cannot build" in printed
    assert "Hint: leave out --empty, or select other models" in printed


def test_other_models_are_built(shop):
    assert shop.failed.keys() <= SENTENCES.keys()


def test_a_null_key_is_a_rejected_message(shop):
    (line,) = [line for line in shop.log if "rejected" in line]
    assert "topic one: 2 new messages were rejected (missing_key 2), for example" in line
    assert "The model quarantine has the reasons. To read them again after a change: dbt" in line
    assert shop.built.query("select count(*) as number from {cdc}.odd") == [{"number": 1}]


def test_names_that_differ_in_case_and_unknown_types(shop):
    for name in ("odd", "odd_history"):
        (row,) = shop.built.query(f"select name, name_, place, undecoded from {{cdc}}.{name}")
        assert row == {"name": "Łódź 0", "name_": "upper", "place": "x", "undecoded": {}}
        lines = [line for line in shop.log if f"cdc_typed_bad.{name}: " in line]
        assert lines == [
            f"warning: cdc_typed_bad.{name}: the column Name of the source is Name_, because its name"
            " is taken or not allowed",
            f"warning: cdc_typed_bad.{name}: text columns are place, because source_types has no such"
            " type (hyperspace(3)); plant, plaza, because the messages do not contain the type."
            " Hint: tables has column_types of shop.odd for the source two, and this table is of"
            " the source one",
        ]


def test_values_of_columns_of_any_name_are_reported(shop):
    """Such as those that an expression of the query has for its own."""
    [row] = shop.built.query("select * from {cdc}.words")
    assert {name: value["text"] for name, value in row["undecoded"].items()} == {
        name: UNDECODED[name] for name in ("text", "NAME", "source_text")
    }


def test_changes_are_merged_with_columns_of_any_name(shop):
    """DESCRIBE begins its headings with a number sign. Other names have dots or are the table's."""
    row = {"id": "2", "#no": "8", "name": "b"}
    shop.built.land(
        [
            of_table("numbers", 9, "INSERT", row, NUMBERS),
            of_table("taken", 20, "INSERT", taken(2), TAKEN),
        ]
    )
    shop.built.dbt("run", *BUILD[1:], "--exclude", *SENTENCES, "staging")
    rows = shop.built.query("select `#no` as number, name from {cdc}.numbers order by id")
    assert rows == [{"number": 7, "name": "a"}, {"number": 8, "name": "b"}]
    rows = shop.built.query("select * from {cdc}.taken order by id")
    assert [(row["id"], row["a.b"], row["undecoded_"], row["row_key_"]) for row in rows] == [
        (1, 1, None, "key 1"),
        (2, 2, None, "key 2"),
    ]
    for row in rows:
        assert row["row_key"] == json.dumps({"id": str(row["id"])}, separators=(",", ":"))
        assert row["undecoded"] == {"undecoded": {"text": "x", "reason": "not a valid int"}}


def test_a_table_without_a_key_gets_no_model(shop, tmp_path, capsys):
    request = typed_models.Request(
        tables=["shop.keyless", "shop.odd"],
        exclude=[],
        source="one",
        history=False,
        into=tmp_path,
        check=False,
    )
    assert typed_models.run(request) == exit_codes.SUCCESS
    assert (
        "shop.keyless of source one gets no model, because its changes have no key. Add to tables:"
        " - {table: shop.keyless, source: one, key: [its key columns]}, and replay its topic"
    ) in capsys.readouterr().out
    assert sorted(file.name for file in tmp_path.iterdir()) == ["shop_odd.sql", "shop_odd.yml"]
    assert "In the source: Name." in (tmp_path / "shop_odd.yml").read_text(encoding="utf-8")


@long
def test_a_name_stays_when_another_comes_that_differs_in_case(shop):
    """The new column would come first, because it has no position in rows yet."""
    row = {"NAME": "third", **order(1, Name="upper 1", place="y")}
    shop.built.land([of_table("odd", 5, "INSERT", row, {"NAME": "text", **ODD})])
    shop.built.dbt("run", *BUILD[1:], "--exclude", *SENTENCES, "staging")
    for name in ("odd", "odd_history"):
        rows = shop.built.query(f"select name, name_, name__ from {{cdc}}.{name} order by id")
        assert [tuple(row.values()) for row in rows] == [
            ("Łódź 0", "upper", None),
            ("Łódź 1", "upper 1", "third"),
        ]


@long
def test_a_table_that_was_changed_by_hand(shop):
    shop.built.query("alter table {cdc}.odd add columns (note string)")
    renames = table_format.NAME == "iceberg"  # Delta's default tables cannot rename
    change = "rename column place to position" if renames else "add columns (position string)"
    shop.built.query(f"alter table {{cdc}}.odd_history {change}")
    row = order(2, Name="upper 2", place="z")
    shop.built.land([of_table("odd", 6, "INSERT", row, ODD)])
    arguments = ["run", *BUILD[1:], "--exclude", *SENTENCES, "staging"]
    result = shop.built.invoke(*arguments)
    failed = {run.node.name: run.message for run in result.result if run.status == "error"}
    assert failed.keys() == {"odd", "odd_history"}
    assert (
        "the table cdc_typed_bad.odd was changed by hand: column note string is not of the source."
        " Hint: write it again: dbt run --full-refresh --select odd"
    ) in failed["odd"]
    missing = "column place is missing; " if renames else ""
    sentence = f"changed by hand: {missing}column position string is not of the source."
    assert sentence in failed["odd_history"]

    shop.built.dbt("run", "--full-refresh", "--select", "odd", "odd_history")
    for name in ("odd", "odd_history"):
        rows = shop.built.query(f"select place from {{cdc}}.{name} order by id")
        assert [row["place"] for row in rows] == ["x", "y", "z"]

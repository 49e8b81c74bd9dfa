"""The files of `kafka-cdc typed-models`, from tables as the macro describes them."""

import dataclasses
from pathlib import Path

import pytest

from kafka_cdc import exit_codes, typed_models

COLUMN = {"name": "id", "type": "int", "description": "The key."}


def request_into(folder):
    """Return a request for all tables into a folder."""
    return typed_models.Request(
        tables=["*"], exclude=[], source=None, history=False, into=folder, check=False
    )


def table_of(source):
    """Return the table shop.orders of a source."""
    return {
        "path": "shop.orders",
        "source": source,
        "tenant": "",
        "key": ["id"],
        "columns": [COLUMN],
        "history_columns": [COLUMN],
    }


def test_a_model_of_another_source_has_the_name(tmp_path):
    """Its yml must not describe the columns of this source."""
    model = tmp_path / "shop_orders.sql"
    model.write_text("{{ kafka_cdc.current_table('shop.orders', source='canal') }}")
    hint = "if topics renamed the source, name it in the model; else rename the file"
    with pytest.raises(typed_models.NameTakenError, match=rf"of the source maxwell\. Hint: {hint}"):
        typed_models.get_files([table_of("maxwell")], request_into(tmp_path))


@pytest.mark.parametrize("path", ["'shop.orders'", '"shop.orders"'])
@pytest.mark.parametrize("source", ["", ", source='maxwell'", ', source = "maxwell"'])
def test_a_model_of_this_source_or_of_none_is_kept(source, path, tmp_path):
    model = tmp_path / "shop_orders.sql"
    model.write_text(f"{{{{ kafka_cdc.current_table({path}{source}) }}}}")
    files = typed_models.get_files([table_of("maxwell")], request_into(tmp_path))
    assert files[model] == model.read_text()


def test_a_model_keeps_its_name_if_another_stream_comes(tmp_path):
    """Another name would be another table with the same rows."""
    request = request_into(tmp_path)
    for tables, number in (
        ([table_of("canal")], 1),
        ([table_of("canal"), table_of("maxwell")], 2),
        ([table_of("maxwell")], 2),
    ):
        files = typed_models.get_files(tables, request)
        assert len(files) == 2 * len(tables)
        for path, text in files.items():
            path.write_text(text)
        models = sorted(tmp_path.glob("*.sql"))
        assert len(models) == number
        assert models[0].name == "shop_orders.sql" and "source='canal'" in models[0].read_text()


def test_equal_names_of_new_models_get_a_hash(tmp_path):
    tables = [table_of("canal"), table_of("maxwell")]
    files = typed_models.get_files(tables, request_into(tmp_path))
    assert len(files) == 4 and tmp_path / "shop_orders.sql" not in files


WRITTEN = {
    "shop_orders": "current_table('shop.orders', source='canal')",
    "shop_orders_history": "history_table('shop.orders', source='canal')",
    "shop_old": "current_table('shop.old', source='canal')",
    "shop_old_history": 'history_table("shop.old", source="canal")',
    "crm_old": "current_table('crm.old')",
}


@pytest.mark.parametrize(
    ("arguments", "orphans"),
    [
        ({}, ["crm_old", "shop_old"]),
        ({"history": True}, ["crm_old", "shop_old", "shop_old_history"]),
        ({"tables": ["shop.*"]}, ["shop_old"]),
        ({"tables": ["shop.o?d"], "history": True}, ["shop_old", "shop_old_history"]),
        ({"tables": ["shop.orders"]}, []),
        ({"exclude": ["*.old"]}, []),
        ({"source": "canal"}, ["shop_old"]),
        ({"source": "maxwell"}, []),
    ],
)
def test_a_model_without_a_table_is_found(arguments, orphans, tmp_path):
    """A request finds the models of the tables that it selects, and no others."""
    for name, call in WRITTEN.items():
        (tmp_path / f"{name}.sql").write_text(f"{{{{ kafka_cdc.{call} }}}}\n")
        (tmp_path / f"{name}.yml").write_text(typed_models.HEADER)
    (tmp_path / "by_hand.sql").write_text("{{ kafka_cdc.current_table('shop.gone') }}\n")
    (tmp_path / "by_hand.yml").write_text("models: []\n")
    request = dataclasses.replace(request_into(tmp_path), **arguments)
    names = ["shop_orders", "shop_orders_history"] if request.history else ["shop_orders"]
    files = {tmp_path / f"{name}.yml": "" for name in names}
    found = typed_models.get_orphans(files, request)
    assert [path.stem for path in found] == orphans


def test_a_check_fails_if_a_model_has_no_table(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("DBT_PROJECT_DIR", str(tmp_path))
    tables = [table_of("canal") | {"is_keyless": False}]
    monkeypatch.setattr(typed_models, "read_tables", lambda request: tables)
    request = dataclasses.replace(
        request_into(tmp_path / "models" / "typed"), tables=["shop.*"], source="canal"
    )
    check = dataclasses.replace(request, check=True)
    assert typed_models.run(request) == exit_codes.SUCCESS
    assert typed_models.run(check) == exit_codes.SUCCESS
    tables[0] |= {"path": "shop.customers"}
    assert typed_models.run(request) == exit_codes.SUCCESS
    capsys.readouterr()
    assert typed_models.run(check) == exit_codes.FAILURE
    model = request.into / "shop_orders"
    printed = capsys.readouterr().out
    assert f"if the source dropped its table, delete {model}.sql and .yml\n" in printed
    assert printed.endswith("1 table, 0 files would change, 1 model without a table\n")


def test_the_default_folder_is_in_the_project(tmp_path, monkeypatch):
    """From any working directory. Only what the command line names is relative to it."""
    project, other = tmp_path / "shop", tmp_path / "other"
    for folder in (project / "models", other):
        folder.mkdir(parents=True)
    monkeypatch.setenv("DBT_PROJECT_DIR", str(project))
    for current, expected in (
        (other, project / "models" / "typed"),
        (project / "models", Path("typed")),
        (project, Path("models/typed")),
    ):
        monkeypatch.chdir(current)
        assert typed_models.get_default_folder() == expected
    monkeypatch.setenv("DBT_PROJECT_DIR", ".")
    assert typed_models.get_default_folder() == Path("models/typed")


def test_a_folder_that_dbt_does_not_read_is_noted(tmp_path, monkeypatch):
    monkeypatch.setenv("DBT_PROJECT_DIR", str(tmp_path))
    assert typed_models.is_read_by_dbt(tmp_path / "models" / "typed")
    assert not typed_models.is_read_by_dbt(tmp_path / "typed")
    (tmp_path / "dbt_project.yml").write_text("model-paths: [typed]\n")
    assert typed_models.is_read_by_dbt(tmp_path / "typed")
    assert not typed_models.is_read_by_dbt(tmp_path / "models" / "typed")

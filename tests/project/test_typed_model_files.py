"""The files of `kafka-cdc typed-models`, from tables as the macro describes them."""

from pathlib import Path

import pytest

from kafka_cdc import typed_models

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
    with pytest.raises(typed_models.NameTakenError, match="of the source maxwell: rename it"):
        typed_models.get_files([table_of("maxwell")], request_into(tmp_path))


@pytest.mark.parametrize("path", ["'shop.orders'", '"shop.orders"'])
@pytest.mark.parametrize("source", ["", ", source='maxwell'", ', source = "maxwell"'])
def test_a_model_of_this_source_or_of_none_is_kept(source, path, tmp_path):
    model = tmp_path / "shop_orders.sql"
    model.write_text(f"{{{{ kafka_cdc.current_table({path}{source}) }}}}")
    files = typed_models.get_files([table_of("maxwell")], request_into(tmp_path))
    assert files[model] == model.read_text()


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

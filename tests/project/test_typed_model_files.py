"""The files of `kafka-cdc typed-models`, from tables as the macro describes them."""

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

"""The project as a package of another: schemas and settings are that project's, and its models read the state."""

import json
import shutil

import pytest
from dbt.cli.main import dbtRunner

from conftest import HOME, failure


def message(offset, operation, data, old=None):
    """Return a message that names no key."""
    return {"topic": "crm_1", "offset": offset, "value": json.dumps({
        "mysqlType": {"id": "int"}, "id": offset, "es": 1624614713000, "ts": 1625058726990, "database": "crm", "table": "customers", "type": operation,
        "isDdl": False, "sql": "", "data": [data], "old": old and [old], "pkNames": None,
    })}


@pytest.fixture(scope="module")
def consumer(project, tmp_path_factory):
    """Run dbt in tests/consumer, in a copy beside a copy of the project: dbt writes into both."""
    home = tmp_path_factory.mktemp("package") / "kafka_cdc"
    for folder in ("macros", "models", "seeds", "tests/generic", "tests/singular", "tests/consumer"):
        if (HOME / folder).exists():
            shutil.copytree(HOME / folder, home / folder, ignore=shutil.ignore_patterns("dbt_packages", "target", "logs"))
    shutil.copy(HOME / "dbt_project.yml", home)
    folder = home / "tests" / "consumer"

    def dbt(*arguments):
        result = dbtRunner().invoke(["--quiet", *arguments, "--project-dir", str(folder), "--profiles-dir", str(folder)])
        assert result.success, failure(result)
        return result

    dbt("deps")
    landed = project("consumer")
    landed.land([message(0, "INSERT", {"id": "1", "name": "库", "balance": "1.10"}), message(1, "INSERT", {"id": "2", "name": "b", "balance": None})])
    dbt("build")
    landed.land([message(2, "UPDATE", {"id": "3", "name": "b", "balance": None}, {"id": "2"}), message(3, "INSERT", {"id": "4", "name": "d", "balance": "x"})])
    dbt("build")
    return landed


def test_its_model_reads_the_state(consumer):
    rows = consumer.query("select id, name, cast(balance as string) as balance from analytics.customers order by id")
    assert [tuple(row.values()) for row in rows] == [(1, "库", "1.10"), (3, "b", None), (4, "d", None)]


def test_its_settings_hold(consumer):
    events = consumer.query("select source_name, source_format, key_columns, count(*) as events from analytics.events group by all")
    assert events == [{"source_name": "crm", "source_format": "huawei_drs_json", "key_columns": ["id"], "events": 4}]


def test_schemas_are_its_own(consumer):
    models = {file.stem for file in (HOME / "models").rglob("*.sql")}
    staging = {name for name in models if name.startswith("stg_")}

    def relations(schema):
        listed = consumer.query(f"show tables in {schema}") + consumer.query(f"show views in {schema}")
        return {row.get("tableName") or row["viewName"] for row in listed if not row["isTemporary"]}

    assert relations("analytics") == models - staging | {"customers"}
    assert relations("analytics_staging") == staging
    assert not {row["namespace"] for row in consumer.query("show namespaces")} & {"cdc", "cdc_staging", "cdc_consumer", "consumer"}

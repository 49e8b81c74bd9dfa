"""dbt run-operation maintain_tables: fewer files, fewer snapshots, the same rows, and what is published stays readable."""

import json
from pathlib import Path

from conftest import LAKE
from landing import table_format


def message(at):
    return {"topic": "drs", "offset": at, "value": json.dumps({
        "mysqlType": {"id": "int"}, "id": at, "es": 1624614713000, "ts": 1625058726990, "database": "d", "table": "t", "type": "INSERT",
        "isDdl": False, "sql": "", "data": [{"id": str(at)}], "old": None, "pkNames": ["id"],
    })}


def count(project, table):
    return project.query(f"select count(*) as number from {table}")[0]["number"]


def on_disk(project):
    """Return how many data files of raw there are, those too that no snapshot has."""
    return len([*Path(LAKE.name).glob(f"raw_{project.name}*/kafka_messages/**/*.parquet")])


def test_maintenance_spares_what_is_published(project):
    shop = project("maintenance", topics=[{"topic": "drs", "format": "huawei_drs_json"}])
    for at in range(8):
        shop.land([message(at)])
    shop.dbt("run", "--select", "events+")
    for at in range(8, 11):
        shop.land([message(at)])
        shop.dbt("run", "--select", "events")  # not published
    files, written = len(shop.files("{raw}.kafka_messages")), on_disk(shop)
    shop.dbt("run-operation", "maintain_tables", "--args", "{keep_days: 0}")
    assert len(shop.files("{raw}.kafka_messages")) < files and on_disk(shop) < written
    if table_format.NAME == "iceberg":
        assert len(shop.snapshots("{cdc}.events")) == 2  # the published and the newest
    assert count(shop, "{raw}.kafka_messages") == count(shop, "{cdc}.events") == 11
    assert count(shop, "{cdc}.changelog") == count(shop, "{cdc}.current_state") == 8
    shop.dbt("run", "--select", "events+")
    assert count(shop, "{cdc}.current_state") == 11

"""dbt run-operation maintain_tables: fewer files and table versions, the same rows, and published versions stay readable."""

import json
import os
import re
import shutil
import time
from pathlib import Path

import pytest

from conftest import LAKE
from kafka_cdc.tables import table_format

RUN = ["run", "--select", "events+", "--exclude", "staging", "monitoring"]


def message(at):
    return {
        "topic": "drs",
        "offset": at,
        "value": json.dumps(
            {
                "mysqlType": {"id": "int"},
                "id": at,
                "es": 1624614713000,
                "ts": 1625058726990,
                "database": "d",
                "table": "t",
                "type": "INSERT",
                "isDdl": False,
                "sql": "",
                "data": [{"id": str(at)}],
                "old": None,
                "pkNames": ["id"],
            }
        ),
    }


def count(project, table):
    return project.query(f"select count(*) as number from {table}")[0]["number"]


def on_disk(project):
    """Return the number of raw's data files, including those of no table version."""
    return len([*Path(LAKE.name).glob(f"raw_{project.name}*/kafka_messages/**/*.parquet")])


@pytest.mark.delta
def test_maintenance_keeps_published_versions(project):
    shop = project("maintenance", topics=[{"topic": "drs", "format": "huawei_drs_json"}])
    for at in range(8):
        shop.land([message(at)])
    shop.dbt(*RUN)
    for at in range(8, 11):
        shop.land([message(at)])
    shop.dbt("run", "--select", "events")  # not published
    shop.dbt("run", "--select", "events", replay="all")  # in place of files that are
    files, written, snapshots = (
        len(shop.files("{raw}.kafka_messages")),
        on_disk(shop),
        len(shop.snapshots("{raw}.kafka_messages")),
    )
    shop.dbt("run-operation", "maintain_tables", "--args", "{keep_days: 0}")
    assert len(shop.files("{raw}.kafka_messages")) < files and on_disk(shop) < written
    if table_format.NAME == "iceberg":
        assert len(shop.snapshots("{raw}.kafka_messages")) < snapshots
        assert len(shop.snapshots("{cdc}.events")) == 2  # the published and the newest
    assert count(shop, "{raw}.kafka_messages") == count(shop, "{cdc}.events") == 11
    assert count(shop, "{cdc}.changelog") == count(shop, "{cdc}.current_state") == 8
    shop.dbt(*RUN)
    assert count(shop, "{cdc}.current_state") == 11


delta = pytest.mark.skipif(table_format.NAME != "delta", reason="it is about Delta's own ways")


def age(folder, days):
    """Make a Delta table's files, and the deletions in its log, older by a number of days."""
    for file in [*folder.rglob("*.parquet"), *folder.glob("_delta_log/*.json")]:
        if file.suffix == ".json":
            text = re.sub(
                r'(?<="deletionTimestamp":)\d+',
                lambda found: str(int(found[0]) - days * 86_400_000),
                file.read_text(),
            )
            (file.parent / f".{file.name}.crc").unlink(missing_ok=True)
            file.write_text(text)
        os.utime(file, (time.time() - days * 86_400,) * 2)


@pytest.mark.delta_long
@delta
def test_files_are_removed_after_keep_days(project):
    shop = project("old_files", topics=[{"topic": "drs", "format": "huawei_drs_json"}])
    folder = Path(LAKE.name) / "raw_old_files.db" / "kafka_messages"
    for at in range(3):
        shop.land([message(at)])
    for name in ("old", "young"):  # of killed runs
        shutil.copy(next(folder.glob("*.parquet")), folder / f"{name}.parquet")
    maintain = ["run-operation", "maintain_tables", "--args", "{keep_days: 2, orphan_days: 3}"]
    shop.dbt(*maintain)
    assert on_disk(shop) == 6  # three and what they were made into, and two orphans
    age(folder, 4)
    (folder / "young.parquet").touch()
    shop.spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    shop.dbt(*maintain)
    assert {path.name for path in folder.glob("*.parquet")} == {
        Path(path).name for path in shop.files("{raw}.kafka_messages")
    } | {"young.parquet"}
    assert len(shop.files("{raw}.kafka_messages")) == 1 and count(shop, "{raw}.kafka_messages") == 3


@pytest.mark.delta_long
@delta
def test_the_log_keeps_published_versions_of_any_age(project):
    shop = project("old_log", topics=[{"topic": "drs", "format": "huawei_drs_json"}])
    shop.land([message(at) for at in range(3)])
    shop.dbt(*RUN)
    shop.dbt("run", "--select", "events", replay="all")  # not published, and in place of what is
    age(Path(LAKE.name) / "cdc_old_log.db" / "events", 400)
    shop.spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    assert shop.published("{cdc}.events") < shop.snapshots("{cdc}.events")[-1]
    shop.dbt("run-operation", "maintain_tables")
    kept = {row["key"]: row["value"] for row in shop.query("show tblproperties {cdc}.events")}
    assert all(
        int(kept[f"delta.{name}RetentionDuration"].split()[1]) > 500
        for name in ("log", "deletedFile")
    )
    assert count(shop, "{cdc}.current_state") == 3

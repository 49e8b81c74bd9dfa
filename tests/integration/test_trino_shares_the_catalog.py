"""Trino and Spark share a catalog, and Trino reads each published state of a typed table at once.

The catalog is Iceberg's JDBC catalog in a PostgreSQL. Landing and dbt use the target cluster_session.
"""

import json
import os
import subprocess
import sys

import pytest
import trino_server
from broker import fetch_jars, free_ports
from sources.postgres import Postgres
from test_engines_read_typed_tables import (
    CHANGED,
    COLUMNS,
    EMPTY,
    FIRST,
    GONE,
    MODELS,
    ODD,
    exact,
    found,
)
from test_typed_tables_are_read import BUILD, Shop, canal

from conftest import HOME, iceberg

pytestmark = [
    iceberg,
    pytest.mark.skipif(bool(trino_server.why_not()), reason=str(trino_server.why_not())),
]
CATALOG = "lake"


@pytest.fixture(scope="module")
def postgres():
    """A server whose database has the catalog."""
    server = Postgres()
    yield server
    server.remove()


class Lake:
    """A project whose commands run in processes of their own, with the shared catalog."""

    def __init__(self, project, folder, postgres):
        self.folder, self.uri = folder, f"jdbc:postgresql://127.0.0.1:{postgres.port}/shop"
        self.shop = Shop(project, folder / "project", name="trino_shares")
        self.shop.models.mkdir()
        for name, text in MODELS.items():
            (self.shop.models / f"{name}.sql").write_text(text + "\n", encoding="utf-8")
        (driver,) = fetch_jars("connect").glob("postgresql-*.jar")
        settings = {
            "spark.driver.extraClassPath": f"{HOME}/.jars/*:{driver}",
            "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
            "spark.sql.defaultCatalog": CATALOG,
            f"spark.sql.catalog.{CATALOG}": "org.apache.iceberg.spark.SparkCatalog",
            f"spark.sql.catalog.{CATALOG}.type": "jdbc",
            f"spark.sql.catalog.{CATALOG}.uri": self.uri,
            f"spark.sql.catalog.{CATALOG}.jdbc.user": "postgres",
            f"spark.sql.catalog.{CATALOG}.jdbc.password": "none",
            f"spark.sql.catalog.{CATALOG}.jdbc.schema-version": "V1",
            f"spark.sql.catalog.{CATALOG}.warehouse": str(folder / "warehouse"),
            "spark.sql.shuffle.partitions": "2",
        }
        text = "".join(f"{name} {value}\n" for name, value in settings.items())
        (folder / "spark-defaults.conf").write_text(text)
        self.batches = 0
        self.run("dbt.cli.main", "seed", "--select", "source_types")

    def run(self, *command):
        """Run a command of the project, which must succeed."""
        environment = {
            **os.environ,
            "KAFKA_CDC_TARGET": "cluster_session",
            "KAFKA_CDC_SPARK_MASTER": "local[2]",
            "SPARK_CONF_DIR": str(self.folder),
            "DBT_PROJECT_DIR": str(self.folder / "project"),
            "DBT_TARGET_PATH": str(self.folder / "target"),
        }
        done = subprocess.run(
            [sys.executable, "-m", *command], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]

    def publish(self, messages):
        """Land messages of Canal, and build the typed tables."""
        self.batches += 1
        folder = self.folder / f"messages_{self.batches}"
        folder.mkdir()
        lines = [
            {"partition": 0, "ts": 0, "key": None, "topic": message["topic"], "offset": message["offset"], "payload": message["value"]}
            for message in messages
        ]  # fmt: skip
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / "shop.kcat.jsonl").write_text(text, encoding="utf-8")
        self.run("kafka_cdc", "land", "files", str(folder))
        topics = [{"topic": "shop", "format": "canal"}]
        self.run("dbt.cli.main", *BUILD, "--vars", json.dumps({"topics": topics}))


def test_trino_reads_each_published_state(project, tmp_path, postgres):
    lake = Lake(project, tmp_path, postgres)
    change = lambda at, code, row, **more: canal(at, code, row, COLUMNS, **more)
    lake.publish([change(at, "INSERT", row) for at, row in enumerate([FIRST, ODD, GONE])])
    properties = {
        "connector.name": "iceberg",
        "iceberg.catalog.type": "jdbc",
        "iceberg.jdbc-catalog.catalog-name": CATALOG,
        "iceberg.jdbc-catalog.driver-class": "org.postgresql.Driver",
        "iceberg.jdbc-catalog.connection-url": lake.uri,
        "iceberg.jdbc-catalog.connection-user": "postgres",
        "iceberg.jdbc-catalog.connection-password": "none",
        "iceberg.jdbc-catalog.default-warehouse-dir": f"file://{tmp_path}/warehouse",
        "iceberg.jdbc-catalog.schema-version": "V1",
    }
    server = trino_server.Server(*free_ports(1), {"shared": properties})
    sorted_rows = lambda rows: sorted(map(repr, rows))

    def read(name):
        rows = [found(row) for row in server.query(f"select * from shared.cdc.{name}")]
        return sorted_rows({column: row[column] for column in COLUMNS} for row in rows)

    for name in MODELS:
        assert read(name) == sorted_rows(map(exact, [FIRST, ODD, GONE])), name
    lake.publish(
        [
            change(3, "UPDATE", CHANGED, old=[{"name": ODD["name"], "seen": None}]),
            change(4, "DELETE", GONE),
            change(5, "INSERT", EMPTY),
        ]
    )
    live = sorted_rows(map(exact, [EMPTY, CHANGED, FIRST]))
    assert read("copied") == read("marked") == live
    versions = sorted_rows(map(exact, [EMPTY, CHANGED, FIRST, ODD, GONE]))
    assert read("versions") == versions

"""One process at a time creates the tables of the embedded lake's catalog.

tests/landing/test_kafka.py runs two first landings at the same moment, with Spark.
"""

import fcntl
import os
import sqlite3

import pytest

from kafka_cdc import session

pytestmark = pytest.mark.rules


class Spark:
    """A session whose query creates the tables, and notes whether the lake was locked."""

    def __init__(self, catalog, columns):
        self.catalog, self.columns, self.locked = catalog, columns, []

    def sql(self, query):
        assert query == "show namespaces in lake"
        return self

    def collect(self):
        folder = os.open(self.catalog.parent, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.locked.append(False)
        except BlockingIOError:
            self.locked.append(True)
        finally:
            os.close(folder)
        create(self.catalog, self.columns)


def create(catalog, columns):
    with sqlite3.connect(catalog) as tables:
        tables.execute("drop table if exists iceberg_tables")
        tables.execute(f"create table iceberg_tables ({columns})")


def test_a_new_catalog_is_created_under_a_lock_and_once(tmp_path):
    catalog = tmp_path / "a lake" / "catalog.db"
    catalog.parent.mkdir()
    spark = Spark(catalog, "table_name varchar(255), iceberg_type varchar(5)")
    for _ in range(2):
        session.prepare_catalog(spark, "lake", catalog)
    assert spark.locked == [True]


@pytest.mark.parametrize("columns", ["table_name varchar(255)", None], ids=["old", "empty"])
def test_a_catalog_without_the_newest_column_is_completed_under_a_lock(tmp_path, columns):
    catalog = tmp_path / "catalog.db"
    catalog.touch()
    if columns:
        create(catalog, columns)
    spark = Spark(catalog, "table_name varchar(255), iceberg_type varchar(5)")
    session.prepare_catalog(spark, "lake", catalog)
    assert spark.locked == [True]

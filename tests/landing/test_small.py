"""Small tables that two processes write: each reads what the other wrote, and what is old goes."""

import itertools
import os
import shutil
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from readers import data_files
from test_files import Lake

from kafka_cdc import session, text_files
from kafka_cdc.errors import LandingConflict, is_conflict
from kafka_cdc.kafka.landed import LandedOffsets
from kafka_cdc.kafka.offsets import PartitionKey
from kafka_cdc.tables import delta, metadata, raw, table_format

pytestmark = pytest.mark.delta
COLUMNS = (("name", "string", "A name"), ("number", "int", "A number"))
NAMES = (f"numbers{number}" for number in itertools.count())


@pytest.fixture
def tables():
    """Two objects of one table, each with a session and a catalog of its own, as two processes have them."""
    spark, lake, name = session.start(), Lake(), next(NAMES)
    spark.sql(f"create schema if not exists {lake.schema}")
    return [
        metadata.MetadataTable(one, lake.schema, name, columns=COLUMNS, comment="Numbers")
        for one in (spark, spark.newSession())
    ]


def rows(number):
    return [{"name": "n", "number": number}]


def test_each_reads_what_the_other_wrote(tables):
    mine, theirs = tables
    mine.load()
    mine.replace(rows(9))
    for number in range(3):
        theirs.load()
        theirs.replace(rows(number))
        assert [row.number for row in mine.load()] == [number]
    theirs.replace(rows(7))
    with pytest.raises(Exception) as error:
        mine.replace(rows(8))
    assert is_conflict(error.value) and [row.number for row in mine.load()] == [7]


@pytest.mark.parametrize("latest", [3, 9])
def test_a_version_that_delta_has_cleaned_up_is_a_conflict(latest):
    """A quiet landing has read it days ago. If it is the latest one, the lake is damaged."""

    def fail(_):
        raise RuntimeError("DELTA_TRUNCATED_TRANSACTION_LOG")

    table = delta.Table.__new__(delta.Table)
    table.name = "raw"
    table.log = SimpleNamespace(
        getSnapshotAt=fail, update=lambda: SimpleNamespace(version=lambda: latest)
    )
    with pytest.raises(RuntimeError if latest == 3 else LandingConflict) as error:
        table.commit([], after=3, topics=[], marker="1")
    assert is_conflict(error.value) == delta.certainly_failed(error.value) == (latest == 9)


def test_what_is_old_goes(tables, monkeypatch):
    """Snapshots and files do not grow with the number of writes; what was written last is there."""
    monkeypatch.setattr(metadata, "RETENTION_SECONDS", 0.5)
    mine, theirs = tables
    began, number = time.monotonic(), 0
    while time.monotonic() - began < 4 or number < 10:
        mine.load()
        mine.replace(rows(number := number + 1))
    assert len(
        data_files(os.environ["KAFKA_CDC_LAKE"], *mine.name.replace("`", "").split("."))
    ) < 3 / 4 * number and [row.number for row in theirs.load()] == [number]


def test_a_session_that_runs_for_long_sees_what_others_write():
    """Iceberg's catalog would show a table as it was for as long as it is used every 30 seconds."""
    spark, lake = session.start(), Lake()
    name = raw.create(spark, lake.schema, "messages")
    row = "select 't' as topic, 0 as partition, {} as offset, cast(null as timestamp) as timestamp"
    row += ", 'k' as key, 'v' as value, cast(null as array<struct<key: string, value: binary>>)"
    row += (
        " as headers, current_timestamp() as landed_at, 1L as landing_batch, 0 as topic_incarnation"
    )
    for number in range(3):
        assert spark.table(name).count() == number
        spark.newSession().sql(f"insert into {name} {row.format(f'{number}L')}")
        table_format.refresh_tables(spark)
    assert spark.table(name).count() == 3


def test_a_damaged_table_does_not_end_a_loop():
    """It may belong to another project. A build reports it if it reads it."""
    spark, lake = session.start(), Lake()
    good = raw.create(spark, lake.schema, "messages")
    spark.sql(f"create table {lake.schema}.damaged (a int) using {table_format.NAME}")
    for folder in Path(os.environ["KAFKA_CDC_LAKE"]).rglob("damaged"):
        shutil.rmtree(folder)
    table_format.refresh_tables(spark)
    assert spark.table(good).count() == 0


def test_extremes_of_what_has_landed():
    """Per partition, from the next offset on."""
    spark, lake = session.start(), Lake()
    name = raw.create(spark, lake.schema, "messages")
    columns = {
        "timestamp": "cast(null as timestamp)", "key": "'k'", "value": "'v'",
        "headers": "cast(null as array<struct<key: string, value: binary>>)",
        "landed_at": "current_timestamp()", "landing_batch": "1L",
    }  # fmt: skip
    landed = [("t", 0, 0, 3), ("t", 0, 0, 7), ("t", 0, 0, 9), ("t", 0, 1, 2), ("t", 1, 0, 8)]
    values = ", ".join(
        f"('{topic}', {a}, {b}, {c}L)" for topic, a, b, c in [*landed, ("u", 0, 0, 8)]
    )
    spark.sql(
        f"insert into {name} ({', '.join([*raw.IDENTITY, *columns])})"
        f" select *, {', '.join(columns.values())} from values {values}"
    )
    known = LandedOffsets(table_format.Table(spark, name))
    wanted = {PartitionKey("t", 0, 0): 5, PartitionKey("t", 0, 1): 5, PartitionKey("t", 1, 0): 8}
    found = known.find_extremes(wanted, known.table.snapshot())
    assert found == {PartitionKey("t", 0, 0): (7, 9), PartitionKey("t", 1, 0): (8, 8)}


def test_ranges_of_a_landing():
    """They are looked up by offset, because a batch number prunes no compacted file."""
    spark, lake = session.start(), Lake()
    name = raw.create(spark, lake.schema, "messages")
    row = "select 't' as topic, 0 as partition, {}L as offset, cast(null as timestamp) as timestamp"
    row += ", 'k' as key, 'v' as value, cast(null as array<struct<key: string, value: binary>>)"
    row += " as headers, current_timestamp() as landed_at, {}L as landing_batch"
    row += ", 0 as topic_incarnation"
    rows = [(3, 1), (4, 2), (7, 2), (9, 3)]
    spark.sql(f"insert into {name} {' union all '.join(row.format(*one) for one in rows)}")
    given = [raw.OffsetRange("t", 0, 0, 9, 10), raw.OffsetRange("u", 1, 0, 0, 1)]
    assert raw.read_landed_ranges(spark, name, 2, given) == [raw.OffsetRange("t", 0, 4, 7, 2)]
    assert raw.read_landed_ranges(spark, name, 2, given[1:]) == []
    assert raw.read_landed_ranges(spark, name, 2, []) == []


def test_a_file_that_cannot_be_replaced_leaves_nothing(tmp_path):
    folder = tmp_path / "html"
    folder.mkdir()
    with pytest.raises(IsADirectoryError):
        text_files.replace(folder, "page")
    assert [*tmp_path.iterdir()] == [folder]
    text_files.replace(folder / "page", "page")
    assert [*folder.iterdir()] == [folder / "page"] and (folder / "page").stat().st_mode & 0o044

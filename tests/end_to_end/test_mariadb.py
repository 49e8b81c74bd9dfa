"""MariaDB, read by Canal and by Debezium. Views and tables of typed rows equal `SELECT *`."""

import contextlib
import os

import pytest
from sources import mariadb_tables
from sources.canal import Canal
from sources.connect import Connect
from sources.mariadb import MariaDB
from sources.pipeline import Pipeline
from sources.workload import Workload

IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
pytestmark = pytest.mark.skipif(
    not (IS_LONG or os.environ.get("KAFKA_CDC_SOURCES")),
    reason="half a gigabyte to fetch, and minutes: make test-sources runs it",
)
SEED = int(os.environ.get("KAFKA_CDC_SEED", "2"))
ROUNDS, TRANSACTIONS = (20, 4990) if IS_LONG else (1, 60)  # 100,000 transactions in the long form


class Source:
    """The server, its readers, and the way to typed tables."""

    def __init__(self, mariadb, broker, folder, project, seed):
        self.mariadb, self.marks = mariadb, 0
        sql, self.tables = mariadb_tables.tables("shop")
        self.workload = Workload(seed, self.tables, is_undone=False)
        self.canal = Canal(folder("canal"), broker, mariadb, r"(shop|partial)\..*", "canal")
        mariadb.run(
            sql
            + "create table shop.signals (id varchar(64) primary key, type varchar(32), data varchar(2048));"
        )
        connect = folder("connect_mariadb")
        self.connect = Connect(
            connect,
            broker,
            {
                "maria": {
                    "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",
                    "database.hostname": "127.0.0.1",
                    "database.port": mariadb.port,
                    "database.user": "captor",
                    "database.password": "a password",
                    "database.ssl.mode": "disable",
                    "driver.yearIsDateType": "false",
                    "database.server.id": 4321,
                    "topic.prefix": "maria",
                    "database.include.list": "shop",
                    "signal.data.collection": "shop.signals",
                    "include.schema.changes": "true",
                    "notification.enabled.channels": "sink",
                    "notification.sink.topic.name": "notifications.maria",
                    "schema.history.internal": "io.debezium.storage.file.history.FileSchemaHistory",
                    "schema.history.internal.file.filename": connect / "history",
                }
            },
        )
        self.pipeline = Pipeline(project("mariadb"), broker, "canal,maria*")
        self.pipeline.project.settings["check_chains"] = "warn"
        self.pipeline.project.settings["topics"] = [
            {"topic": "canal", "format": "canal", "source": "canal"},
            {"topic": "maria*", "format": "debezium", "source": "maria"},
        ]
        # Debezium's default for bigint unsigned is a signed number: the settings say the type.
        self.pipeline.project.settings["tables"] = [
            {
                "table": "shop.everything",
                "source": "maria",
                "column_types": {"big_plus": "bigint unsigned"},
            }
        ]

    def work(self, transactions):
        """Let the tables change."""
        self.mariadb.run("use shop;" + self.workload.transactions(transactions))

    def catch_up(self):
        """Wait until Kafka contains all changes so far."""
        self.marks += 1
        position = self.mariadb.position()
        self.mariadb.run(f"insert into marks values ({1_000_000 + self.marks})")
        self.canal.wait_until(f'"id":"{1_000_000 + self.marks}"')
        self.connect.wait_until(
            "maria", lambda offset: (offset.get("file") or "", offset.get("pos") or 0) >= position
        )

    def differences(self, source, read):
        """Return how the typed tables of one reader differ from the source's."""
        return self.pipeline.differences(
            self.mariadb,
            [(table.name, source, table) for table in self.tables],
            mariadb_tables.expected,
            read,
        )

    def repair(self, table):
        """Let the stream say a table again: to Debezium by a new snapshot, to Canal, which has none, by an update of each row."""
        collection = f'{{"data-collections": ["shop.{table}"], "type": "incremental"}}'
        self.mariadb.run(
            f"insert into signals values ('{table} {self.marks}', 'execute-snapshot', '{collection}')"
        )
        self.connect.wait_for_snapshot("maria", "Incremental")
        self.mariadb.run(f"update {table} set touched = touched + 1")
        self.catch_up()


@pytest.fixture(scope="module")
def source(broker, project, tmp_path_factory):
    with contextlib.ExitStack() as running:
        mariadb = MariaDB()
        running.callback(mariadb.remove)
        source = Source(mariadb, broker, tmp_path_factory.mktemp, project, seed=SEED)
        running.callback(source.canal.stop)
        running.callback(source.connect.stop)
        yield source


# What Canal makes of these updates does not say which rows they change.
MINIMAL = """
create database partial; use partial; create table t (id int primary key, a varchar(20), b int); set session binlog_row_image = minimal;
insert into t values (1, 'one', 1), (2, 'two', 2), (3, 'three', 3); update t set b = 7 where id < 3; delete from t where id = 3"""


def test_typed_state_equals_the_source(source, tmp_path):
    """Both readers are killed during the workload. unreplicated_ddl_effects reports altered columns, whose rows are then sent again."""
    query = source.pipeline.project.query
    source.canal.start()
    source.work(20)
    source.connect.start()
    source.mariadb.run(MINIMAL)
    source.connect.wait_for_snapshot(
        "maria", "Initial"
    )  # Debezium 3.5 does not start again where it was killed before
    source.catch_up()
    for number in range(ROUNDS):
        source.work(TRANSACTIONS)
        source.canal.kill()
        if number % 2 == 0:
            source.connect.kill()
        source.work(10)
        source.canal.start()
        if number % 2 == 0:
            source.connect.start()
        if IS_LONG and number % 10 == 9:
            source.pipeline.land()  # while both write
            source.pipeline.build()
    source.catch_up()
    source.pipeline.land()
    source.pipeline.build()
    pairs = [(table.name, name) for name in ("canal", "maria") for table in source.tables]
    source.pipeline.add_typed_models(tmp_path / "project", pairs)
    source.mariadb.run(mariadb_tables.alter("shop", source.workload))
    source.work(10)
    source.catch_up()
    source.pipeline.land()
    source.pipeline.build()
    reported = query(
        "select distinct source_name, source_table, has_snapshot_since from {cdc}.unreplicated_ddl_effects where source_database = 'shop' order by all"
    )
    assert reported == [
        {"source_name": name, "source_table": "altered", "has_snapshot_since": False}
        for name in ("canal", "maria")
    ]
    source.repair("altered")
    source.pipeline.land()
    source.pipeline.build()
    for read in (source.pipeline.typed, source.pipeline.typed_tables):
        assert {name: source.differences(name, read) for name in ("canal", "maria")} == {
            "canal": {},
            "maria": {},
        }
    alarms = source.pipeline.alarms()
    print(*alarms, sep="\n")
    assert alarms == []
    repaired = query(
        "select distinct source_table, has_snapshot_since from {cdc}.unreplicated_ddl_effects where source_name = 'maria'"
    )
    assert repaired == [{"source_table": "altered", "has_snapshot_since": True}]

    # Nothing is in quarantine but the update with minimal row images, whose sentence names the server's setting; its rows stay as they were.
    rejected = query(
        "select distinct source_database, source_table, reject_code, reject_detail like '%binlog_row_image%' as names_the_setting from {cdc}.quarantine"
    )
    assert rejected == [
        {
            "source_database": "partial",
            "source_table": "t",
            "reject_code": "contradiction",
            "names_the_setting": True,
        }
    ]
    rows = query(
        "select row_values from {cdc}.current_state where source_database = 'partial' order by row_key"
    )
    assert [row["row_values"] for row in rows] == [
        {"id": "1", "a": "one", "b": "1"},
        {"id": "2", "a": "two", "b": "2"},
    ]

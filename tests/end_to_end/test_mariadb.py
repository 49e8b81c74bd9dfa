"""MariaDB, and two that read its binary log: Canal's own server, and Debezium. The typed current state is what `SELECT *` says."""

import os

import pytest
from sources import mariadb_tables
from sources.canal import Canal
from sources.connect import Connect
from sources.mariadb import MariaDB
from sources.pipeline import Pipeline, differences, wait_for_message
from sources.workload import Workload

IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
SEED = int(os.environ.get("KAFKA_CDC_SEED", "2"))
ROUNDS, TRANSACTIONS = (100, 990) if IS_LONG else (1, 60)  # 100,000 transactions in the long form


class Source:
    """The server, its readers, and the way to typed tables."""

    def __init__(self, mariadb, broker, folder, project, seed):
        self.mariadb, self.marks = mariadb, 0
        sql, self.tables = mariadb_tables.tables("shop")
        self.workload = Workload(seed, self.tables)
        self.canal = Canal(folder("canal"), broker, mariadb, r"(shop|partial)\..*", "canal")
        mariadb.run(sql + "create table shop.signals (id varchar(64) primary key, type varchar(32), data varchar(2048));")
        connect = folder("connect_mariadb")
        self.connect = Connect(connect, broker, {"maria": {
            "connector.class": "io.debezium.connector.mariadb.MariaDbConnector", "database.hostname": "127.0.0.1", "database.port": mariadb.port,
            "database.user": "captor", "database.password": "a password", "database.ssl.mode": "disable", "driver.yearIsDateType": "false", "database.server.id": 4321,
            "topic.prefix": "maria", "database.include.list": "shop", "signal.data.collection": "shop.signals", "include.schema.changes": "true",
            "notification.enabled.channels": "sink", "notification.sink.topic.name": "maria.notifications",
            "schema.history.internal": "io.debezium.storage.file.history.FileSchemaHistory", "schema.history.internal.file.filename": connect / "history",
        }})
        self.pipeline = Pipeline(project("mariadb"), broker, "canal,maria*")
        self.pipeline.project.settings["topics"] = [{"topic": "canal", "format": "canal", "source": "canal"}, {"topic": "maria*", "format": "debezium", "source": "maria"}]
        # Debezium's default for bigint unsigned is a signed number: the settings say the type.
        self.pipeline.project.settings["tables"] = [{"table": "shop.everything", "source": "maria", "column_types": {"big_plus": "bigint unsigned"}}]

    def work(self, transactions):
        """Let the tables change."""
        self.mariadb.run("use shop;" + self.workload.transactions(transactions))

    def catch_up(self):
        """Wait until Kafka holds whatever happened so far."""
        self.marks += 1
        position = self.mariadb.position()
        self.mariadb.run(f"insert into marks values ({1_000_000 + self.marks})")
        self.canal.wait_until(f'"id":"{1_000_000 + self.marks}"')
        self.connect.wait_until("maria", lambda offset: (offset.get("file") or "", offset.get("pos") or 0) >= position)

    def differences(self, source):
        """Return how the typed tables of one reader differ from the source's."""
        said = {}
        for table, found in zip(self.tables, self.pipeline.typed([(table.name, source) for table in self.tables])):
            columns = self.mariadb.columns(table.name)
            expected = [{name: mariadb_tables.expected(type_, value) for (name, type_), value in zip(columns.items(), row)}
                        for row in self.mariadb.rows(table.name)]
            if found_differences := differences(found, expected, [name.strip("`") for name in table.keys]):
                said[table.name] = found_differences
        return said


    def repair(self, table):
        """Let the stream say a table again: to Debezium by a new snapshot, to Canal, which has none, by an update of each row."""
        collection = f'{{"data-collections": ["shop.{table}"], "type": "incremental"}}'
        self.mariadb.run(f"insert into signals values ('{table} {self.marks}', 'execute-snapshot', '{collection}')")
        wait_for_message(self.connect.broker, "maria.notifications", '"COMPLETED"', process=self.connect.process, log=self.connect.log)
        self.mariadb.run(f"update {table} set touched = touched + 1")
        self.catch_up()


@pytest.fixture(scope="module")
def source(broker, project, tmp_path_factory):
    mariadb = MariaDB()
    source = Source(mariadb, broker, tmp_path_factory.mktemp, project, seed=SEED)
    source.canal.start()
    yield source
    source.connect.stop()
    source.canal.stop()
    mariadb.remove()


def test_typed_state_is_the_source(source):
    """Both readers are killed while the workload goes on; columns are altered, which silent_changes reports; then the rows are said again."""
    source.work(20)
    source.connect.start()
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
    source.mariadb.run(mariadb_tables.alter("shop", source.workload))
    source.work(10)
    source.catch_up()
    source.pipeline.land()
    source.pipeline.build()
    reported = source.pipeline.project.query("select distinct source_name, source_table, has_snapshot_since from {cdc}.silent_changes where source_database = 'shop'")
    assert {(row["source_name"], row["source_table"], row["has_snapshot_since"]) for row in reported} == {("canal", "altered", False), ("maria", "altered", False)}
    source.repair("altered")
    source.pipeline.land()
    source.pipeline.build()
    assert {name: source.differences(name) for name in ("canal", "maria")} == {"canal": {}, "maria": {}}
    repaired = source.pipeline.project.query("select distinct source_table, has_snapshot_since from {cdc}.silent_changes where source_name = 'maria'")
    assert repaired == [{"source_table": "altered", "has_snapshot_since": True}]
    assert source.pipeline.project.query("select * from {cdc}.quarantine") == []


def test_minimal_row_images_are_not_taken_for_whole_rows(source):
    """With binlog_row_image=MINIMAL Canal's updates do not say which row they change: each is in quarantine, and the sentence names the setting."""
    source.mariadb.run("""create database partial; use partial; create table t (id int primary key, a varchar(20), b int);
        set session binlog_row_image = minimal; insert into t values (1, 'one', 1), (2, 'two', 2), (3, 'three', 3); update t set b = 7 where id < 3; delete from t where id = 3""")
    source.catch_up()
    source.pipeline.land()
    source.pipeline.build()
    [rejected] = source.pipeline.project.query("select source_database, source_table, reject_code, reject_detail from {cdc}.quarantine")
    assert (rejected["source_database"], rejected["source_table"], rejected["reject_code"]) == ("partial", "t", "contradiction")
    assert "binlog_row_image" in rejected["reject_detail"]
    rows = source.pipeline.project.query("select row_values from {cdc}.current_state where source_database = 'partial' order by row_key")
    assert [row["row_values"] for row in rows] == [{"id": "1", "a": "one", "b": "1"}, {"id": "2", "a": "two", "b": "2"}]

"""MariaDB, and two that read its binary log: Canal's own server, and Debezium. The typed current state is what `SELECT *` says."""

import pytest
from sources import mariadb_tables
from sources.canal import Canal
from sources.connect import Connect
from sources.mariadb import MariaDB
from sources.pipeline import Pipeline, differences
from sources.workload import Workload

# What a reader of the log does not carry: Canal 1.1.7 knows no type of MariaDB's own.
UNKNOWN = {"canal": ["id16", "address"], "maria": []}


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
            "database.user": "captor", "database.password": "a password", "database.ssl.mode": "disable", "database.server.id": 4321,
            "topic.prefix": "maria", "database.include.list": "shop", "signal.data.collection": "shop.signals", "include.schema.changes": "true",
            "schema.history.internal": "io.debezium.storage.file.history.FileSchemaHistory", "schema.history.internal.file.filename": connect / "history",
        }})
        self.pipeline = Pipeline(project("mariadb"), broker, "canal,maria*")
        self.pipeline.project.settings["topics"] = [{"topic": "canal", "format": "canal", "source": "canal"}, {"topic": "maria*", "format": "debezium", "source": "maria"}]
        # Debezium's default for bigint unsigned is a signed number, its bits have a length: the settings say the types.
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
            expected = [{name: mariadb_tables.expected(type_, value) for (name, type_), value in zip(columns.items(), row) if name not in UNKNOWN[source]}
                        for row in self.mariadb.rows(table.name)]
            if found_differences := differences(found, expected, [name.strip("`") for name in table.keys]):
                said[table.name] = found_differences
        return said


@pytest.fixture(scope="module")
def source(broker, project, tmp_path_factory):
    mariadb = MariaDB()
    source = Source(mariadb, broker, tmp_path_factory.mktemp, project, seed=2)
    source.canal.start()
    yield source
    source.connect.stop()
    source.canal.stop()
    mariadb.remove()

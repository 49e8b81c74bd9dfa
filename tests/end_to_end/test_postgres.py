"""PostgreSQL, Debezium, Kafka, landing, dbt: the typed current state is what `SELECT *` says."""

import pytest
from sources import postgres_tables
from sources.connect import Connect
from sources.pipeline import Pipeline, differences
from sources.postgres import Postgres
from sources.workload import Workload

# Two streams: with the schema envelope and PostgreSQL's default replica identity; and without it and the full one.
STREAMS = {
    "enveloped": {},
    "bare": {"key.converter.schemas.enable": "false", "value.converter.schemas.enable": "false"},
}


def connector(postgres, schema):
    """Return the settings of a connector for one schema."""
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector", "plugin.name": "pgoutput", "database.hostname": "127.0.0.1",
        "database.port": postgres.port, "database.user": "postgres", "database.password": "none", "database.dbname": "shop",
        "topic.prefix": schema, "schema.include.list": schema, "slot.name": schema, "publication.name": schema, "publication.autocreate.mode": "filtered",
        "signal.data.collection": f"{schema}.signals", **STREAMS[schema],
    }


class Source:
    """The server, its connectors, and the way to typed tables."""

    def __init__(self, postgres, broker, folder, project, seed):
        self.postgres, self.marks = postgres, 0
        self.workloads = {}
        for schema in STREAMS:
            sql, tables = postgres_tables.tables(schema)
            postgres.run(sql)
            self.workloads[schema] = Workload(seed, tables)
            if schema == "bare":
                postgres.run("\n".join(f"alter table {table.name} replica identity full;" for table in tables))
        self.connect = Connect(folder, broker, {schema: connector(postgres, schema) for schema in STREAMS})
        self.pipeline = Pipeline(project("postgres"), broker, ",".join(f"{schema}.*" for schema in STREAMS))
        self.pipeline.project.settings["topics"] = [
            {"topic": "bare.*", "format": "debezium", "source": "bare", "replica_identity": "full"},
            {"topic": "enveloped.*", "format": "debezium", "source": "enveloped"},
        ]
        self.set_types()

    def set_types(self):
        """Say in the settings what the messages do not: the types of the stream without schemas, the lengths of bit strings."""
        columns = {f"{schema}.{table.name}": self.postgres.columns(table.name) for schema, workload in self.workloads.items() for table in workload.tables}
        self.pipeline.project.settings["tables"] = [
            {"table": f"shop.{table.name}", "source": schema, "column_types": types}
            for schema, workload in self.workloads.items() for table in workload.tables
            if (types := {name: type_.removeprefix(f"{schema}.") for name, type_ in columns[f"{schema}.{table.name}"].items() if schema == "bare" or name == "bits"})
        ]

    def work(self, transactions):
        """Let both schemas change."""
        for workload in self.workloads.values():
            self.postgres.run(workload.transactions(transactions))

    def catch_up(self):
        """Wait until Kafka holds whatever happened so far."""
        self.marks += 1
        position = int(self.postgres.run("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"))
        for schema in STREAMS:
            self.postgres.run(f"insert into {schema}.marks values ({self.marks})")
            self.connect.wait_until(schema, lambda offset: (offset.get("lsn") or 0) >= position)

    def differences(self):
        """Return how the typed tables differ from the source's."""
        tables = [(schema, table) for schema, workload in self.workloads.items() for table in workload.tables]
        said = {}
        for (_, table), found in zip(tables, self.pipeline.typed([(f"shop.{table.name}", schema) for schema, table in tables])):
            columns = self.postgres.columns(table.name)
            expected = [{name: postgres_tables.expected(type_, text) for (name, type_), text in zip(columns.items(), row)} for row in self.postgres.rows(table.name)]
            if found_differences := differences(found, expected, [name.strip('"') for name in table.keys]):
                said[table.name] = found_differences
        return said


@pytest.fixture(scope="module")
def source(broker, project, tmp_path_factory):
    postgres = Postgres()
    source = Source(postgres, broker, tmp_path_factory.mktemp("connect"), project, seed=1)
    yield source
    source.connect.stop()
    postgres.remove()


def test_typed_state_is_the_source(source):
    import time; t = time.time()
    def lap(w):
        nonlocal t
        print(w, time.time()-t); t = time.time()
    source.work(30)
    source.connect.start()
    lap('connect')
    source.work(50)
    source.catch_up()
    lap('catch up')
    source.pipeline.land()
    lap('land')
    source.pipeline.build()
    lap('build')
    source.work(50)
    source.catch_up()
    source.pipeline.land()
    source.pipeline.build()
    lap('again')
    d = source.differences()
    lap('diff')
    assert d == {}

"""PostgreSQL, Debezium, Kafka, landing and dbt. Views and tables of typed rows equal `SELECT *`."""

import contextlib
import os

import pytest
from sources import postgres_tables
from sources.connect import JSON, Connect
from sources.pipeline import Pipeline
from sources.postgres import Postgres
from sources.workload import Workload

IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
SEED = int(os.environ.get("KAFKA_CDC_SEED", "1"))
ROUNDS, TRANSACTIONS = (
    (20, 2490) if IS_LONG else (1, 80)
)  # of each of two schemas: 100,000 transactions in the long form

# Two streams: with the schema envelope and PostgreSQL's default replica identity; and without it and the full one.
STREAMS = {
    "enveloped": {},
    "bare": {
        f"{part}.converter{setting}": value
        for part in ("key", "value")
        for setting, value in (("", JSON), (".schemas.enable", "false"))
    },
}


def connector(postgres, schema):
    """Return the settings of a connector for one schema."""
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "plugin.name": "pgoutput",
        "database.hostname": "127.0.0.1",
        "database.port": postgres.port,
        "database.user": "postgres",
        "database.password": "none",
        "database.dbname": "shop",
        "topic.prefix": schema,
        "schema.include.list": schema,
        "slot.name": schema,
        "publication.name": schema,
        "publication.autocreate.mode": "filtered",
        "signal.data.collection": f"{schema}.signals",
        "notification.enabled.channels": "sink",
        "notification.sink.topic.name": f"notifications.{schema}",
        **STREAMS[schema],
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
                postgres.run(
                    "\n".join(
                        f"alter table {table.name} replica identity full;" for table in tables
                    )
                )
        self.connect = Connect(
            folder, broker, {schema: connector(postgres, schema) for schema in STREAMS}
        )
        self.pipeline = Pipeline(
            project("postgres"), broker, ",".join(f"{schema}.*" for schema in STREAMS)
        )
        self.pipeline.project.settings["check_chains"] = "warn"
        self.pipeline.project.settings["topics"] = [
            {"topic": "bare.*", "format": "debezium", "source": "bare", "replica_identity": "full"},
            {"topic": "enveloped.*", "format": "debezium", "source": "enveloped"},
        ]
        self.set_types()

    def set_types(self):
        """Say in the settings what the messages do not: the types of the stream without schemas, a domain's by the type under it; the lengths of bit strings."""
        columns = {
            f"{schema}.{table.name}": self.postgres.columns(table.name)
            for schema, workload in self.workloads.items()
            for table in workload.tables
        }
        self.pipeline.project.settings["tables"] = [
            {"table": f"shop.{table.name}", "source": schema, "column_types": types}
            for schema, workload in self.workloads.items()
            for table in workload.tables
            if (
                types := {
                    name: "smallint" if name == "percent" else type_
                    for name, type_ in columns[f"{schema}.{table.name}"].items()
                    if name == "bits" or schema == "bare" and name != "mood"
                }
            )
        ]

    def work(self, transactions):
        """Let both schemas change."""
        for workload in self.workloads.values():
            self.postgres.run(workload.transactions(transactions))

    def catch_up(self):
        """Wait until Kafka contains all changes so far."""
        self.marks += 1
        position = int(
            self.postgres.run("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint")
        )
        for schema in STREAMS:
            self.postgres.run(f"insert into {schema}.marks values ({self.marks})")
            self.connect.wait_until(schema, lambda offset: (offset.get("lsn") or 0) >= position)

    def tables(self):
        """Return the tables as triples of a path, a source and a workload's Table."""
        return [
            (f"shop.{table.name}", schema, table)
            for schema, workload in self.workloads.items()
            for table in workload.tables
        ]

    def differences(self, read):
        """Return how the typed tables differ from the source's."""
        return self.pipeline.differences(
            self.postgres, self.tables(), postgres_tables.expected, read
        )

    def repair(self, table):
        """Take a new snapshot of a table of each schema, as its administrator would; return when it is in Kafka."""
        for schema in STREAMS:
            collection = f'{{"data-collections": ["{schema}.{table}"], "type": "incremental"}}'
            self.postgres.run(
                f"insert into {schema}.signals values ('{table} {self.marks}', 'execute-snapshot', '{collection}')"
            )
            self.connect.wait_for_snapshot(schema, "Incremental")
        self.catch_up()


@pytest.fixture(scope="module")
def source(broker, project, tmp_path_factory):
    with contextlib.ExitStack() as running:
        postgres = Postgres()
        running.callback(postgres.remove)
        source = Source(postgres, broker, tmp_path_factory.mktemp("connect"), project, seed=SEED)
        running.callback(source.connect.stop)
        yield source


def test_typed_state_equals_the_source(source, tmp_path):
    """The connector starts with a snapshot, is killed and stopped while the workload goes on; columns are altered and repaired by a new snapshot."""
    source.work(20)
    source.connect.start()
    for schema in STREAMS:  # an interrupted snapshot reports rows that are deleted before the next one: on_snapshot replace removes them
        source.connect.wait_for_snapshot(schema, "Initial")
    source.catch_up()
    for number in range(ROUNDS):
        source.work(TRANSACTIONS)
        (source.connect.kill if number % 2 == 0 else source.connect.stop)()
        source.work(10)
        source.connect.start()
        if IS_LONG and number % 10 == 9:
            source.pipeline.land()  # while Debezium writes
            source.pipeline.build()
    source.catch_up()
    source.pipeline.land()
    source.pipeline.build()
    pairs = [(path, schema) for path, schema, _ in source.tables()]
    source.pipeline.add_typed_models(tmp_path / "project", pairs)
    for schema, workload in source.workloads.items():
        source.postgres.run(postgres_tables.alter(schema, workload))
    source.set_types()
    source.work(10)
    source.repair("altered")
    source.pipeline.land()
    source.pipeline.build()
    drift = {
        (row["source_name"], row["column_name"], row["drift"])
        for row in source.pipeline.project.query(
            "select source_name, column_name, drift from {cdc}.column_drift where source_table = 'altered'"
        )
    }
    assert drift >= {
        (schema, *change)
        for schema in STREAMS
        for change in (("v", "gone"), ("gone", "gone"), ("renamed", "new"), ("added", "new"))
    }
    assert (
        source.pipeline.project.query(
            "select source_table, reject_code, reject_detail from {cdc}.quarantine"
        )
        == []
    )
    alarms = source.pipeline.alarms()
    print(*alarms, sep="\n")
    assert alarms == []
    assert source.differences(source.pipeline.typed) == {}
    assert source.differences(source.pipeline.typed_tables) == {}
    applied = source.pipeline.project.query(
        "select source_name, column_name from {cdc}.applied_schema_changes"
    )
    assert {(row["source_name"], row["column_name"]) for row in applied} >= {
        (schema, name) for schema in STREAMS for name in ("added", "later", "n", "renamed")
    }

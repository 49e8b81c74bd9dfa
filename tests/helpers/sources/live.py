"""The live demo of `make demo-live`, which runs for a minute.

PostgreSQL changes rows, Debezium reads its log, and Kafka transports the messages. Landing and `dbt build` run repeatedly.
After each build the demo prints `select *` of PostgreSQL and the rows of current_state.

All servers and files are in a temporary folder, which is deleted at the end.
"""

import json
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

LAKE = tempfile.mkdtemp(prefix="kafka_cdc_live_")
os.environ |= {"KAFKA_CDC_LAKE": LAKE, "KAFKA_CDC_SCHEMA": "cdc"}  # before anything reads them

from broker import Broker
from dbt.cli.main import dbtRunner

from kafka_cdc import session
from kafka_cdc.cli import main as land

from .connect import Connect
from .postgres import Postgres

SECONDS = int(os.environ.get("KAFKA_CDC_LIVE_SECONDS", "60"))
CUSTOMERS = """
create table customers (id integer primary key, name text not null, balance numeric(12,2), note text);
create table marks (id serial primary key);
alter table customers replica identity full;
insert into customers values (1, 'Anne', 10.10, null), (2, 'Bo', 0, 'new'), (3, '库存', -7.50, 'é');"""


def announce(text):
    """Print the next step."""
    print(f"\n==> {text}", flush=True)


def changes(rng, newest):
    """Return a few statements: an insert, updates, sometimes a primary-key update, a deletion, a transaction that is rolled back."""
    one = rng.randint(1, newest)
    return [
        f"insert into customers values ({newest + 1}, '{rng.choice(['Cleo', 'Dai', 'Emre', 'Fay'])}', {rng.randint(0, 99999) / 100:.2f}, null)",
        f"update customers set balance = balance * 1.1, note = 'raised' where id = {one}",
        rng.choice(
            [
                f"update customers set id = id + 1000 where id = {one}",
                f"delete from customers where id = {rng.randint(1, newest)}",
                "begin; delete from customers; rollback",
                "update customers set note = null",
            ]
        ),
    ]


def show(title, rows):
    """Print rows of texts under a title."""
    print(f"  {title}")
    widths = [max(len(str(value)) for value in column) for column in zip(*rows)] if rows else []
    for row in rows:
        print(
            "    "
            + "  ".join(
                str("" if value is None else value).ljust(width)
                for value, width in zip(row, widths)
            )
        )
    print(end="", flush=True)


def main():
    """Run the demo. Return 1 if the state differs from the database."""
    servers, settings = [], json.dumps({"topics": [{"topic": "live.*", "format": "debezium"}]})
    dbt = lambda *arguments: dbtRunner().invoke(
        [
            "--quiet",
            *arguments,
            "--project-dir",
            os.environ["KAFKA_CDC_HOME"],
            "--vars",
            settings,
            "--target-path",
            f"{LAKE}/target",
            "--log-path",
            f"{LAKE}/logs",
        ]
    )
    try:
        announce(
            "starting a Kafka broker, PostgreSQL, Kafka Connect with Debezium's connector (the first time they are fetched: 130 MB)"
        )
        for name in ("broker", "connect"):
            Path(LAKE, name).mkdir()
        broker = Broker(Path(LAKE, "broker"))
        servers.append(broker.stop)
        postgres = Postgres()
        servers.append(postgres.remove)
        postgres.run(CUSTOMERS)
        connect = Connect(
            Path(LAKE, "connect"),
            broker,
            {
                "live": {
                    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                    "plugin.name": "pgoutput",
                    "database.hostname": "127.0.0.1",
                    "database.port": postgres.port,
                    "database.user": "postgres",
                    "database.password": "none",
                    "database.dbname": "shop",
                    "topic.prefix": "live",
                    "decimal.handling.mode": "string",
                }
            },
        )
        servers.append(connect.stop)
        connect.start()
        spark, rng, newest = session.start(), random.Random(), 3
        until = None  # the minute begins once all the models are there
        while until is None or time.monotonic() < until:
            if until is not None:
                announce("PostgreSQL changes")
                for statement in changes(rng, newest):
                    print(f"    {statement}")
                    postgres.run(statement)
                newest += 1
            position = int(
                postgres.run("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint")
            )
            postgres.run("insert into marks default values")
            connect.wait_until("live", lambda offset: (offset.get("lsn") or 0) >= position)
            announce(
                "kafka-cdc land kafka; dbt build"
                + (" (the first one makes all the models)" if until is None else "")
            )
            if (
                land(["land", "kafka", "--bootstrap-servers", broker.servers, "--topics", "live.*"])
                or not dbt("build").success
            ):
                return 1
            here = [
                list(row)
                for row in spark.sql("""select row_values['id'], row_values['name'], row_values['balance'], row_values['note']
                from cdc.current_state where source_table = 'customers' order by cast(row_values['id'] as int)""").collect()
            ]
            there = sorted(postgres.rows("customers"), key=lambda row: int(row[0]))
            show("select * from customers, in PostgreSQL", there)
            show("current_state", here)
            [counts] = spark.sql(
                "select count(*) as changes, count(distinct row_key) as keys from cdc.changelog where source_table = 'customers'"
            ).collect()
            until, is_same = until or time.monotonic() + SECONDS, here == there
            print(
                f"  {'the same' if is_same else 'NOT THE SAME'}, after {counts['changes']} changes of {counts['keys']} keys (cdc.changelog)",
                flush=True,
            )
            if not is_same:
                return 1
        return 0
    finally:
        for end in reversed(servers):
            end()
        shutil.rmtree(LAKE, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())

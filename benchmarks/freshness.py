"""Measure the time from a commit in PostgreSQL to the row in current_state."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from pyspark.sql import SparkSession

from kafka_cdc import duckdb_lake, environment

from .measures import FOLDER, Measure

sys.path.append(str(environment.project_home() / "tests" / "helpers"))
SECONDS = int(os.environ.get("BENCH_FRESHNESS_SECONDS", "180"))
WARM_UP = 90  # seconds: the first builds compile what later ones use
RATE, STEP = 500, 0.1  # changes per second; seconds between two transactions
GOAL = 20  # seconds, of 95 % of the changes
SCHEMA = "public"
TOPICS = f"shop.{SCHEMA}.*"
TABLE = """create table orders (
    id bigint primary key, amount numeric(12, 2), note text, committed_at double precision
);
alter table orders replica identity full;
"""
# Half of a transaction's changes are new rows, the others update rows of the whole table.
TRANSACTION = """begin;
insert into orders
    select i, i * 1.25, 'some words about order ' || i, extract(epoch from clock_timestamp())
    from generate_series({first}, {last}) i;
update orders set amount = amount + 1, committed_at = extract(epoch from clock_timestamp())
    where id in (select (random() * {first})::bigint from generate_series(1, {half}));
commit;
"""


def change_rows(postgres, seconds: float, first: int) -> int:
    """Change rows for some seconds at RATE. Returns the first key that is not used."""
    half = round(RATE * STEP / 2)
    program = os.path.join(postgres.programs, "psql")
    server = ["-h", "127.0.0.1", "-p", str(postgres.port), "-U", "postgres", "shop"]
    command = [program, "-X", "-q", "-v", "ON_ERROR_STOP=1", *server]
    with subprocess.Popen(command, stdin=subprocess.PIPE, text=True, cwd=postgres.folder) as psql:
        begin = time.monotonic()
        steps = round(seconds / STEP)
        for step in range(steps):
            psql.stdin.write(TRANSACTION.format(first=first, last=first + half - 1, half=half))
            psql.stdin.flush()
            first += half
            time.sleep(max(0, begin + (step + 1) * STEP - time.monotonic()))
        psql.stdin.close()
    return first


class Loop:
    """`kafka-cdc run` in a process with its own lake, and the times of its published cycles."""

    def __init__(self, broker, folder: Path) -> None:
        self.lake = folder / "lake"
        topic = {"topic": TOPICS, "format": "debezium", "replica_identity": "full"}
        command = [
            *(sys.executable, "-m", "kafka_cdc", "run"),
            *("--bootstrap-servers", broker.servers),
            *("--topics", TOPICS),
            *("--interval", "1s"),
            *("--vars", json.dumps({"topics": [topic]})),
        ]
        settings = {
            **os.environ,
            "KAFKA_CDC_LAKE": str(self.lake),
            "KAFKA_CDC_SCHEMA": "cdc",
            "DBT_TARGET_PATH": str(folder / "target"),
        }
        self.process = subprocess.Popen(
            command, env=settings, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
            cwd=environment.project_home(),
        )  # fmt: skip
        self.published: list[float] = []
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stderr:
            self.lines.append(line)
            if " cycle " in line and "published=yes" in line:
                self.published.append(time.time())

    def wait(self, count: int, seconds: float = 600) -> None:
        """Wait until so many cycles have been published."""
        end = time.monotonic() + seconds
        while len(self.published) < count:
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"the loop has ended or is late: {''.join(self.lines)[-3000:]}")
            time.sleep(0.1)

    def stop(self) -> None:
        """End the loop after its current step."""
        self.process.terminate()
        self.process.wait(300)


def percentile(values: list[float], share: float) -> float:
    """Return the value that a share of the sorted values does not exceed."""
    return values[min(len(values) - 1, int(share * len(values)))]


def run_loop(folder: Path) -> tuple[Loop, float, int]:
    """Let the source change, Debezium write, and the loop publish.

    Returns:
        The ended loop, the time from which changes count, and the number of changes.
    """
    from broker import Broker  # of the tests
    from sources.connect import Connect
    from sources.postgres import Postgres

    broker, postgres = Broker(folder / "broker"), Postgres()
    connect = Connect(folder / "connect", broker, {
        "shop": {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "plugin.name": "pgoutput",
            "database.hostname": "127.0.0.1",
            "database.port": postgres.port,
            "database.user": "postgres",
            "database.password": "none",
            "database.dbname": "shop",
            "topic.prefix": "shop",
            "schema.include.list": SCHEMA,
            "provide.transaction.metadata": "false",
        }
    })  # fmt: skip
    try:
        postgres.run(TABLE)
        connect.start()
        first = change_rows(postgres, 5, 1)
        loop = Loop(broker, folder)
        try:
            loop.wait(1)
            first = change_rows(postgres, WARM_UP, first)
            begin, before = time.time(), first
            first = change_rows(postgres, SECONDS, first)
            loop.wait(len(loop.published) + 3)
        finally:
            loop.stop()
        return loop, begin, 2 * (first - before)
    finally:
        connect.stop()
        postgres.remove()
        broker.stop()


def read_events(lake: Path, begin: float) -> list[tuple[float, float]]:
    """Return when each change since a time was committed and landed, read with DuckDB."""
    file = duckdb_lake.find_metadata(lake / "catalog.db", "cdc", "events")
    query = f"""
        select cast(after_row['committed_at'] as double) as committed_at, epoch(landed_at)
        from iceberg_scan('{file}')
        where committed_at >= {begin}
    """
    with contextlib.closing(duckdb_lake.open_duckdb()) as connection:
        return connection.execute(query).fetchall()


def wait_for_rows(_: SparkSession) -> list[Measure]:
    """Measure how long changes of a real database take to be published at a steady rate."""
    with tempfile.TemporaryDirectory(prefix="kafka_cdc_bench_fresh_", dir=FOLDER.name) as name:
        folder = Path(name)
        for part in ("broker", "connect"):
            (folder / part).mkdir()
        loop, begin, changes = run_loop(folder)
        rows = read_events(loop.lake, begin)
    seconds = sorted(
        next(end for end in loop.published if end >= landed_at) - committed_at
        for committed_at, landed_at in rows
    )
    if len(seconds) < changes * 0.9:  # updates of keys that random() chose twice are one change
        sys.exit(f"{len(seconds)} of {changes} changes were published")
    cycles = [end for end in loop.published if end >= begin]
    between = (cycles[-1] - cycles[0]) / (len(cycles) - 1)
    what = (
        f"seconds from commit in PostgreSQL to current_state at {RATE} changes/s,"
        f" for 95 % of {len(seconds):,} changes"
    )
    return [
        Measure(
            "freshness",
            what,
            f"≤ {GOAL}",
            f"{percentile(seconds, 0.95):.1f}",
            f"{seconds[0]:.1f}-{seconds[-1]:.1f}",
            f"median {percentile(seconds, 0.5):.1f} s, a cycle in {between:.1f} s",
        )
    ]

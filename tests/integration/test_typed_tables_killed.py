"""Builds that are killed at any moment while they write typed tables: one rerun repairs everything.

A killed build is a process with its own JVM, as in test_crash.py. After each kill, every table has
the rows of before or of after. KAFKA_CDC_SEED repeats the moments. KAFKA_CDC_KILLS=0.2 runs a fifth
of them.
"""

import os
import random
import time

from test_crash import Builder
from test_runs import own_lake  # noqa: F401  (a fixture)
from test_typed_tables_are_read import BUILD, canal
from test_typed_tables_of_shards import MODELS, TYPES, Shards, expected, found, make_shop

from conftest import Project, long

SEED = int(os.environ.get("KAFKA_CDC_SEED", time.time_ns()))
pytestmark = long
KILLS = round(200 * float(os.environ.get("KAFKA_CDC_KILLS", "1")))
OTHERS = ["run", *BUILD[1:], "path:models/typed"]
TYPED = ["run", "--select", "path:models/typed"]


def statement(shards):
    """Return a statement that changes no row. The tables are then written again as a whole."""
    shards.offset += 1
    sql = "ALTER TABLE orders COMMENT 'x'"
    return canal(
        shards.offset, "ALTER", None, TYPES["shop_1"], isDdl=True, sql=sql, database="shop_1"
    )


def test_builds_killed_while_they_write_typed_tables(own_lake, tmp_path):  # noqa: F811
    lake, session = own_lake
    chance = random.Random(SEED)
    make_project = lambda name, **settings: Project(session, name, settings)
    built = make_shop(make_project, tmp_path / "project", "killed")
    shards = Shards(chance)
    built.land([shards.change(*TYPES) for _ in range(60)])
    built.dbt(*OTHERS)
    result = built.dbt(*TYPED).result
    seconds = {run.node.name: run.execution_time for run in result if run.node.name in MODELS}
    builder = Builder(built, lake, tmp_path)
    tried = killed = 0
    try:
        while tried < KILLS:
            before = expected(shards)
            more = [statement(shards)] if chance.random() < 0.3 else []
            built.land(more + [shards.change(*TYPES) for _ in range(5)])
            after = expected(shards)
            built.dbt(*OTHERS)
            for _ in range(chance.choice([1, 1, 2])):  # the next one finds what a killed one left
                tried += 1
                name = chance.choice([*MODELS])
                running = builder.start(*TYPED)
                running.wait_for(name)
                time.sleep(chance.uniform(0, 2 * seconds[name]))
                killed += running.kill()
                where = f"seed {SEED}, kill {tried} in {name}"
                for model in MODELS:
                    rows = found(built, model)
                    assert rows in (before[model], after[model]), f"{where}: {model}"
            print(f"{where}: {killed} killed", flush=True)
            built.dbt(*TYPED)
            for model in MODELS:
                assert found(built, model) == after[model], f"{where}, after a rerun: {model}"
    finally:
        builder.end()
    assert killed >= KILLS / 3, running.output_text()

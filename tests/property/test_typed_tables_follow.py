"""Typed tables of random histories equal the views of the state after every run.

The messages come in order or shuffled. The tables are updated by key where that is possible, so
that an error in what counts as changed stays visible until the end.
Holds begin and end. A run is repeated. A replay and an erasure follow.
"""

import json
import os
import random
import shutil

from source_model import STREAMS
from test_state import addressed, delivered

from conftest import HOME
from kafka_cdc.tables import table_format

SEED = int(os.environ.get("KAFKA_CDC_SEED", "20261124"))
IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
CHOSEN = ["maxwell", "debezium_mysql"] if not IS_LONG else list(STREAMS)
RUNS = 12 if IS_LONG else 3
BUILD = [
    "run",
    "--select",
    "+current_state",
    "row_history",
    "path:models/typed",
    "--exclude",
    "staging",
]
KINDS = {
    "live": "current_table('{path}', source='{source}')",
    "kept": "current_table('{path}', source='{source}', deletes='soft', has_coordinates=true)",
    "versions": "history_table('{path}', source='{source}')",
}


class TypedProject:
    """A project with typed models, written when their tables appear."""

    def __init__(self, project, folder, **settings):
        self.built = project("typed_follow", **settings)
        for name in ("macros", "models", "seeds", "profiles"):
            shutil.copytree(HOME / name, folder / name)
        for name in ("dbt_project.yml", ".sqlfluff"):
            shutil.copy(HOME / name, folder)
        self.built.home = folder
        self.models = folder / "models" / "typed"
        self.models.mkdir(exist_ok=True)
        self.names = {}

    def write_models(self):
        """Write the models of every published table that has none."""
        for row in self.built.query(
            "select distinct source_name, source_database, source_schema, source_table from {cdc}.changelog"
            " where row_key is not null"
        ):
            parts = tuple(row.values())
            if parts not in self.names and parts[-1] == "one":
                self.names[parts] = f"typed_{len(self.names)}"
                path = ".".join(part for part in parts[1:] if part)
                for kind, call in KINDS.items():
                    text = call.format(path=path, source=parts[0])
                    (self.models / f"{self.names[parts]}_{kind}.sql").write_text(
                        "{{ kafka_cdc." + text + " }}\n", encoding="utf-8"
                    )
                self.built.manifests.clear()

    def differences(self):
        """Return the typed tables that differ from the views of the state."""
        state, history = {}, {}
        for relation, found in (("current_state", state), ("row_history", history)):
            for row in self.built.query(f"select * from {{cdc}}.{relation}"):
                found.setdefault(place_of(row), []).append(row)
        return [
            (parts, kind, expected, found)
            for parts, name in self.names.items()
            for kind in KINDS
            for expected in [expected_rows(kind, state.get(parts, []), history.get(parts, []))]
            for found in [
                [
                    shown(kind, row)
                    for row in self.built.query(f"select * from {{cdc}}.{name}_{kind}")
                ]
            ]
            if sorted(expected, key=str) != sorted(found, key=str)
        ]


def merges(built, name):
    """Return how many commits of a typed table changed single rows."""
    if table_format.NAME == "delta":
        return sum(
            row["operation"] == "MERGE" for row in built.query(f"describe history {{cdc}}.{name}")
        )
    return built.query(
        f"select count(*) as number from {{cdc}}.{name}.snapshots where operation = 'overwrite'"
    )[0]["number"]


def place_of(row):
    return tuple(
        row[name] for name in ("source_name", "source_database", "source_schema", "source_table")
    )


def values_of(row):
    """Return the values of a row as text, of the columns that it has."""
    return sorted(
        (name, str(row[name])) for name in ("id", "a", "b", "long") if row.get(name) is not None
    )


def shown(kind, row):
    rest = {
        "live": [],
        "kept": ["is_deleted", "deleted_at"],
        "versions": ["valid_from", "valid_to", "is_current", "kafka_offset", "row_index"],
    }[kind]
    return row["row_key"], values_of(row), [row[name] for name in rest]


def expected_rows(kind, state, history):
    if kind == "live":
        return [(row["row_key"], values_of(row["row_values"]), []) for row in state]
    if kind == "versions":
        return [shown(kind, {**row["row_values"], **row}) for row in history]
    rows = [(row["row_key"], values_of(row["row_values"]), [False, None]) for row in state]
    live = {row["row_key"] for row in state}
    deleted = {}
    for row in history:
        if row["row_key"] not in live:
            order = lambda row: (
                row["sequence_generation"],
                row["source_sequence"] or [],
                row["topic_incarnation"],
                row["kafka_offset"],
                row["row_index"],
            )
            last = deleted.setdefault(row["row_key"], row)
            if order(row) >= order(last):
                deleted[row["row_key"]] = row
    return rows + [
        (key, values_of(row["row_values"]), [True, row["valid_to"]]) for key, row in deleted.items()
    ]


def test_typed_tables_follow_the_state(project, tmp_path, spark):
    # Few rows and many plans: Java code for them takes longer than they.
    spark.conf.set("spark.sql.codegen.wholeStage", "false")
    try:
        check_random_history(project, tmp_path)
    finally:
        spark.conf.unset("spark.sql.codegen.wholeStage")


def check_random_history(project, tmp_path):
    chance = random.Random(SEED)
    streams = {name: STREAMS[name](chance, 0, 40) for name in CHOSEN}
    topics = [
        {"topic": f"{name}.*", "format": STREAMS[name].slug, "source": name, **STREAMS[name].topic}
        for name in CHOSEN
    ]
    tables = [
        {"table": "*", "source": name, **STREAMS[name].table}
        for name in CHOSEN
        if STREAMS[name].table
    ]
    typed = TypedProject(project, tmp_path, topics=topics, tables=tables, compaction_threshold=0)
    built = typed.built
    runs = [[] for _ in range(RUNS)]
    for name, stream in streams.items():
        variant = chance.choice(["inorder", "shuffled0"])
        messages = addressed(sum(delivered(variant, stream, chance), []), name, variant)
        cuts = sorted(chance.randrange(len(messages)) for _ in range(RUNS - 1))
        for run, (begin, end) in enumerate(zip([0, *cuts], [*cuts, len(messages)])):
            runs[run] += messages[begin:end]
    built.dbt("seed", "--select", "source_types")
    for number, messages in enumerate(runs):
        if messages:
            built.land(messages)
        held = chance.choice(CHOSEN)
        built.settings["tables"] = (
            [{"table": "*", "source": held, "hold": True}] if number % 3 == 1 else []
        ) + tables
        built.dbt(*BUILD)
        typed.write_models()
        built.dbt("run", "--select", "path:models/typed")
        assert typed.differences()[:1] == [], f"run {number}, KAFKA_CDC_SEED={SEED}"
    built.settings["tables"] = tables
    built.dbt(*BUILD)
    assert typed.differences()[:1] == [], "after the hold"
    snapshots = {name: built.snapshots(f"{{cdc}}.{name}_live") for name in typed.names.values()}
    built.dbt(*BUILD)
    for name, before in snapshots.items():
        assert built.snapshots(f"{{cdc}}.{name}_live") == before, (
            "a run without news writes nothing"
        )
    assert any(merges(built, f"{name}_{kind}") for name in snapshots for kind in KINDS)
    built.dbt(*BUILD, replay="all")
    assert typed.differences()[:1] == [], "after a replay"
    check_erasure(typed, built)


def check_erasure(typed, built):
    """Erase a row of a table with typed tables: no file of them contains its key afterwards."""
    row = built.query("select * from {cdc}.current_state where source_table = 'one' limit 1")[0]
    path = ".".join(part for part in place_of(row)[1:] if part)
    key = json.loads(row["row_key"])
    arguments = {"table": path, "source": row["source_name"], "key": key}
    built.dbt("run-operation", "erase_row", "--args", json.dumps(arguments))
    name = typed.names[place_of(row)]
    for kind in KINDS:
        keys = built.query(f"select row_key from {{cdc}}.{name}_{kind}")
        assert {"row_key": row["row_key"]} not in keys, kind
        assert len(built.snapshots(f"{{cdc}}.{name}_{kind}")) == 1 or table_format.NAME == "delta"
    built.dbt(*BUILD)
    assert typed.differences()[:1] == [], "after an erasure"

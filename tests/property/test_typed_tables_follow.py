"""Typed tables of random histories equal the views of the state after every run.

The messages come in order or shuffled. The tables are updated by key where that is possible, so
that an error in what counts as changed stays visible until the end.
Holds begin and end. A run is repeated. With --long, a replay and an erasure follow. One stream
changes its columns at random, with and without statements. Its texts are decoded here, by the types
of its messages.
"""

import json
import os
import random
import re
from datetime import date
from decimal import Decimal

from project_copy import copy_project
from source_model import COLUMNS, KEY, STREAMS, HuaweiDrs
from test_state import addressed, delivered

from kafka_cdc.tables import table_format

SEED = int(os.environ.get("KAFKA_CDC_SEED", "20261124"))
IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
CHOSEN = ["maxwell", "debezium_mysql"] if not IS_LONG else list(STREAMS)
RUNS = 12 if IS_LONG else 3  # the first builds, the second merges, the third has a hold
EVOLVING = "evolving"
BUILD = [
    "run",
    "--select",
    "+current_state",
    "row_history",
    "applied_schema_changes",
    "path:models/typed",
    "--exclude",
    "staging",
]
KINDS = {
    "live": "current_table('{path}', source='{source}')",
    "kept": "current_table('{path}', source='{source}', deletes='soft', has_coordinates=true)",
    "versions": "history_table('{path}', source='{source}')",
}


EVOLVING_KINDS = {
    **KINDS,
    "lenient": "current_table('{path}', source='{source}', on_schema_change='lenient')",
    "tries": "current_table('{path}', source='{source}', on_schema_change='try_evolve')",
}


class Evolving(HuaweiDrs):
    """A table whose columns are added, dropped, renamed, widened and retyped."""

    table = {}
    steps = {"insert": 6, "update": 8, "move": 1, "delete": 3, "alter": 4}
    spark_types = {
        "int": "int",
        "bigint": "bigint",
        "decimal(5,2)": "decimal(5,2)",
        "decimal(10,4)": "decimal(10,4)",
        "varchar(20)": "string",
        "date": "date",
    }
    wider_types = {
        "int": ["bigint", "decimal(10,4)", "varchar(20)"],
        "decimal(5,2)": ["decimal(10,4)", "varchar(20)"],
        "date": ["varchar(20)"],
    }

    def step(self):
        if not self.messages:
            (self.place,) = [table for table in self.real if table[2] == "one"]
            self.real, self.added = {self.place: {}}, len(COLUMNS)
            self.types = {name: self.chance.choice([*self.spark_types]) for name in COLUMNS}
        super().step()

    def message(self, table, code, data=None, old=None, sql=""):
        message = super().message(table, code, data, old, sql)
        return message | {"mysqlType": None if sql else {KEY: "int", **self.types}}

    def value_of(self, type):
        if self.chance.random() < 0.1:
            return None
        number = self.chance.randrange(1, 100)
        return {
            "int": str(number),
            "bigint": str(2**40 + number),
            "decimal(5,2)": f"{number}.25",
            "decimal(10,4)": f"{number}.1234",
            "varchar(20)": self.chance.choice([f"text {number}", str(number), ""]),
            "date": f"2020-02-{number % 28 + 1:02}",
        }[type]

    def new_row(self, key):
        return {KEY: key, **{name: self.value_of(type) for name, type in self.types.items()}}

    def changed(self, row):
        names = self.chance.sample(sorted(self.types), self.chance.randint(0, len(self.types)))
        return row | {name: self.value_of(self.types[name]) for name in names}

    def do_alter(self, table):
        kinds = {"add": 3, "drop": 1, "rename": 1, "widen": 2, "retype": 3}
        (kind,) = self.chance.choices([*kinds], [*kinds.values()])
        name = self.chance.choice(sorted(self.types)) if self.types else None
        if kind == "add" or name is None:
            self.added += 1
            name, type = f"c{self.added}", self.chance.choice([*self.spark_types])
            self.types[name], clause = type, f"ADD COLUMN `{name}` {type}"
        elif kind == "drop":
            del self.types[name]
            clause = f"DROP COLUMN `{name}`"
        elif kind == "rename":
            self.added += 1
            new, type = f"c{self.added}", self.types.pop(name)
            self.types[new], clause = type, f"CHANGE COLUMN `{name}` `{new}` {type}"
        else:
            all_types = [*self.spark_types]
            types = self.wider_types.get(self.types[name], []) if kind == "widen" else all_types
            self.types[name] = type = self.chance.choice(types or all_types)
            clause = f"MODIFY COLUMN `{name}` {type}"
        self.real[table] = {key: self.new_row(key) for key in self.real[table]}
        if self.chance.random() < 0.5:
            self.send_ddl(table, "alter", f"ALTER TABLE {self.quoted(table)} {clause}")


def decoded(text, type):
    """Return the exact value of a text in a type of Spark, or None."""
    if text is None or type == "string":
        return text
    if type in ("int", "bigint"):
        limit = 2 ** {"int": 31, "bigint": 63}[type]
        fits = re.fullmatch("-?[0-9]+", text) and -limit <= int(text) < limit
        return int(text) if fits else None
    if type == "date":
        return (
            date.fromisoformat(text) if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else None
        )
    precision, scale = map(int, re.findall("[0-9]+", type))
    if not re.fullmatch("-?[0-9]+([.][0-9]+)?", text):
        return None
    scaled = Decimal(text).scaleb(scale)
    fits = scaled == int(scaled) and abs(scaled) < 10**precision
    return Decimal(text).quantize(Decimal(1).scaleb(-scale)) if fits else None


class TypedProject:
    """A project with typed models, written when their tables appear."""

    def __init__(self, project, folder, **settings):
        self.built = project("typed_follow", **settings)
        self.built.home = copy_project(folder)
        self.models = folder / "models" / "typed"
        self.models.mkdir(exist_ok=True)
        self.names = {}

    def write_models(self):
        """Write the models of every published table that has none. Return whether it wrote any."""
        known = len(self.names)
        for row in self.built.query(
            "select distinct source_name, source_database, source_schema, source_table from {cdc}.changelog"
            " where row_key is not null"
        ):
            parts = tuple(row.values())
            if parts not in self.names and parts[-1] == "one":
                self.names[parts] = f"typed_{len(self.names)}"
                path = ".".join(part for part in parts[1:] if part)
                for kind, call in kinds_of(parts).items():
                    text = call.format(path=path, source=parts[0])
                    (self.models / f"{self.names[parts]}_{kind}.sql").write_text(
                        "{{ kafka_cdc." + text + " }}\n", encoding="utf-8"
                    )
                self.built.manifests.clear()
        return len(self.names) > known

    def differences(self):
        """Return the typed tables that differ from the views of the state."""
        state, history = {}, {}
        for relation, found in (("current_state", state), ("row_history", history)):
            for row in self.built.query(f"select * from {{cdc}}.{relation}"):
                found.setdefault(place_of(row), []).append(row)
        return [
            (parts, kind, expected, found)
            for parts, name in self.names.items()
            for kind in kinds_of(parts)
            for types in [self.column_types(f"{name}_{kind}") if parts[0] == EVOLVING else None]
            for expected in [
                expected_rows(kind, state.get(parts, []), history.get(parts, []), types)
            ]
            for found in [
                [
                    shown(kind, row, types)
                    for row in self.built.query(f"select * from {{cdc}}.{name}_{kind}")
                ]
            ]
            if sorted(expected, key=str) != sorted(found, key=str)
        ]

    def column_types(self, name):
        """Return the types of the source's columns. Those of evolve are of the last positions."""
        table = self.built.spark.table(f"cdc_{self.built.name}.{name}")
        types = {
            field.name: field.dataType.simpleString()
            for field in table.schema
            if re.fullmatch("id|a|b|long|c[0-9]+|(a|b|long|c[0-9]+)_v[0-9]+", field.name)
        }
        if not name.endswith(("lenient", "tries")):
            newest = {}
            for row in self.built.query(
                "select source_sequence, kafka_offset, row_index, column_types from {cdc}.changelog"
                f" where source_name = '{EVOLVING}' and column_types is not null"
            ):
                for column, type in row["column_types"].items():
                    sequence = row["source_sequence"] or []
                    place = (sequence, row["kafka_offset"], row["row_index"], type)
                    newest[column] = max(newest.get(column, place), place)
            expected = {name: Evolving.spark_types[type] for name, (*_, type) in newest.items()}
            assert types == {name: expected[name] for name in types}
        return types


def kinds_of(parts):
    """Return the typed tables of a source table."""
    return EVOLVING_KINDS if parts[0] == EVOLVING else KINDS


def merges(built, name):
    """Return how many commits of a typed table changed single rows."""
    if table_format.NAME == "delta":
        return sum(
            row["operation"] == "MERGE" for row in built.query(f"describe history {{cdc}}.{name}")
        )
    return built.query(f"select count(parent_id) as number from {{cdc}}.{name}.snapshots")[0][
        "number"
    ]


def place_of(row):
    return tuple(
        row[name] for name in ("source_name", "source_database", "source_schema", "source_table")
    )


def version_change(row):
    """Return the columns of the change that made a version of a row."""
    names = ["operation", "occurred_at", "source_sequence", "kafka_topic", "topic_incarnation"]
    return [row[name] for name in [*names, "kafka_partition", "kafka_offset", "row_index"]]


def values_of(row, types=None):
    """Return the values of the columns of a row as text. With types they are decoded."""
    if types:
        texts = {name: row.get(re.sub("_v[0-9]+$", "", name)) for name in types}
        values = {name: decoded(texts[name], type) for name, type in types.items()}
        fitting = {re.sub("_v[0-9]+$", "", name) for name in values if values[name] is not None}
        lost = {name for name in types if texts[name] is not None} - fitting
        undecoded = sorted((name, row[name]) for name in lost if "_v" not in name)
        unknown = sorted(row.keys() - types.keys())
        return sorted((name, str(value)) for name, value in values.items()), undecoded, unknown
    return sorted(
        (name, str(row[name])) for name in ("id", "a", "b", "long") if row.get(name) is not None
    )


def shown(kind, row, types=None):
    rest = {
        "live": [],
        "lenient": [],
        "tries": [],
        "kept": ["is_deleted", "deleted_at"],
        "versions": ["valid_from", "valid_to", "is_current", "kafka_offset", "row_index"],
    }[kind]
    values = values_of(row)
    if types:
        undecoded = sorted((name, each["text"]) for name, each in row["undecoded"].items())
        values = sorted((name, str(row[name])) for name in types), undecoded, []
    return (
        row["row_key"],
        values,
        [row[name] for name in rest],
        version_change(row) if kind == "kept" else [],
    )


def expected_rows(kind, state, history, types):
    if kind in ("live", "lenient", "tries"):
        return [(row["row_key"], values_of(row["row_values"], types), [], []) for row in state]
    if kind == "versions":
        rest = ["valid_from", "valid_to", "is_current", "kafka_offset", "row_index"]
        return [
            (row["row_key"], values_of(row["row_values"], types), [row[name] for name in rest], [])
            for row in history
        ]
    current = {row["row_key"]: version_change(row) for row in history if row["is_current"]}
    rows = [
        (key, values_of(row["row_values"], types), [False, None], current[key])
        for row in state
        for key in [row["row_key"]]
    ]
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
        (key, values_of(row["row_values"], types), [True, row["valid_to"]], version_change(row))
        for key, row in deleted.items()
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
    classes = {**{name: STREAMS[name] for name in CHOSEN}, EVOLVING: Evolving}
    streams = {name: each(chance, 0, 40) for name, each in classes.items()}
    topics = [
        {"topic": f"{name}.*", "format": each.slug, "source": name, **each.topic}
        for name, each in classes.items()
    ]
    tables = [
        {"table": "*", "source": name, **each.table} for name, each in classes.items() if each.table
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
        held = chance.choice([*classes])
        built.settings["tables"] = (
            [{"table": "*", "source": held, "hold": True}] if number % 3 == 2 else []
        ) + tables
        built.dbt(*BUILD)
        if typed.write_models():
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
    policies = {
        row["policy"]
        for row in built.query("select distinct policy from {cdc}.applied_schema_changes")
    }
    assert policies >= {"evolve", "lenient"}
    if IS_LONG:
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

"""The steps from Kafka to typed tables and the comparison with the source.

The steps are those of users: landing, `dbt build`, generate_table_model, models of current_table.
"""

import contextlib
import io
import json
import math
import os

from project_copy import copy_project

from kafka_cdc.cli import main as land

CACHED = (
    ["current_state"] if "KAFKA_CDC_LONG" in os.environ else ["events", "current_state"]
)  # all events of the long form are more than memory holds
SEPARATOR = "\n-- and the next model\n"
OUTSIDE = (
    object()
)  # a value that a typed column cannot hold: the column is null, `undecoded` has its text


class Pipeline:
    """A project (of conftest) that lands some topics of a broker."""

    def __init__(self, project, broker, topics):
        self.project, self.broker, self.topics = project, broker, topics

    def land(self):
        """Land the messages of the topics."""
        with (
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()) as output,
        ):
            code = land(
                [
                    "land",
                    "kafka",
                    "--bootstrap-servers",
                    self.broker.servers,
                    "--topics",
                    self.topics,
                    "--schema",
                    f"raw_{self.project.name}",
                ]
            )
        assert code == 0, output.getvalue()

    def alarms(self):
        """Return the broken chains that the build warned of, and the tables that are held: a healthy source has neither."""
        return self.project.query(
            "select source_name, source_table, proposed_cause, different_columns, first_change, example_before, example_state "
            "from {cdc}.broken_chains where is_alarm"
        ) + self.project.query("select source_name, source_table, finding from {cdc}.held_tables")

    def build(self):
        """Run `dbt build`; return what it printed."""
        with contextlib.redirect_stdout(io.StringIO()) as output:
            result = self.project.invoke("build")
        assert result.success, output.getvalue()[-3000:] + str(result.exception)
        return output.getvalue()

    def typed(self, tables):
        """Return the typed rows of source tables, pairs of a path and a source, as lists of mappings, timestamps as texts."""
        if not tables:
            return []
        refs = "-- depends_on: {{ ref('events') }}, {{ ref('current_state') }}, {{ ref('source_types') }}\n"
        model = "{{% if execute %}}{{% set stream = get_table_stream({}, {}) %}}{{{{ typed_model(stream, get_typed_columns(stream)) }}}}{{% endif %}}"
        spark, cached = self.project.spark, [f"cdc_{self.project.name}.{name}" for name in CACHED]
        spark.conf.set(
            "spark.sql.codegen.wholeStage", "false"
        )  # Java code for a few rows takes longer than they
        for name in cached:
            spark.sql(f"cache table {name}")  # many small queries follow
        try:
            models = self.compiled(
                refs
                + SEPARATOR.join(
                    model.format(json.dumps(path), json.dumps(source)) for path, source in tables
                )
            )
            return [rows_of(spark.sql(query)) for query in self.compiled(models).split(SEPARATOR)]
        finally:
            for name in cached:
                spark.sql(f"uncache table {name}")
            spark.conf.unset("spark.sql.codegen.wholeStage")

    def add_typed_models(self, folder, tables):
        """Let builds keep a physical table of each source table, a pair of a path and a source."""
        models = copy_project(folder, staging=None) / "models" / "typed"
        models.mkdir(exist_ok=True)
        for path, source in tables:
            text = f"{{{{ kafka_cdc.current_table('{path}', source='{source}') }}}}\n"
            (models / f"{model_name(path, source)}.sql").write_text(text, encoding="utf-8")
        self.project.home = folder
        self.project.manifests.clear()
        self.project.dbt("run", "--select", "path:models/typed")

    def typed_tables(self, tables):
        """Return the rows of the physical typed tables, as typed() returns those of views."""
        names = [model_name(path, source) for path, source in tables]
        spark, schema = self.project.spark, f"cdc_{self.project.name}"
        return [rows_of(spark.table(f"{schema}.{name}")) for name in names]

    def differences(self, database, tables, expected, read):
        """Return how typed tables differ from those of a database, by the table's name: see differences().

        tables: triples of a path, a source and a workload's Table.
        expected: what a typed column holds of a type and the database's own value.
        read: typed or typed_tables.
        """
        by_table = {}
        for (_, _, table), found in zip(
            tables, read([(path, source) for path, source, _ in tables])
        ):
            columns = database.columns(table.name)
            rows = [
                {name: expected(type_, value) for (name, type_), value in zip(columns.items(), row)}
                for row in database.rows(table.name)
            ]
            if different := differences(found, rows, [name.strip('`"') for name in table.keys]):
                by_table[table.name] = different
        return by_table

    def compiled(self, sql):
        """Return what dbt makes of a text."""
        with contextlib.redirect_stdout(io.StringIO()):
            return self.project.dbt("compile", "--inline", sql).result.results[0].node.compiled_code


def model_name(path, source):
    """Return the name of the typed model of a source table."""
    return f"typed_{source}_{path.replace('.', '_')}"


def rows_of(typed):
    """Return the rows of a query as mappings, timestamps as texts."""
    texts = [
        f"cast(`{name}` as string) as `{name}`" if type_.startswith("timestamp") else f"`{name}`"
        for name, type_ in typed.dtypes
    ]
    return [row.asDict() for row in typed.selectExpr(*texts).collect()]


def differences(found, expected, keys):
    """Return where typed rows differ from the rows of the source, a few sentences; none where they are the same, row for row, value for value."""
    by_key = lambda rows: {
        json.dumps([row[name] for name in keys], default=repr): row for row in rows
    }
    ours, theirs = by_key(found), by_key(expected)
    problems = [
        f"{len(rows)} rows, {len(keyed)} keys"
        for rows, keyed in ((found, ours), (expected, theirs))
        if len(rows) != len(keyed)
    ]
    problems += [f"too much: {key}" for key in sorted(ours.keys() - theirs.keys())[:5]] + [
        f"missing: {key}" for key in sorted(theirs.keys() - ours.keys())[:5]
    ]
    columns = {}
    for key in ours.keys() & theirs.keys():
        for name, value in theirs[key].items():
            if name not in ours[key]:
                columns.setdefault(name, []).append(f"column {name} is not there")
            elif not is_same(ours[key][name], value, name in ours[key]["undecoded"]):
                undecoded = ours[key]["undecoded"].get(name)
                columns.setdefault(name, []).append(
                    f"{name} of {key}: {ours[key][name]!r:.200} instead of {'what does not fit' if value is OUTSIDE else repr(value):.200}"
                    + (f", undecoded {undecoded}" if undecoded else "")
                )
    return problems + [f"{len(several)} × {several[0]}" for several in columns.values()]


def is_same(found, expected, is_undecoded):
    """Return whether a typed value is the source's: of the same Python type, and equal, floats by their bits but for NaN."""
    if expected is OUTSIDE:
        return found is None and is_undecoded
    if isinstance(expected, float) and isinstance(found, float):
        return (
            math.isnan(found)
            and math.isnan(expected)
            or found == expected
            and math.copysign(1, found) == math.copysign(1, expected)
        )
    return (
        (bytes(found) if isinstance(found, bytearray) else found) == expected
        and isinstance(found, bool) == isinstance(expected, bool)
        and not is_undecoded
    )

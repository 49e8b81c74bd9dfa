"""`kafka-cdc demo`: sample messages, and what the lake contains."""

import json
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from kafka_cdc import class_data_sharing, cli, duckdb_lake, environment, exit_codes, session
from kafka_cdc.build import raise_interrupt
from kafka_cdc.errors import LandingError
from kafka_cdc.progress import format_bytes
from kafka_cdc.report import command

# The rows of the samples, which are the same for every vendor.
CUSTOMERS = """
        select row_key, row_values['first_name'] as first_name, row_values['email'] as email,
               row_values['balance'] as balance, count(*) as vendors
        from cdc.current_state
        where 'inventory' in (source_database, source_schema) and row_values['_id'] is {} null
        group by all order by row_key"""

TABLE_PATH = """concat_ws('.', nullif(source_database, ''), nullif(source_schema, ''),
               source_table)"""

QUESTIONS = {
    "Messages and their outcomes, by topic (cdc.message_accounting)": """
        select topic, sum(landed_messages) as landed, sum(change_messages) as changes,
               sum(ddl_messages) as ddl, sum(control_messages) as control,
               sum(rejected_messages) as rejected, sum(changes) as changed_rows
        from cdc.message_accounting
        group by topic order by topic""",
    "Events by format and kind (cdc.events)": """
        select coalesce(source_format, '(no format)') as source_format, event_kind, operation,
               count(*) as events
        from cdc.events
        group by all order by all""",
    "Quarantine (cdc.quarantine contains the messages)": """
        select kafka_topic, kafka_partition, kafka_offset, reject_code, reject_detail
        from cdc.quarantine
        order by all""",
    "Held tables, which keep their last published state (cdc.held_tables)": f"""
        select source_name, {TABLE_PATH} as source_table, held_since,
               withheld_changes, finding, remedy
        from cdc.held_tables
        order by all""",
    "Broken chains: before images that are not the row before them (cdc.broken_chains)": f"""
        select source_name, {TABLE_PATH} as source_table, break_kind,
               proposed_cause, sum(changes) as changes
        from cdc.broken_chains
        group by all order by all""",
    "Sample customers: every vendor has the same rows (cdc.current_state)": CUSTOMERS.format(""),
    "The same customers from document databases: values are typed JSON": CUSTOMERS.format("not"),
}
# What DuckDB is asked. The models of these tables are in examples/samples/models.
TYPED_TABLES = (
    "inventory_customers",
    "inventory_customers_history",
    "wal2json_customers",
)
TYPED_TITLE = (
    "Typed tables that DuckDB reads without Spark (cdc.inventory_customers and its history)"
)
TYPED_QUESTION = """
        select customers.id, customers.first_name, typeof(customers.balance) as type,
               customers.balance, customers.balance = other.balance as equals_wal2json,
               count(*) as versions, min(valid_from)::date as since
        from inventory_customers as customers
        join inventory_customers_history using (id)
        join wal2json_customers as other using (id)
        group by all order by id"""
PROJECT_FOLDERS = ("macros", "models", "seeds")
NEXT_STEPS = """
Lake:  {lake}
Next:  . .venv/bin/activate, then
         rm -rf {lake}    delete the samples, or set KAFKA_CDC_LAKE to another folder
         kafka-cdc land files DIR    land your own messages: <topic>.jsonl or *.kcat.jsonl (kcat -J)
         dbt build                   parse, test and publish what is new
         make docs                   build the documentation: site/index.html"""


def run() -> int:
    """Land the sample messages, run `dbt build`, and show the tables.

    Each step prints one line with the size of its result and its duration.

    Returns:
        The exit code of the first step that failed.
    """
    archive = class_data_sharing.get_archive()
    is_archived = archive.exists() or environment.CLASSES.get() or not archive.parent.exists()
    if not is_archived:
        class_data_sharing.archive_at_exit()
    spark = session.start()
    for number, (title, folder, work) in enumerate(get_steps(), start=1):
        began = time.monotonic()
        code = work()
        seconds = time.monotonic() - began
        if code:
            print(f"==> {number}/2 {title}: failed after {seconds:.0f} s", file=sys.stderr)
            return code
        print(f"==> {number}/2 {title}: {get_size(folder)}, {seconds:.0f} s", flush=True)
    show_lake(spark)
    print(f"Report: {command.write(spark, command.get_default_path())}", flush=True)
    if not is_archived:
        print("Java archives its classes for a minute, so that Spark starts faster later.")
    return exit_codes.SUCCESS


def land_samples() -> int:
    """Land the sample messages of every format. Returns the exit code."""
    return cli.main(["land", "files", str(get_samples_folder())])


def build() -> int:
    """Run `dbt build` with the settings and models of the samples. Returns the exit code.

    The staging views are left out: nothing reads them, and those of all formats take a minute.
    """
    from dbt.cli.main import dbtRunner

    folder = str(copy_project())
    result = dbtRunner().invoke(
        [
            *("build", "--exclude", "staging"),
            *("--project-dir", folder, "--vars", json.dumps(get_settings())),
        ]
    )
    raise_interrupt(result.exception)
    return exit_codes.SUCCESS if result.success else exit_codes.FAILURE


def copy_project() -> Path:
    """Copy the project and the typed models of the samples to target/demo.

    In the project itself, these models would stop a build on a lake without the samples.
    """
    home = environment.project_home()
    folder = home / "target" / "demo"
    for name in PROJECT_FOLDERS:
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(home / name, folder / name)
    shutil.copy2(home / "dbt_project.yml", folder)
    shutil.copytree(
        get_samples_folder() / "models", folder / "models" / "typed", dirs_exist_ok=True
    )
    return folder


def get_steps() -> tuple[tuple[str, Path, Callable[[], int]], ...]:
    """Return the steps: a title, the folder whose size is shown, and the work."""
    return (
        ("Sample messages of every format landed", get_samples_folder(), land_samples),
        ("Tables built and tested; the lake", environment.lake_folder(), build),
    )


def get_size(folder: Path) -> str:
    """Return the size of the files in a folder, for people."""
    return format_bytes(sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()))


def show_lake(spark: SparkSession) -> None:
    """Print the answers to QUESTIONS, the formats without samples, and what to do next."""
    schema = environment.schema_name()
    for title, query in QUESTIONS.items():
        show_query(spark, title.replace("cdc.", f"{schema}."), query.replace("cdc.", f"{schema}."))
    print("\nFormats without sample messages")
    for slug, why in read_sample_settings()["not_shown"].items():
        print(f"  {slug}: {why}")
    show_answer_of_duckdb(TYPED_TITLE.replace("cdc.", f"{schema}."))
    print(NEXT_STEPS.format(lake=environment.lake_folder()))


def show_query(spark: SparkSession, title: str, query: str) -> None:
    """Print the rows of a query under a title. A model that no build has made yet is named."""
    try:
        answer = spark.sql(query)
    except AnalysisException as error:
        if error.getCondition() != "TABLE_OR_VIEW_NOT_FOUND":
            raise
        print(f"\n{title}\n  (not built yet: run dbt build)")
        return
    print_rows(title, answer.columns, answer.collect())


def show_answer_of_duckdb(title: str) -> None:
    """Print the answer of DuckDB to TYPED_QUESTION, or why there is none."""
    try:
        columns, rows = duckdb_lake.read_rows(TYPED_TABLES, TYPED_QUESTION)
    except LandingError as error:
        print(f"\n{title}\n  ({error})")
        return
    print_rows(title, columns, rows)


def print_rows(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under a title, with aligned columns."""
    lines = [tuple(map(to_text, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *lines, strict=True)]
    print(f"\n{title}")
    for line in [tuple(columns), *lines]:
        cells = (value.ljust(width) for value, width in zip(line, widths, strict=True))
        print("  " + "  ".join(cells).rstrip())
    if not rows:
        print("  (none)")


def to_text(value: object) -> str:
    """Return a value as people read it: no text for null, no exponent for a decimal."""
    if value is None:
        return ""
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def get_samples_folder() -> Path:
    """Return the folder of the sample messages."""
    return environment.project_home() / "examples" / "samples"


def read_sample_settings() -> dict[str, Any]:
    """Return the samples' topics and tables, and the formats without samples (not_shown)."""
    text = (get_samples_folder() / "settings.yml").read_text(encoding="utf-8")
    settings: dict[str, Any] = yaml.safe_load(text)
    return settings


def get_settings() -> dict[str, list[object]]:
    """Return the project's entries of topics and tables, followed by the samples'."""
    path = environment.project_home() / "dbt_project.yml"
    project = yaml.safe_load(path.read_text(encoding="utf-8"))
    settings = (project.get("vars") or {}).get("kafka_cdc") or {}
    samples = read_sample_settings()
    return {name: [*(settings.get(name) or []), *samples[name]] for name in ("topics", "tables")}

"""What `make run` does, in one Spark session: lands the sample messages, runs `dbt build`, and shows what came of it.

With --no-build (`make report`) it only shows what the lake holds.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import yaml
from dbt.cli.main import dbtRunner
from pyspark.sql import SparkSession

from . import environment
from .__main__ import main as land
from .errors import reason
from .session import start

SAMPLES = Path(__file__).resolve().parent / "samples"

# The rows of every vendor's samples, which tell one story.
CUSTOMERS = """
        select row_key, row_values['first_name'] as first_name, row_values['email'] as email, row_values['balance'] as balance,
               count(*) as vendors
        from cdc.current_state
        where 'inventory' in (source_database, source_schema) and row_values['_id'] is {} null group by all order by row_key"""

QUESTIONS = {
    "Messages, and what became of them": """
        select topic, sum(landed_messages) as landed, sum(change_messages) as changes, sum(ddl_messages) as ddl,
               sum(control_messages) as control, sum(rejected_messages) as rejected, sum(changes) as changed_rows
        from cdc.message_accounting group by topic order by topic""",
    "Events by format and kind": """
        select coalesce(source_format, '(no format)') as source_format, event_kind, operation, count(*) as events
        from cdc.events group by all order by all""",
    "In quarantine, where six of the samples belong (cdc.quarantine holds the texts)": """
        select kafka_topic, kafka_partition, kafka_offset, reject_code, reject_detail from cdc.quarantine order by all""",
    "The current state: every vendor has the same rows (cdc.current_state)": CUSTOMERS.format(""),
    "The same rows as documents, their values typed JSON text": CUSTOMERS.format("not"),
}


def show(spark: SparkSession, title: str, query: str) -> None:
    """Print the rows of a query under a title, as a table of text."""
    answer = spark.sql(query)
    names, rows = answer.columns, [tuple("" if value is None else str(value) for value in row) for row in answer.collect()]
    widths = [max(map(len, column)) for column in zip(names, *rows)]
    print(f"\n{title}")
    for row in [names, *rows]:
        print("  " + "  ".join(value.ljust(width) for value, width in zip(row, widths)).rstrip())
    if not rows:
        print("  (none)")


def build() -> int:
    """Land the samples and run `dbt build`; return the exit code of the first step that failed."""
    print("==> landing the sample messages of every format", flush=True)
    if code := land(["files", str(SAMPLES)]):
        return code
    print("==> dbt build", flush=True)
    return 0 if dbtRunner().invoke(["build", "--project-dir", str(environment.HOME), "--vars", json.dumps(settings())]).success else 1


def sample_settings() -> dict[str, Any]:
    """Return what stands beside the sample messages: their topics and tables, and the formats that have none (not_shown)."""
    return yaml.safe_load((SAMPLES / "settings.yml").read_text(encoding="utf-8"))


def settings() -> dict[str, list[object]]:
    """Return the project's lines of topics and tables, and after them those that the sample messages need."""
    project = yaml.safe_load((environment.HOME / "dbt_project.yml").read_text(encoding="utf-8"))["vars"]["kafka_cdc"]
    samples = sample_settings()
    return {name: [*(project.get(name) or []), *samples[name]] for name in ("topics", "tables")}


def main(arguments: list[str]) -> int:
    """Build, unless --no-build is given, and show; return the exit code."""
    spark = start()
    if "--no-build" not in arguments and (code := build()):
        return code
    schema = os.environ.get("KAFKA_CDC_SCHEMA") or "cdc"
    for title, query in QUESTIONS.items():
        show(spark, title.replace("cdc.", f"{schema}."), query.replace("cdc.", f"{schema}."))
    print("\nFormats without sample messages")
    for slug, reason_why in sample_settings()["not_shown"].items():
        print(f"  {slug}: {reason_why}")
    print(f"""
The lake: {os.environ["KAFKA_CDC_LAKE"]}
Next:     . .venv/bin/activate, then
            python -m landing files DIR                  land messages of your own: <topic>.jsonl, or kcat -J dumps *.kcat.jsonl
            dbt build                                    read what is new
            dbt show --inline "select row_key, to_json(row_values) from {schema}.current_state" --limit 20
            make docs                                    what every model and column means""")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Exception as error:
        sys.exit(f"make run: {reason(error)}")

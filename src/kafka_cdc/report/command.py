"""Runs `kafka-cdc report`."""

import os
from pathlib import Path

from pyspark.sql import SparkSession

from kafka_cdc import build, environment, exit_codes, session, text_files
from kafka_cdc.progress import format_bytes
from kafka_cdc.report import queries
from kafka_cdc.report.render import render


def run(output: Path | None, *, payloads: bool) -> int:
    """Write the report and print its path. Returns the exit code."""
    environment.prepare()
    path = write(session.start(), output or get_default_path(), payloads=payloads)
    print(f"{path}: {format_bytes(path.stat().st_size)}")
    return exit_codes.SUCCESS


def write(spark: SparkSession, path: Path, *, payloads: bool = False) -> Path:
    """Write the report of the lake to a file, which it replaces at once. Returns its path."""
    schema = environment.schema_name()
    facts = queries.read(spark, schema, get_target_folder(), payloads=payloads)
    text_files.replace(path, render(facts))
    return path


def get_target_folder() -> Path:
    """Return dbt's target folder."""
    return build.project_folder() / (os.environ.get("DBT_TARGET_PATH") or "target")


def get_default_path() -> Path:
    """Return where the report is written by default."""
    return get_target_folder() / "report.html"

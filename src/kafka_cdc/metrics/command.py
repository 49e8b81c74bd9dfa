"""Runs `kafka-cdc metrics`."""

import sys
from pathlib import Path

from kafka_cdc import environment, exit_codes, session, text_files
from kafka_cdc.metrics import queries
from kafka_cdc.metrics.exposition import render
from kafka_cdc.report.command import get_target_folder


def run(output: Path | None, *, raw_schema: str, raw_table: str) -> int:
    """Print the metrics, or write them to a file. Returns the exit code."""
    environment.prepare()
    schema = environment.schema_name()
    raw = queries.get_raw_table(raw_schema, raw_table)
    text = render(queries.read(session.start(), schema, raw, get_target_folder()))
    if output is None:
        sys.stdout.write(text)
    else:
        text_files.replace(output, text)
    return exit_codes.SUCCESS

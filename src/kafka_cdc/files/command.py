"""`kafka-cdc land files`."""

import argparse
import sys

from kafka_cdc import exit_codes, log_events, session
from kafka_cdc.files import landing
from kafka_cdc.files.lines import File
from kafka_cdc.files.progress import FilesProgress, FilesSummary
from kafka_cdc.lineage import command as lineage
from kafka_cdc.lineage.events import Dataset, get_file_datasets
from kafka_cdc.progress import ProgressLine
from kafka_cdc.shutdown import Shutdown
from kafka_cdc.tables import raw


def run(arguments: argparse.Namespace, shutdown: Shutdown) -> int:
    """Land the files, print what landed, and on stderr which files did not.

    Returns:
        The exit code.
    """
    summary = FilesSummary()
    try:
        land(arguments, shutdown, summary)
    finally:
        if summary.given or summary.groups and not summary.errors:
            print(summary.text())
        for error in summary.errors:
            print(f"not landed: {error}", file=sys.stderr)
    return exit_codes.REJECTED if summary.errors else exit_codes.SUCCESS


def land(
    arguments: argparse.Namespace,
    shutdown: Shutdown,
    summary: FilesSummary,
    *,
    is_cycle: bool = False,
) -> None:
    """Land the files, and add to the summary what landed and which files did not.

    Args:
        arguments: The options of `land files`.
        shutdown: Reports when to stop.
        summary: Is filled, also if the landing failed.
        is_cycle: Whether it is a cycle of a loop, which sends no lineage if nothing landed.
    """
    files = landing.find(arguments.paths, arguments.topic_prefix)
    groups = list(landing.divide(files))
    for file in files:
        if file.warning and not is_cycle:
            print(f"warning: {file.warning}", file=sys.stderr)

    def get_inputs() -> list[Dataset]:
        return get_file_datasets(file.path for file in files if not file.error and summary.batches)

    def log_failure(why: str) -> None:
        ProgressLine().log(log_events.LINEAGE_FAILED, note=f'"{why}"')

    try:
        if groups:
            with lineage.landing(
                "land_files", arguments, get_inputs, log_failure, is_cycle=is_cycle
            ):
                shutdown.run(lambda: land_groups(groups, arguments, summary, shutdown=shutdown))
    finally:
        summary.errors += [file.error for file in files if file.error]


def land_groups(
    groups: list[list[File]],
    arguments: argparse.Namespace,
    summary: FilesSummary,
    *,
    shutdown: Shutdown,
) -> None:
    """Land groups of files, each in a commit of its own, and add them to the summary."""
    spark = session.start()
    shutdown.check()
    table = raw.create(spark, arguments.schema, arguments.table)
    with FilesProgress(spark, sum(file.size for group in groups for file in group)) as progress:

        def set_phase(phase: str) -> None:
            shutdown.check()
            progress.set_phase(phase)

        files_landing = landing.FilesLanding(
            spark=spark,
            table=table,
            prefix=arguments.topic_prefix,
            skip_partial_line=arguments.skip_partial_line,
            set_phase=set_phase,
        )
        for group in groups:
            progress.begin_group(sum(file.size for file in group))
            batch, landed = files_landing.land(group)
            given = [part for file in group if not file.error for part in file.ranges]
            summary.add(batch, landed, given)

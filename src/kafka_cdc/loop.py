"""`kafka-cdc run`: lands, builds, tests and publishes in a loop, with one Spark session."""

import argparse
import contextlib
import functools
import math
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from kafka_cdc import build, environment, exit_codes, log_events, session
from kafka_cdc.alerts import (
    AlertError,
    Alerts,
    find_held_tables,
    find_topic_findings,
    strip_numbers,
)
from kafka_cdc.build import BuildResult
from kafka_cdc.errors import NO_MEMORY, LandingError, reason
from kafka_cdc.files import command as files_command
from kafka_cdc.files.progress import FilesSummary
from kafka_cdc.kafka.command import TopicLanding
from kafka_cdc.kafka.landing import KafkaLanding
from kafka_cdc.lineage import client as lineage_client
from kafka_cdc.lineage.command import read_dbt_events
from kafka_cdc.progress import ProgressLine
from kafka_cdc.report import command as report_command
from kafka_cdc.report.command import get_target_folder
from kafka_cdc.shutdown import Shutdown
from kafka_cdc.tables import raw
from kafka_cdc.tables.sql import quote
from kafka_cdc.tables.table_format import Table, refresh_tables

DEFAULT_INTERVAL_SECONDS = 15.0
MAX_BACKOFF_SECONDS = 300.0
MAX_DOUBLINGS = 32  # of the pause, which is limited; 2.0 ** 1024 would raise an OverflowError
DONE, FAILED, SKIPPED = "done", "failed", "skipped"
REJECTED_HINT = "All other messages have landed. Hint: repair it, or leave it out of the sources"
RAW_DEFAULTS = {"schema": "raw", "table": "kafka_messages"}


@dataclass
class Landed:
    """What the landing of a cycle added, and why it rejected something."""

    messages: int = 0
    errors: list[str] = field(default_factory=list)


def run(arguments: argparse.Namespace, shutdown: Shutdown) -> int:
    """Run one cycle, or cycles until a signal stops them.

    Returns:
        The exit code.

    Raises:
        LandingError: The landing failed, or the loop cannot continue.
    """
    session.check_can_build()
    alerts = open_alerts()
    is_long_run = is_repeated(arguments)
    spark = shutdown.run(lambda: session.start(heap=session.BUILD_HEAP, is_long_run=is_long_run))
    loop = Loop(spark, arguments, shutdown, alerts)
    with contextlib.closing(loop):
        if not loop.is_continuous:
            return loop.run_cycle()
        while True:
            began = time.monotonic()
            loop.run_cycle()
            seconds = max(0.0, loop.get_pause() - (time.monotonic() - began))
            shutdown.run(functools.partial(shutdown.pause, seconds))


def is_repeated(arguments: argparse.Namespace) -> bool:
    """Return whether the options ask for more than one cycle."""
    return arguments.continuous or arguments.interval is not None


def open_alerts() -> Alerts:
    """Return the alerts of this project and schema.

    Raises:
        LandingError: The address of the webhook is none.
    """
    folder = build.project_folder() / (os.environ.get("DBT_TARGET_PATH") or "target")
    output = LoopLog()

    def log_failure(why: str) -> None:
        output.log(log_events.ALERT_FAILED, note=f'"{why}"')

    try:
        file = Path(folder, f"alerts_{environment.schema_name()}.json")
        return Alerts(environment.ALERT_URL.get(), file, log_failure)
    except AlertError as error:
        raise LandingError(str(error)) from None


class Loop:
    """Cycles of landing and building.

    A build is skipped if the last one succeeded and neither the raw table nor the project has
    changed since. Without a source, another tool writes the raw table, and each cycle builds.

    Most builds leave out the models that nothing published depends on. A full build follows the
    first one, so that the first rows are published early. It also follows at the monitoring
    interval, after a failure, and when the project or a hold has changed. If nothing has changed,
    only the expectations of topics are tested at the interval, because a silent topic changes
    nothing.
    """

    def __init__(
        self,
        spark: SparkSession,
        arguments: argparse.Namespace,
        shutdown: Shutdown,
        alerts: Alerts,
    ) -> None:
        """Prepare the first cycle."""
        self.spark, self.arguments, self.shutdown = spark, arguments, shutdown
        self.alerts = alerts
        self.is_continuous = is_repeated(arguments)
        self.interval: float = arguments.interval or DEFAULT_INTERVAL_SECONDS
        self.options = argparse.Namespace(**{**vars(arguments), "continuous": False})
        self.options.interval, self.options.paths = self.interval, arguments.files
        self.topics: TopicLanding | None = None
        if arguments.topics:
            self.topics = TopicLanding(
                self.options, shutdown, is_cycle=True, is_repeated=self.is_continuous
            )
        self.output = LoopLog()
        self.cycles, self.failures = 0, 0  # failures: how many cycles failed in a row
        self.has_landed = self.has_built = False
        self.has_backlog = False  # whether the last landing left messages for the next cycle
        # The states of raw and project that the last build and the last full one succeeded with.
        self.built: object = None
        self.monitored: object = None
        self.monitored_at, self.monitored_project = 0.0, dict[str, int]()
        self.parsed_project, self.manifest = dict[str, int](), None
        self.monitored_holds: object = None
        self.holds: tuple[str | None, object] = None, None  # version of table_holds, and its tables

    def close(self) -> None:
        """End the connection to Kafka."""
        if self.topics:
            self.topics.close()

    def get_pause(self) -> float:
        """Return the seconds between the starts of two cycles: more after failures.

        A backlog does not wait.
        """
        if self.has_backlog and not self.failures:
            return 0.0
        backoff = self.interval * 2.0 ** min(self.failures, MAX_DOUBLINGS)
        return max(self.interval, min(MAX_BACKOFF_SECONDS, backoff))

    def run_cycle(self) -> int:
        """Land, build and log the cycle.

        Returns:
            The exit code, if this were the only cycle.

        Raises:
            LandingError: The loop cannot continue, or the only or first landing failed.
        """
        began = time.monotonic()
        self.cycles += 1
        facts: dict[str, object] = {"cycle": self.cycles}
        try:
            code = self._run_steps(facts)
            self.alerts.update("ended", [])
        except Exception as error:
            hint = "Hint: correct the cause and start the command again"
            self._alert_of_failure("ended", f"kafka-cdc run ended: {reason(error)}", hint)
            raise
        finally:
            facts["seconds"] = format_seconds(began)
            self.output.log(log_events.CYCLE, **facts)
            self.alerts.send()
        self.failures = self.failures + 1 if code == exit_codes.FAILURE else 0
        return code

    def _run_steps(self, facts: dict[str, object]) -> int:
        """Land, then build. Adds the facts of the cycle as it runs. Returns the exit code.

        The build follows a landing that fails, too. One topic then cannot stop all others.
        """
        landed, has_failed = Landed(), False
        if self.arguments.files or self.arguments.topics:
            began = time.monotonic()
            try:
                self._land(landed)
                facts["landing"] = DONE
            except Exception as error:
                facts["landing"] = FAILED
                self._check_session(error)
                if not (self.is_continuous and self.has_landed):
                    raise
                self.output.log(log_events.LANDING_FAILED, note=f'"{reason(error)}"')
                hint = "The next cycle tries again. Hint: `kafka-cdc land` with the same options"
                self._alert_of_failure("landing", f"landing failed: {reason(error)}", hint)
                has_failed = True
            else:
                self.has_landed = True
                rejected = [f"rejected: {one}. {REJECTED_HINT}" for one in landed.errors]
                self.alerts.update("landing", [])
                self.alerts.update("rejected", rejected)
            finally:
                facts["messages"], facts["rejected"] = landed.messages, len(landed.errors)
                facts["landing_seconds"] = format_seconds(began)
                if self.has_backlog:
                    facts["backlog"] = "yes"
        try:
            result = self.shutdown.run(lambda: self._build(facts))
        except Exception as error:  # before or after dbt, for example of the catalog
            facts["build"] = FAILED
            self._check_session(error)
            if not self.is_continuous or self.cycles == 1:
                raise
            self.output.log(log_events.BUILD_FAILED, note=f'"{reason(error)}"')
            hint = "The next cycle tries again. Hint: `dbt build` shows the statement"
            self._alert_of_failure("build", f"build failed: {reason(error)}", hint)
            return exit_codes.FAILURE
        if result and not result.is_successful:
            self._check_session(None)
            if result.is_settings_error:
                failure = f"dbt cannot build: {result.failures[0]}"
                hint = "Hint: correct dbt_project.yml or --vars, then start the command again"
                raise LandingError(failure if "Hint: " in failure else f"{failure}. {hint}")
            return exit_codes.FAILURE
        if has_failed:
            return exit_codes.FAILURE
        return exit_codes.REJECTED if landed.errors else exit_codes.SUCCESS

    def _land(self, landed: Landed) -> None:
        """Land what the sources contain now. If the topics fail, the files land too.

        In a loop, a cycle lands a limited number of messages of topics. A cycle after a failure
        lands all, because cycles are then far apart.

        Raises:
            Exception: A source failed.
        """
        failure: Exception | None = None
        self.has_backlog = False
        if self.topics:
            try:
                is_bounded = self.is_continuous and not self.failures
                limit = self.arguments.max_cycle_messages if is_bounded else math.inf
                self.has_backlog = self.topics.run(KafkaLanding.log_unmatched_topics, limit)
            except Exception as error:
                self._check_session(error)
                failure = error
            finally:
                summary = self.topics.progress.summary
                landed.messages += summary.count_messages()
                landed.errors += summary.errors
        if self.arguments.files:
            try:
                self._land_files(landed)
            except Exception as error:
                if failure is None:
                    raise
                # Both texts may end with a hint.
                raise LandingError(f"{reason(failure)} / {reason(error)}") from failure
        if failure is not None:
            raise failure

    def _land_files(self, landed: Landed) -> None:
        """Land everything that the files contain now."""
        files = FilesSummary()
        try:
            files_command.land(self.options, self.shutdown, files, is_cycle=True)
        finally:
            landed.messages += sum(files.landed.values())
            landed.errors += files.errors
            self.output.log_new(log_events.REJECTED, files.errors)

    def _build(self, facts: dict[str, object]) -> BuildResult | None:
        """Build if something has changed. Adds the facts of the build, and logs new findings."""
        began = time.monotonic()
        refresh_tables(self.spark)
        project = build.fingerprint()
        state = self._get_state(project)
        is_full = self._needs_full_build(project)
        is_unchanged = state is not None and state == self.built
        if is_unchanged and not is_full:
            facts["build"] = SKIPPED
            return None
        is_watch = is_unchanged and state == self.monitored
        self.built = None
        options = vars(self.arguments)
        changed = {
            f"raw_{name}": options[name]
            for name, default in RAW_DEFAULTS.items()
            if options[name] != default
        }
        if project != self.parsed_project:
            self.manifest = build.parse(self.arguments.vars, changed)
            self.parsed_project = project
        result = build.run(
            self.arguments.vars,
            changed,
            manifest=self.manifest,
            selected=build.EXPECTATIONS if is_watch else (),
            excluded=() if is_full else build.MONITORING,
        )
        facts["build"] = DONE if result.is_successful else FAILED
        facts["models"], facts["tests"] = result.models, result.tests
        facts["warnings"], facts["failures"] = result.warnings, len(result.failures)
        facts["published"] = "yes" if result.is_published else "no"
        facts["monitoring"] = "yes" if is_full else "no"
        facts["build_seconds"] = format_seconds(began)
        for failure in result.failures:
            self.output.log(log_events.BUILD_FAILED, note=f'"{failure}"')
        self.has_built = True
        is_complete = is_full and not is_watch
        self.output.log_new(log_events.FINDING, result.findings, is_complete=is_complete)
        self._alert_of_build(result, is_complete)
        if not is_watch:
            self._send_lineage()
            if self.arguments.report:
                self._write_report(self.arguments.report)
        if result.is_successful:
            self.built = state
        if result.is_successful and is_watch:
            self.monitored_at = time.monotonic()
            return result
        holds = self._get_holds(result) if result.is_successful else None
        if result.is_successful and is_full:
            self.monitored, self.monitored_at = state, time.monotonic()
            self.monitored_project, self.monitored_holds = project, holds
        elif not result.is_successful or holds != self.monitored_holds:
            self.monitored_at = 0.0
        return result

    def _get_holds(self, result: BuildResult) -> object:
        """Return the held tables after a build, each with its checks.

        A version of table_holds can have the same ones, for example with another late batch.
        """
        version = result.published_versions.get("table_holds")
        if version != self.holds[0]:
            self.holds = version, read_holds(self.spark)
        return self.holds[1]

    def _needs_full_build(self, project: dict[str, int]) -> bool:
        """Return whether the next build includes the monitoring models and their tests."""
        if not self.is_continuous:
            return True
        if not self.has_built:
            return False
        if not self.monitored_at or project != self.monitored_project:
            return True
        due_at = self.monitored_at + float(self.arguments.monitoring_interval)
        return time.monotonic() >= due_at

    def _send_lineage(self) -> None:
        """Send the events of the build. If that fails, the cycle goes on."""

        def log_failure(why: str) -> None:
            self.output.log(log_events.LINEAGE_FAILED, note=f'"{why}"')

        lineage_client.send_or_log(lambda: read_dbt_events(get_target_folder()), log_failure)

    def _write_report(self, path: Path) -> None:
        """Write the report. If that fails, the cycle goes on."""
        try:
            report_command.write(self.spark, path)
        except Exception as error:
            self.output.log(log_events.REPORT_FAILED, note=f'"{reason(error)}"')

    def _alert_of_build(self, result: BuildResult, is_complete: bool) -> None:
        """Alert of failures and of findings. Not each build runs all tests to the end."""
        hint = "Readers see what was published before. Hint: `dbt build` shows the statement"
        failures = [f"build failed: {failure}. {hint}" for failure in result.failures]
        self.alerts.update("build", failures, strip_numbers)
        findings = find_held_tables(result.findings) + find_topic_findings(result.findings)
        self.alerts.update("findings", findings, is_complete=result.is_successful and is_complete)

    def _alert_of_failure(self, kind: str, failure: str, hint: str) -> None:
        """Alert of a failure, with a hint if it has none of its own."""
        text = failure if "Hint: " in failure else f"{failure}. {hint}"
        self.alerts.update(kind, [text], strip_numbers)

    def _get_state(self, project: dict[str, int]) -> object:
        """Return the version of raw and the files of the project, or None without a source."""
        if not (self.arguments.files or self.arguments.topics):
            return None
        name = raw.create(self.spark, self.arguments.schema, self.arguments.table)
        return Table(self.spark, name).snapshot(), project

    def _check_session(self, error: Exception | None) -> None:
        """Check after a failure that Spark still runs.

        Raises:
            LandingError: It does not, so that no cycle can succeed any more.
        """
        if not is_running(self.spark):
            raise LandingError(NO_MEMORY) from error


class LoopLog(ProgressLine):
    """Prints the log. It has no progress line."""

    def line(self) -> str | None:
        """Return nothing to show."""
        return None


def read_holds(spark: SparkSession) -> object:
    """Return the held tables, each with its checks. None if they cannot be read."""
    name = quote(*environment.schema_name().split("."), "table_holds")
    columns = "source_name, source_tenant, source_database, source_schema, source_table, check_name"
    try:
        spark.catalog.refreshTable(name)
        return set(spark.sql(f"select distinct {columns} from {name}").collect())
    except Exception:
        return None


def is_running(spark: Any) -> bool:
    """Return whether the JVM and its Spark context still run."""
    process = getattr(spark.sparkContext._gateway, "proc", None)
    if process is not None and process.poll() is not None:
        return False
    try:
        return not spark.sparkContext._jsc.sc().isStopped()
    except Exception:
        return False


def format_seconds(began: float) -> str:
    """Return the seconds since a time of time.monotonic()."""
    return f"{time.monotonic() - began:.1f}"

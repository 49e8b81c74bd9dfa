"""The tasks of the DAG kafka_cdc, which run commands of the project's own environment.

Nothing of Spark or dbt runs in Airflow's process: each task is a command in the project's .venv.
Its output is the log of the task.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import tempfile
from collections import Counter, defaultdict, deque
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from airflow.sdk import Asset, BaseOperator, Variable
from airflow.sdk.exceptions import AirflowException, AirflowFailException, AirflowSkipException

from kafka_cdc_alerts import (
    FINDINGS,
    REPORT_FAILED,
    alert_of_held_tables,
    alert_of_topics,
    format_try,
    report,
)
from kafka_cdc_settings import (
    PROGRAMS,
    PROJECT,
    Source,
    get_environment,
    get_kafka_environment,
    get_variables,
    read_settings,
)

MAINTAINED = "kafka_cdc_maintained"  # the Airflow variable with the day of the last maintenance
# DAGs of analysts can be scheduled on it. An event means new state that has passed its tests.
PUBLISHED = Asset("kafka_cdc_published")
TIME = r"(?:\d\d:\d\d:\d\d)?\s*"
# Lines of a command that contain why it failed.
ERROR_LINE = re.compile(TIME + r"((?:failed: |not landed: |error: |kafka_cdc: |\w+ Error\b).*)")
MAX_ERROR_LINES = 10  # in an exception and an alert
# The line in which dbt reports which table versions are published.
PUBLISHED_LINE = re.compile(TIME + r"published: (.*)")
FINDING_LINE = re.compile(TIME + r"(?:warning|failed): ")  # of a test
# Tasks of Cosmos whose findings are alerted, and where each keeps the reported ones.
HELD_TABLES_TEST = "build.held_tables.test"
TOPIC_TESTS = {
    "build.event_batch_stats.test": f"{FINDINGS}_messages",
    "build.topic_expectations.test": f"{FINDINGS}_expectations",
}
# Exit codes of `kafka-cdc land`.
EXIT_SUCCESS, EXIT_USAGE, EXIT_REJECTED = 0, 2, 3


class Command(BaseOperator):
    """Runs commands of the project's environment. Each can be repeated safely.

    If the task is killed, the operator asks the running command to end and starts no other one.

    Attributes:
        endings: The signals that ask a command to end, and for how many seconds to wait after each.
    """

    endings: tuple[tuple[signal.Signals, float], ...] = ((signal.SIGTERM, 0),)
    process: subprocess.Popen[str] | None = None
    is_killed = False

    def run_command(self, command: list[str], variables: Mapping[str, str]) -> tuple[int, str]:
        """Run a command with these environment variables. Its lines go to the log.

        Returns:
            The exit code, and the lines with the reason.

        Raises:
            AirflowException: The task is killed before or during the command.
        """
        self.check_killed()
        self.log.info("running: %s", " ".join(command))
        errors: deque[str] = deque(maxlen=MAX_ERROR_LINES)
        line, is_title = (
            "",
            False,
        )  # dbt writes the error in the line after "Database Error in model …"
        self.process = subprocess.Popen(
            command,
            cwd=PROJECT,
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="backslashreplace",
            start_new_session=True,
        )
        if self.is_killed:  # while the process started
            self.on_kill()
        for line in self.process.stdout or ():
            self.log.info("%s", line.rstrip())
            self.on_output_line(line)
            match = ERROR_LINE.match(line)
            if match or is_title:
                errors.append(match[1] if match else line.strip())
            is_title = bool(match and " Error" in match[1])
        code = self.process.wait()
        self.check_killed()
        return code, "\n".join(errors) or line.strip()

    def on_output_line(self, line: str) -> None:
        """Handle a line of output, in addition to the log."""

    def check_killed(self) -> None:
        """Raise AirflowException if the task was killed.

        Airflow calls on_kill() on SIGTERM, and the task goes on.
        """
        if self.is_killed:
            raise AirflowException("the task was asked to end")

    def on_kill(self) -> None:
        """Ask the running command with all its processes to end."""
        self.is_killed = True
        for number, seconds in self.endings:
            if self.process and self.process.poll() is None:
                with contextlib.suppress(ProcessLookupError):  # it has just ended
                    os.killpg(self.process.pid, number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(seconds)


class Land(Command):
    """Lands all sources one after the other. A failure of one does not affect the others.

    If the task is killed, landing finishes its commit, which takes up to 20 s.
    """

    def execute(self, context: Any) -> list[str]:
        """Land all sources.

        Returns:
            What the sources rejected. Everything else has landed.

        Raises:
            AirflowFailException: Some sources failed, all of them because of wrong commands.
            AirflowException: Some sources failed for another reason.
        """
        failures: dict[int, list[str]] = defaultdict(list)  # by exit code
        for source in read_settings().sources:
            code, why = self.land(source)
            if code != EXIT_SUCCESS:
                failures[code].append(f"{source.topics or source.folder}: {why}")
        if failures.keys() - {EXIT_REJECTED}:
            is_permanent = failures.keys() <= {EXIT_REJECTED, EXIT_USAGE}
            kind = AirflowFailException if is_permanent else AirflowException
            raise kind(
                format_failures([line for code in sorted(failures) for line in failures[code]])
            )
        return failures[EXIT_REJECTED]

    def land(self, source: Source) -> tuple[int, str]:
        """Land a source.

        Returns:
            The exit code, and the lines with the reason. A wrong connection counts as a wrong
            command.
        """
        program = [str(PROGRAMS / "kafka-cdc"), "land"]
        if not source.topics:
            command = [*program, "files", "--skip-partial-line", source.folder, *source.options]
            return self.run_command(command, get_environment())
        try:
            secrets = get_kafka_environment(source)
        except AirflowFailException as error:
            return EXIT_USAGE, str(error)
        command = [*program, "kafka", "--topics", source.topics, *source.options]
        return self.run_command(command, get_environment(secrets))


def format_failures(failures: list[str]) -> str:
    """Return the text of an alert: what has not landed."""
    return "not all has landed. " + "\n".join(failures)


def check_landed(ti: Any) -> None:
    """Fail the run if a source rejected something. The run still builds.

    Raises:
        AirflowFailException: A source rejected something.
    """
    if rejected := ti.xcom_pull(task_ids="land"):
        raise AirflowFailException(format_failures(rejected))


class Dbt(Command):
    """Runs dbt. A failed data test fails the task immediately; other failures are tried again.

    When it is asked to end, dbt cancels its statements on a server only after SIGINT, and waits for
    those of its own Spark. Airflow kills the task 5 s later.
    """

    endings = ((signal.SIGINT, 3), (signal.SIGTERM, 1), (signal.SIGKILL, 0))

    def run_dbt(self, *arguments: str, variables: Mapping[str, Any]) -> None:
        """Run dbt with these arguments and --vars.

        Raises:
            AirflowFailException: Data tests failed, and nothing else did.
            AirflowException: dbt failed for another reason.
        """
        with tempfile.TemporaryDirectory(prefix="kafka_cdc_") as folder:
            paths = ["--target-path", f"{folder}/target", "--log-path", f"{folder}/logs"]
            options = ["--project-dir", str(PROJECT), *paths, "--vars", json.dumps(variables)]
            command = [str(PROGRAMS / "dbt"), "--no-use-colors", *arguments, *options]
            code, why = self.run_command(command, get_environment())
            self.on_dbt_end(f"{folder}/target")
            outcomes = read_outcomes(Path(folder, "target", "run_results.json"))
            if not code:
                self.log.info("%s", dict(Counter(outcomes.values())))
                return
            failed = sorted(name for name, status in outcomes.items() if status == "fail")
            if failed and "error" not in outcomes.values():
                raise AirflowFailException(f"data tests failed: {', '.join(failed)}\n{why}")
            raise AirflowException(f"dbt {arguments[0]} ended with {code}\n{why}")

    def on_dbt_end(self, target: str) -> None:
        """Handle the end of dbt, while its target folder still exists."""


def write_report(task: Command, file: str, context: Any, target: str | None = None) -> None:
    """Write the report. A failure is alerted once, and does not fail the task.

    Args:
        task: The task that runs the command.
        file: The file.
        context: The context of the task.
        target: dbt's target folder, which has the last run.
    """
    environment = get_environment({"DBT_TARGET_PATH": target} if target else {})
    command = [str(PROGRAMS / "kafka-cdc"), "report", "--output", file]
    code, why = task.run_command(command, environment)
    title = f"{context['ti'].task_id} did not write the report ({format_try(context)})."
    report(REPORT_FAILED, title, [why] if code else [], context)


def send_lineage(task: Command, target: str) -> None:
    """Send the OpenLineage events of a run of dbt. A failure is only logged.

    Args:
        task: The task that runs the command.
        target: dbt's target folder, which has the run.
    """
    environment = get_environment({"DBT_TARGET_PATH": target})
    if not any(name.startswith("OPENLINEAGE_") for name in environment):
        return
    command = [str(PROGRAMS / "kafka-cdc"), "lineage", "--if-enabled"]
    code, why = task.run_command(command, environment)
    if code:
        task.log.warning("lineage_failed: %s", why)


def read_outcomes(file: Path) -> dict[str, str]:
    """Return the status of each node in dbt's run_results.json, if it exists, by name."""
    if not file.exists():
        return {}
    results = json.loads(file.read_text(encoding="utf-8"))["results"]
    return {each["unique_id"].split(".")[2]: each["status"] for each in results}


class Build(Dbt):
    """Parses, tests and publishes what is new, and alerts of findings."""

    published: str | None = None
    findings: list[str] | None = None
    context: Any = None

    def on_output_line(self, line: str) -> None:
        """Read which table versions are published, and the findings of tests."""
        if match := PUBLISHED_LINE.match(line):
            self.published = match[1].strip()
        if FINDING_LINE.match(line):
            self.findings = [*(self.findings or []), line]

    def execute(self, context: Any) -> str | None:
        """Run `dbt build` and return which table versions are published, as dbt reports them.

        A build that fails for another reason also alerts of the findings that it reports.
        """
        self.published, self.findings, self.context = None, None, context
        try:
            self.run_dbt("build", variables=get_variables(read_settings(), context))
        except AirflowException:
            if not self.is_killed:
                self.alert(context, is_complete=False)
            raise
        self.alert(context, is_complete=True)
        return self.published

    def on_dbt_end(self, target: str) -> None:
        """Send the lineage, and write the report if the setting asks for it. A build may fail."""
        published, findings = self.published, self.findings
        send_lineage(self, target)
        if file := read_settings().report:
            write_report(self, file, self.context, target)
        self.published, self.findings = published, findings

    def alert(self, context: Any, *, is_complete: bool) -> None:
        """Alert of the findings."""
        alert_of_held_tables(self.findings or [], context, is_complete=is_complete)
        alert_of_topics(self.findings or [], context, is_complete=is_complete)


class Report(Command):
    """Writes the report after the tasks of Cosmos, which do not keep the last run."""

    def execute(self, context: Any) -> None:
        """Write the report.

        Raises:
            AirflowSkipException: The settings name no file.
        """
        if not (file := read_settings().report):
            raise AirflowSkipException("the setting report names no file")
        write_report(self, file, context)


class EmitAssetEvent(BaseOperator):
    """Emits an event of the asset if other table versions are published than in its last event.

    If `build` is a group of tasks, which report no versions, it always emits one.
    """

    def __init__(self, **arguments: Any) -> None:
        """Take the arguments of all operators."""
        super().__init__(inlets=[PUBLISHED], outlets=[PUBLISHED], **arguments)

    def execute(self, context: Any) -> None:
        """Emit the event with the published versions.

        Raises:
            AirflowSkipException: Nothing new is published.
        """
        snapshots = context["ti"].xcom_pull(task_ids="build")
        last = list(context["inlet_events"][PUBLISHED].ascending(False).limit(1))
        if snapshots and last and last[0].extra.get("snapshots") == snapshots:
            raise AirflowSkipException("nothing new is published")
        context["outlet_events"][PUBLISHED].extra = {"snapshots": snapshots}


class Maintain(Dbt):
    """Compacts small files, and removes old table versions and orphan files."""

    def execute(self, context: Any) -> None:
        """Run the operation maintain_tables, and record the day for is_maintenance_due()."""
        settings = read_settings()
        days = json.dumps({"keep_days": settings.keep_days, "orphan_days": settings.orphan_days})
        operation = ("run-operation", "kafka_cdc.maintain_tables", "--args", days)
        self.run_dbt(*operation, variables=settings.variables)
        Variable.set(MAINTAINED, today())


def today() -> str:
    """Return the day in UTC, as text."""
    return datetime.now(timezone.utc).date().isoformat()


def is_maintenance_due() -> bool:
    """Return whether no run has done the maintenance today.

    XComs of earlier runs would be found by logical dates, which manual runs lack.
    """
    return bool(Variable.get(MAINTAINED, default=None) != today())


def prepare_task(context: Any, operator: Any) -> None:
    """Give a task of Cosmos, before it runs, the --vars and the environment of `dbt build`.

    Cosmos runs each model by `dbt run`, which holds tables only with check_in_run.
    """
    operator.vars = {"check_in_run": True} | get_variables(read_settings(), context)
    operator.env = get_environment()
    if operator.task_id in (HELD_TABLES_TEST, *TOPIC_TESTS):
        alert_from_output(context, operator)


def alert_from_output(context: Any, operator: Any) -> None:
    """Let a task of Cosmos alert of the findings that dbt's output reports.

    Cosmos passes on which tests warned, but not their findings.
    """
    from cosmos.hooks.subprocess import FullOutputSubprocessHook

    class Hook(FullOutputSubprocessHook):
        def run_command(self, *arguments: Any, **options: Any) -> Any:
            result = super().run_command(*arguments, **options)
            lines, is_complete = result.full_output, not result.exit_code
            if operator.task_id == HELD_TABLES_TEST:
                alert_of_held_tables(lines, context, is_complete=is_complete)
            else:
                variable = TOPIC_TESTS[operator.task_id]
                alert_of_topics(lines, context, is_complete=is_complete, variable=variable)
            return result

    operator.subprocess_hook = Hook()

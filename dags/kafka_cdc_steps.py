"""What the DAG kafka_cdc does in its steps: its settings, the commands of the project's own environment, and alerts.

Nothing of Spark or dbt runs in Airflow's process: each step is a command of the project's .venv, and what it prints is the task's log.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import tempfile
import urllib.request
from collections import Counter, defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from airflow.sdk import Asset, BaseOperator, Connection, Variable
from airflow.sdk.exceptions import AirflowException, AirflowFailException, AirflowNotFoundException, AirflowSkipException
from airflow.sdk.log import mask_secret

HOME = Path(os.environ.get("KAFKA_CDC_HOME") or Path(__file__).resolve().parent.parent)
PROJECT = Path(os.environ.get("DBT_PROJECT_DIR") or HOME)
PROGRAMS = HOME / ".venv" / "bin"
SETTINGS = "kafka_cdc"  # the Airflow variable
MAINTAINED = "kafka_cdc_maintained"  # the Airflow variable that says the day of the last maintenance
KAFKA = "kafka_cdc_kafka"  # the Airflow connection of a source that names none
ALERTS = "kafka_cdc_alerts"
PUBLISHED = Asset("kafka_cdc_published")  # what DAGs of analysts are scheduled on: new state that has passed its tests
KAFKA_PROPERTIES = "KAFKA_CDC_KAFKA_"
# Of the worker's environment, what no command needs to know, or what would lead its Python to Airflow's packages.
UNSAID = ("AIRFLOW", "_AIRFLOW", "PYTHON", "VIRTUAL_ENV", "DBT_PROJECT_DIR")
MODULES = {"PLAIN": "plain.PlainLoginModule", "SCRAM-SHA-256": "scram.ScramLoginModule", "SCRAM-SHA-512": "scram.ScramLoginModule"}
# Who we are, by the property that says to which server; a file of properties may say it to both. What the worker's environment says of it is for its own servers alone.
CREDENTIALS = {
    "bootstrap.servers": re.compile(r"sasl\.(?!mechanism$)|ssl\.key|properties$"),
    "schema.registry.url": re.compile(r"basic\.auth\.|bearer\.auth\.|schema\.registry\.ssl\.key|properties$"),
}
TELLING = re.compile(r"(?:\d\d:\d\d:\d\d)?\s*((?:failed: |not landed: |error: |kafka_cdc: |\w+ Error\b).*)")  # lines that say why something failed
PUBLISHING = re.compile(r"(?:\d\d:\d\d:\d\d)?\s*published: (.*)")  # the line in which dbt says which snapshots are published
WRONG, REFUSED = 2, 3  # exit codes of landing: the command is wrong; something was refused, and all else has landed
TOLD = 10  # of these lines an exception and an alert say the last so many


@dataclass(frozen=True)
class Source:
    """Where messages come from: a Kafka cluster's topics, or a folder (or file) on the worker."""

    topics: str = ""
    folder: str = ""
    connection: str = ""
    options: list[str] = field(default_factory=list)  # of `python -m landing kafka` or `python -m landing files`


@dataclass(frozen=True)
class Settings:
    """What the Airflow variable kafka_cdc says; read when a task runs."""

    sources: list[Source]
    variables: dict[str, Any] = field(default_factory=dict)  # dbt's --vars
    keep_days: int = 5
    orphan_days: int = 3


def checked(kind: type, said: Any, where: str) -> dict[str, Any]:
    """Return `said`, the fields of the dataclass `kind`, where they are that; AirflowFailException names what is not."""
    types = {each.name: getattr(each.type, "__origin__", each.type) for each in fields(kind)}
    if not isinstance(said, dict):
        raise AirflowFailException(f"{where} is {json.dumps(said)}; an object is wanted, of: {', '.join(types)}")
    for name, value in said.items():
        if name not in types:
            raise AirflowFailException(f"{where} has no setting {name!r}; there are: {', '.join(types)}")
        if type(value) is not types[name]:
            raise AirflowFailException(f"{where}.{name} is {json.dumps(value)}; wanted: {types[name].__name__}")
    return said


def read_settings() -> Settings:
    """Return the settings; AirflowFailException, which is not tried again, where they are wrong."""
    try:
        said = Variable.get(SETTINGS, default={}, deserialize_json=True)
    except ValueError as error:
        raise AirflowFailException(f"the variable {SETTINGS} is no JSON: {error}") from None
    said = checked(Settings, said, SETTINGS)
    if "sources" not in said:
        raise AirflowFailException(f"the variable {SETTINGS} names no sources: nothing would ever land. Where another tool writes raw, say \"sources\": []")
    sources = [Source(**checked(Source, source, f"{SETTINGS}.sources[{at}]")) for at, source in enumerate(said["sources"])]
    for at, source in enumerate(sources):
        if bool(source.topics) == bool(source.folder):
            raise AirflowFailException(f"{SETTINGS}.sources[{at}] says one of: topics (of Kafka), folder")
        if not all(isinstance(option, str) for option in source.options):
            raise AirflowFailException(f"{SETTINGS}.sources[{at}].options is {json.dumps(source.options)}; wanted: texts, as on the command line")
    return Settings(**{**said, "sources": sources})


def environment(secrets: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a command: the worker's without Airflow's own and without Kafka's properties; with `secrets`, those too."""
    said = {name: value for name, value in os.environ.items() if not name.startswith((*UNSAID, KAFKA_PROPERTIES))}
    return said | {"PYTHONUNBUFFERED": "1", "KAFKA_CDC_HOME": str(HOME), "DBT_PROJECT_DIR": str(PROJECT)} | dict(secrets or {})


def kafka_environment(source: Source) -> dict[str, str]:
    """Return Kafka's properties for a source as landing reads them: the worker's KAFKA_CDC_KAFKA_…, and over them those of its connection.

    The worker's CREDENTIALS do not count where the connection names other servers than the worker does. Where the worker names none, they are for
    the default connection's.
    """
    ours = {name.removeprefix(KAFKA_PROPERTIES).lower().replace("_", "."): value for name, value in os.environ.items() if name.startswith(KAFKA_PROPERTIES)}
    theirs = connection_properties(source, ours.get("sasl.mechanism"))
    for server, who in CREDENTIALS.items():
        if server in theirs and theirs[server] != ours.get(server, "" if source.connection else theirs[server]):
            ours = {name: value for name, value in ours.items() if not who.match(name)}
    return {KAFKA_PROPERTIES + name.upper().replace(".", "_"): value for name, value in (ours | theirs).items()}


def connection_properties(source: Source, mechanism: str | None) -> dict[str, str]:
    """Return the properties of Kafka's Java client that a source's connection says; none where the default connection is missing.

    Its extra holds properties. Its host, with the port, is bootstrap.servers; its login and password are the sasl.jaas.config of PLAIN and SCRAM;
    each unless the extra says it. mechanism: the sasl.mechanism where the extra says none.
    """
    try:
        connection = Connection.get(source.connection or KAFKA)
    except AirflowNotFoundException:
        if source.connection:
            raise AirflowFailException(f"there is no connection {source.connection!r}") from None
        return {}
    properties = {name: value if isinstance(value, str) else json.dumps(value) for name, value in connection.extra_dejson.items()}
    for name in properties:
        if name != name.lower().replace("_", "."):
            raise AirflowFailException(f"the connection {connection.conn_id} says {name!r}, which is no property of Kafka's client")
    if connection.host:
        properties.setdefault("bootstrap.servers", f"{connection.host}:{connection.port}" if connection.port else connection.host)
    if connection.login and "sasl.jaas.config" not in properties:
        module = MODULES.get(properties.get("sasl.mechanism", mechanism or ""))
        if not module:
            raise AirflowFailException(f"the connection {connection.conn_id} says a login, and no sasl.mechanism that takes one: say PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512 in its extra")
        user, password = (text.replace("\\", "\\\\").replace('"', '\\"') for text in (connection.login, connection.password or ""))
        properties["sasl.jaas.config"] = f'org.apache.kafka.common.security.{module} required username="{user}" password="{password}";'
    for name, value in properties.items():
        if any(word in name for word in ("password", "jaas", "secret", "token", "user.info")) or name.endswith(".key"):
            mask_secret(value)
    return properties


class Command(BaseOperator):
    """Runs commands of the project's environment. Killed, it asks the one that runs to end, and begins no other; each may be said again at any time."""

    endings: tuple[tuple[signal.Signals, float], ...] = ((signal.SIGTERM, 0),)  # what a command is told in order to end, and for how many seconds it is waited for
    process: subprocess.Popen[str] | None = None
    is_killed = False

    def run_command(self, command: list[str], variables: Mapping[str, str]) -> tuple[int, str]:
        """Run a command with these environment variables, its lines to the log; return its exit code and the lines that say why.

        AirflowException where the task is killed before or meanwhile.
        """
        self.check_killed()
        self.log.info("running: %s", " ".join(command))
        telling: deque[str] = deque(maxlen=TOLD)
        line, is_title = "", False  # dbt says what the error is in the line below "Database Error in model …"
        self.process = subprocess.Popen(
            command, cwd=PROJECT, env=dict(variables), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="backslashreplace", start_new_session=True,
        )  # fmt: skip
        if self.is_killed:  # while the process began
            self.on_kill()
        for line in self.process.stdout or ():
            self.log.info("%s", line.rstrip())
            self.hear(line)
            said = TELLING.match(line)
            if said or is_title:
                telling.append(said[1] if said else line.strip())
            is_title = bool(said) and " Error" in said[1]
        code = self.process.wait()
        self.check_killed()
        return code, "\n".join(telling) or line.strip()

    def hear(self, line: str) -> None:
        """Take a line that a command says, where it says more than the log needs."""

    def check_killed(self) -> None:
        """AirflowException where the task was killed: Airflow's handler of SIGTERM calls on_kill, and the task goes on."""
        if self.is_killed:
            raise AirflowException("the task was told to end")

    def on_kill(self) -> None:
        """Ask what runs to end, with all its processes."""
        self.is_killed = True
        for number, seconds in self.endings:
            if self.process and self.process.poll() is None:
                with contextlib.suppress(ProcessLookupError):  # it has just ended
                    os.killpg(self.process.pid, number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(seconds)


class Land(Command):
    """Lands what all sources hold, one after the other, whatever becomes of the others. Killed, landing finishes its commit, which takes up to 20 s."""

    def execute(self, context: Any) -> list[str]:
        """Land; return what the sources refused, all else having landed.

        AirflowException says what else kept a source from landing; AirflowFailException, where all of that are wrong commands.
        """
        settings = read_settings()
        said: dict[int, list[str]] = defaultdict(list)  # by exit code
        for source in settings.sources:
            code, why = self.land(source)
            said[code].append(f"{source.topics or source.folder}: {why}")
        said.pop(0, None)
        if said.keys() - {REFUSED}:
            kind = AirflowFailException if said.keys() <= {REFUSED, WRONG} else AirflowException
            raise kind(not_all([line for code in sorted(said) for line in said[code]]))
        return said[REFUSED]

    def land(self, source: Source) -> tuple[int, str]:
        """Land what a source holds; return landing's exit code and the lines that say why, as WRONG also what is wrong with its connection."""
        kind, *what = ["kafka", "--topics", source.topics] if source.topics else ["files", "--whole-lines", source.folder]
        try:
            secrets = kafka_environment(source) if source.topics else {}
        except AirflowFailException as error:
            return WRONG, str(error)
        return self.run_command([str(PROGRAMS / "python"), "-m", "landing", kind, *what, *source.options], environment(secrets))


def not_all(said: list[str]) -> str:
    """Return the sentence of an alert: what has not landed."""
    return "not all has landed. " + "\n".join(said)


def check_landed(ti: Any) -> None:
    """Fail the run, while it goes on to build, where a source refused something."""
    if refused := ti.xcom_pull(task_ids="land"):
        raise AirflowFailException(not_all(refused))


class Dbt(Command):
    """Runs dbt. A data test that fails fails the task at once; all else is tried again.

    Killed, dbt cancels its statements on a server on SIGINT alone, and waits for those of its own Spark. Airflow kills the task 5 s after it told it to end.
    """

    endings = ((signal.SIGINT, 3), (signal.SIGTERM, 1), (signal.SIGKILL, 0))

    def run_dbt(self, *arguments: str, variables: Mapping[str, Any]) -> None:
        """Run dbt with these arguments and --vars; AirflowFailException names the data tests that failed, AirflowException what else did."""
        with tempfile.TemporaryDirectory(prefix="kafka_cdc_") as folder:
            places = ["--project-dir", str(PROJECT), "--target-path", f"{folder}/target", "--log-path", f"{folder}/logs"]
            command = [str(PROGRAMS / "dbt"), "--no-use-colors", *arguments, *places, "--vars", json.dumps(variables)]
            code, said = self.run_command(command, environment())
            if code:
                outcomes = read_outcomes(Path(folder, "target", "run_results.json"))
                failed = sorted(name for name, status in outcomes.items() if status == "fail")
                if failed and "error" not in outcomes.values():
                    raise AirflowFailException(f"data tests failed: {', '.join(failed)}\n{said}")
                raise AirflowException(f"dbt {arguments[0]} ended with {code}\n{said}")
            self.log.info("%s", dict(Counter(read_outcomes(Path(folder, "target", "run_results.json")).values())))


def read_outcomes(file: Path) -> dict[str, str]:
    """Return the status of each node in dbt's run_results.json, by the node's name; none where there is no such file."""
    if not file.exists():
        return {}
    return {each["unique_id"].split(".")[2]: each["status"] for each in json.loads(file.read_text(encoding="utf-8"))["results"]}


def get_variables(settings: Settings, context: Any) -> dict[str, Any]:
    """Return dbt's --vars: those of the settings, and over them what this run was triggered with."""
    return settings.variables | (context["params"].get("variables") or {})


class Build(Dbt):
    """Reads what is new, tests it, and publishes what has passed."""

    published: str | None = None

    def hear(self, line: str) -> None:
        """Take which snapshots are published."""
        if said := PUBLISHING.match(line):
            self.published = said[1].strip()

    def execute(self, context: Any) -> str | None:
        """Run `dbt build`; return which snapshots are published, as dbt says them."""
        self.run_dbt("build", variables=get_variables(read_settings(), context))
        return self.published


class Announce(BaseOperator):
    """Tells of the asset, unless what is published is what it told last. Where `build` is a group of tasks, which say nothing of it, it always tells."""

    def __init__(self, **arguments: Any) -> None:
        """Take what all operators take."""
        super().__init__(inlets=[PUBLISHED], outlets=[PUBLISHED], **arguments)

    def execute(self, context: Any) -> None:
        """Give the event the published snapshots; AirflowSkipException, which makes none, where there is nothing new."""
        snapshots = context["ti"].xcom_pull(task_ids="build")
        last = list(context["inlet_events"][PUBLISHED].ascending(False).limit(1))
        if snapshots and last and last[0].extra.get("snapshots") == snapshots:
            raise AirflowSkipException("nothing new is published")
        context["outlet_events"][PUBLISHED].extra = {"snapshots": snapshots}


class Maintain(Dbt):
    """Makes small files large ones, and removes old snapshots and orphan files."""

    def execute(self, context: Any) -> None:
        """Run the operation maintain_tables, and write down the day, which is_maintenance_due reads."""
        settings = read_settings()
        days = json.dumps({"keep_days": settings.keep_days, "orphan_days": settings.orphan_days})
        self.run_dbt("run-operation", "kafka_cdc.maintain_tables", "--args", days, variables=settings.variables)
        Variable.set(MAINTAINED, today())


def today() -> str:
    """Return the day in UTC, as text."""
    return datetime.now(timezone.utc).date().isoformat()


def is_maintenance_due() -> bool:
    """Return whether no run has done the maintenance today. (XComs of earlier runs come by their logical dates, which runs triggered by hand lack.)"""
    return Variable.get(MAINTAINED, default=None) != today()


def prepare_task(context: Any, operator: Any) -> None:
    """Give a task of Cosmos, before it runs, the --vars and the environment that `dbt build` has."""
    operator.vars = get_variables(read_settings(), context)
    operator.env = environment()


def alert(context: Any) -> None:
    """Say, once a task has failed for good, what failed: in the log, and to the address of the connection kafka_cdc_alerts, where there is one.

    A POST of {"text": …}, as Slack, Mattermost and their like take it; the password, where there is one, is the address's end.
    """
    instance, reason = context["ti"], context.get("exception")
    text = f"kafka_cdc: {instance.task_id} failed (run {context.get('run_id')}, try {instance.try_number}). {reason or 'See its log.'}"
    if url := getattr(instance, "log_url", ""):
        text += f"\n{url}"
    print(text)
    try:
        connection = Connection.get(ALERTS)
    except AirflowNotFoundException:
        return
    address = "/".join(part for part in [(connection.host or "").rstrip("/"), connection.password] if part)
    if not address.startswith(("https://", "http://")):
        raise AirflowFailException(f"the host of the connection {ALERTS} is no address: https://…")
    headers = {"Content-Type": "application/json"}
    urllib.request.urlopen(urllib.request.Request(address, json.dumps({"text": text}).encode(), headers), timeout=10).close()

"""The Spark session of a landing, with the settings of dbt and a smaller heap."""

import contextlib
import fcntl
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import yaml
from pyspark import SparkConf, SparkContext, java_gateway
from pyspark.errors import PySparkRuntimeError
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from kafka_cdc import environment
from kafka_cdc.errors import LandingError, find_cause

PROFILE = "kafka_cdc"
HEAP = (
    "1g"  # with it, landing 2 GB of messages takes less than 2 GB for the JVM and Python together
)
SQLITE = "jdbc:sqlite:"
EMBEDDED = {"local": "iceberg", "local_delta": "delta"}  # table format by target
MEGABYTES = {"m": 1, "g": 1024}
MIN_HEAP_MB = 512  # Spark needs 450
BUILD_HEAP = "1536m"  # the default of profiles.yml for dbt
JAVA_OPTIONS = "spark.driver.extraJavaOptions"
# Java's own thresholds of its C2 compiler. profiles.yml raises them for short runs.
LONG_RUN = (
    "-XX:Tier4InvocationThreshold=5000 -XX:Tier4MinInvocationThreshold=600"
    " -XX:Tier4CompileThreshold=15000 -XX:Tier4BackEdgeThreshold=40000"
)
LANDING_SETTINGS = {
    "spark.executor.heartbeatInterval": "1s",  # how often the progress line learns of bytes read
    "spark.sql.files.openCostInBytes": "65536",  # thousands of small files share a task
    # Spark caches Kafka consumers for a later read of the same group. There is none.
    **{
        f"spark.kafka.consumer.{part}cache.{setting}": "10s"
        for part in ("", "fetchedData.")
        for setting in ("timeout", "evictorThreadRunInterval")
    },
}


def env_var(name: str, default: str | None = None) -> str:
    """Return an environment variable as dbt's env_var does.

    Raises:
        LandingError: It is not set and has no default.
    """
    value = os.environ.get(name, default)
    if value is None:
        raise LandingError(
            f"profiles.yml needs the environment variable {name}."
            f" Hint: set it, or set {environment.TARGET.name} to another target"
        )
    return value


def render(value: Any) -> Any:
    """Return a part of profiles.yml with its Jinja rendered: env_var and flags.PROFILES_DIR.

    Raises:
        LandingError: The Jinja is invalid.
    """
    if isinstance(value, dict):
        return {name: render(part) for name, part in value.items()}
    if isinstance(value, str):
        flags = SimpleNamespace(PROFILES_DIR=str(environment.profiles_folder()))
        try:
            return jinja2.Environment().from_string(value).render(env_var=env_var, flags=flags)
        except jinja2.TemplateError as error:
            raise LandingError(
                f"{environment.profiles_folder() / 'profiles.yml'}: {error} in {value!r}."
                " Hint: correct this value, which dbt cannot read either"
            ) from None
    return value


def read_profile() -> tuple[dict[str, Any], str]:
    """Return the targets in profiles.yml, and which of them dbt uses.

    It is KAFKA_CDC_TARGET, else the default of the profile.

    Raises:
        LandingError: There is no such target.
    """
    path = Path(os.environ[environment.PROFILES.name]) / "profiles.yml"
    try:
        profile = yaml.safe_load(path.read_text(encoding="utf-8"))[PROFILE]
        outputs = profile["outputs"]
        if not isinstance(outputs, dict):
            raise TypeError("outputs is no mapping")
    except (OSError, KeyError, TypeError, ValueError, yaml.YAMLError) as error:
        detail = error.strerror if isinstance(error, OSError) else " ".join(str(error).split())
        raise LandingError(
            f"{path} has no usable profile {PROFILE}: {detail}. Hint: set"
            f" {environment.HOME.name} to the project, or {environment.PROFILES.name} to the folder"
            " of a profiles.yml with this profile"
        ) from error
    target = environment.TARGET.get() or render(profile.get("target", "default"))
    used = outputs.get(target)
    for name in (target, render(used.get("landing", target) if isinstance(used, dict) else target)):
        if not isinstance(outputs.get(name), dict):
            raise LandingError(
                f"{path} has no target {name!r}. Hint: set {environment.TARGET.name} to one of"
                f" {', '.join(outputs)}, or unset it"
            )
    return outputs, target


def read_spark_settings() -> dict[str, str]:
    """Return the Spark settings of a target in profiles.yml.

    The target is dbt's own. If it is a server and starts no session, it is the target that its
    setting `landing` names.

    Raises:
        LandingError: There is no such target, it is for the other table format, or an environment
            variable is missing that one of the two needs.
    """
    outputs, target = read_profile()
    landing = render(outputs[target].get("landing", target))
    render(outputs[target].get("host"))  # dbt, too, stops if the server's address is missing
    output = outputs[landing]
    if output.get("method") != "session":
        raise LandingError(
            f"the target {target!r} starts no Spark session. Hint: set `landing` of the target in"
            f" {environment.profiles_folder() / 'profiles.yml'} to a target that does"
        )
    table_format = environment.FILE_FORMAT.get() or "iceberg"
    if EMBEDDED.get(landing, table_format) != table_format:
        raise LandingError(
            f"the target is {landing}, but {environment.FILE_FORMAT.name} is {table_format}."
            f" Hint: local is for iceberg and local_delta for delta; remove"
            f" {environment.TARGET.name}, or set both"
        )
    settings = render(output.get("server_side_parameters") or {})
    return {name: str(value) for name, value in settings.items()}


def check_can_build() -> None:
    """Check that dbt can build in the process of a landing.

    Raises:
        LandingError: dbt's target is a Spark Connect server. A process is either its client or has
            a Spark session of its own, which landing needs.
    """
    environment.prepare()
    outputs, target = read_profile()
    output = outputs[target]
    if output.get("method") == "session" and render(output.get("landing", target)) != target:
        raise LandingError(
            f"dbt's target {target!r} is a Spark Connect server, and landing needs a Spark session"
            " of its own. Hint: run `kafka-cdc land` and `dbt build` in turn"
        )


def start(
    heap: str = HEAP, more: Mapping[str, str] | None = None, *, is_long_run: bool = False
) -> SparkSession:
    """Return the Spark session of this process. It is started with the profile's settings.

    Args:
        heap: The heap of the JVM, unless KAFKA_CDC_MEMORY sets it.
        more: Settings that override those of the profile.
        is_long_run: Whether the process runs for hours, so that Java compiles more thoroughly.
    """
    environment.prepare()
    if SparkContext._active_spark_context:
        existing: Any = SparkSession.builder.getOrCreate()
        # Java has an active session per thread and reads settings from it.
        existing._jvm.SparkSession.setActiveSession(existing._jsparkSession)
        session: SparkSession = existing
        return session
    os.environ[environment.MEMORY.name] = environment.MEMORY.get() or heap
    settings = read_spark_settings() | LANDING_SETTINGS | dict(more or {})
    if is_long_run and "Tier4" in settings.get(JAVA_OPTIONS, ""):
        settings[JAVA_OPTIONS] += f" {LONG_RUN}"  # Java uses the last value
    if settings.get("spark.master", "").startswith("local"):
        # By default, Spark starts its workers with the first python3 in PATH.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # A client of Spark Connect has no JVM in this process, which Kafka's client needs.
    os.environ.pop(environment.SPARK_REMOTE.name, None)
    hide_stack_traces()
    check_heap()
    check_jars(settings.get("spark.driver.extraClassPath", ""))
    lake = os.environ[environment.LAKE.name]
    if any(lake in value for value in settings.values()):
        prepare_lake(Path(lake))
        # Without it, Spark creates a folder in the current folder.
        settings.setdefault("spark.sql.warehouse.dir", lake)
    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    context: Any = SparkContext(conf=conf, gateway=start_jvm(conf))
    # PySpark's own handler prints a stack trace when the JVM dies.
    context._accumulatorServer.handle_error = lambda *_: None
    if threading.current_thread() is threading.main_thread():
        # PySpark's handler calls the JVM in the middle of another call.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    session = SparkSession(context)
    for name, uri in settings.items():
        if name.endswith(".uri") and uri.startswith(SQLITE):
            catalog = Path(uri.removeprefix(SQLITE).partition("?")[0])
            prepare_catalog(session, name.split(".")[-2], catalog)
    return session


def hide_stack_traces() -> None:
    """Turn off the loggers with which PySpark prints the stack trace of each failed statement.

    The error itself is caught, or reported in one line.
    """
    if not environment.has_spark_log():
        for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
            PySparkLogger.getLogger(name).disabled = True


def check_heap() -> None:
    """Check the heap of the JVM. Java and Spark would not name the variable.

    Raises:
        LandingError: It is no size, or too small for Spark.
    """
    heap = os.environ[environment.MEMORY.name]
    match = re.fullmatch(r"(\d{1,9})([mg])", heap.lower())
    if not match or int(match[1]) * MEGABYTES[match[2]] < MIN_HEAP_MB:
        raise LandingError(
            f"{environment.MEMORY.name} is {heap!r}. Hint: set it to a whole number with the unit m"
            f" or g, at least {MIN_HEAP_MB}m, for example 2g"
        )


def check_jars(class_path: str) -> None:
    """Check that the folder of jars in the class path has jars.

    Raises:
        LandingError: `make setup` has not run.
    """
    folder = Path(class_path.removesuffix("*"))
    if class_path.endswith("/*") and not any(folder.glob("*.jar")):
        raise LandingError(f"{folder} has no jars. Hint: run `make setup` in {folder.parent}")


def prepare_lake(lake: Path) -> None:
    """Create the folder of the embedded lake if it is missing.

    Raises:
        LandingError: It cannot be created.
    """
    try:
        lake.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LandingError(
            f"the lake cannot be created: {error.filename}: {error.strerror}. Hint: set"
            f" {environment.LAKE.name} to a folder that this user may write"
        ) from None


def prepare_catalog(session: SparkSession, name: str, catalog: Path) -> None:
    """Let one process at a time create the tables of the embedded lake's catalog.

    Iceberg looks for them, and then creates them and adds a column. Of two first landings at the
    same moment, one would fail.

    Args:
        session: The session.
        name: The name of the catalog in Spark.
        catalog: The SQLite file, in the folder of the lake.

    Raises:
        LandingError: The catalog is lost, and the lake has tables.
    """
    if has_catalog(catalog):
        return
    folder = os.open(catalog.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        check_no_tables(catalog)
        session.sql(f"show namespaces in {name}").collect()
    finally:
        os.close(folder)


def check_no_tables(catalog: Path) -> None:
    """Check that a lake without a catalog has no tables, which would land a second time.

    Raises:
        LandingError: It has tables.
    """
    if not has_catalog(catalog) and any(catalog.parent.glob("*/*/metadata/*.metadata.json")):
        raise LandingError(
            f"the lake has tables, but {catalog} is missing or empty. Hint: restore it from a"
            f" backup, or set {environment.LAKE.name} to another folder and land again"
        )


def has_catalog(catalog: Path) -> bool:
    """Return whether a SQLite file has the tables of Iceberg's catalog, with the newest column.

    Raises:
        LandingError: It cannot be read.
    """
    if not catalog.exists():
        return False
    query = "select name from pragma_table_info('iceberg_tables')"
    try:
        with contextlib.closing(
            sqlite3.connect(f"{catalog.absolute().as_uri()}?mode=ro", uri=True)
        ) as tables:
            return ("iceberg_type",) in tables.execute(query).fetchall()
    except sqlite3.DatabaseError as error:
        raise LandingError(f"{catalog}: {find_cause(str(error))}") from error


def start_jvm(conf: SparkConf) -> Any:
    """Start the JVM and return its gateway.

    The JVM's output is hidden unless KAFKA_CDC_LOG_LEVEL asks for it.

    Raises:
        LandingError: The JVM does not start. The error contains what it printed last.
    """
    launch_gateway: Any = java_gateway.launch_gateway
    if environment.has_spark_log():
        return launch_gateway(conf)
    with tempfile.TemporaryFile("w+", errors="replace") as stderr:
        try:
            return launch_gateway(conf, {"stderr": stderr})
        except (OSError, PySparkRuntimeError) as error:
            stderr.seek(0)
            output = find_wrong_java() or find_cause(stderr.read().strip() or str(error))
            raise LandingError(f"Spark did not start: {output}") from error


def find_wrong_java() -> str:
    """Return what is wrong with Java and what to install. Empty if it is a Java that works."""
    check = environment.project_home() / "profiles" / "check_java.sh"
    try:
        return subprocess.run(
            ["sh", check], stderr=subprocess.PIPE, text=True, check=False
        ).stderr.strip()
    except OSError:
        return ""

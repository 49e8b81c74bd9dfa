"""The Spark session of a landing: the settings that dbt uses, quiet, with a heap that leaves room under 2 GB."""

import os
import signal
import tempfile
import threading
from pathlib import Path
from typing import Any

import jinja2
import yaml
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkRuntimeError
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from . import environment  # noqa: F401  (sets the defaults that profiles.yml reads)
from .errors import LandingError

PROFILE = "kafka_cdc"
HEAP = "1g"  # landing 2 GB of messages then takes less than 2 GB for the JVM and Python together
OWN_SETTINGS = {
    "spark.executor.heartbeatInterval": "1s",  # how often the progress line learns of bytes read
    "spark.sql.files.openCostInBytes": "65536",  # thousands of small files share a task
    # What Spark keeps of Kafka for a next read of the same group: there is none.
    **{
        f"spark.kafka.consumer.{part}cache.{setting}": "10s"
        for part in ("", "fetchedData.")
        for setting in ("timeout", "evictorThreadRunInterval")
    },
}


def env_var(name: str, default: str | None = None) -> str:
    """Return an environment variable as dbt's env_var does; LandingError when it is not set and has no default."""
    value = os.environ.get(name, default)
    if value is None:
        raise LandingError(f"profiles.yml needs the environment variable {name}")
    return value


def render(value: Any) -> Any:
    """Return `value`, a part of profiles.yml, with the jinja in its strings rendered; env_var is all that it may call."""
    if isinstance(value, dict):
        return {name: render(part) for name, part in value.items()}
    if isinstance(value, str):
        return jinja2.Environment().from_string(value).render(env_var=env_var)
    return value


def get_settings() -> dict[str, str]:
    """Return the server_side_parameters of a target in profiles.yml: of the one that dbt uses (KAFKA_CDC_TARGET, else the profile's own), or,
    where dbt talks to a server and starts no session, of the one that it names as `landing`. LandingError where there is none, or a variable
    of the environment is missing that one of the two needs.
    """
    path = Path(os.environ["DBT_PROFILES_DIR"]) / "profiles.yml"
    try:
        profile = yaml.safe_load(path.read_text(encoding="utf-8"))[PROFILE]
        outputs = profile["outputs"]
    except (OSError, KeyError, TypeError, yaml.YAMLError) as error:
        raise LandingError(f"{path} has no usable profile {PROFILE}: {' '.join(str(error).split())}") from error
    target = os.environ.get("KAFKA_CDC_TARGET") or render(profile.get("target", "default"))
    landing = outputs.get(target, {}).get("landing", target)
    for name in (target, landing):
        if name not in outputs:
            raise LandingError(f"{path} has no target {name!r}; it has: {', '.join(outputs)}")
    render(outputs[target].get("host"))  # where the server's address is missing, dbt stops too
    output = outputs[landing]
    if output.get("method") != "session":
        raise LandingError(f"the target {target!r} starts no Spark session: say in {path} which one lands, as its setting `landing`")
    return {name: str(value) for name, value in render(output.get("server_side_parameters") or {}).items()}


def start() -> SparkSession:
    """Return a Spark session on the profile's settings; in a process that has one already, that one."""
    if SparkContext._active_spark_context:
        known: Any = SparkSession.builder.getOrCreate()
        known._jvm.SparkSession.setActiveSession(known._jsparkSession)  # Java has one a thread, and reads settings from it
        session: SparkSession = known
        return session
    os.environ["KAFKA_CDC_MEMORY"] = os.environ.get("KAFKA_CDC_MEMORY") or HEAP
    settings = get_settings() | OWN_SETTINGS
    os.environ.pop("SPARK_REMOTE", None)  # Spark Connect has no JVM here, in which Kafka's client could run
    lake = os.environ["KAFKA_CDC_LAKE"]
    if any(lake in value for value in settings.values()):
        Path(lake).mkdir(parents=True, exist_ok=True)
        settings.setdefault("spark.sql.warehouse.dir", lake)  # else Spark makes a folder wherever the command is run
    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    context: Any = SparkContext(conf=conf, gateway=start_jvm(conf))
    context._accumulatorServer.handle_error = lambda *_: None  # would print a stack trace when the JVM dies
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)  # PySpark's handler calls the JVM in the middle of a call
    return SparkSession(context)


def start_jvm(conf: SparkConf) -> Any:
    """Start the JVM and return its gateway, the JVM's own chatter unseen unless KAFKA_CDC_LOG_LEVEL asks for it.

    LandingError says what the JVM printed last when it does not come up.
    """
    if os.environ.get("KAFKA_CDC_LOG_LEVEL"):
        return launch_gateway(conf)
    with tempfile.TemporaryFile("w+", errors="replace") as chatter:
        try:
            return launch_gateway(conf, {"stderr": chatter})
        except (OSError, PySparkRuntimeError) as error:
            chatter.seek(0)
            said = chatter.read().strip() or str(error)
            raise LandingError(f"Spark did not start: {cause_in(said)}") from error


def cause_in(chatter: str) -> str:
    """Return the line of a JVM's last words that says why it ended: the last that is no place of a stack trace."""
    lines = [line.strip() for line in chatter.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if not line.startswith(("at ", "... "))), lines[-1])

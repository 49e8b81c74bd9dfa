"""The settings of the DAG kafka_cdc, and the environment of its commands."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from airflow.sdk import Connection, Variable
from airflow.sdk.exceptions import AirflowFailException, AirflowNotFoundException
from airflow.sdk.log import mask_secret

HOME = Path(os.environ.get("KAFKA_CDC_HOME") or Path(__file__).resolve().parent.parent)
PROJECT = Path(os.environ.get("DBT_PROJECT_DIR") or HOME)
# The folder of profiles.yml. A project that installs this one may have none.
PROFILES = Path(
    os.environ.get("DBT_PROFILES_DIR")
    or (PROJECT if (PROJECT / "profiles.yml").exists() else HOME / "profiles")
)
PROGRAMS = HOME / ".venv" / "bin"
VARIABLE = "kafka_cdc"  # the Airflow variable with the settings
DEFAULT_CONNECTION = "kafka_cdc_kafka"  # the Airflow connection of a source that names none
KAFKA_PREFIX = "KAFKA_CDC_KAFKA_"
SECRET, SECRET_FILE = "KAFKA_CDC_MASK_SECRET", "KAFKA_CDC_MASK_SECRET_FILE"
# Variables of the worker that no command needs, or that would lead its Python to Airflow's
# packages.
ENV_DENYLIST = (
    "AIRFLOW",
    "_AIRFLOW",
    "PYTHON",
    "VIRTUAL_ENV",
    "DBT_PROJECT_DIR",
    "KAFKA_CDC_ALERT_URL",
)
LOGIN_MODULES = {
    "PLAIN": "plain.PlainLoginModule",
    "SCRAM-SHA-256": "scram.ScramLoginModule",
    "SCRAM-SHA-512": "scram.ScramLoginModule",
}
# Credential properties by the server setting that they belong to. A properties file may contain
# both. Credentials of the worker's environment are used only for the servers that are named there.
CREDENTIALS = {
    "bootstrap.servers": re.compile(r"sasl\.(?!mechanism$)|ssl\.key|properties$"),
    "schema.registry.url": re.compile(
        r"basic\.auth\.|bearer\.auth\.|schema\.registry\.ssl\.key|properties$"
    ),
}
SECRETS = ("password", "jaas", "secret", "token", "user.info")


@dataclass(frozen=True)
class Source:
    """Where messages come from: topics of a Kafka cluster, or a folder (or file) on the worker.

    Attributes:
        topics: Globs for topics of Kafka.
        folder: The folder or file.
        connection: The Airflow connection of the cluster.
        options: Options of `kafka-cdc land kafka` or `kafka-cdc land files`.
    """

    topics: str = ""
    folder: str = ""
    connection: str = ""
    options: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Settings:
    """The Airflow variable kafka_cdc, which tasks read when they run.

    Attributes:
        sources: Where messages come from.
        variables: dbt's --vars.
        keep_days: For how many days maintenance keeps old table versions.
        orphan_days: After how many days maintenance deletes orphan files.
        report: The file into which each build writes the report, if it is not empty.
    """

    sources: list[Source]
    variables: dict[str, Any] = field(default_factory=dict)
    keep_days: int = 5
    orphan_days: int = 3
    report: str = ""


def validate_fields(kind: type[Any], value: Any, path: str) -> dict[str, Any]:
    """Return `value` if it is a mapping with the fields of a dataclass.

    Raises:
        AirflowFailException: It is not. The text names the wrong field.
    """
    types: dict[str, type] = {each.name: get_runtime_type(each.type) for each in fields(kind)}
    names = ", ".join(types)
    if not isinstance(value, dict):
        raise AirflowFailException(
            f"{path} is {json.dumps(value)}; set it to an object of: {names}"
        )
    for name, part in value.items():
        if name not in types:
            raise AirflowFailException(f"{path} has no setting {name!r}; there are: {names}")
        if type(part) is not types[name]:
            raise AirflowFailException(
                f"{path}.{name} is {json.dumps(part)}; wanted: {types[name].__name__}"
            )
    return value


def get_runtime_type(annotation: Any) -> type:
    """Return the class of an annotation: list of list[str]."""
    kind: type = getattr(annotation, "__origin__", annotation)
    return kind


def read_settings() -> Settings:
    """Return the settings.

    Raises:
        AirflowFailException: They are wrong. The task is not tried again.
    """
    try:
        value = Variable.get(VARIABLE, default={}, deserialize_json=True)
    except ValueError as error:
        raise AirflowFailException(f"the variable {VARIABLE} is no JSON: {error}") from None
    values = validate_fields(Settings, value, VARIABLE)
    if "sources" not in values:
        raise AirflowFailException(
            f"the variable {VARIABLE} names no sources: nothing would ever land."
            ' If another tool writes raw, set "sources": []'
        )
    sources = [
        read_source(source, f"{VARIABLE}.sources[{index}]")
        for index, source in enumerate(values["sources"])
    ]
    return Settings(**{**values, "sources": sources})


def read_source(value: Any, path: str) -> Source:
    """Return a source of the settings.

    Raises:
        AirflowFailException: It is wrong.
    """
    source = Source(**validate_fields(Source, value, path))
    if bool(source.topics) == bool(source.folder):
        raise AirflowFailException(f"{path} needs one of: topics (of Kafka), folder")
    if not all(isinstance(option, str) for option in source.options):
        raise AirflowFailException(
            f"{path}.options is {json.dumps(source.options)}; wanted: texts, as on the command line"
        )
    return source


def get_variables(settings: Settings, context: Any) -> dict[str, Any]:
    """Return dbt's --vars: those of the settings, overridden by those of this run."""
    return settings.variables | (context["params"].get("variables") or {})


def get_environment(secrets: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a command.

    It is the worker's without Airflow's variables and Kafka's properties, and with `secrets`. The
    secret of masks comes from its file, because dbt does not read the file.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith((*ENV_DENYLIST, KAFKA_PREFIX))
    }
    if (file := kept.get(SECRET_FILE)) and not kept.get(SECRET):
        kept[SECRET] = Path(file).read_text(encoding="utf-8").rstrip("\r\n")
    own = {
        "PYTHONUNBUFFERED": "1",
        "KAFKA_CDC_HOME": str(HOME),
        "DBT_PROJECT_DIR": str(PROJECT),
        "DBT_PROFILES_DIR": str(PROFILES),
    }
    return kept | own | dict(secrets or {})


def get_kafka_environment(source: Source) -> dict[str, str]:
    """Return Kafka's properties for a source as environment variables of landing.

    The properties of the source's connection override those of the worker's environment. The
    worker's credentials are left out if the connection names other servers than the worker. If the
    worker names none, its credentials are for the servers of the default connection.
    """
    worker = {
        to_property(name): value
        for name, value in os.environ.items()
        if name.startswith(KAFKA_PREFIX)
    }
    connection = read_connection(source, worker.get("sasl.mechanism"))
    for server, credential in CREDENTIALS.items():
        if server not in connection:
            continue
        default = "" if source.connection else connection[server]
        if connection[server] != worker.get(server, default):
            worker = {name: value for name, value in worker.items() if not credential.match(name)}
    return {
        KAFKA_PREFIX + name.upper().replace(".", "_"): value
        for name, value in (worker | connection).items()
    }


def to_property(variable: str) -> str:
    """Return the property that an environment variable sets."""
    return variable.removeprefix(KAFKA_PREFIX).lower().replace("_", ".")


def read_connection(source: Source, mechanism: str | None) -> dict[str, str]:
    """Return the properties of Kafka's Java client in a source's connection.

    Its extra contains properties. Its host and port are bootstrap.servers. Its login and password
    are the sasl.jaas.config of PLAIN and SCRAM. The extra overrides both.

    Args:
        source: The source.
        mechanism: The sasl.mechanism if the extra has none.

    Returns:
        The properties; none if the default connection does not exist.

    Raises:
        AirflowFailException: The connection does not exist or is wrong.
    """
    try:
        connection = Connection.get(source.connection or DEFAULT_CONNECTION)
    except AirflowNotFoundException:
        if source.connection:
            raise AirflowFailException(f"there is no connection {source.connection!r}") from None
        return {}
    properties = {
        name: value if isinstance(value, str) else json.dumps(value)
        for name, value in connection.extra_dejson.items()
    }
    for name in properties:
        if name != name.lower().replace("_", "."):
            raise AirflowFailException(
                f"the connection {connection.conn_id} has {name!r},"
                " which is no property of Kafka's client"
            )
    if connection.host:
        port = f":{connection.port}" if connection.port else ""
        properties.setdefault("bootstrap.servers", f"{connection.host}{port}")
    if connection.login and "sasl.jaas.config" not in properties:
        module = LOGIN_MODULES.get(properties.get("sasl.mechanism", mechanism or ""))
        if not module:
            raise AirflowFailException(
                f"the connection {connection.conn_id} has a login, but no sasl.mechanism"
                " that uses it: set PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512 in its extra"
            )
        user, password = map(escape, (connection.login, connection.password or ""))
        properties["sasl.jaas.config"] = (
            f"org.apache.kafka.common.security.{module} required"
            f' username="{user}" password="{password}";'
        )
    for name, value in properties.items():
        if any(word in name for word in SECRETS) or name.endswith(".key"):
            mask_secret(value)
    return properties


def escape(text: str) -> str:
    """Return a text for the quotes of a JAAS configuration."""
    return text.replace("\\", "\\\\").replace('"', '\\"')

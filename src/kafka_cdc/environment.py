"""The environment variables that the project reads, and where its files are.

Importing this module changes nothing. Commands call prepare() before they start Spark or dbt.
"""

import difflib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kafka_cdc.errors import LandingError


@dataclass(frozen=True)
class Variable:
    """An environment variable: its name, its default in words, and its meaning."""

    name: str
    default: str
    meaning: str

    def get(self) -> str | None:
        """Return the value, or None if the variable is unset or empty."""
        return os.environ.get(self.name) or None


HOME = Variable(
    "KAFKA_CDC_HOME",
    "the folder of the project",
    "The project's folder: profiles, jars and models.",
)
LAKE = Variable(
    "KAFKA_CDC_LAKE",
    "lake",
    "Folder of the embedded lake, which is created if it is missing."
    " A relative path is relative to the project.",
)
SCHEMA = Variable(
    "KAFKA_CDC_SCHEMA", "cdc", "Schema of the public tables. Staging views get the suffix _staging."
)
MEMORY = Variable(
    "KAFKA_CDC_MEMORY",
    "1536m for dbt and `kafka-cdc run`, 1g for landing",
    "Heap of Spark's JVM, for example 2g.",
)
FILE_FORMAT = Variable("KAFKA_CDC_FILE_FORMAT", "iceberg", "Table format: iceberg or delta.")
TARGET = Variable(
    "KAFKA_CDC_TARGET",
    "local, or local_delta for Delta tables",
    "Target in profiles/profiles.yml: local, local_delta, session, cluster, connect or"
    " cluster_session.",
)
LOG_LEVEL = Variable(
    "KAFKA_CDC_LOG_LEVEL", "off", "Level of Spark's log on stderr, for example warn."
)
CLASSES = Variable(
    "KAFKA_CDC_CLASSES",
    "the class archive .jars/spark.jsa",
    "JVM option for the archive of loaded classes, with which Spark starts twice as fast.",
)
KAFKA_PREFIX = Variable(
    "KAFKA_CDC_KAFKA_<PROPERTY>",
    "",
    "A property of Kafka's Java client or of the schema registry."
    " KAFKA_CDC_KAFKA_SASL_JAAS_CONFIG sets sasl.jaas.config.",
)
KAFKA_PROPERTIES = Variable(
    "KAFKA_CDC_KAFKA_PROPERTIES",
    "",
    "File with properties of Kafka's Java client and of the schema registry.",
)
PROFILES = Variable(
    "DBT_PROFILES_DIR", "profiles in the project", "Folder of profiles.yml, for dbt and landing."
)
PROJECT = Variable(
    "DBT_PROJECT_DIR",
    "the project",
    "Folder of the dbt project. Landing reads the encoding of topics from its dbt_project.yml."
    " `kafka-cdc run` builds it. `kafka-cdc inspect` and `kafka-cdc typed-models` read its"
    " settings.",
)
MASK_SECRET = Variable(
    "KAFKA_CDC_MASK_SECRET",
    "",
    "Secret of the mask `hash`, at least 16 characters. Every process of Spark needs it.",
)
MASK_SECRET_FILE = Variable(
    "KAFKA_CDC_MASK_SECRET_FILE",
    "",
    "File with the secret of the mask `hash`, if KAFKA_CDC_MASK_SECRET is not set."
    " `kafka-cdc` and the Airflow DAG read it. For dbt, set KAFKA_CDC_MASK_SECRET.",
)
ALERT_URL = Variable(
    "KAFKA_CDC_ALERT_URL",
    "",
    "Webhook for alerts of `kafka-cdc run` and of the Airflow DAG, which accepts a POST of"
    ' {"text": …}. It may contain a secret, and is not logged.',
)
SPARK_REMOTE = Variable(
    "SPARK_REMOTE",
    "",
    "Address of the Spark Connect server, for the targets connect and session.",
)

SPARK_TOKEN = Variable(
    "SPARK_CONNECT_AUTHENTICATE_TOKEN",
    "",
    "Token for the Spark Connect server. `kafka-cdc session start` prints it.",
)
THRIFT_HOST = Variable(
    "KAFKA_CDC_THRIFT_HOST", "localhost", "Host of the Spark Thrift server (target cluster)."
)
THRIFT_PORT = Variable("KAFKA_CDC_THRIFT_PORT", "10000", "Port of the Spark Thrift server.")
OPENLINEAGE_URL = Variable(
    "OPENLINEAGE_URL",
    "",
    "Receiver of OpenLineage events of landing and dbt runs. The other variables of OpenLineage's"
    " Python client work too, such as OPENLINEAGE_API_KEY and OPENLINEAGE_NAMESPACE.",
)

VARIABLES: tuple[Variable, ...] = (
    HOME,
    LAKE,
    SCHEMA,
    MEMORY,
    FILE_FORMAT,
    TARGET,
    LOG_LEVEL,
    CLASSES,
    KAFKA_PREFIX,
    KAFKA_PROPERTIES,
    PROFILES,
    PROJECT,
    MASK_SECRET,
    MASK_SECRET_FILE,
    ALERT_URL,
    SPARK_REMOTE,
    SPARK_TOKEN,
    OPENLINEAGE_URL,
    THRIFT_HOST,
    THRIFT_PORT,
    Variable("KAFKA_CDC_THRIFT_AUTH", "NONE", "Authentication of the Spark Thrift server."),
    Variable("KAFKA_CDC_THRIFT_USER", "kafka_cdc", "User on the Spark Thrift server."),
    Variable("KAFKA_CDC_THRIFT_PASSWORD", "", "Password on the Spark Thrift server."),
    Variable("KAFKA_CDC_THRIFT_SERVICE", "", "Kerberos service of the Spark Thrift server."),
    Variable("KAFKA_CDC_SPARK_MASTER", "", "Master of the Spark cluster (target cluster_session)."),
    Variable("KAFKA_CDC_DAG_SCHEDULE", "*/15 * * * *", "Schedule of the Airflow DAG, or none."),
    Variable(
        "KAFKA_CDC_DAG_BUILD",
        "command",
        "How the DAG builds: command, or models for one task per model.",
    ),
    Variable(
        "KAFKA_CDC_DAG_TASKS",
        "1 embedded, 8 with a server",
        "Tasks that the DAG runs at the same time.",
    ),
    Variable("KAFKA_CDC_DAG_TIMEOUT_HOURS", "6", "Hours after which Airflow stops a task."),
)
"""Every variable that a user of the project may set."""


OWN_PREFIX = "KAFKA_CDC_"
SIMILARITY = 0.8
KUBERNETES = ("_SERVICE_HOST", "_SERVICE_PORT")  # which it sets for a service


def find_misspelled(names: Iterable[str]) -> dict[str, str]:
    """Return the names that are almost those of variables, each with the nearest one.

    Other names with the prefix may belong to other programs. A property of Kafka's client may have
    any name.
    """
    known = {variable.name.removeprefix(OWN_PREFIX): variable.name for variable in VARIABLES}
    properties = KAFKA_PREFIX.name.removesuffix("<PROPERTY>")
    found = {}
    for name in sorted(names):
        if (
            not name.startswith(OWN_PREFIX)
            or name.startswith(properties)
            or name.endswith(KUBERNETES)
        ):
            continue
        own = name.removeprefix(OWN_PREFIX)
        nearest = difflib.get_close_matches(own, known, n=1, cutoff=SIMILARITY)
        if nearest and name not in known.values():
            found[name] = known[nearest[0]]
    return found


def has_spark_log() -> bool:
    """Return whether KAFKA_CDC_LOG_LEVEL asks for Spark's log."""
    return (LOG_LEVEL.get() or "off").lower() != "off"


def project_home() -> Path:
    """Return the project's folder.

    It is KAFKA_CDC_HOME, else this checkout, else the current folder or one above it.

    Raises:
        LandingError: None of them is the project.
    """
    if home := HOME.get():
        return Path(home).absolute()
    current = Path.cwd()
    for folder in (Path(__file__).resolve().parents[2], current, *current.parents):
        if (folder / "profiles" / "profiles.yml").is_file():
            return folder
    raise LandingError(
        "the project kafka_cdc was not found. Hint: run the command in its folder,"
        f" or set {HOME.name} to that folder"
    )


def lake_folder() -> Path:
    """Return the absolute path of the embedded lake.

    A relative KAFKA_CDC_LAKE is relative to the project.

    Raises:
        LandingError: The catalog or Java would read the path as another one.
    """
    lake = LAKE.get() or "lake"
    if lake.startswith("~") or re.search(r'[?"\\\x00-\x1f]', lake):
        raise LandingError(
            f"{LAKE.name} is {lake!r}. Hint: write the whole path without ~, and without the"
            ' characters ? " \\ and line ends'
        )
    return Path(os.path.normpath(project_home() / lake))


def schema_name() -> str:
    """Return the schema of the public tables."""
    return SCHEMA.get() or SCHEMA.default


def profiles_folder() -> Path:
    """Return the folder of profiles.yml."""
    return Path(PROFILES.get() or project_home() / "profiles")


def read_mask_secret() -> str | None:
    """Return the secret of the mask `hash`: the variable, else the text of the file.

    Raises:
        LandingError: The file cannot be read.
    """
    file = MASK_SECRET_FILE.get()
    if MASK_SECRET.get() or not file:
        return MASK_SECRET.get()
    try:
        return Path(file).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        raise LandingError(
            f"the file of {MASK_SECRET_FILE.name} cannot be read:"
            f" {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}."
            " Hint: name a UTF-8 text file that this user may read"
        ) from None


def prepare() -> None:
    """Set unset variables of profiles.yml to their defaults, for this process and its children.

    Spark's JVM inherits the secret of masks, which is read from its file here.
    """
    if secret := read_mask_secret():
        os.environ[MASK_SECRET.name] = secret
    os.environ[HOME.name] = str(project_home())
    os.environ[LAKE.name] = str(lake_folder())
    os.environ[PROFILES.name] = str(profiles_folder())
    os.environ.setdefault("DO_NOT_TRACK", "1")

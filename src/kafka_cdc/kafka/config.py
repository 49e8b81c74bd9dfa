"""Properties of Kafka's Java client and of the schema registry, from a file and the environment.

They are never taken from the command line, which other users of the machine can read.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kafka_cdc import environment
from kafka_cdc.errors import LandingError, causes

PREFIX = environment.KAFKA_PREFIX.name.removesuffix("<PROPERTY>")
SERVERS = "bootstrap.servers"
# Landing sets these itself. A file may contain them for another consumer.
IGNORED = {
    "group.id",
    "group.instance.id",
    "client.id",
    "auto.offset.reset",
    "enable.auto.commit",
    "auto.commit.interval.ms",
    "isolation.level",
    "key.deserializer",
    "value.deserializer",
    "interceptor.classes",
    "partition.assignment.strategy",
    "default.api.timeout.ms",
}
# Kafka has no default for the timeouts of a token endpoint.
TOKEN_TIMEOUTS = ("sasl.login.connect.timeout.ms", "sasl.login.read.timeout.ms")
TOKEN_TIMEOUT_MS = "10000"
REGISTRY_PREFIXES = ("schema.registry.", "basic.auth.", "bearer.auth.")
REGISTRY_URL = "schema.registry.url"
SECRET = re.compile(
    r"password|passphrase|jaas|secret|\.key$|credential|user\.info|token(?!\.endpoint)"
)
# Kafka reads the options of sasl.jaas.config with Java's StreamTokenizer: "text", 'text' or a word.
QUOTED_OPTION = re.compile(r"""([\w.]*)\s*=\s*(["'])((?:(?!\2)[^\\]|\\.)+)\2""")
# Options that are no secrets. Their values may be words of a message.
PUBLIC_OPTIONS = {"username", "principal", "servicename", "clientid", "scope"}
FLAGS = {"true", "false"}
SECRET_WORD = re.compile(rf"""(?:{SECRET.pattern})[\w.]*\s*=\s*([^\s;"']+)""", re.IGNORECASE)
ALLOWED_URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls"


def from_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return properties: KAFKA_CDC_KAFKA_SASL_JAAS_CONFIG sets sasl.jaas.config."""
    return {
        name.removeprefix(PREFIX).lower().replace("_", "."): value
        for name, value in variables.items()
        if name.startswith(PREFIX) and name != environment.KAFKA_PROPERTIES.name
    }


def read_file(path: Path | None) -> str:
    """Return the text of a properties file, by default KAFKA_CDC_KAFKA_PROPERTIES.

    Raises:
        LandingError: The file cannot be read.
    """
    default = environment.KAFKA_PROPERTIES.get()
    path = path or (Path(default) if default else None)
    try:
        return path.read_text(encoding="utf-8") if path else ""
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise LandingError(
            f"{path}: {problem}. Hint: --properties or {environment.KAFKA_PROPERTIES.name} names a"
            " UTF-8 text file that this user may read"
        ) from None


def read_properties(jvm: Any, text: str) -> dict[str, str]:
    """Return the properties of a file's text. Those of the environment override them.

    Raises:
        LandingError: The text is malformed.
    """
    java = jvm.java.util.Properties()
    try:
        java.load(jvm.java.io.StringReader(text))
    except Exception as error:
        why = [*causes(error)] or [("", str(error))]
        raise LandingError(
            f"the properties file cannot be read: {why[-1][1]} Hint: write a backslash as \\\\"
        ) from None
    properties = {name: java.getProperty(name) for name in java.stringPropertyNames()}
    properties |= from_environment(os.environ)
    return {name: value for name, value in properties.items() if name not in IGNORED}


def get_client_properties(jvm: Any, text: str, servers: str | None) -> dict[str, str]:
    """Return the properties of Kafka's client.

    Args:
        jvm: The JVM.
        text: The text of the properties file.
        servers: The bootstrap servers, which override those of the properties.

    Raises:
        LandingError: There are no bootstrap servers.
    """
    properties = {
        name: value
        for name, value in read_properties(jvm, text).items()
        if not name.startswith(REGISTRY_PREFIXES)
    }
    if servers:
        properties[SERVERS] = servers
    if not properties.get(SERVERS):
        raise LandingError(
            "no Kafka broker is named. Hint: set --bootstrap-servers host:port,"
            f" or {SERVERS} in the properties"
        )
    allow_token_endpoints(jvm, properties)
    return dict.fromkeys(TOKEN_TIMEOUTS, TOKEN_TIMEOUT_MS) | properties


def get_registry_properties(jvm: Any, text: str) -> dict[str, str]:
    """Return the properties of the schema registry, or none if they do not contain its URL."""
    properties = {
        name: value
        for name, value in read_properties(jvm, text).items()
        if name.startswith(REGISTRY_PREFIXES)
    }
    return properties if properties.get(REGISTRY_URL) else {}


def allow_token_endpoints(jvm: Any, properties: Mapping[str, str]) -> None:
    """Allow the token endpoints of the properties, unless JVM options set the allowed ones."""
    urls = [
        value
        for name, value in properties.items()
        if name.startswith("sasl.oauthbearer.") and name.endswith(".endpoint.url")
    ]
    system = jvm.java.lang.System
    if urls and system.getProperty(ALLOWED_URLS) is None:
        system.setProperty(ALLOWED_URLS, ",".join(urls))


def hide_secrets(text: str, properties: Mapping[str, str]) -> str:
    """Return `text` without the secrets among the values of the properties."""
    secrets = [value for name, value in properties.items() if value and SECRET.search(name)]
    for value in list(secrets):
        secrets += [
            quoted
            for option, _, quoted in QUOTED_OPTION.findall(value)
            if option.lower() not in PUBLIC_OPTIONS and quoted not in FLAGS
        ]
        secrets += SECRET_WORD.findall(value)
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "[hidden]")
    return text

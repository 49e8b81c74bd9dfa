"""How to reach Kafka: properties of Kafka's Java client, from a file and from the environment, never from the command line."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import LandingError

FILE = "KAFKA_CDC_KAFKA_PROPERTIES"
ENVIRONMENT = "KAFKA_CDC_KAFKA_"
SERVERS = "bootstrap.servers"
# Landing says itself what is read, and how; a consumer's file may say these and means another consumer.
IGNORED = {
    "group.id", "group.instance.id", "client.id", "auto.offset.reset", "enable.auto.commit", "auto.commit.interval.ms", "isolation.level",
    "key.deserializer", "value.deserializer", "interceptor.classes", "partition.assignment.strategy", "default.api.timeout.ms",
}  # fmt: skip
LIMITS = ("sasl.login.connect.timeout.ms", "sasl.login.read.timeout.ms")  # of a token endpoint; Kafka has none
REGISTRY = ("schema.registry.", "basic.auth.", "bearer.auth.")  # of a schema registry, not of Kafka
SECRET = re.compile(r"password|jaas|secret|\.key$|credential|user\.info|token(?!\.endpoint)")
ALLOWED_URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls"


def from_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the properties that variables name: KAFKA_CDC_KAFKA_SASL_JAAS_CONFIG is sasl.jaas.config."""
    names = (name for name in environment if name.startswith(ENVIRONMENT) and name != FILE)
    return {name.removeprefix(ENVIRONMENT).lower().replace("_", "."): environment[name] for name in names}


def read(path: Path | None) -> str:
    """Return the text of the file, by default of the one that KAFKA_CDC_KAFKA_PROPERTIES names; LandingError when it cannot be read."""
    path = path or (Path(os.environ[FILE]) if os.environ.get(FILE) else None)
    try:
        return path.read_text(encoding="utf-8") if path else ""
    except (OSError, UnicodeDecodeError) as error:
        raise LandingError(f"{path}: {getattr(error, 'strerror', None) or 'no text in UTF-8'}") from None


def found(jvm: Any, text: str) -> dict[str, str]:
    """Return the properties of the file's `text`, and of the environment over those, but for those that landing itself says."""
    java = jvm.java.util.Properties()
    java.load(jvm.java.io.StringReader(text))
    said = {name: java.getProperty(name) for name in java.stringPropertyNames()} | from_environment(os.environ)
    return {name: value for name, value in said.items() if name not in IGNORED}


def load(jvm: Any, text: str, servers: str | None) -> dict[str, str]:
    """Return the properties of Kafka's client: what found() finds, and `servers` over it.

    LandingError when they name no bootstrap servers.
    """
    said = {name: value for name, value in found(jvm, text).items() if not name.startswith(REGISTRY)}
    if servers:
        said[SERVERS] = servers
    if not said.get(SERVERS):
        raise LandingError(f"no Kafka broker is named: --bootstrap-servers host:port, or {SERVERS} in the properties")
    allow_urls(jvm, said)
    return dict.fromkeys(LIMITS, "10000") | said


def registry(jvm: Any, text: str) -> dict[str, str]:
    """Return the properties of the schema registry; none where they do not say its URL."""
    said = {name: value for name, value in found(jvm, text).items() if name.startswith(REGISTRY)}
    return said if said.get("schema.registry.url") else {}


def allow_urls(jvm: Any, properties: Mapping[str, str]) -> None:
    """Let Kafka's client ask the token endpoint that the properties name, unless JVM options say which it may ask."""
    urls = [value for name, value in properties.items() if name.startswith("sasl.oauthbearer.") and name.endswith(".endpoint.url")]
    if urls and jvm.java.lang.System.getProperty(ALLOWED_URLS) is None:
        jvm.java.lang.System.setProperty(ALLOWED_URLS, ",".join(urls))


def hide(text: str, properties: Mapping[str, str]) -> str:
    """Return `text` without the secrets among the values of the properties."""
    secrets = [value for name, value in properties.items() if value and SECRET.search(name)]
    secrets += [part for value in secrets for part in re.findall(r'="((?:[^"\\]|\\.)+)"', value)]
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "[hidden]")
    return text

"""A schema registry that speaks Confluent's REST API: schemas by the ids that framed messages name."""

import base64
import json
import ssl
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import LandingError
from .properties import hide

URL = "schema.registry.url"
USER = "basic.auth.user.info"
TOKEN = "bearer.auth.token"
TIMEOUT_SECONDS = 15


class RegistryAway(Exception):
    """The registry does not answer, or does not let us in; why, in a line without secrets."""


class NoSuchSchema(Exception):
    """The registry has no such schema; what it says, in a line."""


@dataclass(frozen=True)
class Schema:
    """A schema as the registry has it: AVRO, JSON or PROTOBUF, its text, and the texts that it refers to, each before what needs it."""

    type: str
    text: str
    references: tuple[str, ...] = ()


class Registry:
    """A schema registry, and what it has said so far: what an id means never changes."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        """`properties`: schema.registry.url and what stands beside it, named as Confluent's serializers name them."""
        plain = {name.removeprefix("schema.registry.") if name != URL else name: value for name, value in properties.items()}
        self.properties, self.servers, user = plain, [], plain.get(USER)
        for url in plain[URL].split(","):
            parts = urllib.parse.urlsplit(url.strip())
            if parts.scheme not in ("http", "https") or not parts.hostname:
                raise LandingError(f"{URL}: {parts.scheme}://{parts.netloc.rpartition('@')[2]} is no address such as https://registry:8081")
            if parts.username:
                user = f"{urllib.parse.unquote(parts.username)}:{urllib.parse.unquote(parts.password or '')}"
            self.servers.append(parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl().rstrip("/"))
        self.headers = {"Accept": "application/vnd.schemaregistry.v1+json, application/json"}
        if user:
            self.headers["Authorization"] = f"Basic {base64.b64encode(user.encode()).decode()}"
        elif plain.get(TOKEN):
            self.headers["Authorization"] = f"Bearer {plain[TOKEN]}"
        self.tls = self.trust(plain.get("ssl.truststore.location"), plain.get("ssl.keystore.location"), plain.get("ssl.key.password"))
        self.schemas: dict[int, Schema] = {}

    def trust(self, authorities: str | None, own: str | None, password: str | None) -> ssl.SSLContext:
        """Return whom to trust (default: whom the system trusts) and who we are, from files in PEM."""
        try:
            context = ssl.create_default_context(cafile=authorities)
            if own:
                context.load_cert_chain(own, password=password)
            return context
        except (OSError, ssl.SSLError) as error:
            raise LandingError(f"schema.registry.ssl: {authorities or ''} {own or ''}: {error} (files in PEM?)") from None

    def schema(self, schema_id: int) -> Schema:
        """Return the schema of an id; NoSuchSchema or RegistryAway where there is none to be had."""
        if schema_id not in self.schemas:
            said = self.get(f"/schemas/ids/{schema_id}")
            texts: dict[tuple[str, int], str] = {}
            self.gather(said, texts)
            self.schemas[schema_id] = Schema(said.get("schemaType") or "AVRO", said["schema"], tuple(texts.values()))
        return self.schemas[schema_id]

    def gather(self, said: Mapping[str, Any], texts: dict[tuple[str, int], str]) -> None:
        """Add the texts of what a schema refers to, directly or not, each behind those that it needs itself."""
        for reference in said.get("references") or []:
            place = reference["subject"], reference["version"]
            if place not in texts:
                referred = self.get(f"/subjects/{urllib.parse.quote(place[0], safe='')}/versions/{place[1]}")
                self.gather(referred, texts)
                texts[place] = referred["schema"]

    def get(self, path: str) -> dict[str, Any]:
        """Return what the first registry that answers says of a path."""
        why = ""
        for server in self.servers:
            try:
                request = urllib.request.Request(server + path, headers=self.headers)
                with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS, context=self.tls) as answer:
                    said = json.load(answer)
                if isinstance(said, dict) and isinstance(said.get("schema"), str):
                    return said
                why = f"{server}: what answers is no schema registry"
            except urllib.error.HTTPError as error:
                if error.code == 404:
                    raise NoSuchSchema(f"{server} has no {path}") from None
                why = f"{server}: {error.code} {error.reason}"
            except (OSError, ValueError) as error:
                why = f"{server}: {getattr(error, 'reason', None) or error}"
        raise RegistryAway(hide(" ".join(why.split()), self.properties))

"""A schema registry that speaks Confluent's REST API: schemas by the ids that framed messages name."""

import base64
import http.client
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
BUSY = (429, 502, 503, 504)  # statuses of a registry, or of what stands before it, that has no time for anyone
REFERENCES = 500  # of a schema, before it is no schema
PORTS = {"http": 80, "https": 443}


class RegistryAway(Exception):
    """The registry does not answer; why, in a line without secrets."""


class SchemaRefused(Exception):
    """The registry answers, but does not give us this schema; why, in a line without secrets."""


class NoSuchSchema(Exception):
    """The registry has no such schema; what it says, in a line."""


@dataclass(frozen=True)
class Schema:
    """A schema as the registry has it: AVRO, JSON or PROTOBUF, its text, and the texts that it refers to, each before what needs it."""

    type: str
    text: str
    references: tuple[str, ...] = ()


class Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects; who we are is for the server alone that the properties name."""

    def redirect_request(self, request: urllib.request.Request, answer: Any, code: int, message: str, headers: Any, url: str) -> urllib.request.Request | None:
        """Return the request to ask next, without Authorization where its scheme, host or port is another; None where it is not HTTP."""
        following = super().redirect_request(request, answer, code, message, headers, url)
        if following and server_of(url) != server_of(request.full_url):
            following.remove_header("Authorization")
        return following if following and server_of(url)[0] in PORTS else None


class Registry:
    """A schema registry, and what it has said since forget()."""

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
        self.headers, token = {"Accept": "application/vnd.schemaregistry.v1+json, application/json"}, plain.get(TOKEN, "").strip()
        if user:
            self.headers["Authorization"] = f"Basic {base64.b64encode(user.encode()).decode()}"
        elif token:
            if not (token.isascii() and token.isprintable()):
                raise LandingError(f"{TOKEN} holds what no HTTP header can")
            self.headers["Authorization"] = f"Bearer {token}"
        tls = self.trust(plain.get("ssl.truststore.location"), plain.get("ssl.keystore.location"), plain.get("ssl.key.password"))
        self.opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=tls), Redirects)
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

    def forget(self) -> None:
        """Ask for every schema anew: a registry that was rebuilt counts ids from 1 again."""
        self.schemas.clear()

    def schema(self, schema_id: int) -> Schema:
        """Return the schema of an id; NoSuchSchema, SchemaRefused or RegistryAway where there is none to be had."""
        if schema_id not in self.schemas:
            said, texts = self.get(f"/schemas/ids/{schema_id}"), list[str]()
            self.gather(said, texts, set())
            self.schemas[schema_id] = Schema(said.get("schemaType") or "AVRO", said["schema"], tuple(texts))
        return self.schemas[schema_id]

    def gather(self, said: Mapping[str, Any], texts: list[str], met: set[tuple[str, int]]) -> None:
        """Add the texts of what a schema refers to, directly or not, each behind those that it needs itself.

        met: subjects and versions that need not be asked for. They may be soft-deleted; Confluent's deserializers read those too.
        """
        for reference in said.get("references") or []:
            subject, version = reference["subject"], reference["version"]
            if (subject, version) not in met:
                met.add((subject, version))
                if len(met) > REFERENCES:
                    raise SchemaRefused(f"it refers to more than {REFERENCES} others")
                referred = self.get(f"/subjects/{urllib.parse.quote(subject, safe='', errors='replace')}/versions/{version}?deleted=true")
                self.gather(referred, texts, met)
                texts.append(referred["schema"])

    def get(self, path: str) -> dict[str, Any]:
        """Return what the first registry that gives an answer says of a path."""
        refused, away = "", ""
        for server in self.servers:
            try:
                with self.opener.open(urllib.request.Request(server + path, headers=self.headers), timeout=TIMEOUT_SECONDS) as answer:
                    body = answer.read()
            except urllib.error.HTTPError as error:
                error.close()
                if error.code == 404:
                    raise NoSuchSchema(f"{server} has no {path}") from None
                why = f"{server}: {error.code} {error.reason}"
                refused, away = (refused, why) if error.code in BUSY else (why, away)
            except http.client.IncompleteRead:
                refused = f"{server}: its answer is cut off"
            except (OSError, http.client.HTTPException) as error:
                away = f"{server}: {getattr(error, 'reason', None) or error} ({type(error).__name__})"
            except ValueError as error:
                refused = f"{server}: {error}"
            else:
                if said := understood(body):
                    return said
                refused = f"{server}: what answers is no schema registry"
        why = hide("".join(character if character.isprintable() else " " for character in (refused or away)[:500]), self.properties)
        raise SchemaRefused(why) if refused else RegistryAway(why)


def server_of(url: str) -> tuple[str, str | None, int | None]:
    """Return the scheme, the host and the port of a URL."""
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or PORTS.get(parts.scheme)


def understood(body: bytes) -> dict[str, Any] | None:
    """Return what a registry says of a schema: `schema`, and maybe `schemaType` and `references`; None where it is something else."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or not isinstance(said.get("schema"), str) or not isinstance(said.get("schemaType") or "", str):
        return None
    references = said.get("references") or []
    is_list = isinstance(references, list) and all(isinstance(one, dict) for one in references)
    return said if is_list and all(isinstance(one.get("subject"), str) and isinstance(one.get("version"), int) for one in references) else None

"""A client of a schema registry with Confluent's REST API."""

import base64
import http.client
import json
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kafka_cdc.errors import LandingError
from kafka_cdc.kafka.config import hide_secrets

URL = "schema.registry.url"
USER = "basic.auth.user.info"
TOKEN = "bearer.auth.token"
TIMEOUT_SECONDS = 15
RETRYABLE_STATUS = (
    429,
    502,
    503,
    504,
)  # of a registry, or of a proxy before it, that is overloaded
MAX_REFERENCES = 500
MAX_ERROR_CHARACTERS = 500
PORTS = {"http": 80, "https": 443}


class RegistryUnreachable(Exception):
    """The registry does not answer. The text is the reason in one line, without secrets."""


class SchemaRejected(Exception):
    """The registry answers, but does not return this schema.

    The text is the reason in one line, without secrets.
    """


class NoSuchSchema(Exception):
    """The registry does not have the schema. The text is one line."""


@dataclass(frozen=True)
class Schema:
    """A schema of the registry.

    Attributes:
        type: AVRO, JSON or PROTOBUF.
        text: The schema.
        references: The texts of the schemas that it refers to, each before the texts that need it.
    """

    type: str
    text: str
    references: tuple[str, ...] = ()


class SafeRedirectHandler(urllib.request.HTTPRedirectHandler):
    """Follows redirects, but sends credentials only to the server of the properties."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: Any,
        code: int,
        msg: str,
        headers: Any,
        newurl: str,
    ) -> urllib.request.Request | None:
        """Return the next request, or None if its address is not HTTP.

        Another server gets no Authorization.
        """
        following = super().redirect_request(req, fp, code, msg, headers, newurl)
        if following and get_server(newurl) != get_server(req.full_url):
            following.remove_header("Authorization")
        return following if following and get_server(newurl)[0] in PORTS else None


class SchemaRegistryClient:
    """A client that keeps the schemas that it has read since clear()."""

    def __init__(self, properties: Mapping[str, str]) -> None:
        """Prepare requests.

        Args:
            properties: schema.registry.url, and properties with the names of Confluent's
                serializers.

        Raises:
            LandingError: A property is invalid.
        """
        self.properties = {
            name if name == URL else name.removeprefix("schema.registry."): value
            for name, value in properties.items()
        }
        self.servers: list[str] = []
        user = self.properties.get(USER)
        for url in self.properties[URL].split(","):
            parts = split_address(url.strip())
            host = parts.netloc.rpartition("@")[2]
            if parts.scheme not in ("http", "https") or not parts.hostname:
                raise LandingError(
                    f"{URL}: {parts.scheme}://{host} is no address."
                    " Hint: set it to an address such as https://registry:8081"
                )
            if parts.username:
                name, password = parts.username, parts.password or ""
                user = f"{urllib.parse.unquote(name)}:{urllib.parse.unquote(password)}"
            self.servers.append(parts._replace(netloc=host).geturl().rstrip("/"))
        self.headers = {"Accept": "application/vnd.schemaregistry.v1+json, application/json"}
        self._authorize(user, self.properties.get(TOKEN, "").strip())
        https = urllib.request.HTTPSHandler(context=self._get_tls_context())
        self.opener = urllib.request.build_opener(https, SafeRedirectHandler)
        self.schemas: dict[int, Schema] = {}

    def clear(self) -> None:
        """Drop all known schemas, because a registry that was rebuilt assigns ids from 1 again."""
        self.schemas.clear()

    def schema(self, schema_id: int) -> Schema:
        """Return the schema of an id.

        Raises:
            NoSuchSchema: The registry does not have it.
            SchemaRejected: The registry does not return it.
            RegistryUnreachable: The registry does not answer.
        """
        if schema_id not in self.schemas:
            answer = self.get(f"/schemas/ids/{schema_id}")
            texts: list[str] = []
            self._gather_references(answer, texts, set())
            type_ = answer.get("schemaType") or "AVRO"
            self.schemas[schema_id] = Schema(type_, answer["schema"], tuple(texts))
        return self.schemas[schema_id]

    def get(self, path: str) -> dict[str, Any]:
        """Return the first valid answer of the servers for a path.

        Raises:
            NoSuchSchema: A server answered 404.
            SchemaRejected: At least one server answered, but none validly.
            RegistryUnreachable: No server answered.
        """
        rejected, unreachable = "", ""
        for server in self.servers:
            request = urllib.request.Request(server + path, headers=self.headers)
            try:
                with self.opener.open(request, timeout=TIMEOUT_SECONDS) as response:
                    body = read_in_time(response)
            except urllib.error.HTTPError as error:
                error.close()
                if error.code == 404:
                    raise NoSuchSchema(f"{server} has no {path}") from None
                why = f"{server}: {error.code} {error.reason}"
                if error.code in RETRYABLE_STATUS:
                    unreachable = why
                else:
                    rejected = why
            except http.client.IncompleteRead:
                rejected = f"{server}: its answer is truncated"
            except (OSError, http.client.HTTPException) as error:
                cause = getattr(error, "reason", None) or error
                unreachable = f"{server}: {cause} ({type(error).__name__})"
            except ValueError as error:
                rejected = f"{server}: {error}"
            else:
                if answer := parse_response(body):
                    return answer
                rejected = f"{server}: its answer is not that of a schema registry"
        text = (rejected or unreachable)[:MAX_ERROR_CHARACTERS]
        line = "".join(character if character.isprintable() else " " for character in text)
        why = hide_secrets(line, self.properties)
        raise SchemaRejected(why) if rejected else RegistryUnreachable(why)

    def _authorize(self, user: str | None, token: str) -> None:
        """Add the header with the credentials."""
        if user:
            encoded = base64.b64encode(user.encode()).decode()
            self.headers["Authorization"] = f"Basic {encoded}"
        elif token:
            if not (token.isascii() and token.isprintable()):
                raise LandingError(
                    f"{TOKEN} contains characters that an HTTP header cannot contain."
                    " Hint: correct it in the properties"
                )
            self.headers["Authorization"] = f"Bearer {token}"

    def _get_tls_context(self) -> ssl.SSLContext:
        """Return the trusted certificates, by default the system's, and the client's own."""
        authorities = self.properties.get("ssl.truststore.location")
        own = self.properties.get("ssl.keystore.location")
        try:
            context = ssl.create_default_context(cafile=authorities)
            if own:
                context.load_cert_chain(own, password=self.properties.get("ssl.key.password"))
            return context
        except (OSError, ssl.SSLError) as error:
            raise LandingError(
                f"schema.registry.ssl: {authorities or ''} {own or ''}: {error}."
                " Hint: name files in PEM format"
            ) from None

    def _gather_references(
        self, answer: Mapping[str, Any], texts: list[str], known: set[tuple[str, int]]
    ) -> None:
        """Add the schemas that a schema refers to, each after those that it needs itself.

        Args:
            answer: The registry's answer for the schema.
            texts: The texts so far.
            known: Subjects and versions that need no request. They may be soft-deleted; Confluent's
                deserializers read those, too.
        """
        for reference in answer.get("references") or []:
            subject, version = reference["subject"], reference["version"]
            if (subject, version) in known:
                continue
            known.add((subject, version))
            if len(known) > MAX_REFERENCES:
                raise SchemaRejected(f"it refers to more than {MAX_REFERENCES} other schemas")
            name = urllib.parse.quote(subject, safe="", errors="replace")
            referred = self.get(f"/subjects/{name}/versions/{version}?deleted=true")
            self._gather_references(referred, texts, known)
            texts.append(referred["schema"])


def split_address(url: str) -> urllib.parse.SplitResult:
    """Return the parts of the address of a registry, which may have a user and a password.

    Raises:
        LandingError: The password has characters that end the host. It would be in log lines, as a
            part of the server. The text contains no part of the address.
    """
    try:
        parts = urllib.parse.urlsplit(url)
        is_valid = parts.port != 0 and "@" not in parts.path + parts.query + parts.fragment
    except ValueError:  # of the port, or of characters of the host
        is_valid = False
    if not is_valid:
        raise LandingError(
            f"{URL} has an address with an invalid host or port. Hint: percent-encode the user and"
            f" the password, for example / as %2F, or set {USER}"
        ) from None
    return parts


def get_server(url: str) -> tuple[str, str | None, int | None]:
    """Return the scheme, the host and the port of a URL."""
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or PORTS.get(parts.scheme)


def read_in_time(response: http.client.HTTPResponse) -> bytes:
    """Return the body of an answer. The timeout of a socket begins again with each byte.

    Raises:
        TimeoutError: The answer takes too long.
        http.client.IncompleteRead: It is truncated.
    """
    deadline = time.monotonic() + TIMEOUT_SECONDS
    parts: list[bytes] = []
    while part := response.read1():
        parts.append(part)
        if time.monotonic() > deadline:
            raise TimeoutError(f"its answer takes more than {TIMEOUT_SECONDS} seconds")
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(parts)


def parse_response(body: bytes) -> dict[str, Any] | None:
    """Return a registry's answer, which contains `schema`; None if it is invalid."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(answer, dict) or not isinstance(answer.get("schema"), str):
        return None
    if not isinstance(answer.get("schemaType") or "", str):
        return None
    references = answer.get("references") or []
    if not isinstance(references, list) or not all(map(is_reference, references)):
        return None
    return answer


def is_reference(value: Any) -> bool:
    """Return whether a value of a registry's answer is a reference to another schema."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("subject"), str)
        and isinstance(value.get("version"), int)
    )

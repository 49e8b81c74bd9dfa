"""Alerts: which problems are alerted, when a problem is new, and how an alert is sent.

`kafka-cdc run` and the Airflow DAG share this module. It imports nothing but the standard library,
because the DAG imports it in Airflow's own Python environment.
"""

import http.client
import json
import re
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

ADDRESS = "KAFKA_CDC_ALERT_URL"
TIMEOUT_SECONDS = 10.0
RETRY_SECONDS = 60.0
"""How long `kafka-cdc run` waits after an alert that was not sent."""
MAX_PROBLEMS = 100
"""Problems that wait for a webhook. Later ones are counted."""

KINDS = ("warning", "failed")
# A finding of a test. Cosmos lets dbt print colors.
_START = r"(?:\x1b\[0m)?(?:\d\d:\d\d:\d\d)?\s*(warning|failed): "
HELD_LINE = re.compile(_START + r"(table .* is held(?:: it keeps |, so that ).*)")
TOPIC_LINE = re.compile(
    _START + r"(topic .*?: (?:\d+ new messages? w(?:as|ere) rejected|Kafka deleted \d+ offsets? "
    r"|no message |the newest batch landed ).*)"
)
# Numbers that grow while a problem lasts. They do not make it a new problem.
GROWING = re.compile(
    r"\d+(?= changes without a key)|\d+(?= with one)|(?<=offset so far: )\d+"
    r"|\d+ new messages? w(?:as|ere)(?= rejected)|(?<=max_rejected: )\d+"
    r"|(?<=[a-z] )\d+(?=, [a-z_]+ \d|\), for example partition)"
    r"|(?<=\), for example )partition \d+, offset \d+"
    r"|\d+ offsets?(?= before landing read )|(?<= before landing read )(?:it|them)"
    r"|(?<=max_lost: )\d+"
    r"|\d+(?= seconds)|(?<=max_silence: )\d+(?=d\})"
)


class AlertError(Exception):
    """An alert was not sent. The text does not contain the address, which may have a secret."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: a POST would arrive as a GET without the alert."""

    def redirect_request(self, *_: Any) -> None:
        """Return nothing, so that the answer counts as an error."""


def check_address(address: str, name: str = ADDRESS) -> None:
    """Check the address of a webhook.

    Raises:
        AlertError: It is no address.
    """
    if not re.match(r"https?://[^\s/]+\S*$", address):
        raise AlertError(f"{name} is no address. Hint: set it to https://… of a webhook")


def find_held_tables(output: Iterable[str], kinds: Sequence[str] = KINDS) -> list[str]:
    """Return the findings about held tables in lines of dbt, each with reason and remedy."""
    return _find(HELD_LINE, output, kinds)


def find_topic_findings(output: Iterable[str], kinds: Sequence[str] = KINDS) -> list[str]:
    """Return the findings about rejected, lost, late and missing messages in lines of dbt."""
    return _find(TOPIC_LINE, output, kinds)


def _find(pattern: re.Pattern[str], output: Iterable[str], kinds: Sequence[str]) -> list[str]:
    """Return the findings of a pattern."""
    matches = (pattern.match(line) for line in output)
    return [match[2].strip() for match in matches if match and match[1] in kinds]


def get_identity(problem: str) -> str:
    """Return what a problem has in common with itself in a later build."""
    return GROWING.sub("", problem)


def strip_numbers(problem: str) -> str:
    """Return the identity of a failure, whose text may contain ids of a single try."""
    return re.sub(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\d+", "", problem)


def send(address: str, text: str, timeout: float = TIMEOUT_SECONDS) -> None:
    """POST {"text": …}, which Slack, Mattermost and similar tools accept.

    Names in the text may contain anything. Slack would read <!channel> as a call of all members, so
    that &, < and > are escaped as Slack demands.

    Raises:
        AlertError: The webhook did not accept it in time.
    """
    check_address(address)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    failures: list[str] = []

    def post() -> None:
        try:
            _post(address, text, timeout)
        except AlertError as error:
            failures.append(str(error))

    # The timeout of a socket begins again with each byte of a slow answer.
    thread = threading.Thread(target=post, daemon=True)
    thread.start()
    thread.join(timeout)
    if thread.is_alive():
        raise AlertError(f"the webhook did not answer within {timeout:g} seconds")
    if failures:
        raise AlertError(failures[0])


def _post(address: str, text: str, timeout: float) -> None:
    """Send the request. An error contains nothing of the address or of the answer."""
    headers = {"Content-Type": "application/json"}
    try:
        request = urllib.request.Request(address, json.dumps({"text": text}).encode(), headers)
        urllib.request.build_opener(_NoRedirect).open(request, timeout=timeout).close()
    except urllib.error.HTTPError as error:
        raise AlertError(f"the webhook answered {error.code}") from None
    except urllib.error.URLError as error:
        reason = error.reason
        text = (reason.strerror if isinstance(reason, OSError) else None) or type(reason).__name__
        raise AlertError(f"the webhook cannot be reached: {text}") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise AlertError(f"the webhook cannot be reached: {type(error).__name__}") from None


class Alerts:
    """The problems of `kafka-cdc run`, each alerted once.

    A file keeps what was alerted and what waits, so that a restarted command alerts of nothing
    twice. A problem that went away is new when it comes back.
    """

    def __init__(self, address: str | None, file: Path, on_failure: Callable[[str], None]) -> None:
        """Read the file of an earlier command.

        Args:
            address: The webhook, or None to alert of nothing.
            file: The file.
            on_failure: Called with the reason why an alert was not sent.

        Raises:
            AlertError: The address is none.
        """
        if address:
            check_address(address)
        self.address, self.file, self.on_failure = address, file, on_failure
        self.known: dict[str, list[str]] = {}  # identities of the current problems, by kind
        self.waiting: list[str] = []
        self.omitted = 0  # problems that are not in `waiting`, because it was full
        self.retry_at = 0.0
        self._load()

    def update(
        self,
        kind: str,
        problems: Sequence[str],
        identity: Callable[[str], str] = get_identity,
        *,
        is_complete: bool = True,
    ) -> None:
        """Take the current problems of a kind. Those that the last call did not have will be sent.

        Args:
            kind: The kind.
            problems: Sentences, each with the setting or command that helps.
            identity: Returns what does not change while a problem lasts.
            is_complete: Whether problems that are missing have gone away.
        """
        if not self.address:
            return
        known = self.known.get(kind, [])
        current = {identity(problem): problem for problem in problems}
        new = [problem for key, problem in current.items() if key not in known]
        kept = [] if is_complete else [key for key in known if key not in current]
        if not new and set(current) | set(kept) == set(known):
            return
        space = max(0, MAX_PROBLEMS - len(self.waiting))
        self.waiting += new[:space]
        self.omitted += len(new[space:])
        self.known[kind] = [*kept, *current]
        self._save()

    def send(self) -> None:
        """Send what waits, unless the last try has failed a moment ago."""
        if not self.address or not self.waiting or time.monotonic() < self.retry_at:
            return
        lines = [f"kafka_cdc: {self.waiting[0]}", *self.waiting[1:]]
        if self.omitted:
            lines.append(f"{self.omitted} more problems are in the log of `kafka-cdc run`.")
        try:
            send(self.address, "\n".join(lines))
        except Exception as error:
            self.retry_at = time.monotonic() + RETRY_SECONDS
            self.on_failure(str(error) if isinstance(error, AlertError) else type(error).__name__)
            return
        self.waiting, self.omitted = [], 0
        self._save()

    def _load(self) -> None:
        """Read the file. A missing or damaged one is empty."""
        try:
            state = json.loads(self.file.read_text(encoding="utf-8"))
            self.known = {str(kind): list(keys) for kind, keys in state["known"].items()}
            self.waiting = [str(problem) for problem in state["waiting"]]
            self.omitted = int(state["omitted"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.known, self.waiting, self.omitted = {}, [], 0

    def _save(self) -> None:
        """Write the file in one step."""
        state = {"known": self.known, "waiting": self.waiting, "omitted": self.omitted}
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            new = self.file.with_suffix(".new")
            # In ASCII, because the name of a file may have bytes that are no character.
            new.write_text(json.dumps(state), encoding="utf-8")
            new.replace(self.file)
        except OSError as error:
            self.on_failure(f"{self.file} cannot be written: {error.strerror}")

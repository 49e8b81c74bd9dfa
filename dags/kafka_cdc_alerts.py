"""Alerts of the DAG kafka_cdc."""

import json
import re
import urllib.request
from collections.abc import Iterable
from typing import Any

from airflow.sdk import Connection, Variable
from airflow.sdk.exceptions import AirflowFailException, AirflowNotFoundException

CONNECTION = "kafka_cdc_alerts"
TIMEOUT_SECONDS = 10
REPORTED = "kafka_cdc_held"  # the Airflow variable with the held tables that alerts have reported
# A finding of the test tables_are_not_held that warns. Cosmos lets dbt print colors.
HELD_LINE = re.compile(
    r"(?:\x1b\[0m)?(?:\d\d:\d\d:\d\d)?\s*warning: (table .* is held(?:: it keeps |, so that ).*)"
)
# Numbers that grow with every message of a held table. They do not make its finding a new one.
GROWING = re.compile(r"\d+(?= changes without a key)|\d+(?= with one)|(?<=offset so far: )\d+")


def alert(context: Any) -> None:
    """Report a task that has failed after all its tries."""
    reason = context.get("exception") or "See its log."
    send(f"{context['ti'].task_id} failed ({format_try(context)}). {reason}", context)


def find_held_tables(output: Iterable[str]) -> list[str]:
    """Return which tables dbt's output reports as held, with reason and remedy."""
    return [match[1].strip() for line in output if (match := HELD_LINE.match(line))]


def alert_of_held_tables(held: list[str], context: Any) -> None:
    """Report all held tables if an alert has not reported one of them or its reason yet.

    A report that cannot be sent is sent by the next build. It does not fail this one, because that
    would keep back the publication of all other tables.
    """
    findings = sorted({GROWING.sub("", line) for line in held})
    try:
        reported = Variable.get(REPORTED, default=[], deserialize_json=True)
        if set(findings) - set(reported):
            text = f"{context['ti'].task_id} reports held tables ({format_try(context)}). "
            send(text + "\n".join(["All others are published.", *held]), context)
        if findings != reported:
            Variable.set(REPORTED, findings, serialize_json=True)
    except Exception as error:
        print(f"error: no alert reports the held tables: {error!r}")


def format_try(context: Any) -> str:
    """Return which run and which try of the task it is."""
    return f"run {context.get('run_id')}, try {context['ti'].try_number}"


def send(text: str, context: Any) -> None:
    """Write an alert to the log, and to the connection kafka_cdc_alerts if it exists.

    The alert is a POST of {"text": …}, which Slack, Mattermost and similar tools accept. The
    connection's password, if it has one, is the end of the address.

    Raises:
        AirflowFailException: The host of the connection is no address.
    """
    text = f"kafka_cdc: {text}"
    if url := getattr(context["ti"], "log_url", ""):
        text += f"\n{url}"
    print(text)
    try:
        connection = Connection.get(CONNECTION)
    except AirflowNotFoundException:
        return
    parts = [(connection.host or "").rstrip("/"), connection.password]
    address = "/".join(part for part in parts if part)
    if not address.startswith(("https://", "http://")):
        raise AirflowFailException(
            f"the host of the connection {CONNECTION} is no address; set it to https://…"
        )
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(address, json.dumps({"text": text}).encode(), headers)
    urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS).close()

"""Alerts of the DAG kafka_cdc. src/kafka_cdc/alerts.py decides what is alerted, and sends it."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from airflow.sdk import Connection, Variable
from airflow.sdk.exceptions import AirflowFailException, AirflowNotFoundException
from airflow.sdk.log import mask_secret

from kafka_cdc_settings import HOME

for home in (HOME, Path(__file__).resolve().parent.parent):
    sys.path.append(str(home / "src"))
from kafka_cdc import alerts  # noqa: E402

CONNECTION = "kafka_cdc_alerts"
# Airflow variables with what alerts have reported.
HELD, FINDINGS = "kafka_cdc_held", "kafka_cdc_findings"
REPORT_FAILED = "kafka_cdc_report_failed"


def alert(context: Any) -> None:
    """Report a task that has failed after all its tries."""
    reason = context.get("exception") or "See its log."
    send(f"{context['ti'].task_id} failed ({format_try(context)}). {reason}", context)


def alert_of_held_tables(output: Iterable[str], context: Any, *, is_complete: bool) -> None:
    """Report held tables that dbt warns of.

    Args:
        output: Lines of dbt.
        context: The context of the task.
        is_complete: Whether dbt ran all tests, so that missing findings are no longer true.
    """
    held = alerts.find_held_tables(output, ["warning"])
    if held or is_complete:
        title = f"reports held tables ({format_try(context)}). All others are published."
        report(HELD, f"{context['ti'].task_id} {title}", held, context)


def alert_of_topics(
    output: Iterable[str], context: Any, *, is_complete: bool, variable: str = FINDINGS
) -> None:
    """Report topics with rejected, lost, late or missing messages, likewise."""
    topics = alerts.find_topic_findings(output, ["warning"])
    if topics or is_complete:
        title = f"reports topics ({format_try(context)})."
        report(variable, f"{context['ti'].task_id} {title}", topics, context)


def report(variable: str, title: str, findings: list[str], context: Any) -> None:
    """Report all findings if an alert has not reported one of them or its reason yet.

    A report that cannot be sent is sent by the next build. It does not fail this one, because that
    would keep back the publication of all other tables.
    """
    current = sorted({alerts.get_identity(finding) for finding in findings})
    try:
        reported = Variable.get(variable, default=[], deserialize_json=True)
        if set(current) - set(reported):
            send("\n".join([title, *findings]), context)
        if current != reported:
            Variable.set(variable, current, serialize_json=True)
    except Exception as error:
        print(f"error: no alert reports the findings: {error!r}")


def format_try(context: Any) -> str:
    """Return which run and which try of the task it is."""
    return f"run {context.get('run_id')}, try {context['ti'].try_number}"


def send(text: str, context: Any) -> None:
    """Write an alert to the log, and send it if there is an address.

    Raises:
        AirflowFailException: The address is none.
        AlertError: The alert was not sent.
    """
    text = f"kafka_cdc: {text}"
    if url := getattr(context["ti"], "log_url", ""):
        text += f"\n{url}"
    print(text)
    if address := get_address():
        alerts.send(address, text)


def get_address() -> str | None:
    """Return the address of the connection kafka_cdc_alerts, else of KAFKA_CDC_ALERT_URL.

    The connection's password, if it has one, is the end of the address.

    Raises:
        AirflowFailException: It is no address.
    """
    name, address = alerts.ADDRESS, os.environ.get(alerts.ADDRESS) or None
    try:
        connection = Connection.get(CONNECTION)
    except AirflowNotFoundException:
        pass
    else:
        parts = [(connection.host or "").rstrip("/"), connection.password]
        name = f"the host of the connection {CONNECTION}"
        address = "/".join(part for part in parts if part)
    if address is None:
        return None
    try:
        alerts.check_address(address, name)
    except alerts.AlertError as error:
        raise AirflowFailException(str(error)) from None
    mask_secret(address)
    return address

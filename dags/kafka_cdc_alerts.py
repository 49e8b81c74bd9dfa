"""Alerts of the DAG kafka_cdc."""

import json
import urllib.request
from typing import Any

from airflow.sdk import Connection
from airflow.sdk.exceptions import AirflowFailException, AirflowNotFoundException

CONNECTION = "kafka_cdc_alerts"
TIMEOUT_SECONDS = 10


def alert(context: Any) -> None:
    """Report a task that has failed after all its tries.

    The report goes to the log, and to the connection kafka_cdc_alerts if it exists.

    The report is a POST of {"text": …}, which Slack, Mattermost and similar tools accept. The
    connection's password, if it has one, is the end of the address.

    Raises:
        AirflowFailException: The host of the connection is no address.
    """
    instance, reason = context["ti"], context.get("exception")
    run = f"run {context.get('run_id')}, try {instance.try_number}"
    text = f"kafka_cdc: {instance.task_id} failed ({run}). {reason or 'See its log.'}"
    if url := getattr(instance, "log_url", ""):
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

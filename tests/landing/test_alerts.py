"""Alerts of `kafka-cdc run` and of the DAG, with a real webhook on loopback."""

import argparse
import errno
import json
import os
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from kafka_cdc import alerts, build, loop
from kafka_cdc.alerts import AlertError, Alerts
from kafka_cdc.build import BuildResult
from kafka_cdc.errors import LandingError
from kafka_cdc.shutdown import Shutdown

SECRET = "T0000/a-secret-of-the-address"


class Webhook:
    """A webhook. `answer` is a status code, or a function of the handler."""

    def __init__(self, port=0):
        self.texts, self.answer = [], 200
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                assert self.headers["Content-Type"] == "application/json" and list(body) == ["text"]
                if callable(owner.answer):
                    return owner.answer(self)
                if owner.answer == 200:
                    owner.texts.append(body["text"])
                self.send_response(owner.answer)
                self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self.server.server_port
        self.url = f"http://127.0.0.1:{self.port}/services/{SECRET}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        """Stop the server."""
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def webhook(monkeypatch):
    """A webhook; a failed alert is tried again at once."""
    monkeypatch.setattr(alerts, "RETRY_SECONDS", 0)
    running = Webhook()
    yield running
    running.stop()


@pytest.fixture
def failures():
    """What the log reports of alerts that were not sent."""
    return []


@pytest.fixture
def opened(webhook, tmp_path, failures):
    """Return a function that opens the alerts, as a restarted command does."""
    return lambda: Alerts(webhook.url, tmp_path / "target" / "alerts.json", failures.append)


def test_each_problem_is_sent_once(opened, webhook, failures):
    running = opened()
    for known in (["a is held"], ["a is held"], ["a is held", "b is held"], [], ["a is held"]):
        running.update("findings", known)
        running.update("build", [])
        running.send()
        running.send()
    assert webhook.texts == [f"kafka_cdc: {letter} is held" for letter in "aba"]
    assert failures == []


def test_a_restarted_command_sends_nothing_twice(opened, webhook):
    for _ in range(2):
        running = opened()
        running.update("build", ["build failed: a"])
        running.send()
    assert webhook.texts == ["kafka_cdc: build failed: a"]


def test_any_name_of_a_file_or_table_can_be_sent(opened, webhook, failures):
    """Bytes that are no UTF-8, and what Slack would read as a command or a link."""
    names = os.fsdecode(b"a\xe9.jsonl"), "<!channel> <http://x|y> & z"
    for _ in range(2):
        running = opened()
        running.update("rejected", names)
        running.send()
    escaped = "&lt;!channel&gt; &lt;http://x|y&gt; &amp; z"
    assert webhook.texts == [f"kafka_cdc: {names[0]}\n{escaped}"] and failures == []


def test_a_failed_build_does_not_end_findings(opened, webhook):
    running = opened()
    running.update("findings", ["a", "b"])
    running.update("findings", ["b", "c"], is_complete=False)
    running.update("findings", ["a", "b", "c"])
    running.send()
    assert webhook.texts == ["kafka_cdc: a\nb\nc"]


def slow(handler):
    """Answer a byte at a time, so that no single wait is long."""
    for byte in b"HTTP/1.1 200 OK":
        try:
            handler.wfile.write(bytes([byte]))
            time.sleep(0.3)
        except OSError:
            return


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (500, "the webhook answered 500"),
        (404, "the webhook answered 404"),
        (302, "the webhook answered 302"),
        (slow, "the webhook did not answer within 1 seconds"),
        (lambda handler: handler.connection.shutdown(2), "the webhook cannot be reached: "),
    ],
)
def test_what_is_not_accepted_is_sent_later(opened, webhook, failures, monkeypatch, answer, reason):
    """Also when the problem has gone away meanwhile, and by the next command."""
    monkeypatch.setattr(alerts.send, "__defaults__", (1.0,))
    webhook.answer = answer
    running = opened()
    running.update("findings", ["one batch was rejected"])
    began = time.monotonic()
    running.send()
    assert time.monotonic() - began < 3
    running.update("findings", ["another one was rejected"])
    running.send()
    assert len(failures) == 2 and all(failure.startswith(reason) for failure in failures)
    assert webhook.texts == []

    webhook.answer = 200
    again = opened()
    again.update("findings", [])
    again.send()
    assert webhook.texts == ["kafka_cdc: one batch was rejected\nanother one was rejected"]
    assert len(failures) == 2 and not any(SECRET in failure for failure in failures)


def test_a_webhook_that_was_down_gets_the_alert(opened, webhook, failures):
    webhook.stop()
    running = opened()
    running.update("build", ["build failed: a"])
    running.send()
    assert failures == ["the webhook cannot be reached: " + os.strerror(errno.ECONNREFUSED)]
    restarted = Webhook(webhook.port)
    running.send()
    restarted.stop()
    assert restarted.texts == ["kafka_cdc: build failed: a"]


def test_a_failed_alert_waits(opened, webhook, failures, monkeypatch):
    """Otherwise a webhook without an answer would slow each cycle."""
    monkeypatch.setattr(alerts, "RETRY_SECONDS", 60)
    webhook.answer = 500
    running = opened()
    running.update("build", ["build failed: a"])
    for _ in range(3):
        running.send()
    assert len(failures) == 1


def test_what_waits_is_bounded(opened, webhook):
    webhook.answer = 500
    running = opened()
    for number in range(150):
        running.update("build", [f"node {chr(0x4E00 + number)} failed"])
    running.send()
    webhook.answer = 200
    opened().send()
    lines = webhook.texts[0].splitlines()
    assert len(lines) == alerts.MAX_PROBLEMS + 1 and lines[-1].startswith("50 more problems")


def test_a_damaged_file_is_read_as_empty(opened, webhook, tmp_path, failures):
    (tmp_path / "target").mkdir()
    for text in ("", "[]", '{"known": 1}', '{"known": {"build": null}}'):
        (tmp_path / "target" / "alerts.json").write_text(text)
        running = opened()
        running.update("build", ["a"])
        running.send()
    assert webhook.texts == ["kafka_cdc: a"] * 4


def test_a_folder_that_cannot_be_written(webhook, tmp_path, failures):
    (tmp_path / "target").write_text("a file")
    running = Alerts(webhook.url, tmp_path / "target" / "alerts.json", failures.append)
    running.update("build", ["a"])
    running.send()
    assert webhook.texts == ["kafka_cdc: a"]
    assert failures and all("cannot be written" in failure for failure in failures)


def test_without_an_address_nothing_is_kept(tmp_path, failures):
    running = Alerts(None, tmp_path / "alerts.json", failures.append)
    running.update("build", ["a"])
    running.send()
    assert (list(tmp_path.iterdir()), failures) == ([], [])


@pytest.mark.parametrize("address", ["hooks.example/x", "ftp://host/x", "https://", "https:// x"])
def test_a_wrong_address(address, tmp_path):
    with pytest.raises(AlertError, match="KAFKA_CDC_ALERT_URL is no address. Hint: ") as raised:
        Alerts(address, tmp_path / "alerts.json", print)
    assert address not in str(raised.value).replace("https://…", "")


def test_an_unreachable_host_names_no_secret():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    for host in (f"127.0.0.1:{port}", "127.0.0.1:99999999", "nowhere.invalid"):
        with pytest.raises(AlertError) as raised:
            alerts.send(f"http://{host}/{SECRET}", "a", timeout=5)
        assert SECRET not in str(raised.value)


REJECTED = (
    "topic a: {} new messages were rejected (invalid_json {}, missing_key 1), for example partition"
    " 0, offset {}. The model quarantine has the reasons. To read them again after a change: dbt"
    ' build --vars "{{replay: quarantine}}". To accept as many in a build, add to topics: expect:'
    " {{max_rejected: {}}}"
)
LOST = (
    "topic a: Kafka deleted {} before landing read {}, for example from partition 0, offset 7. To"
    " accept as many, add to topics: expect: {{max_lost: {}}}"
)
SILENT = (
    "topic a: no message for {} seconds, and the longest time without one in the 56 days before"
    " was 3600 seconds. Look at the connector and at the landing, or add to topics: expect:"
    " {{max_silence: {}d}}"
)
LATE = (
    "topic a: the newest batch landed {} seconds after the source changed, and expect.max_lag is"
    " 15m. Look at the connector"
)


@pytest.mark.parametrize(
    ("first", "later", "other"),
    [
        (REJECTED.format(3, 2, 7, 3), REJECTED.format(9, 8, 70, 9), "missing_table"),
        (
            REJECTED.format(1, 1, 7, 1).replace("messages were", "message was"),
            REJECTED.format(2, 2, 7, 2),
            "missing_table",
        ),
        (LOST.format("1 offset", "it", 1), LOST.format("20 offsets", "them", 20), None),
        (SILENT.format(8000, 1), SILENT.format(90000, 3), None),
        (LATE.format(1000), LATE.format(2000), "16m"),
    ],
)
def test_a_growing_count_is_no_new_problem(first, later, other):
    assert first != later and alerts.get_identity(first) == alerts.get_identity(later)
    assert alerts.find_topic_findings([f"warning: {first}", f"12:00:00  failed: {first}"]) == [
        first,
        first,
    ]
    if other:
        changed = first.replace("missing_key", other).replace("15m", other)
        assert alerts.get_identity(changed) != alerts.get_identity(first)


def test_failures_differ_by_more_than_numbers():
    one = "events: Got 3 results in 4b2f0c1e-aaaa-bbbb-cccc-0123456789ab"
    two = "events: Got 5 results in 4b2f0c1e-aaaa-bbbb-cccc-ffff456789ab"
    assert alerts.strip_numbers(one) == alerts.strip_numbers(two)
    assert alerts.strip_numbers(one) != alerts.strip_numbers(one.replace("events", "stats"))


class Script:
    """What the landings and builds of a loop do, one after the other."""

    def __init__(self, loop_, monkeypatch, *cycles):
        self.cycles, self.loop = list(cycles), loop_
        monkeypatch.setattr(loop_, "_land", self.land)
        monkeypatch.setattr(loop_, "_get_state", lambda project: None)
        monkeypatch.setattr(loop, "refresh_tables", lambda _: None)
        monkeypatch.setattr(loop, "is_running", lambda _: True)
        monkeypatch.setattr(build, "run", lambda *_, **__: self.build)

    def land(self, landed):
        """Land, or fail with the error of this cycle. A build then ends as the last one did."""
        step = self.cycles.pop(0)
        if isinstance(step, Exception):
            raise step
        self.build, landed.messages = step, 1

    def run(self):
        """Run all cycles."""
        with self.loop.shutdown:
            while self.cycles:
                self.loop.run_cycle()


def test_the_loop_alerts_of_failures_and_findings(opened, webhook, monkeypatch, tmp_path, capsys):
    """Each once, with what to do. Findings of a failed build that are missing are not over."""
    finding = f"warning: {REJECTED.format(3, 3, 7, 3)}"
    held = "failed: table a.b of source c is held, so that it is not published. Reason: d"
    fine = BuildResult(is_successful=True, messages=["published: a=1", finding, "warning: other"])
    failed = BuildResult(is_successful=False, failures=["m: Got 3 results"], messages=[held])
    again = BuildResult(is_successful=False, failures=["m: Got 5 results"])
    away = LandingError("no topic of broker matches a")
    arguments = argparse.Namespace(
        continuous=True,
        interval=1.0,
        monitoring_interval=0.0,
        files=["a"],
        topics=None,
        vars="{}",
        report=tmp_path,
        schema="raw",
        table="kafka_messages",
    )
    running = loop.Loop(None, arguments, Shutdown(is_patient=True), opened())
    Script(running, monkeypatch, fine, failed, again, away, away, fine, fine).run()
    first, second, third = webhook.texts
    assert first == "kafka_cdc: " + finding.removeprefix("warning: ")
    failure, table = second.splitlines()
    assert failure.startswith("kafka_cdc: build failed: m: Got 3 results. Readers see what was")
    assert "Hint: `dbt build`" in failure and table == held.removeprefix("failed: ")
    assert third.startswith("kafka_cdc: landing failed: no topic of broker matches a. ")
    assert "Hint: `kafka-cdc land`" in third
    # Five cycles land. The two whose landing fails build again what the last build did not.
    assert capsys.readouterr().err.count("report_failed note=") == 7

    webhook.texts.clear()
    settings = BuildResult(is_successful=False, is_settings_error=True, failures=["on_held: x"])
    with pytest.raises(LandingError):
        Script(running, monkeypatch, settings).run()
    (text,) = webhook.texts
    assert "kafka-cdc run ended: dbt cannot build: on_held: x. Hint: correct" in text

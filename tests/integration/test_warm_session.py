"""`kafka-cdc session`: dbt without Java uses the server, and sees what other processes land."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from broker import free_ports

from conftest import HOME, long
from kafka_cdc import exit_codes, warm_session

IS_LONG = "KAFKA_CDC_LONG" in os.environ
COUNT = "select concat('messages: ', count(*)) as answer from {{ source('raw', 'kafka_messages') }}"


class Shell:
    """Commands in a shell, with a lake of its own."""

    def __init__(self, folder):
        self.folder, self.lake = folder, folder / "lake"
        self.variables = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("KAFKA_CDC_", "SPARK_", "DBT_"))
            or name == "KAFKA_CDC_FILE_FORMAT"
        }
        self.variables |= {
            "KAFKA_CDC_LAKE": str(self.lake),
            "KAFKA_CDC_MEMORY": "1g",
            "DBT_TARGET_PATH": str(folder / "target"),
            "DBT_LOG_PATH": str(folder / "logs"),
            "PYTHONWARNINGS": re.search(
                r"PYTHONWARNINGS:-(.*)}", (HOME / "profiles/activate.sh").read_text()
            )[1],
        }

    def run(self, *command, **variables):
        """Return exit code, stdout and stderr of a Python module."""
        done = subprocess.run(
            [sys.executable, "-m", *map(str, command)],
            cwd=HOME,
            env=self.variables | variables,
            text=True,
            capture_output=True,
        )
        return done.returncode, done.stdout, done.stderr

    def session(self, action, *arguments):
        """Run `kafka-cdc session`."""
        return self.run("kafka_cdc", "session", action, *arguments)

    def dbt(self, *arguments, **variables):
        """Run dbt where no Java is found. Return whether it succeeded, and its output."""
        path = str(Path(sys.executable).parent)
        hidden = {"PATH": path, "JAVA_HOME": "/nowhere"} | variables
        code, out, err = self.run("dbt.cli.main", "--quiet", *arguments, **hidden)
        return code == 0, out + err

    def land(self, number):
        """Land one message more."""
        message = {
            "database": "d",
            "table": "m",
            "type": "insert",
            "ts": 1700000000,
            "position": f"bin.1:{100 + number}",
            "primary_key_columns": ["id"],
            "data": {"id": number},
        }
        with (self.folder / "warm.jsonl").open("a") as file:
            file.write(json.dumps(message) + "\n")
        code, _, err = self.run("kafka_cdc", "land", "files", self.folder / "warm.jsonl")
        assert code == 0, err

    def count_messages(self):
        """Return what the analyst sees."""
        succeeded, output = self.dbt("show", "--inline", COUNT)
        assert succeeded, output
        return int(re.search(r"messages: (\d+)", output)[1])


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """A shell that uses a running session."""
    shell = Shell(tmp_path_factory.mktemp("warm_session"))
    assert shell.session("status")[:2] == (exit_codes.FAILURE, "no session runs\n")
    [port] = free_ports(1)
    code, out, err = shell.session("start", "--port", port)
    assert code == 0, err
    exports = dict(re.fullmatch(r"export (\w+)=(\S+)", line).groups() for line in out.splitlines())
    assert exports["SPARK_REMOTE"] == f"sc://localhost:{port}"
    shell.variables |= exports
    shell.port = port
    yield shell
    shell.session("stop")


def wait_for_end(pid):
    """Wait until a process has ended. It gives up its lock shortly before."""
    process = Path(f"/proc/{pid}")
    for _ in range(200):
        if not process.exists() or "Z" in (process / "stat").read_text().split()[2]:
            return
        time.sleep(0.1)
    raise AssertionError(f"process {pid} still runs")


def test_a_server_that_does_not_start_is_ended(tmp_path):
    """It would hold the lock of the lake. Needs no Spark."""
    shell = Shell(tmp_path)
    shell.lake.mkdir()
    code = (
        "import time; from kafka_cdc import session, warm_session;"
        "session.start = lambda **_: print('starting', flush=True) or time.sleep(60);"
        "warm_session.serve(1)"
    )
    command = [sys.executable, "-c", code]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=HOME, env=shell.variables, stdout=pipe, text=True) as server:
        assert server.stdout.readline() == "starting\n"
        server.terminate()
        assert server.wait(10) == -signal.SIGTERM
    with (shell.lake / warm_session.LOCK_FILE).open() as file:
        assert warm_session.try_lock(file)


def test_dbt_uses_the_session_and_sees_what_lands(shell):
    """Another process lands. With --long, one more after the server has read the table."""
    for number in (1, 2) if IS_LONG else (1,):
        shell.land(number)
        assert shell.count_messages() == number


@long
def test_dbt_writes_with_the_session(shell):
    succeeded, output = shell.dbt("build", "--select", "source_types")
    assert succeeded, output


def test_a_second_start_prints_the_same(shell):
    code, out, err = shell.session("start", "--port", shell.port)
    assert code == 0 and "already runs" in err
    assert all(
        f"={shell.variables[name]}\n" in out for name in ("SPARK_REMOTE", warm_session.TOKEN)
    )
    code, out, _ = shell.session("status")
    assert code == 0 and f"sc://localhost:{shell.port}" in out


def test_only_the_token_opens_the_session(shell):
    """Neither no token nor another one. No other user can read it."""
    for token in ("", "other") if IS_LONG else ("other",):
        succeeded, output = shell.dbt(
            "show", "--inline", "select 1 as one", SPARK_CONNECT_AUTHENTICATE_TOKEN=token
        )
        assert not succeeded, output
    assert (shell.lake / warm_session.LOCK_FILE).stat().st_mode & 0o077 == 0


@long
def test_a_port_that_is_taken(shell, tmp_path):
    """A second lake needs a port of its own."""
    other = Shell(tmp_path)
    code, _, err = other.session("start", "--port", shell.port)
    assert code == exit_codes.FAILURE
    assert err.startswith(f"error: port {shell.port} cannot be used") and "--port" in err
    assert other.session("status")[0] == exit_codes.FAILURE


def test_stop_ends_the_server(shell):
    """It prints the command that unsets what would keep dbt waiting for it."""
    pid = json.loads((shell.lake / warm_session.LOCK_FILE).read_text())["pid"]
    code, out, err = shell.session("stop")
    assert (code, err) == (0, "the session has ended\n")
    assert out == "unset KAFKA_CDC_TARGET SPARK_REMOTE SPARK_CONNECT_AUTHENTICATE_TOKEN\n"
    wait_for_end(pid)
    assert shell.session("status")[0] == exit_codes.FAILURE
    assert shell.session("stop")[0] == 0  # again

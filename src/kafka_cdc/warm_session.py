"""`kafka-cdc session`: a Spark Connect server that stays, so that dbt need not start Spark.

The server is a process of its own. While it runs, it holds a lock on a file in the lake. A process
id that another program has reused therefore does not count as a running server.
"""

import argparse
import contextlib
import fcntl
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from kafka_cdc import environment, exit_codes
from kafka_cdc.errors import LandingError, reason

TARGET = "session"  # in profiles.yml
HOST = "localhost"  # PySpark sends a token without TLS to this name only
TOKEN = environment.SPARK_TOKEN.name  # the server and PySpark's client read this variable
START_SECONDS = 120
STOP_SECONDS = 60
LOCK_SECONDS = 2
POLL_SECONDS = 0.1
VARIABLES = (environment.TARGET.name, environment.SPARK_REMOTE.name, TOKEN)
LOCK_FILE, LOG_FILE = "session.json", "session.log"


@dataclass(frozen=True)
class State:
    """A running server.

    Attributes:
        pid: The id of its process.
        port: The port of Spark Connect.
        token: What a client must present.
    """

    pid: int
    port: int
    token: str

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables with which dbt uses the server."""
        values = (TARGET, f"sc://{HOST}:{self.port}", self.token)
        return dict(zip(VARIABLES, values, strict=True))


def start(port: int) -> int:
    """Start the server if it does not run. Print the variables with which dbt uses it.

    Returns:
        The exit code.

    Raises:
        LandingError: The server does not start.
    """
    environment.prepare()
    state = read_state()
    if state:
        print(f"the session already runs ({describe(state)})", file=sys.stderr)
    else:
        began = time.monotonic()
        state = launch(port)
        seconds = time.monotonic() - began
        print(f"the session runs after {seconds:.0f} s ({describe(state)})", file=sys.stderr)
    for name, value in state.variables.items():
        print(f"export {name}={value}")
    return exit_codes.SUCCESS


def stop() -> int:
    """End the server. Print how a shell unsets the variables of `start`.

    Returns:
        The exit code.

    Raises:
        LandingError: It does not end.
    """
    environment.prepare()
    print("unset", *VARIABLES)
    state = read_state()
    if not state:
        print("no session runs", file=sys.stderr)
        return exit_codes.SUCCESS
    with contextlib.suppress(ProcessLookupError):
        os.kill(state.pid, signal.SIGTERM)
    began = time.monotonic()
    while read_state():
        if time.monotonic() - began > STOP_SECONDS:
            raise LandingError(f"the session does not end. Hint: kill process {state.pid}")
        time.sleep(POLL_SECONDS)
    print("the session has ended", file=sys.stderr)
    return exit_codes.SUCCESS


def status() -> int:
    """Print whether the server runs. Returns the exit code: 1 if it does not."""
    environment.prepare()
    state = read_state()
    print(f"the session runs ({describe(state)})" if state else "no session runs")
    return exit_codes.SUCCESS if state else exit_codes.FAILURE


def describe(state: State) -> str:
    """Return where a server is, in a few words."""
    return f"sc://{HOST}:{state.port}, process {state.pid}, lake {environment.lake_folder()}"


def lock_path() -> Path:
    """Return the file that a running server locks, and that contains its state."""
    return environment.lake_folder() / LOCK_FILE


def read_state() -> State | None:
    """Return the server that runs for this lake, or None."""
    try:
        with lock_path().open(encoding="utf-8") as file:
            if try_lock(file):
                return None
            text = file.read()
    except FileNotFoundError:
        return None
    try:
        return State(**json.loads(text))
    except (ValueError, TypeError):  # the server has not written it yet
        return None


def try_lock(file: IO[str]) -> bool:
    """Return whether the file could be locked. Closing the file ends the lock."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def launch(port: int) -> State:
    """Start the server as a process that outlives this one, and wait until it answers.

    Raises:
        LandingError: It ends before, or takes too long.
    """
    try:
        socket.create_server((HOST, port)).close()
    except OSError as error:
        raise LandingError(
            f"port {port} cannot be used: {error.strerror}. Hint: --port selects another"
        ) from None
    folder = environment.lake_folder()
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / LOG_FILE
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "kafka_cdc.warm_session", "--port", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            env=get_server_environment(),
        )
    try:
        return wait_for(process, log)
    except BaseException:
        process.terminate()
        raise


def wait_for(process: subprocess.Popen[bytes], log: Path) -> State:
    """Return the state of a server that starts, as soon as it answers.

    Raises:
        LandingError: It ends before, or takes too long.
    """
    began = time.monotonic()
    while not (state := read_state()):
        if process.poll() is not None:
            lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            cause = lines[-1].removeprefix("error: ") if lines else "no output"
            raise LandingError(f"the session did not start: {cause}")
        if time.monotonic() - began > START_SECONDS:
            raise LandingError(
                f"the session did not start within {START_SECONDS} s. Hint: see {log}"
            )
        time.sleep(POLL_SECONDS)
    return state


def get_server_environment() -> dict[str, str]:
    """Return the environment of the server: with a new token, and with a target of its own."""
    variables = os.environ | {TOKEN: secrets.token_hex(16)}
    if variables.get(environment.TARGET.name) == TARGET:  # of a shell that used an earlier server
        del variables[environment.TARGET.name]
    return variables


@contextlib.contextmanager
def locked() -> Iterator[IO[str]]:
    """Lock the state file while the server runs.

    Raises:
        LandingError: Another server runs for this lake.
    """
    path = lock_path()
    # Only the user may read the token.
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8") as file:
        began = time.monotonic()
        while not try_lock(file):  # read_state() holds the lock for a moment
            if time.monotonic() - began > LOCK_SECONDS:
                raise LandingError(
                    "another session runs for this lake. Hint: run `kafka-cdc session stop`"
                )
            time.sleep(POLL_SECONDS / 10)
        file.truncate()
        try:
            yield file
        finally:
            file.seek(0)
            file.truncate()


def get_server_settings(settings: dict[str, str], port: int) -> dict[str, str]:
    """Return the Spark settings of the server, in addition to those of the profile."""
    catalogs = [
        name
        for name, value in settings.items()
        if name.startswith("spark.sql.catalog.") and value.endswith(".iceberg.spark.SparkCatalog")
    ]
    return {
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.address": HOST,
        "spark.connect.grpc.binding.port": str(port),
        # Landing writes in another process. A cached table would be out of date.
        **{f"{name}.cache-enabled": "false" for name in catalogs},
    }


def serve(port: int) -> None:
    """Run the server until SIGTERM, or until its JVM ends.

    While the server starts, SIGTERM ends the process immediately. Its JVM then ends too.
    """
    from kafka_cdc import session

    is_ended = threading.Event()
    environment.prepare()
    with locked() as file:
        settings = get_server_settings(session.read_spark_settings(), port)
        spark: Any = session.start(heap=session.BUILD_HEAP, more=settings)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: is_ended.set())
        json.dump(asdict(State(os.getpid(), port, os.environ[TOKEN])), file)
        file.flush()
        jvm = spark.sparkContext._gateway.proc
        while not is_ended.wait(1) and jvm.poll() is None:
            pass
        if jvm.poll() is None:
            spark.stop()


def main() -> int:
    """Run the server. An error is the last line of its log."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    try:
        serve(parser.parse_args().port)
    except Exception as error:
        print(f"error: {reason(error)}", file=sys.stderr)
        return exit_codes.FAILURE
    return exit_codes.SUCCESS


if __name__ == "__main__":
    sys.exit(main())

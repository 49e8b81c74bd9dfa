"""A landing that SIGTERM or ^C stops ends soon with exit code 130, regardless of what it currently does.

It neither loses nor duplicates messages.
"""

import contextlib
import itertools
import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest
from py4j.clientserver import ClientServerConnection
from readers import folder_of
from test_files import Lake, start, write_topics
from test_kafka import NAMES, KafkaLake, consume

from conftest import long
from kafka_cdc import session, shutdown
from kafka_cdc.shutdown import Shutdown
from kafka_cdc.tables import table_format

LONG = "KAFKA_CDC_LONG" in os.environ
SEED = int(os.environ.get("KAFKA_CDC_SEED", time.time_ns()))
STOPPED = "stopped; the same command lands what is missing"


def signal_after(seconds, number=signal.SIGTERM, pid=None):
    """Send a signal to a process, this one by default, after some time."""
    timer = threading.Timer(seconds, os.kill, [pid or os.getpid(), number])
    timer.start()
    return timer


def work_until_stopped(stop, done):
    """Return work that looks every few milliseconds whether it is to stop, and adds to `done` what it finishes."""

    def work():
        while True:
            stop.check()
            time.sleep(0.01)
            done.append("a step")

    return work


@pytest.mark.parametrize("number", shutdown.SIGNALS)
def test_work_ends_at_its_next_safe_point(number):
    before, done = signal.getsignal(number), []
    with Shutdown() as stop:
        signal_after(0.2, number)
        with pytest.raises(KeyboardInterrupt):
            stop.run(work_until_stopped(stop, done))
        steps = len(done)
        with pytest.raises(KeyboardInterrupt):
            stop.run(lambda: done.append("never"))
        assert steps == len(done) > 3
    assert signal.getsignal(number) == before


def test_a_pause_ends_immediately():
    with Shutdown() as stop:
        began = time.monotonic()
        signal_after(0.2)
        with pytest.raises(KeyboardInterrupt):
            stop.run(lambda: stop.pause(60))
        assert time.monotonic() - began < 5


def test_work_that_comes_to_no_safe_point_is_left(monkeypatch):
    monkeypatch.setattr(shutdown, "SHUTDOWN_GRACE_SECONDS", 0.3)
    ended = threading.Event()
    with Shutdown() as stop:
        signal_after(0.2)
        with pytest.raises(KeyboardInterrupt):
            stop.run(lambda: ended.wait(60))
    ended.set()


def test_a_second_signal_ends_immediately():
    ended = threading.Event()
    with Shutdown() as stop:
        began = time.monotonic()
        signal_after(0.2)
        signal_after(0.5)
        with pytest.raises(KeyboardInterrupt):
            stop.run(lambda: ended.wait(60))
        assert 0.4 < time.monotonic() - began < 5
    ended.set()


def test_what_comes_of_the_work_comes_of_it():
    with Shutdown() as stop:
        assert stop.run(lambda: 1) == 1 and stop.run(
            lambda: threading.current_thread() is not threading.main_thread()
        )
        with pytest.raises(ZeroDivisionError):
            stop.run(lambda: 1 / 0)


def test_a_signal_before_the_work_keeps_it_from_beginning():
    with Shutdown() as stop:
        os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            stop.run(lambda: pytest.fail("it began"))


@contextlib.contextmanager
def production(broker, *names):
    """Write messages to topics all the time."""
    ended = threading.Event()

    def work():
        while not ended.wait(0.3):
            for name in names:
                broker.produce(name, [random.randbytes(50).hex() for _ in range(20)])

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def ready_for_signals(process):
    """Wait until a process has a handler for SIGTERM."""
    caught = 0
    while not caught >> signal.SIGTERM - 1 & 1:
        assert process.poll() is None
        caught = int(
            Path(f"/proc/{process.pid}/status").read_text().split("SigCgt:")[1].split()[0], 16
        )
        time.sleep(0.01)


@pytest.fixture
def signal_at_call(monkeypatch):
    """Send SIGTERM during or shortly after the Java call with a given number. Return a list that then has the time."""
    send = ClientServerConnection.send_command

    def prepare(number, seconds):
        calls, sent = itertools.count(), []

        def send_and_signal(connection, command):
            if next(calls) == number:
                sent.append(time.monotonic())
                signal_after(seconds)
            return send(connection, command)

        monkeypatch.setattr(ClientServerConnection, "send_command", send_and_signal)
        return sent

    return prepare


def test_stopped_at_random_calls_under_production(broker, signal_at_call):
    session.start()
    lake, names = KafkaLake(broker), [broker.create(next(NAMES)) for _ in range(2)]
    chance, arguments = random.Random(SEED), (",".join(names), "--continuous", "--interval", 0.1)
    with production(broker, *names):
        for _ in range(60 if LONG else 3):
            sent = signal_at_call(chance.randrange(1500), chance.uniform(0, 0.02))
            code, _, err = lake.land(*arguments)
            assert code == 130 and err.splitlines()[-1] == STOPPED and "error" not in err, (
                SEED,
                err,
            )
            assert time.monotonic() - sent[0] < 30
    assert lake.land(arguments[0])[0] == 0 and lake.messages() == consume(broker, *names)


@long
def test_a_process_is_stopped_at_random_moments_under_production(broker):
    session.start()
    lake, name, chance = KafkaLake(broker), broker.create(next(NAMES)), random.Random(SEED)
    with production(broker, name):
        for _ in range(12):
            process = lake.start(name, "--continuous", "--interval", 0.1)
            ready_for_signals(process)
            signal_after(chance.uniform(0, 14), pid=process.pid)
            _, err = process.communicate(timeout=60)
            assert (
                process.returncode == 130 and err.splitlines()[-1] == STOPPED and "error" not in err
            ), (SEED, err)
    assert lake.land(name)[0] == 0 and lake.messages() == consume(broker, name)


@pytest.mark.parametrize(
    ("number", "file"),
    [
        pytest.param(signal.SIGINT, None, marks=long),
        (signal.SIGTERM, "data/*/*.parquet" if table_format.NAME == "iceberg" else "*.parquet"),
    ],
)
def test_a_landing_of_files_is_stopped(tmp_path, number, file):
    """Stopped while Spark starts, or when it has written and not yet committed."""
    lake = Lake(schema=f"stopped_{number.name.lower()}")
    wanted = write_topics(tmp_path, 1000)
    process = start(lake, tmp_path)
    ready_for_signals(process)
    while file and not list(folder_of(lake.folder, lake.schema).glob(file)):
        assert process.poll() is None
        time.sleep(0.001)
    os.kill(process.pid, number)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, f"{STOPPED}\n")
    code, _, err = lake.land(tmp_path)
    assert (code, err) == (0, "") and lake.values() == wanted

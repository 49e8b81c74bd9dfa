"""What the servers of tests have in common: a process in a group of its own that is started, stopped and killed, and waiting."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from confluent_kafka import Consumer, TopicPartition

# Database servers do not run as root. Tests that run as root start them as this user.
USER = {"user": "nobody", "group": "nogroup"} if os.geteuid() == 0 else {}


def make_folder(prefix):
    """Make a folder that USER may enter and write to; return it."""
    folder = Path(tempfile.mkdtemp(prefix=f"kafka_cdc_{prefix}_"))
    if USER:
        shutil.chown(folder, USER["user"])
    return folder


def wait_for(is_done, what, seconds=60, process=None, log=None):
    """Return what is_done returns once it is true; fail after some seconds, or when the process has ended, with the end of its log."""
    began = time.monotonic()
    while not (result := is_done()):
        if time.monotonic() - began > seconds or process is not None and process.poll() is not None:
            raise RuntimeError(
                f"waited for {what}: "
                + (Path(log).read_text(errors="replace")[-4000:] if log else "nothing came")
            )
        time.sleep(0.1)
    return result


class Server:
    """A process that writes its output to <folder>/<name>.log."""

    name = "server"
    stop_signal = signal.SIGTERM
    process = None

    def __init__(self, folder):
        self.folder = Path(folder)
        self.log = self.folder / f"{self.name}.log"

    def launch(self, command, **options):
        """Start the process."""
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                list(map(str, command)),
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                **options,
            )

    def stop(self):
        """End the process as its administrator would."""
        self._end(self.stop_signal)

    def kill(self):
        """End the process without a warning."""
        self._end(signal.SIGKILL)

    def _end(self, number):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, number)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait(30)


class Reader(Server):
    """A server that reads a database's log and writes to Kafka."""

    def __init__(self, folder, broker):
        super().__init__(folder)
        self.broker = broker
        self.seen = {}  # by topic and partition: from where wait_for_message reads on

    def wait_for_message(self, topic, text, seconds=60):
        """Wait until a message of a topic holds a text; the next call starts after that message."""
        consumer = Consumer(
            {
                "bootstrap.servers": self.broker.servers,
                "group.id": "wait",
                "auto.offset.reset": "earliest",
                "log_level": 0,
                "allow.auto.create.topics": "false",
                "topic.metadata.refresh.interval.ms": 200,
                "enable.auto.commit": "false",
            }
        )

        def has_come():
            known = consumer.list_topics(topic, timeout=5).topics[topic].partitions
            consumer.assign(
                [
                    TopicPartition(topic, number, self.seen.get((topic, number), 0))
                    for number in known
                ]
            )
            while known and (message := consumer.poll(1)) is not None:
                if not message.error():
                    self.seen[topic, message.partition()] = message.offset() + 1
                    if text in (message.value() or b"").decode(errors="replace"):
                        return True
            return False

        wait_for(has_come, f"{text} in {topic}", seconds, self.process, self.log)
        consumer.close()

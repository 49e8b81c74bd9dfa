"""Kafka Connect in its standalone mode, with Debezium's connectors: the real worker, whose offsets lie in a file."""

import json
import urllib.request

from broker import FAST_START, JAVA, fetch_jars, free_ports

from .processes import Reader, wait_for

JSON = "org.apache.kafka.connect.json.JsonConverter"
DEFAULTS = {
    "tasks.max": 1,
    "skipped.operations": "none",
    "max.batch.size": 1024,
    "poll.interval.ms": 100,
    "provide.transaction.metadata": "true",
    "topic.creation.default.replication.factor": 1,
    "topic.creation.default.partitions": 3,
    "snapshot.max.threads": 1,
}


class Connect(Reader):
    """A worker in a folder, whose connectors (name → settings) write to the broker."""

    name = "connect"

    def __init__(self, folder, broker, connectors):
        super().__init__(folder, broker)
        self.jars = fetch_jars("connect")
        self.connectors = connectors
        [self.port] = free_ports(1)
        self.write(
            "worker",
            {
                "bootstrap.servers": broker.servers,
                "listeners": f"http://127.0.0.1:{self.port}",
                "plugin.discovery": "service_load",
                "plugin.path": "",
                "key.converter": JSON,
                "value.converter": JSON,
                "offset.storage.file.filename": self.folder / "offsets",
                "offset.flush.interval.ms": 500,
                "producer.linger.ms": 5,
            },
        )
        for name, settings in connectors.items():
            self.write(name, {"name": name, **DEFAULTS, **settings})

    def write(self, name, settings):
        """Write a properties file."""
        (self.folder / f"{name}.properties").write_text(
            "".join(f"{key}={value}\n" for key, value in settings.items())
        )

    def start(self):
        """Start the worker and wait until each connector runs; after a stop or a kill it goes on where its offsets say."""
        files = [self.folder / f"{name}.properties" for name in ("worker", *self.connectors)]
        self.launch(
            [
                JAVA,
                *FAST_START,
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                f"{self.jars}/*",
                "org.apache.kafka.connect.cli.ConnectStandalone",
                *files,
            ]
        )
        for name in self.connectors:
            wait_for(
                lambda: self.state(name) == "RUNNING",
                f"the connector {name}",
                process=self.process,
                log=self.log,
            )

    def ask(self, path):
        """Return what the worker's interface answers, None where it does not."""
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}/{path}", timeout=5
            ) as answer:
                return json.load(answer)
        except OSError:
            return None

    def state(self, name):
        """Return the state of a connector's task; one that failed raises its error."""
        tasks = (self.ask(f"connectors/{name}/status") or {}).get("tasks") or [{"state": "MISSING"}]
        if tasks[0]["state"] == "FAILED":
            raise RuntimeError(tasks[0]["trace"])
        return tasks[0]["state"]

    def offset(self, name):
        """Return the source offset up to which a connector's messages are known to be in Kafka."""
        offsets = (self.ask(f"connectors/{name}/offsets") or {}).get("offsets")
        return offsets[0]["offset"] if offsets else {}

    def wait_until(self, name, has_come, seconds=60):
        """Wait until the source offset of a connector has come far enough."""

        def check():
            self.state(name)
            return has_come(self.offset(name))

        wait_for(check, f"the connector {name}", seconds, self.process, self.log)

    def wait_for_snapshot(self, name, kind):
        """Wait until a connector whose notifications go to the topic notifications.<name> reports a complete snapshot.

        Arguments:
            kind: Initial or Incremental.
        """
        self.wait_for_message(
            f"notifications.{name}", f'"type":"COMPLETED","aggregate_type":"{kind} Snapshot"'
        )

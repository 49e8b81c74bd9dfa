"""Canal's own server, which reads MariaDB's binary log and writes flat JSON to Kafka by its own producer."""

from pathlib import Path

from broker import FAST_START, JAVA, fetch_jars
from confluent_kafka import Consumer, TopicPartition

from .processes import Server, wait_for


LOGBACK = """<configuration><appender name="out" class="ch.qos.logback.core.ConsoleAppender"><encoder><pattern>%d %p %c %m%n</pattern></encoder></appender>
<root level="warn"><appender-ref ref="out"/></root></configuration>"""


class Canal(Server):
    """A server in a folder that takes some tables (a regular expression of Canal's) of a database to a topic."""

    name = "canal"

    def __init__(self, folder, broker, mariadb, tables, topic, partitions=1, partition_hash=""):
        super().__init__(folder)
        self.jars, self.broker, self.topic, self.partitions = fetch_jars("canal"), broker, topic, partitions
        broker.create(topic, partitions)
        (self.folder / "logback.xml").write_text(LOGBACK)
        file, position = mariadb.position()
        self.arguments = [mariadb.port, file, position, tables, broker.servers, topic, partitions, partition_hash]

    def start(self):
        """Start the server and wait until it reads; after a stop or a kill it goes on where its positions say."""
        self.log.write_text("")
        command = [JAVA, *FAST_START, f"-Dlogback.configurationFile={self.folder}/logback.xml", "-cp", f"{self.jars}/*"]
        self.launch([*command, Path(__file__).parent / "Canal.java", self.folder, *self.arguments])
        wait_for(lambda: "CANAL RUNS" in self.log.read_text(errors="replace"), "Canal", process=self.process, log=self.log)

    def wait_until(self, text, seconds=60):
        """Wait until a text has come, in any partition; read from where the last such call ended."""
        places = [TopicPartition(self.topic, number, 0) for number in range(self.partitions)]
        consumer = Consumer({"bootstrap.servers": self.broker.servers, "group.id": "canal", "log_level": 0, "fetch.wait.max.ms": 50})
        consumer.assign(places)

        def has_come():
            message = consumer.poll(0.2)
            return message is not None and not message.error() and text in (message.value() or b"").decode(errors="replace")

        wait_for(lambda: any(has_come() for _ in range(1000)), f"{text} from Canal", seconds, self.process, self.log)
        consumer.close()

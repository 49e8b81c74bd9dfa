"""Canal's own server, which reads MariaDB's binary log and writes flat JSON to Kafka by its own producer."""

from pathlib import Path

from broker import FAST_START, JAVA, fetch_jars

from .processes import Reader, wait_for

LOGBACK = """<configuration><appender name="out" class="ch.qos.logback.core.ConsoleAppender"><encoder><pattern>%d %p %c %m%n</pattern></encoder></appender>
<root level="warn"><appender-ref ref="out"/></root></configuration>"""


class Canal(Reader):
    """A server in a folder that takes some tables (a regular expression of Canal's) of a database to a topic."""

    name = "canal"

    def __init__(self, folder, broker, mariadb, tables, topic, partitions=1, partition_hash=""):
        super().__init__(folder, broker)
        self.jars, self.topic = fetch_jars("canal"), topic
        broker.create(topic, partitions)
        (self.folder / "logback.xml").write_text(LOGBACK)
        file, position = mariadb.position()
        self.arguments = [
            mariadb.port,
            file,
            position,
            tables,
            broker.servers,
            topic,
            partitions,
            partition_hash,
        ]

    def start(self):
        """Start the server and wait until it reads; after a stop or a kill it goes on where its positions say."""
        self.log.write_text("")
        command = [
            JAVA,
            *FAST_START,
            f"-Dlogback.configurationFile={self.folder}/logback.xml",
            "-cp",
            f"{self.jars}/*",
        ]
        self.launch([*command, Path(__file__).parent / "Canal.java", self.folder, *self.arguments])
        wait_for(
            lambda: "CANAL RUNS" in self.log.read_text(errors="replace"),
            "Canal",
            process=self.process,
            log=self.log,
        )

    def wait_until(self, text, seconds=60):
        """Wait until a text has come."""
        self.wait_for_message(self.topic, text, seconds)

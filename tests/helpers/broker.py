"""A Kafka broker for tests: one process in KRaft mode, without root and without Docker, its jars from ivy.xml.

Its listeners are open (PLAINTEXT), SCRAM and PLAIN over TLS, mutual TLS, and OAUTHBEARER with unsecured tokens and with those of an OAuth server.
Every user may do everything with a topic, until allow() has named what a user may do.
"""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import time
import uuid
from pathlib import Path

from confluent_kafka import Producer, TopicPartition
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    NewPartitions,
    NewTopic,
    ResourcePatternType,
    ResourceType,
)
from tokens import TokenServer

HOME = Path(__file__).resolve().parents[2]
JARS = HOME / ".broker"
JAVA = str(Path(os.environ["JAVA_HOME"], "bin", "java")) if os.environ.get("JAVA_HOME") else "java"
KEYTOOL = JAVA.removesuffix("java") + "keytool"
USER, PASSWORD = "landing", "a pass;word's"
STORE_PASSWORD = "a-store-password"
START_SECONDS = 300  # a busy machine needs more than a minute
JAAS = "org.apache.kafka.common.security"
FAST_START = ["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xlog:disable"]
LOG4J = "status = off\nrootLogger.level = warn\nrootLogger.appenderRef.0.ref = out\nappender.0.type = Console\nappender.0.name = out\n"


def fetch_jars(configuration="broker"):
    """Fetch the jars of a configuration of ivy.xml where they are missing or older than it; return their folder."""
    folder = JARS if configuration == "broker" else JARS / configuration
    ready = folder / "ready"
    if not ready.exists() or ready.stat().st_mtime < (HOME / "ivy.xml").stat().st_mtime:
        import pyspark

        for file in folder.glob("*.jar"):
            file.unlink()
        ivy = next(Path(pyspark.__file__).parent.glob("jars/ivy-*.jar"))
        command = [
            JAVA,
            "-jar",
            ivy,
            "-warn",
            "-ivy",
            HOME / "ivy.xml",
            "-confs",
            configuration,
            "-types",
            "jar",
            "bundle",
        ]
        subprocess.run(
            [*command, "-retrieve", f"{folder}/[artifact]-[revision].[ext]"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        ready.touch()
    return folder


def quoted(text):
    """Return a text as a value of JAAS."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write_properties(path, settings):
    """Write a Java properties file, and return its path."""
    values = {name: value.replace("\\", "\\\\") for name, value in settings.items()}
    path.write_text("".join(f"{name} = {value}\n" for name, value in values.items()))
    return path


def free_ports(count):
    """Return ports that no process listens on.

    Linux assigns ephemeral ports from 32768 on. Lower ports therefore stay free until they are used.
    """
    ports = set()
    while len(ports) < count:
        port = random.SystemRandom().randrange(15000, 32000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            ports.add(port)
    return list(ports)


class Broker:
    """A running broker. Its data are in `folder`."""

    def __init__(self, folder):
        self.folder = Path(folder)
        fetch_jars()
        self.tokens = TokenServer(USER, PASSWORD)
        self.keys = f"file://{self.folder}/keys.json"
        (self.folder / "keys.json").write_text(json.dumps(self.tokens.keys))
        plain, controller, sasl, tls, oauth, token = free_ports(6)
        self.servers, self.sasl_servers = f"127.0.0.1:{plain}", f"localhost:{sasl}"
        self.tls_servers, self.oauth_servers = f"localhost:{tls}", f"127.0.0.1:{oauth}"
        self.token_servers = f"127.0.0.1:{token}"
        (self.folder / "log4j2.properties").write_text(LOG4J)
        self.common = {
            "controller.quorum.voters": f"1@127.0.0.1:{controller}",
            "controller.listener.names": "CONTROLLER",
            "inter.broker.listener.name": "PLAINTEXT",
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "allow.everyone.if.no.acl.found": "true",
            "super.users": "User:ANONYMOUS",
        }
        settings = self.common | {
            "process.roles": "broker,controller",
            "node.id": "1",
            "listeners": f"PLAINTEXT://127.0.0.1:{plain},CONTROLLER://127.0.0.1:{controller},SASL_SSL://localhost:{sasl},"
            f"SSL://localhost:{tls},OAUTH://127.0.0.1:{oauth},TOKEN://127.0.0.1:{token}",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL,SSL:SSL,OAUTH:SASL_PLAINTEXT,TOKEN:SASL_PLAINTEXT",
            "log.dirs": f"{self.folder}/data",
            "auto.create.topics.enable": "false",
            "offsets.topic.num.partitions": "1",
            "offsets.topic.replication.factor": "1",
            "transaction.state.log.num.partitions": "1",
            "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1",
            "log.retention.check.interval.ms": "1000",
            "log.retention.ms": "-1",
            "file.delete.delay.ms": "1000",
            "message.max.bytes": "30000000",
            "listener.name.sasl_ssl.sasl.enabled.mechanisms": "SCRAM-SHA-512,PLAIN",
            "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config": f"{JAAS}.scram.ScramLoginModule required;",
            "listener.name.sasl_ssl.plain.sasl.jaas.config": f"{JAAS}.plain.PlainLoginModule required user_{USER}={quoted(PASSWORD)};",
            "listener.name.oauth.sasl.enabled.mechanisms": "OAUTHBEARER",
            "listener.name.oauth.oauthbearer.sasl.jaas.config": f'{JAAS}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";',
            "listener.name.token.sasl.enabled.mechanisms": "OAUTHBEARER",
            "listener.name.token.oauthbearer.sasl.jaas.config": f'{JAAS}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";',
            "listener.name.token.oauthbearer.sasl.server.callback.handler.class": f"{JAAS}.oauthbearer.OAuthBearerValidatorCallbackHandler",
            "listener.name.token.sasl.oauthbearer.jwks.endpoint.url": self.keys,
            "listener.name.ssl.ssl.client.auth": "required",
            "ssl.keystore.location": f"{self.folder}/broker.p12",
            "ssl.keystore.type": "PKCS12",
            "ssl.keystore.password": STORE_PASSWORD,
            "ssl.truststore.location": f"{self.folder}/trust.p12",
            "ssl.truststore.type": "PKCS12",
            "ssl.truststore.password": STORE_PASSWORD,
        }
        scram = f"SCRAM-SHA-512=[name={USER},password={quoted(PASSWORD)}]"
        formatting = self.format("server.properties", settings, "--add-scram", scram)
        self.make_stores()
        formatting.wait()
        self.start()

    def java(self, *arguments):
        """Start a Java program of the broker's jars; its words go to broker.log."""
        with (self.folder / "broker.log").open("a") as log:
            return subprocess.Popen(
                [
                    JAVA,
                    *FAST_START,
                    f"-Dlog4j2.configurationFile={self.folder}/log4j2.properties",
                    f"-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls={self.keys}",
                    "-cp",
                    f"{JARS}/*",
                    *map(str, arguments),
                ],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def format(self, name, settings, *arguments):
        """Write the properties of a broker, and begin to prepare its folder."""
        file = write_properties(self.folder / name, settings)
        cluster = ["--cluster-id", "kafka_cdc_tests_______", "--config", file]
        return self.java("kafka.tools.StorageTool", "format", *cluster, *arguments)

    def make_stores(self):
        """Make the key stores of the broker and of a client, and the store of the two certificates that both trust."""
        for name in ("broker", "client"):
            store = [
                "-keystore",
                f"{self.folder}/{name}.p12",
                "-storetype",
                "PKCS12",
                "-storepass",
                STORE_PASSWORD,
                "-alias",
                name,
            ]
            trust = [
                "-keystore",
                f"{self.folder}/trust.p12",
                "-storetype",
                "PKCS12",
                "-storepass",
                STORE_PASSWORD,
                "-alias",
                name,
            ]
            for command in (
                [
                    "-genkeypair",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=localhost",
                    "-ext",
                    "SAN=dns:localhost",
                    *store,
                ],
                ["-exportcert", "-file", f"{self.folder}/{name}.cer", *store],
                ["-importcert", "-noprompt", "-file", f"{self.folder}/{name}.cer", *trust],
            ):
                subprocess.run([KEYTOOL, *command], check=True, capture_output=True)

    def start(self):
        """Start the broker and wait until it answers."""
        self.process = self.java("kafka.Kafka", self.folder / "server.properties")
        self.admin = AdminClient({"bootstrap.servers": self.servers, "log_level": 0})
        began = time.monotonic()
        while True:
            try:
                return self.admin.list_topics(timeout=1)
            except Exception:
                if self.process.poll() is not None or time.monotonic() - began > START_SECONDS:
                    raise RuntimeError((self.folder / "broker.log").read_text()[-3000:]) from None

    def prepare_second(self):
        """Prepare broker 2 of the cluster. It has only the partitions that are assigned to it."""
        [port] = free_ports(1)
        settings = self.common | {
            "process.roles": "broker",
            "node.id": "2",
            "listeners": f"PLAINTEXT://127.0.0.1:{port}",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs": f"{self.folder}/data_2",
        }
        self.format("second.properties", settings).wait()

    def start_second(self):
        """Start broker 2, and return its process when it is a part of the cluster."""
        process = self.java("kafka.Kafka", self.folder / "second.properties")
        began = time.monotonic()
        while 2 not in self.admin.list_topics(timeout=5).brokers:
            assert process.poll() is None and time.monotonic() - began < START_SECONDS
            time.sleep(0.1)
        return process

    def stop(self):
        """End the broker; start() brings it back with its data."""
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(30)

    def create(self, topic, partitions=1, **settings):
        """Make a topic with settings such as cleanup_policy; return its name."""
        settings = {name.replace("_", "."): str(value) for name, value in settings.items()}
        self.admin.create_topics([NewTopic(topic, partitions, 1, config=settings)])[topic].result()
        return topic

    def allow(self, user, topic, operation):
        """Allow a user an operation, such as DESCRIBE, on a topic, and nobody anything else."""
        binding = AclBinding(
            ResourceType.TOPIC,
            topic,
            ResourcePatternType.LITERAL,
            f"User:{user}",
            "*",
            AclOperation[operation],
            AclPermissionType.ALLOW,
        )
        self.admin.create_acls([binding])[binding].result()

    def delete(self, topic):
        """Delete a topic; return when the broker has erased it."""
        self.admin.delete_topics([topic])[topic].result()
        while topic in self.admin.list_topics(timeout=5).topics:
            time.sleep(0.02)

    def add_partitions(self, topic, total):
        """Give a topic `total` partitions."""
        self.admin.create_partitions([NewPartitions(topic, total)])[topic].result()

    def delete_records(self, topic, partition, before):
        """Make the broker delete the records before an offset, as retention does."""
        [future] = self.admin.delete_records([TopicPartition(topic, partition, before)]).values()
        future.result()

    def produce(self, topic, values, partition=0, transactional_id=None, **message):
        """Write values, bytes or texts or None, in order; each may be a mapping with value, key, headers, timestamp, partition."""
        settings = {
            "bootstrap.servers": self.servers,
            "linger.ms": 5,
            "enable.idempotence": True,
            "message.max.bytes": 30_000_000,
        }
        producer = Producer(
            settings | {"compression.type": "lz4", "queue.buffering.max.messages": 10_000_000}
        )
        for value in values:
            fields = {"partition": partition, **message} | (
                value if isinstance(value, dict) else {"value": value}
            )
            producer.produce(topic, **fields)
            producer.poll(0)
        assert producer.flush(60) == 0

    def transaction(self, topic, values, commit=True, partition=0):
        """Write values in a transaction and commit or abort it; with commit None return its producer, the transaction open."""
        producer = Producer(
            {
                "bootstrap.servers": self.servers,
                "transactional.id": str(uuid.uuid4()),
                "linger.ms": 0,
            }
        )
        producer.init_transactions()
        producer.begin_transaction()
        for value in values:
            producer.produce(topic, value, partition=partition)
        producer.flush()
        if commit is None:
            return producer
        (producer.commit_transaction if commit else producer.abort_transaction)()
        return None

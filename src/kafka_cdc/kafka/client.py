"""A Kafka cluster through its own Java client: topics with their ids, and offsets.

Spark reads the messages.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from kafka_cdc.errors import (
    KnownCause,
    LandingError,
    causes,
    find_known_cause,
    first_line,
    java_exceptions,
)
from kafka_cdc.kafka.config import SERVERS, hide_secrets

TIMEOUT_SECONDS = 15
NO_ID = "AAAAAAAAAAAAAAAAAAAAAA"  # the topic id of brokers before 2.8
UNKNOWN_TOPIC = (
    "UnknownTopicOrPartitionException",
    "UnknownTopicIdException",
    "InvalidTopicException",
)
UNAUTHORIZED_TOPIC = "TopicAuthorizationException"
TRANSIENT = (
    "TimeoutException",
    "DisconnectException",
    "RetriableException",
    "LeaderNotAvailableException",
    "NotLeaderOrFollowerException",
)
KAFKA_PACKAGE = "org.apache.kafka."
# Spark's Kafka source raises Java's own TimeoutException with this text.
NOT_FETCHED = "Cannot fetch record for offset"
AUTHENTICATION = ("SaslAuthenticationException",)
# Their texts name the property.
CONFIGURATION = ("ConfigException", "IllegalArgumentException", "LoginException")
KNOWN_CAUSES = (
    KnownCause(
        "AdminClient thread has exited",
        "the answer is not that of a Kafka broker",
        "check the port, and set security.protocol if the listener expects TLS",
    ),
    KnownCause(
        "plaintext connection",
        "the listener does not use TLS",
        "set security.protocol to PLAINTEXT or SASL_PLAINTEXT, or name a listener with TLS",
    ),
    KnownCause(
        "unable to find valid certification path",
        "the certificate of the broker is not trusted",
        "set ssl.truststore.location to a file with the certificate of its authority",
    ),
    KnownCause(
        "No (?:subject alternative|name matching)",
        "the certificate of the broker is for another host",
        "write the host as in the certificate",
    ),
    KnownCause(
        # The rest of the text may be a part of the password.
        "Value not specified for key",
        "the property sasl.jaas.config is malformed",
        'write each option as name="value", with a backslash before a quotation mark in the value',
    ),
    KnownCause(
        "'KafkaClient' entry in the JAAS configuration",
        "the property sasl.jaas.config is missing",
        "set it in the properties",
    ),
)
# A range often ends where the partition ends. Kafka's default of 500 ms would then delay each task.
FETCH_MAX_WAIT_MS = "10"
# Spark's default without kafka: its version 2 reader produces rows without a conversion.
V1_SOURCES = "avro,csv,json,orc,parquet,text"
TopicPartition = tuple[str, int]  # a topic by its name in the cluster, and a partition


@dataclass(frozen=True)
class Topic:
    """A topic of the cluster: its id (None if the broker has none) and its number of partitions."""

    name: str
    id: str | None
    partitions: int

    def may_be(self, other: "Topic") -> bool:
        """Return whether two topics of one name may be the same.

        During an upgrade of a cluster, only some of its brokers report ids.
        """
        return self.id == other.id or None in (self.id, other.id)


@dataclass(frozen=True)
class PartitionEnds:
    """The first offset of a partition, and the offset after its last committed message."""

    earliest: int
    latest: int


class TopicsChanged(Exception):
    """A topic was deleted or recreated while it was read. The metadata must be read again."""

    def __str__(self) -> str:
        """Return the text for a command that does not read it again."""
        return "a topic was deleted or recreated while it was read; run the command again"


class KafkaClient:
    """A connection to a cluster."""

    def __init__(self, spark: SparkSession, properties: Mapping[str, str]) -> None:
        """Connect.

        Args:
            spark: The session.
            properties: Properties of Kafka's client.

        Raises:
            LandingError: No broker answers, or it rejects the connection.
        """
        self.spark, self.properties = spark, dict(properties)
        java_spark: Any = spark
        self.servers = properties[SERVERS]
        self.jvm: Any = java_spark._jvm
        self.java_partitions: dict[TopicPartition, Any] = {}
        settings = self.jvm.java.util.HashMap()
        timeout = str(TIMEOUT_SECONDS * 1000)
        timeouts = {"default.api.timeout.ms": timeout, "request.timeout.ms": timeout}
        for name, value in (self.properties | timeouts).items():
            settings.put(name, value)
        try:
            self.java = self.jvm.org.apache.kafka.clients.admin
            self.admin: Any = self.java.AdminClient.create(settings)
            try:
                self.admin.describeCluster().clusterId().get()
            except BaseException:
                self.close()
                raise
        except TypeError:
            raise LandingError(
                "Kafka's client is not among Spark's jars. Hint: run `make setup`"
            ) from None
        except Exception as error:
            raise LandingError(f"{self.servers}: {self.describe_error(error)}") from None

    def close(self) -> None:
        """End the connection."""
        self.admin.close(self.jvm.java.time.Duration.ofSeconds(1))

    def describe_error(self, error: BaseException) -> str:
        """Return what went wrong with the cluster, in one line without secrets."""
        found = [*causes(error)] or [("", str(error))]
        if known := find_known_cause("\n".join(text for _, text in found), KNOWN_CAUSES):
            return f"{known.problem}. Hint: {known.hint}"
        if any(name in AUTHENTICATION for name, _ in found):
            found = [cause for cause in found if "AuthenticationException" in cause[0]]
        stores = [
            message.split("Exception: ")[-1]
            for _, message in found
            if "Failed to load SSL" in message
        ]
        if stores:
            return hide_secrets(f"{stores[0]} (password and type right?)", self.properties)
        name, message = found[-1]
        if any(kind == "SslAuthenticationException" for kind, _ in found):
            text = f"SSL handshake failed: {message}. Hint: check the ssl properties"
            return hide_secrets(text, self.properties)
        if name == "TimeoutException" and not message.startswith(NOT_FETCHED):
            return (
                f"no Kafka broker answers within {TIMEOUT_SECONDS} s"
                " (address, listener and security settings right?)"
            )
        text = f"{message}. Hint: correct the properties or --bootstrap-servers"
        is_configuration = name in CONFIGURATION
        return hide_secrets(text if is_configuration else f"{message} ({name})", self.properties)

    def is_transient(self, error: BaseException) -> bool:
        """Return whether the error may disappear by itself, as when a broker is away.

        Spark has a TimeoutException too, for example of a broadcast. It is no error of Kafka.
        """
        return any(is_transient(java) for java in java_exceptions(error))

    def find_topics(self, pattern: re.Pattern[str]) -> dict[str, Topic]:
        """Return the topics whose names match `pattern`, except Kafka's internal ones."""
        names = self.admin.listTopics().names().get()
        return self.describe_topics(name for name in names if pattern.fullmatch(name))

    def describe_topics(self, names: Iterable[str]) -> dict[str, Topic]:
        """Return those of the topics that exist."""
        found = {}
        for name, description in self._describe(names):
            id_ = description.topicId().toString()
            partitions = description.partitions().size()
            found[name] = Topic(name, None if id_ == NO_ID else id_, partitions)
        return found

    def find_leaderless(self, names: Iterable[str]) -> set[TopicPartition]:
        """Return the partitions of the topics that have no leader, because their brokers are away.

        They can be neither read nor written.
        """
        return {
            (name, partition.partition())
            for name, description in self._describe(names)
            for partition in description.partitions()
            if partition.leader() is None
        }

    def find_deleted(self, names: Iterable[str]) -> set[str]:
        """Return those of the topics that do not exist.

        Kafka does not list a topic that this user may not describe. Such a topic may exist.
        """
        deleted = set()
        for name, future in self._request_descriptions(names).items():
            try:
                future.get()
            except Exception as error:
                found = {cause for cause, _ in causes(error)}
                if found.intersection(UNKNOWN_TOPIC):
                    deleted.add(name)
                elif UNAUTHORIZED_TOPIC not in found:
                    raise
        return deleted

    def get_ends(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, PartitionEnds]:
        """Return the earliest and the latest offset of each partition."""
        partitions = list(partitions)
        latest = self.get_latest(partitions)
        earliest = self._list_offsets(partitions, self.java.OffsetSpec.earliest())
        return {
            partition: PartitionEnds(earliest[partition], latest[partition])
            for partition in partitions
        }

    def get_latest(
        self, partitions: Iterable[TopicPartition], *, is_committed: bool = True
    ) -> dict[TopicPartition, int]:
        """Return the offset after the last message, by default the last committed one."""
        return self._list_offsets(
            partitions, self.java.OffsetSpec.latest(), is_committed=is_committed
        )

    def get_offsets_at(
        self, partitions: Iterable[TopicPartition], milliseconds: int
    ) -> dict[TopicPartition, int]:
        """Return the first offset at or after a time in Unix milliseconds, or -1."""
        return self._list_offsets(partitions, self.java.OffsetSpec.forTimestamp(milliseconds))

    def read(
        self, ranges: Mapping[TopicPartition, tuple[int, int]], *, min_partitions: int
    ) -> DataFrame:
        """Return the committed messages of offset ranges, in the columns of Spark's Kafka source.

        Args:
            ranges: The first offset, and the offset after the last one.
            min_partitions: In how many Spark partitions to read, at least.
        """
        assigned: dict[str, list[int]] = {}
        starts: dict[str, dict[str, int]] = {}
        ends: dict[str, dict[str, int]] = {}
        for (topic, partition), (first, until) in ranges.items():
            assigned.setdefault(topic, []).append(partition)
            starts.setdefault(topic, {})[str(partition)] = first
            ends.setdefault(topic, {})[str(partition)] = until
        self.spark.conf.set("spark.sql.sources.useV1SourceList", V1_SOURCES)
        properties = {"fetch.max.wait.ms": FETCH_MAX_WAIT_MS} | self.properties
        options = {f"kafka.{name}": value for name, value in properties.items()} | {
            "kafka.isolation.level": "read_committed",
            "assign": json.dumps(assigned),
            "startingOffsets": json.dumps(starts),
            "endingOffsets": json.dumps(ends),
            "includeHeaders": "true",
            "failOnDataLoss": "true",
            "minPartitions": str(min_partitions),
            "kafkaConsumer.pollTimeoutMs": "60000",
        }
        return self.spark.read.format("kafka").options(**options).load()

    def _describe(self, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
        """Yield those of the topics that exist, with Kafka's descriptions."""
        for name, future in self._request_descriptions(names).items():
            try:
                yield name, future.get()
            except Exception as error:
                if not any(cause in UNKNOWN_TOPIC for cause, _ in causes(error)):
                    raise

    def _request_descriptions(self, names: Iterable[str]) -> Any:
        """Return Kafka's future description of each topic, a map of Java."""
        wanted = self.jvm.java.util.ArrayList()
        for name in sorted(names):
            wanted.add(name)
        return self.admin.describeTopics(wanted).topicNameValues()

    def _list_offsets(
        self, partitions: Iterable[TopicPartition], spec: Any, *, is_committed: bool = True
    ) -> dict[TopicPartition, int]:
        """Return the offset of each partition for Kafka's OffsetSpec.

        Raises:
            TopicsChanged: A partition does not exist any more.
        """
        wanted = self.jvm.java.util.HashMap()
        partitions = list(partitions)
        for partition in partitions:
            wanted.put(self._java_partition(partition), spec)
        levels = self.jvm.org.apache.kafka.common.IsolationLevel
        level = levels.READ_COMMITTED if is_committed else levels.READ_UNCOMMITTED
        try:
            found = self.admin.listOffsets(wanted, self.java.ListOffsetsOptions(level)).all().get()
        except Exception as error:
            if any(cause in UNKNOWN_TOPIC for cause, _ in causes(error)):
                raise TopicsChanged from None
            raise
        return {
            partition: found.get(self._java_partition(partition)).offset()
            for partition in partitions
        }

    def _java_partition(self, partition: TopicPartition) -> Any:
        """Return Kafka's TopicPartition."""
        if partition not in self.java_partitions:
            java = self.jvm.org.apache.kafka.common.TopicPartition(*partition)
            self.java_partitions[partition] = java
        return self.java_partitions[partition]


def is_transient(java: Any) -> bool:
    """Return whether a Java exception is a transient one of Kafka's client or of Spark's source."""
    name = java.getClass().getSimpleName()
    is_kafka = java.getClass().getName().startswith(KAFKA_PACKAGE)
    is_source = name == "TimeoutException" and first_line(java.getMessage()).startswith(NOT_FETCHED)
    return is_source or (is_kafka and name in TRANSIENT)


def find_unauthorized(error: BaseException) -> set[str]:
    """Return the topics that this user may not read, if that is the error."""
    return {
        name
        for java in java_exceptions(error)
        if java.getClass().getSimpleName() == UNAUTHORIZED_TOPIC
        for name in java.unauthorizedTopics()
    }

"""A Kafka cluster as its own Java client sees it: topics with their ids, and offsets. Spark reads the messages."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from .errors import LandingError, causes
from .properties import SERVERS, hide

TIMEOUT_SECONDS = 15
NO_ID = "AAAAAAAAAAAAAAAAAAAAAA"  # what brokers before 2.8 say
UNKNOWN = ("UnknownTopicOrPartitionException", "UnknownTopicIdException", "InvalidTopicException")
BROKEN = ("TimeoutException", "DisconnectException", "RetriableException", "LeaderNotAvailableException", "NotLeaderOrFollowerException")
V1_SOURCES = "avro,csv,json,orc,parquet,text"  # Spark's default without kafka, whose newer reader makes rows without a detour
Place = tuple[str, int]  # a topic, as the cluster names it, and a partition of it


@dataclass(frozen=True)
class Topic:
    """A topic: its id (None where the broker has none) and how many partitions it has."""

    name: str
    id: str | None
    partitions: int


@dataclass(frozen=True)
class Ends:
    """The first offset that a partition still holds, and the one behind the last that a reader of committed messages sees."""

    earliest: int
    latest: int


class TopicsChanged(Exception):
    """A topic was deleted or made anew while it was looked at: look again."""


class Cluster:
    """A connection to a cluster."""

    def __init__(self, spark: SparkSession, properties: Mapping[str, str]) -> None:
        """`properties`: of Kafka's client. LandingError when nobody answers, or does not let us in."""
        self.spark, self.properties, self.servers = spark, dict(properties), properties[SERVERS]
        self.jvm: Any = spark._jvm
        self.places: dict[Place, Any] = {}
        settings = self.jvm.java.util.HashMap()
        limit = str(TIMEOUT_SECONDS * 1000)
        for name, value in (self.properties | {"default.api.timeout.ms": limit, "request.timeout.ms": limit}).items():
            settings.put(name, value)
        try:
            self.java = self.jvm.org.apache.kafka.clients.admin
            self.admin: Any = self.java.AdminClient.create(settings)
            self.admin.describeCluster().clusterId().get()
        except TypeError:
            raise LandingError("Kafka's client is not among Spark's jars; `make setup` fetches them") from None
        except Exception as error:
            raise LandingError(f"{self.servers}: {self.why(error)}") from None

    def close(self) -> None:
        """End the connection."""
        self.admin.close(self.jvm.java.time.Duration.ofSeconds(1))

    def why(self, error: BaseException) -> str:
        """Return what went wrong between us and the cluster, in a line without secrets."""
        found = [*causes(error)] or [("", str(error))]
        if any(name in ("SaslAuthenticationException", "SslAuthenticationException") for name, _ in found):
            found = [cause for cause in found if "AuthenticationException" in cause[0]]
        if stores := [message.split("Exception: ")[-1] for _, message in found if "Failed to load SSL" in message]:
            return hide(f"{stores[0]} (password and type right?)", self.properties)
        if found[-1][0] == "TimeoutException":
            return f"no Kafka broker answers within {TIMEOUT_SECONDS} s (address, listener and security settings right?)"
        return hide(f"{found[-1][1]} ({found[-1][0]})", self.properties)

    def is_passing(self, error: BaseException) -> bool:
        """Return whether the error may pass by itself: a broker that is away, a partition without leader."""
        return any(name in BROKEN for name, _ in causes(error))

    def topics(self, matches: Any) -> dict[str, Topic]:
        """Return the topics whose names the regular expression `matches` matches, but for Kafka's internal ones."""
        names = [name for name in self.admin.listTopics().names().get() if matches.fullmatch(name)]
        return self.describe(names)

    def describe(self, names: Iterable[str]) -> dict[str, Topic]:
        """Return those of the topics that exist."""
        wanted = self.jvm.java.util.ArrayList()
        for name in sorted(names):
            wanted.add(name)
        found = {}
        for name, future in self.admin.describeTopics(wanted).topicNameValues().items():
            try:
                said = future.get()
            except Exception as error:
                if any(cause in UNKNOWN for cause, _ in causes(error)):
                    continue
                raise
            id_ = said.topicId().toString()
            found[name] = Topic(name, None if id_ == NO_ID else id_, said.partitions().size())
        return found

    def place(self, place: Place) -> Any:
        """Return Kafka's TopicPartition."""
        if place not in self.places:
            self.places[place] = self.jvm.org.apache.kafka.common.TopicPartition(*place)
        return self.places[place]

    def offsets(self, places: Iterable[Place], spec: Any, is_committed: bool = True) -> dict[Place, int]:
        """Return the offset of each partition that Kafka's OffsetSpec asks for; TopicsChanged when one is no more."""
        wanted = self.jvm.java.util.HashMap()
        places = list(places)
        for place in places:
            wanted.put(self.place(place), spec)
        level = self.jvm.org.apache.kafka.common.IsolationLevel
        level = level.READ_COMMITTED if is_committed else level.READ_UNCOMMITTED
        try:
            found = self.admin.listOffsets(wanted, self.java.ListOffsetsOptions(level)).all().get()
        except Exception as error:
            if any(cause in UNKNOWN for cause, _ in causes(error)):
                raise TopicsChanged from None
            raise
        return {place: found.get(self.place(place)).offset() for place in places}

    def ends(self, places: Iterable[Place]) -> dict[Place, Ends]:
        """Return the earliest and the latest offset of each partition."""
        places = list(places)
        latest = self.latest(places)
        earliest = self.offsets(places, self.java.OffsetSpec.earliest())
        return {place: Ends(earliest[place], latest[place]) for place in places}

    def latest(self, places: Iterable[Place], is_committed: bool = True) -> dict[Place, int]:
        """Return the offset behind the last message of each partition, of the committed ones or of all."""
        return self.offsets(places, self.java.OffsetSpec.latest(), is_committed)

    def at(self, places: Iterable[Place], milliseconds: int) -> dict[Place, int]:
        """Return the first offset of each partition whose message is of that time or later; -1 where there is none."""
        return self.offsets(places, self.java.OffsetSpec.forTimestamp(milliseconds))

    def read(self, ranges: Mapping[Place, tuple[int, int]], least_parts: int) -> DataFrame:
        """Return the committed messages of the offset ranges (first, behind the last): what Spark's Kafka source gives."""
        places: dict[str, list[int]] = {}
        bounds: tuple[dict[str, dict[str, int]], dict[str, dict[str, int]]] = ({}, {})
        for (topic, partition), ends in ranges.items():
            places.setdefault(topic, []).append(partition)
            for bound, end in zip(bounds, ends):
                bound.setdefault(topic, {})[str(partition)] = end
        self.spark.conf.set("spark.sql.sources.useV1SourceList", V1_SOURCES)
        options = {f"kafka.{name}": value for name, value in self.properties.items()} | {
            "kafka.isolation.level": "read_committed",
            "assign": json.dumps(places),
            "startingOffsets": json.dumps(bounds[0]),
            "endingOffsets": json.dumps(bounds[1]),
            "includeHeaders": "true",
            "failOnDataLoss": "true",
            "minPartitions": str(least_parts),
            "kafkaConsumer.pollTimeoutMs": "60000",
        }
        return self.spark.read.format("kafka").options(**options).load()

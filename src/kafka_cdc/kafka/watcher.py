"""The topics and partitions to land, as the cluster reports them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from kafka_cdc import log_events
from kafka_cdc.kafka.client import KafkaClient, PartitionEnds, Topic, TopicPartition, TopicsChanged
from kafka_cdc.kafka.losses import Loss, LossRecorder
from kafka_cdc.kafka.offsets import (
    READ,
    SKIPPED,
    OffsetRanges,
    OffsetRow,
    OffsetStore,
    PartitionKey,
)
from kafka_cdc.kafka.options import KafkaOptions
from kafka_cdc.kafka.progress import KafkaProgress
from kafka_cdc.kafka.topics import compile_globs

RECREATED_NOTE = '"the topic was deleted and recreated; unread messages of the old topic are lost"'
NO_LEADER = "no broker leads the partition, so it lands after its brokers are back"
NO_LEADER_AT_BEGIN = (
    "no broker leads the partition, so its whole topic lands after its brokers are back"
)
OUT_OF_RANGE_NOTE = (
    '"the partition ends before the next offset; landing waits, or the broker has lost messages"'
)


@dataclass(frozen=True)
class LandedTopic:
    """A topic of the cluster, and its incarnation in raw."""

    topic: Topic
    incarnation: int


@dataclass(frozen=True)
class Partition:
    """A partition as the cluster reports it during a refresh.

    Attributes:
        key: The partition in raw.
        ends: Its first offset, and the offset after its last one.
        topic_id: Kafka's id of the topic.
        begins: Whether this landing begins to read the topic, which existed before.
        offset_at_start_time: The first offset at or after the time of starting_offsets, -1 if there
            is none.
    """

    key: PartitionKey
    ends: PartitionEnds
    topic_id: str | None
    begins: bool
    offset_at_start_time: int | None


class TopicWatcher:
    """The state of topics and partitions at the last refresh."""

    def __init__(
        self,
        client: KafkaClient,
        offsets: OffsetStore,
        *,
        losses: LossRecorder,
        progress: KafkaProgress,
        options: KafkaOptions,
    ) -> None:
        """Begin without topics."""
        self.client, self.offsets, self.losses = client, offsets, losses
        self.progress, self.options = progress, options
        self.topics: dict[str, LandedTopic] = {}  # by name in the cluster
        self.ends: dict[PartitionKey, PartitionEnds] = {}
        # Partitions without a leader, with their last known ends. None: a new partition.
        self.leaderless: dict[PartitionKey, PartitionEnds | None] = {}
        # Topics to begin with, when all their partitions have a leader. By name in the cluster.
        self.waiting: dict[str, Topic] = {}
        self.is_first_refresh = True

    def lag(self, topic: str | None = None) -> int:
        """Return how many offsets are left to read, of one topic or of all."""
        read = self.offsets.read
        return sum(
            max(0, ends.latest - read[key].next_offset)
            for key, ends in self.ends.items()
            if key in read and topic in (None, key.topic)
        )

    def get_next_offsets(self) -> dict[PartitionKey, int]:
        """Return the next offsets of the partitions that this command may land.

        A continuous landing and a loop may land all of them, others only those that lag. An empty
        partition has the next offset 0: a lookup for it would read all that raw has of its topic.
        """
        read = self.offsets.read
        may_land_later = self.options.is_continuous or self.options.is_repeated
        return {
            key: read[key].next_offset
            for key, ends in self.ends.items()
            if may_land_later or read[key].next_offset < ends.latest
        }

    def refresh(self) -> bool:
        """Ask the cluster for topics and offsets. Records new partitions and lost offsets.

        Returns:
            Whether there are partitions that were not known before.

        Raises:
            TopicsChanged: A topic changed during the refresh.
            LandingError: Offsets are lost, and landing is to stop then.
        """
        found = self.client.find_topics(compile_globs(self.options.topics))
        sources = [
            (name, number) for name, topic in found.items() for number in range(topic.partitions)
        ]
        ends = self._get_available_ends(sources)
        if self.client.describe_topics(found) != found:
            raise TopicsChanged
        beginning = {name for name, topic in found.items() if self._begins(topic)}
        # A partition that a landing meets later has lost what is before its first offset. A topic
        # therefore begins with all its partitions.
        leaderless = [source for source in sources if source not in ends]
        waiting = beginning.intersection(name for name, _ in leaderless)
        sources = [one for one in sources if one in ends and one[0] not in waiting]
        offsets_at_time = self._get_offsets_at_start_time(
            [source for source in sources if source[0] in beginning]
        )
        losses = list(self._find_removed_partitions(found))
        rows: list[OffsetRow] = []
        topics = {name: self._identify(topic) for name, topic in found.items()}
        for name, number in sources:
            topic = topics[name]
            partition = Partition(
                key=self._get_key(topic, number),
                ends=ends[name, number],
                topic_id=topic.topic.id,
                begins=name in beginning,
                offset_at_start_time=offsets_at_time.get((name, number)),
            )
            self._inspect(partition, rows, losses)
        self.losses.record(losses)
        self.offsets.record(rows)
        self.topics = topics
        hidden = {name: topic for name, topic in self.waiting.items() if name not in found}
        self.waiting = hidden | {name: found[name] for name in waiting}
        self._set_leaderless(self._get_key(topics[name], number) for name, number in leaderless)
        keys = {self._get_key(topics[name], number) for name, number in sources}
        has_new_partitions = bool(keys - self.ends.keys())
        self.ends = {key: ends[self.options.get_source(key)] for key in sorted(keys)}
        self.is_first_refresh = False
        return has_new_partitions

    def describe_leaderless(self, key: PartitionKey) -> str:
        """Return what does not land because a partition has no leader."""
        name, _ = self.options.get_source(key)
        return NO_LEADER_AT_BEGIN if name in self.waiting else NO_LEADER

    def refresh_ends(self) -> None:
        """Ask the cluster for the offsets of the known partitions."""
        sources = {key: self.options.get_source(key) for key in self.ends}
        ends = self.client.get_ends(sources.values())
        self.ends = {key: ends[source] for key, source in sources.items()}

    def verify_ranges(self, ranges: OffsetRanges) -> None:
        """Check that the topics are still the same and contain all offsets of the ranges.

        Raises:
            TopicsChanged: They are not, or do not.
        """
        sources = {key: self.options.get_source(key) for key in ranges}
        names = {name for name, _ in sources.values()}
        known = {name: self.topics[name].topic for name in names}
        if self.client.describe_topics(names) != known:
            raise TopicsChanged
        ends = self.client.get_ends(sources.values())
        for key, (first, until) in ranges.items():
            end = ends[sources[key]]
            if end.earliest > first or end.latest < until:
                raise TopicsChanged

    def log_open_transactions(self) -> None:
        """Log messages after a transaction that has been open since the last refresh.

        A producer that writes one transaction after the other always has one open. Landing logs
        nothing then.
        """
        sources = {key: self.options.get_source(key) for key in self.ends}
        latest = self.client.get_latest(sources.values(), is_committed=False)
        waiting = {
            key: offsets
            for key, end in self.ends.items()
            if (offsets := latest[sources[key]] - end.latest) > 0
        }
        committed = self.client.get_latest(sources[key] for key in waiting) if waiting else {}
        for key, offsets in waiting.items():
            first_offset = self.ends[key].latest
            if committed[sources[key]] == first_offset:
                self.progress.log(
                    log_events.OPEN_TRANSACTION,
                    topic=key.topic,
                    partition=key.partition,
                    first_offset=first_offset,
                    offsets=offsets,
                    note='"they can be read after the transaction before them ends"',
                )

    def _get_available_ends(
        self, sources: list[TopicPartition]
    ) -> dict[TopicPartition, PartitionEnds]:
        """Return the ends of the partitions that have a leader.

        Kafka's client waits for a leader until its timeout. Therefore only the first refresh that
        meets a partition without one asks for its ends.
        """
        if not sources:
            return {}
        names = {name for name, _ in sources}
        known = self.client.find_leaderless(names) if self.leaderless else set()
        try:
            return self.client.get_ends(source for source in sources if source not in known)
        except Exception as error:
            if not self.client.is_transient(error):
                raise
            leaderless = self.client.find_leaderless(names)
            if leaderless <= known:
                raise
            return self.client.get_ends(source for source in sources if source not in leaderless)

    def _set_leaderless(self, keys: Iterable[PartitionKey]) -> None:
        """Note which partitions have no leader. A continuous landing logs the new ones.

        Other landings report them at their end.
        """
        known = self.leaderless | self.ends
        before, self.leaderless = self.leaderless, {key: known.get(key) for key in sorted(keys)}
        if not self.options.is_continuous:
            return
        for key in self.leaderless.keys() - before.keys():
            self.progress.log(
                log_events.WAITING,
                topic=key.topic,
                partition=key.partition,
                note=f'"{self.describe_leaderless(key)}"',
            )

    def _begins(self, topic: Topic) -> bool:
        """Return whether this landing begins to read a topic, which existed before."""
        if self.options.topic_prefix + topic.name in self.offsets.topic_ids:
            return False
        waiting = self.waiting.get(topic.name)
        return self.is_first_refresh or (waiting is not None and topic.may_be(waiting))

    def _get_key(self, topic: LandedTopic, partition: int) -> PartitionKey:
        """Return a partition of a topic by its name in raw."""
        name = self.options.topic_prefix + topic.topic.name
        return PartitionKey(name, topic.incarnation, partition)

    def _get_offsets_at_start_time(
        self, sources: list[TopicPartition]
    ) -> Mapping[TopicPartition, int]:
        """Return the offsets of partitions at the time of starting_offsets, if it is a time."""
        if isinstance(self.options.starting_offsets, str) or not sources:
            return {}
        return self.client.get_offsets_at(sources, self.options.starting_offsets)

    def _identify(self, topic: Topic) -> LandedTopic:
        """Return the topic with its incarnation. Logs if it was recreated.

        If none of its partitions has a leader, the next refresh finds that again.
        """
        name = self.options.topic_prefix + topic.name
        incarnation, is_recreated = self.offsets.find_incarnation(name, topic.id)
        known = self.topics.get(topic.name)
        if is_recreated and not (known and known.topic.id == topic.id):
            self.progress.log(
                log_events.TOPIC_RECREATED,
                topic=topic.name,
                topic_id=topic.id,
                topic_incarnation=incarnation,
                note=RECREATED_NOTE,
            )
        return LandedTopic(topic, incarnation)

    def _inspect(self, partition: Partition, rows: list[OffsetRow], losses: list[Loss]) -> None:
        """Add to rows and losses what is new and what is lost of a partition.

        Logs if it ends too early.
        """
        key, ends, topic_id = partition.key, partition.ends, partition.topic_id
        old = self.offsets.read.get(key)
        if not old:
            start = self._get_initial_offset(partition) if partition.begins else ends.earliest
            if ends.earliest and not partition.begins:
                # The partition was created after the last refresh and has lost messages since.
                row = OffsetRow(*key, READ, ends.earliest, 0, topic_id)
                losses.append(Loss(row, ends.earliest))
            rows.append(OffsetRow(*key, READ, start, start, topic_id))
            if start > ends.earliest:
                rows.append(OffsetRow(*key, SKIPPED, ends.earliest, start, topic_id))
        elif old.next_offset < ends.earliest:
            losses.append(Loss(old, ends.earliest))
        elif old.next_offset > ends.latest:
            self.progress.log(
                log_events.OFFSET_OUT_OF_RANGE,
                topic=key.topic,
                partition=key.partition,
                next_offset=old.next_offset,
                end=ends.latest,
                note=OUT_OF_RANGE_NOTE,
            )
        elif old.topic_id is None and topic_id:
            # Brokers before version 2.8 have no ids. The offsets show no other topic.
            rows.append(replace(old, topic_id=topic_id))

    def _get_initial_offset(self, partition: Partition) -> int:
        """Return where to begin in a partition of a topic that no landing has read."""
        starting_offsets, ends = self.options.starting_offsets, partition.ends
        if starting_offsets == "earliest":
            return ends.earliest
        if starting_offsets == "latest" or partition.offset_at_start_time in (-1, None):
            return ends.latest
        return max(ends.earliest, partition.offset_at_start_time or 0)

    def _find_removed_partitions(self, found: Mapping[str, Topic]) -> Iterable[Loss]:
        """Yield the unread offsets of partitions whose topics do not exist any more.

        A topic that is only hidden from this user keeps its next offsets, and is read on later.
        """
        hidden = self.topics.keys() - found.keys()
        if hidden:
            hidden -= self.client.find_deleted(hidden)
        for name, topic in self.topics.items():
            if name in hidden or (name in found and found[name].may_be(topic.topic)):
                continue
            for key, ends in (self.leaderless | self.ends).items():
                if ends is None or self.options.get_source(key)[0] != name:
                    continue
                row = self.offsets.read[key]
                if row.next_offset < ends.latest:
                    yield Loss(row, ends.latest, is_removed=True)

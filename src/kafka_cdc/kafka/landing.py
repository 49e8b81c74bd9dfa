"""Landing from Kafka: what is new in which partitions, in commits of bounded size, each message exactly once.

There is no checkpoint beside the data that could say something else than they do. A commit is a Spark batch read of explicit
offset ranges whose files are added only if they are new: raw held nothing at or behind those offsets at a snapshot, and no one
has landed anything for the same topics since. Else the landing looks into raw again. So it does not matter what is killed when, nor
how many landings run. Between reading and committing the topics' ids are looked at again: they are the same topics still.
"""

import contextlib
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F

from . import table
from .cluster import Cluster, Ends, Place, Topic, TopicsChanged
from .errors import LandingError, causes, is_conflict
from .positions import Key, Positions, Ranges, Row
from .schemas import Schemas, named, names
from .stopping import Stop
from .table_format import Table, certainly_failed
from .topics import pattern
from .totals import KafkaProgress, measured, measures

UNREADABLE = "ArithmeticException"  # of Spark's Kafka source, for a timestamp behind the last that it knows
UNMEASURED = 256_000  # bytes of a message, before one of its partition has landed
SMALLEST = 1_000_000  # bytes of a commit, when the topics change while they are read
TOPICS = 300  # of a commit: their bytes are counted apart
FILE_BYTES = 16_000_000  # of payload, below which a second file is not worth it
LAST_TIME = "timestamp '9999-12-31 23:59:59.999'"


@dataclass
class Options:
    """What to land: `topics` are globs for their names in the cluster, `is_binary` says which (named as in raw) land as base64.

    starting: earliest, latest or milliseconds, for topics that no landing has met. stop_on_loss: stop where Kafka has lost offsets
    that were not read. continuous: go on, looking every `interval` seconds. bytes_per_commit: about so much, of payload.
    """

    topics: list[str]
    is_binary: Callable[[str], bool]
    prefix: str = ""
    starting: str | int = "earliest"
    stop_on_loss: bool = False
    continuous: bool = False
    interval: float = 10
    bytes_per_commit: int = 256_000_000


class Landing:
    """A landing of the topics that the options name, from a cluster to raw."""

    def __init__(self, spark: SparkSession, cluster: Cluster, raw: Table, positions: Positions, schemas: Schemas | None,
                 options: Options, progress: KafkaProgress, stop: Stop) -> None:  # fmt: skip
        """`raw` is raw.kafka_messages, `positions` and `schemas` the tables beside it, the latter where a registry is there to ask; `stop` says when to end early."""
        self.spark, self.cluster, self.raw, self.positions, self.schemas = spark, cluster, raw, positions, schemas
        self.options, self.progress, self.stop = options, progress, stop
        self.topics: dict[str, tuple[Topic, int]] = {}  # name in the cluster → topic, incarnation
        self.ends: dict[Key, Ends] = {}
        self.ahead: dict[Key, int] = {}  # the last offset that raw holds of what is not read, by another landing
        self.snapshot: int | None = None  # of raw, at which ahead holds
        self.is_checked = False  # whether it holds for all partitions
        self.refused: set[Key] = set()
        self.is_first_look = True
        self.size = options.bytes_per_commit
        self.totals = progress.totals

    def place(self, key: Key) -> Place:
        """Return the cluster's name and number of a partition."""
        return key[0].removeprefix(self.options.prefix), key[2]

    def lag(self, topic: str | None = None) -> int:
        """Return how many offsets are left to read, of one topic or of all."""
        read = self.positions.read
        keys = [key for key in self.ends if key in read and topic in (None, key[0])]
        return sum(max(0, self.ends[key].latest - read[key].next_offset) for key in keys)

    def enter(self, phase: str) -> None:
        """Tell the progress line what begins."""
        self.progress.phase, self.progress.lag = phase, self.lag()

    def run(self) -> None:
        """Land until nothing is new; if continuous, for ever."""
        self.attend(self.look)
        if not self.topics:
            raise LandingError(f"no topic of {self.cluster.servers} matches {', '.join(self.options.topics)}")
        looked = time.monotonic()
        while True:
            ranges = self.plan()
            if not ranges and not self.options.continuous:
                with contextlib.suppress(Exception):  # all there is has landed
                    self.tell_waiting()
                return
            if self.options.continuous and (not ranges or time.monotonic() - looked >= self.options.interval):
                self.enter("waiting" if not ranges else "landing")
                self.stop.pause(max(0.0, looked + self.options.interval - time.monotonic()))
                looked = time.monotonic()
                self.attend(self.look)
                continue
            self.enter("landing")
            try:
                self.attend(lambda: self.land(ranges))
                self.size = min(self.options.bytes_per_commit, self.size * 2)
            except TopicsChanged:
                self.size = max(SMALLEST, self.size // 2)
                self.attend(self.look)

    def attend(self, work: Callable[[], None]) -> None:
        """Do `work`, again when another landing was in its way, and if continuous also when the cluster was away for a while."""
        while True:
            self.stop.point()
            try:
                return work()
            except TopicsChanged:
                if work != self.look:
                    raise
                self.stop.pause(0.2)
            except Exception as error:
                if is_conflict(error):
                    self.stop.pause(random.uniform(0.1, 1))
                    self.positions.load()
                    self.is_checked = False
                    if work != self.look:
                        return None
                elif self.cluster.is_passing(error):
                    if not self.options.continuous or self.is_first_look:
                        raise LandingError(f"{self.cluster.servers}: {self.cluster.why(error)}") from None
                    self.progress.log("waiting", error=f'"{self.cluster.why(error)}"')
                    self.stop.pause(self.options.interval)
                else:
                    raise

    def look(self) -> None:
        """Ask the cluster which topics there are and how far their partitions go; write down what is new and what is lost."""
        found = self.cluster.topics(pattern(self.options.topics))
        places = [(name, partition) for name, topic in found.items() for partition in range(topic.partitions)]
        ends = self.cluster.ends(places) if places else {}
        if self.cluster.describe(found) != found:
            raise TopicsChanged
        began = {} if isinstance(self.options.starting, str) or not self.is_first_look else self.cluster.at(places, self.options.starting)
        rows, lost = [], list(self.gone(found))
        topics = {}
        for name, topic in found.items():
            incarnation, is_anew = self.positions.incarnation(self.options.prefix + name, topic.id)
            topics[name] = topic, incarnation
            if is_anew:
                self.progress.log("made_anew", topic=name, topic_id=topic.id, topic_incarnation=incarnation,
                                  note='"the topic was deleted and made anew; what was not read of the old one is lost"')  # fmt: skip
            is_new = self.options.prefix + name not in self.positions.ids
            for partition in range(topic.partitions):
                key, end = (self.options.prefix + name, incarnation, partition), ends[name, partition]
                old = self.positions.read.get(key)
                if not old:
                    start = self.start(end, began.get((name, partition))) if is_new else end.earliest
                    if end.earliest and not (is_new and self.is_first_look):  # it was made since the last look, and has lost messages since
                        lost.append((Row(*key, "read", end.earliest, 0, topic.id), end.earliest))
                    rows.append(Row(*key, "read", start, start, topic.id))
                    if start > end.earliest:
                        rows.append(Row(*key, "skipped", end.earliest, start, topic.id))
                elif old.next_offset < end.earliest:
                    lost.append((old, end.earliest))
                elif old.next_offset > end.latest:
                    self.progress.log("behind", topic=key[0], partition=partition, next_offset=old.next_offset, end=end.latest,
                                      note='"the partition ends before what was read: it waits, or the broker has lost messages"')  # fmt: skip
        self.lose(lost)
        self.positions.record(rows)
        self.topics = topics
        keys = {(self.options.prefix + name, incarnation, partition) for name, (topic, incarnation) in topics.items() for partition in range(topic.partitions)}
        is_new_key = bool(keys - self.ends.keys())
        self.ends = {key: ends[self.place(key)] for key in sorted(keys)}
        if is_new_key:
            self.is_checked = False
        self.is_first_look = False

    def start(self, end: Ends, from_time: int | None) -> int:
        """Return where to start in a partition of a topic that no landing has met."""
        if not self.is_first_look or self.options.starting == "earliest":
            return end.earliest
        if self.options.starting == "latest" or from_time in (-1, None):
            return end.latest
        return max(end.earliest, from_time or 0)

    def gone(self, found: dict[str, Topic]) -> Iterable[tuple[Row, int]]:
        """Yield what was not read of partitions that are no more: where reading stood, and the offset behind the last one known."""
        for name, (topic, _) in self.topics.items():
            if name not in found or found[name].id != topic.id:
                for key, end in self.ends.items():
                    if self.place(key)[0] == name and self.positions.read[key].next_offset < end.latest:
                        yield self.positions.read[key], end.latest

    def lose(self, lost: Iterable[tuple[Row, int]]) -> None:
        """Say loudly and write down which offsets are lost, and go on behind them; LandingError if landing is to stop there."""
        rows, words, lost = [], [], list(lost)
        firsts = {(old.topic, old.topic_incarnation, old.partition): old.next_offset for old, _ in lost}
        held = self.held(firsts, self.raw.snapshot()) if lost else {}  # self.snapshot stays: ahead holds there for all partitions
        for old, until in lost:
            key = (old.topic, old.topic_incarnation, old.partition)
            if key in held:  # by a landing that did not come to write it down
                old = replace(old, next_offset=min(until, held[key] + 1))
                rows.append(old)
            if old.next_offset == until:
                continue
            facts = {"topic": old.topic, "topic_incarnation": old.topic_incarnation, "partition": old.partition}
            facts |= {"first_offset": old.next_offset, "last_offset": until - 1, "offsets": until - old.next_offset}
            words.append(f"topic {old.topic}, partition {old.partition}: offsets {old.next_offset} to {until - 1}")
            if not self.options.stop_on_loss:
                self.progress.log("lost", **facts, note='"Kafka deleted them before they were read; raw.kafka_messages_offsets keeps the range"')
            rows.append(Row(*key, "lost", old.next_offset, until, old.topic_id))
            rows.append(replace(old, next_offset=until))
        if words and self.options.stop_on_loss:
            raise LandingError(f"Kafka deleted messages before they were read, of {'; '.join(words)}; --on-loss continue goes on behind them")
        self.positions.record(rows)

    def check(self) -> None:
        """Find out what raw holds already of what is not read: by files, by other landings, by one killed before it wrote that down."""
        self.snapshot = self.raw.snapshot()
        self.ahead = self.held({key: self.positions.read[key].next_offset for key in self.ends}, self.snapshot)
        self.is_checked = True

    def held(self, firsts: dict[Key, int], snapshot: int | None) -> dict[Key, int]:
        """Return the last offset that raw holds at a snapshot of partitions, of those where it is not before a given one."""
        if snapshot is None or not firsts:
            return {}
        least: dict[str, int] = {}
        for key, offset in firsts.items():
            least[key[0]] = min(offset, least.get(key[0], offset))
        if len(least) <= table.PRUNABLE_TOPICS:
            near = " or ".join(f"(topic = {table.literal(topic)} and offset >= {offset})" for topic, offset in least.items())
        else:
            near = f"topic between {table.literal(min(least))} and {table.literal(max(least))} and offset >= {min(least.values())}"
        held = self.raw.at(snapshot).where(near).groupBy(*table.IDENTITY[:3]).agg(F.max("offset"))
        last = {(row[0], row[1], row[2]): row[3] for row in held.collect()}
        return {key: last[key] for key, first in firsts.items() if last.get(key, -1) >= first}

    def plan(self) -> Ranges:
        """Return the offset ranges of the next commit: something of each partition that lags, and little of what is much."""
        lagging = []
        for key, end in self.ends.items():
            row = self.positions.read[key]
            if key not in self.refused and row.next_offset < end.latest and row.next_offset >= end.earliest:
                size = row.average_bytes or UNMEASURED
                lagging.append(((end.latest - row.next_offset) * size, size, key, row.next_offset, end.latest))
        topics = list(dict.fromkeys(part[2][0] for part in sorted(lagging, reverse=True)))[:TOPICS]
        lagging = [part for part in lagging if part[2][0] in topics]
        ranges, left = {}, float(self.size)
        for place, (total, size, key, first, latest) in enumerate(sorted(lagging)):
            share = min(total, left / (len(lagging) - place))
            until = min(latest, first + max(1, int(share / size)))
            ranges[key] = first, until
            left = max(0, left - (until - first) * size)
        return ranges

    def messages(self, ranges: Ranges) -> DataFrame:
        """Return the messages of the ranges as raw has them (table.MESSAGE)."""
        cores = self.spark.sparkContext.defaultParallelism
        read = self.cluster.read({self.place(key): ends for key, ends in ranges.items()}, cores)
        binary = sorted({self.place(key)[0] for key in ranges if self.options.is_binary(key[0])})
        incarnations = {self.place(key)[0]: key[1] for key in ranges if key[1]}
        incarnation: Any = F.lit(0)
        if incarnations:
            known = F.create_map(*(F.lit(part) for pair in incarnations.items() for part in pair))
            incarnation = F.coalesce(F.try_element_at(known, F.col("topic")), F.lit(0))
        text = F.col("value").cast("string")
        return read.select(
            F.concat(F.lit(self.options.prefix), "topic").alias("topic"),
            "partition",
            "offset",
            F.when(F.col("timestamp").between(F.timestamp_millis(F.lit(0)), F.expr(LAST_TIME)), F.col("timestamp")).alias("timestamp"),
            F.col("key").cast("string").alias("key"),
            (F.when(F.col("topic").isin(binary), F.replace(F.base64("value"), F.lit("\r\n"), F.lit(""))).otherwise(text) if binary else text).alias("value"),
            "headers",
            incarnation.alias("topic_incarnation"),
        )

    def land(self, ranges: Ranges) -> None:
        """Land the messages of the ranges in one commit; where Spark cannot read one of them, in several, up to that one."""
        self.stop.point()
        try:
            self.land_together(ranges)
        except Exception as error:
            if not any(name == UNREADABLE for name, _ in causes(error)):
                raise
            [(key, (first, until)), *others] = ranges.items()
            if others:
                half = len(ranges) // 2
                self.land(dict([*ranges.items()][:half]))
                self.land(dict([*ranges.items()][half:]))
            elif until - first == 1:
                self.refuse(key, f"Spark cannot read the message at offset {first}, most likely for its timestamp; the partition waits there")
            else:
                middle = (first + until) // 2
                self.land({key: (first, middle)})
                if key not in self.refused:
                    self.land({key: (middle, until)})

    def refuse(self, key: Key, why: str) -> None:
        """Land nothing more of a partition, and say why."""
        self.refused.add(key)
        self.totals.errors.append(f"topic {key[0]}, partition {key[2]}: {why}")
        self.progress.log("refused", topic=key[0], partition=key[2], note=f'"{why}"')

    def land_together(self, ranges: Ranges) -> None:
        """Land the messages of the ranges in one commit, then write down that they are read."""
        began, batch = time.monotonic(), table.new_batch()
        if not self.is_checked:
            self.check()
        messages = self.messages(ranges)
        if any(first <= self.ahead.get(key, -1) for key, (first, _) in ranges.items()):
            messages = self.not_held(messages, ranges)
            if self.refused & ranges.keys():
                return
        sizes = (self.positions.read[key].average_bytes or UNMEASURED for key in ranges)
        total = sum((until - first) * size for (first, until), size in zip(ranges.values(), sizes))
        files = min(self.spark.sparkContext.defaultParallelism, 1 + int(total / FILE_BYTES))
        now = F.timestamp_micros(F.lit(time.time_ns() // 1000)).alias("landed_at")
        rows = messages.select(*table.MESSAGE, now, F.lit(batch).cast("bigint").alias("landing_batch"))
        observed, topics = Observation(), sorted({key[0] for key in ranges})
        rows = rows.observe(observed, *measures(topics), *(names() if self.schemas else [])).select(*(name for name, _, _ in table.COLUMNS))
        try:
            staged = self.raw.stage(rows.coalesce(files))
        except Exception:
            self.stand(ranges)  # if it was that the topics changed, then that is what to say
            raise
        try:
            if self.schemas and staged:
                self.schemas.learn(named(observed.get))
            self.stand(ranges)
        except BaseException:
            self.raw.discard(staged)
            raise
        if staged:
            try:
                self.snapshot = self.raw.commit(staged, self.snapshot, {key[0] for key in self.ends}, str(batch))
            except Exception as error:
                if certainly_failed(error):
                    self.raw.discard(staged)
                raise
            self.totals.batches.append(batch)
        sizes = measured(observed, topics) if staged else {}
        count = self.raw.row_count(staged)
        self.note(ranges, sizes)
        if staged and not self.progress.is_terminal:
            seconds, size = time.monotonic() - began, sum(size for _, size in sizes.values())
            self.progress.log("landed", landing_batch=batch, topics=len(topics), partitions=len(ranges), messages=count, bytes=size,
                              seconds=f"{seconds:.1f}", bytes_per_second=int(size / seconds), lag=self.lag())  # fmt: skip

    def stand(self, ranges: Ranges) -> None:
        """TopicsChanged unless the topics are those that were planned for, and have held all of the ranges until now."""
        names = {self.place(key)[0] for key in ranges}
        if self.cluster.describe(names) != {name: self.topics[name][0] for name in names}:
            raise TopicsChanged
        ends = self.cluster.ends(self.place(key) for key in ranges)
        if any(ends[self.place(key)].earliest > first or ends[self.place(key)].latest < until for key, (first, until) in ranges.items()):
            raise TopicsChanged

    def not_held(self, messages: DataFrame, ranges: Ranges) -> DataFrame:
        """Return those of the messages that raw does not hold; refuse the partitions of which raw holds other messages, not rewritten ones."""
        parts = [table.Range(key[0], key[2], first, until - 1, until - first) for key, (first, until) in ranges.items()]
        held = self.raw.at(self.snapshot).alias("held").where(table.bounds(parts, "held"))
        content = F.struct(*table.CONTENT)
        both = messages.select(*table.IDENTITY, content.alias("ours")).join(held.select(*table.IDENTITY, content.alias("theirs")), [*table.IDENTITY])
        is_same = F.expr(table.is_rewritten("theirs.value")) | F.col("ours").eqNullSafe(F.col("theirs"))
        other = both.where(~is_same).groupBy(*table.IDENTITY[:3]).agg(F.min("offset").alias("first"), F.count("*").alias("messages")).collect()
        for row in other:
            self.refuse((row.topic, row.topic_incarnation, row.partition),
                        f"raw holds other messages at {row.messages} of its offsets, the first is {row.first}; land the topic with a --prefix of its own")  # fmt: skip
        return messages.join(held.select(*table.IDENTITY), [*table.IDENTITY], "left_anti")

    def note(self, ranges: Ranges, sizes: dict[str, tuple[int, int]]) -> None:
        """Write down that the ranges are read, whose commit had by topic so many messages and bytes."""
        self.totals.add(ranges, sizes)

        def record() -> None:
            read = self.positions.read
            self.positions.record([replace(read[key], next_offset=until, average_bytes=average(read[key].average_bytes, *sizes.get(key[0], (0, 0)))) for key, (_, until) in ranges.items()])

        try:
            record()
        except Exception as error:
            if not is_conflict(error):
                raise
            table.retry(lambda: (self.positions.load(), record()))

    def tell_waiting(self) -> None:
        """Say what no reader of committed messages sees yet: the messages behind a transaction that is still open."""
        latest = self.cluster.latest([self.place(key) for key in self.ends], is_committed=False)
        for key, end in self.ends.items():
            offsets = latest[self.place(key)] - end.latest
            if offsets > 0:
                self.progress.log("open_transaction", topic=key[0], partition=key[2], first_offset=end.latest, offsets=offsets,
                                  note='"they can be read once the transaction before them ends"')  # fmt: skip

    def summary(self) -> str:
        """Return a table, a line for each topic that was read or lags, and the landing batches."""
        with contextlib.suppress(Exception):  # it may be because the cluster is away that the landing ends
            if not self.stop.event.is_set():
                ends = self.cluster.ends(self.place(key) for key in self.ends)
                self.ends = {key: ends[self.place(key)] for key in self.ends}
        topics = sorted({key[0] for key in [*self.totals.offsets, *self.ends]})
        return self.totals.text({topic: self.lag(topic) for topic in topics})


def average(before: float | None, messages: int, size: int) -> float | None:
    """Return the size of a message by which to measure the next commit: a few small ones do not make those that follow small."""
    return max(1.0, size / messages, (before or 0) / 4) if messages else before

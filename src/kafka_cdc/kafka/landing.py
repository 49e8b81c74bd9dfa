"""Landing from Kafka: in commits of bounded size, each message exactly once.

There is no checkpoint next to the data that could contradict them. A commit happens only if raw
contained nothing at or after its offsets, and nobody has landed anything of the same topics since.
Otherwise landing reads raw again. Therefore landings may be killed at any time, and several may run
at once. Between reading and committing, landing checks again that the topics are still the same.
"""

import contextlib
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import SparkSession

from kafka_cdc import log_events
from kafka_cdc.errors import LandingError, is_conflict, reason
from kafka_cdc.kafka import config
from kafka_cdc.kafka.client import KafkaClient, TopicsChanged
from kafka_cdc.kafka.committer import Committer, RejectedPartitions
from kafka_cdc.kafka.landed import LandedOffsets
from kafka_cdc.kafka.losses import LossRecorder
from kafka_cdc.kafka.offsets import OffsetRanges, OffsetStore
from kafka_cdc.kafka.options import KafkaOptions
from kafka_cdc.kafka.planner import CommitPlanner
from kafka_cdc.kafka.progress import KafkaProgress
from kafka_cdc.kafka.reader import MessageReader
from kafka_cdc.kafka.topics import find_unmatched
from kafka_cdc.kafka.watcher import TopicWatcher
from kafka_cdc.schema_registry.store import SchemaStore
from kafka_cdc.shutdown import Shutdown
from kafka_cdc.tables import raw
from kafka_cdc.tables.table_format import AnyTable

MAX_ATTEMPTS = 20  # in a row; the pauses between them take about a minute
MAX_PAUSE_SECONDS = 8
MIN_COMMIT_SHARE = 0.1  # of a bounded landing
TOPICS_CHANGED = "the topics changed while they were read"
BROKERS_HINT = "check that all brokers know the same topics, then run the command again"
WRITERS_HINT = "end other programs that write the raw table, then run the command again"


@dataclass(frozen=True)
class LandingTables:
    """Raw, and the tables next to it. `schemas` is None without a schema registry."""

    raw: AnyTable
    offsets: OffsetStore
    schemas: SchemaStore | None


@dataclass
class Attempts:
    """The attempts in a row that failed. The next one waits, and too many end the landing."""

    progress: KafkaProgress
    shutdown: Shutdown
    failed: int = 0

    def reset(self) -> None:
        """Begin again, because something has landed."""
        self.failed = 0

    def fail(self, why: str, hint: str) -> None:
        """Log that an attempt failed, and wait before the next one.

        Raises:
            LandingError: It was the last attempt. What has not landed stays in Kafka.
        """
        self.failed += 1
        if self.failed == MAX_ATTEMPTS:
            text = f"landing has failed {MAX_ATTEMPTS} times in a row: {why}"
            raise LandingError(text if "Hint: " in why else f"{text}. Hint: {hint}")
        self.progress.log(log_events.REPEATED, attempt=self.failed, reason=f'"{why}"')
        limit = min(MAX_PAUSE_SECONDS, 0.25 * 2**self.failed)
        self.shutdown.pause(random.uniform(0.1, 1) * limit)


@dataclass(frozen=True)
class KafkaLanding:
    """A landing of topics from a cluster to raw. build() makes one."""

    client: KafkaClient
    watcher: TopicWatcher
    planner: CommitPlanner
    committer: Committer
    options: KafkaOptions
    progress: KafkaProgress
    shutdown: Shutdown
    attempts: Attempts  # to commit

    @classmethod
    def build(
        cls,
        spark: SparkSession,
        client: KafkaClient,
        tables: LandingTables,
        *,
        options: KafkaOptions,
        progress: KafkaProgress,
        shutdown: Shutdown,
    ) -> "KafkaLanding":
        """Return a landing with all its parts."""
        landed = LandedOffsets(tables.raw)
        losses = LossRecorder(tables.offsets, landed, progress, options.stop_on_data_loss)
        watcher = TopicWatcher(
            client, tables.offsets, losses=losses, progress=progress, options=options
        )
        planner = CommitPlanner(options.max_commit_bytes)
        committer = Committer(
            reader=MessageReader(spark, client, options),
            watcher=watcher,
            planner=planner,
            offsets=tables.offsets,
            landed=landed,
            schemas=tables.schemas,
            rejected=RejectedPartitions(progress),
            progress=progress,
            shutdown=shutdown,
        )
        attempts = Attempts(progress, shutdown)
        return cls(client, watcher, planner, committer, options, progress, shutdown, attempts)

    def run(self, max_messages: float = math.inf) -> bool:
        """Land until nothing is new, or until about that many messages have landed.

        A continuous landing runs until it is stopped. A loop calls it again, which tries rejected
        partitions again. Both wait an hour with an unreadable message, and 5 minutes with an
        unauthorized topic.

        Returns:
            Whether it left messages in Kafka because it had landed that many.

        Raises:
            LandingError: No topic matches, the cluster cannot be reached, too many attempts in a
                row have failed, or offsets are lost and landing stops then.
        """
        self._refresh()
        self.committer.rejected.begin(self.watcher.get_next_offsets())
        if not self.watcher.topics:
            globs = ", ".join(self.options.topics)
            raise LandingError(
                f"no topic of {self.client.servers} matches {globs}. Hint: check --topics"
            )
        if self.options.is_continuous:  # other landings report them at their end, which is near
            self.log_unmatched_topics()
        refreshed = time.monotonic()
        while True:
            left = max_messages - self.progress.summary.count_messages()
            # Many offsets may have no message. Ever smaller commits would look for the last ones.
            ranges = self._plan(max(left, MIN_COMMIT_SHARE * max_messages))
            is_cut = bool(ranges) and left <= 0
            if is_cut or (not ranges and not self.options.is_continuous):
                for key in self.watcher.leaderless:
                    self.committer.rejected.reject(key, self.watcher.describe_leaderless(key))
                if not is_cut:
                    with contextlib.suppress(Exception):  # everything has landed
                        self.watcher.log_open_transactions()
                return is_cut
            is_due = time.monotonic() - refreshed >= self.options.interval_seconds
            if self.options.is_continuous and (not ranges or is_due):
                self._set_phase("landing" if ranges else "waiting")
                next_refresh = refreshed + self.options.interval_seconds
                self.shutdown.pause(max(0.0, next_refresh - time.monotonic()))
                self._refresh()
                self.committer.rejected.release(self.watcher.get_next_offsets())
                # A refresh may take longer than the interval. A commit follows it nevertheless.
                refreshed = time.monotonic()
                self.log_unmatched_topics()
                continue
            self._set_phase("landing")
            self.planner.begin(ranges)
            if self._commit(ranges):
                self.planner.grow()
            else:
                self.planner.shrink()

    def find_unmatched_topics(self) -> list[str]:
        """Return a line for each name or glob of the topics to land that matches no topic."""
        globs = find_unmatched(self.options.topics, self.watcher.topics)
        return [f"no topic matches {glob}; check --topics" for glob in globs]

    def log_unmatched_topics(self) -> None:
        """Log which names and globs match no topic since this refresh."""
        self.progress.log_new(log_events.TOPIC_UNMATCHED, self.find_unmatched_topics())

    def summary(self) -> str:
        """Return a table of the topics that were read or lag, and the landing batches."""
        # The landing may have ended because the cluster cannot be reached.
        with contextlib.suppress(Exception):
            if not self.shutdown.is_requested():
                self.watcher.refresh_ends()
        keys = [*self.progress.summary.offsets, *self.watcher.ends]
        topics = sorted({key.topic for key in keys})
        return self.progress.summary.text({topic: self.watcher.lag(topic) for topic in topics})

    def _set_phase(self, phase: str) -> None:
        """Show what begins."""
        self.progress.set_phase(phase, lag=self.watcher.lag())

    def _plan(self, max_offsets: float) -> OffsetRanges:
        """Return the offset ranges of the next commit, with about that many offsets at most."""
        read, rejected = self.committer.offsets.read, self.committer.rejected.keys
        return self.planner.plan(self.watcher.ends, read, rejected, max_offsets)

    def _refresh(self) -> None:
        """Refresh the topics.

        Repeats it after conflicts with other landings and changes of topics.

        Raises:
            LandingError: Too many attempts in a row have failed.
        """

        def refresh() -> None:
            if self.watcher.refresh():
                self.committer.landed.invalidate()

        attempts = Attempts(self.progress, self.shutdown)
        while True:
            try:
                if self._attempt(refresh, attempts):
                    return
            except TopicsChanged:
                attempts.fail(TOPICS_CHANGED, BROKERS_HINT)

    def _commit(self, ranges: OffsetRanges) -> bool:
        """Commit the ranges. Refreshes the topics if they changed meanwhile.

        Returns:
            Whether it succeeded. If not, a part of the ranges may have landed, so that the next
            commit must be planned again.

        Raises:
            LandingError: Too many attempts in a row have failed.
        """
        try:
            return self._attempt(lambda: self.committer.commit_readable(ranges), self.attempts)
        except TopicsChanged:
            self.attempts.fail(TOPICS_CHANGED, BROKERS_HINT)
            self._update(self._refresh, self.attempts)
            return False

    def _attempt(self, work: Callable[[], None], attempts: Attempts) -> bool:
        """Do `work`.

        After a failure it waits, and what raw contains is looked up again before the next commit.
        Without that, a repetition would land a second time what `work` had landed before it failed.

        Returns:
            Whether it succeeded. If not, another landing was faster, and its offsets have been
            read. Or a continuous landing could not reach the cluster.

        Raises:
            LandingError: Too many attempts in a row have failed.
        """
        self.shutdown.check()
        try:
            work()
        except TopicsChanged:
            raise
        except Exception as error:
            self.committer.landed.invalidate()
            if is_conflict(error):
                why = config.hide_secrets(reason(error), self.client.properties)
                attempts.fail(why, WRITERS_HINT)
                self._update(lambda: raw.retry(self.committer.offsets.load), attempts)
            elif self.client.is_transient(error):
                self._wait_for_cluster(error)
            else:
                raise
            return False
        attempts.reset()
        return True

    def _update(self, work: Callable[[], None], attempts: Attempts) -> None:
        """Do `work`, which may find new next offsets.

        Then another landing was faster, or Kafka has deleted messages. Such failures do not count,
        because each of them comes with progress.
        """
        before = self.watcher.get_next_offsets()
        work()
        if self.watcher.get_next_offsets() != before:
            attempts.reset()

    def _wait_for_cluster(self, error: Exception) -> None:
        """Wait before the next attempt to reach the cluster.

        Raises:
            LandingError: The landing is not continuous, or has not reached the cluster yet.
        """
        why = self.client.describe_error(error)
        if not self.options.is_continuous or self.watcher.is_first_refresh:
            raise LandingError(f"{self.client.servers}: {why}") from None
        self.progress.log(log_events.WAITING, error=f'"{why}"')
        self.shutdown.pause(self.options.interval_seconds)

"""Landing from Kafka: in commits of bounded size, each message exactly once.

There is no checkpoint next to the data that could contradict them. A commit happens only if raw
contained nothing at or after its offsets, and nobody has landed anything of the same topics since.
Otherwise landing reads raw again. Therefore landings may be killed at any time, and several may run
at once. Between reading and committing, landing checks again that the topics are still the same.
"""

import contextlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import SparkSession

from kafka_cdc import log_events
from kafka_cdc.errors import LandingError, is_conflict
from kafka_cdc.kafka.client import KafkaClient, TopicsChanged
from kafka_cdc.kafka.committer import Committer, RejectedPartitions
from kafka_cdc.kafka.landed import LandedOffsets
from kafka_cdc.kafka.losses import LossRecorder
from kafka_cdc.kafka.offsets import OffsetRanges, OffsetStore
from kafka_cdc.kafka.options import KafkaOptions
from kafka_cdc.kafka.planner import CommitPlanner
from kafka_cdc.kafka.progress import KafkaProgress
from kafka_cdc.kafka.reader import MessageReader
from kafka_cdc.kafka.watcher import TopicWatcher
from kafka_cdc.schema_registry.store import SchemaStore
from kafka_cdc.shutdown import Shutdown
from kafka_cdc.tables.table_format import AnyTable

TOPICS_CHANGED_PAUSE_SECONDS = 0.2
MAX_CONFLICT_PAUSE_SECONDS = 1


@dataclass(frozen=True)
class LandingTables:
    """Raw, and the tables next to it. `schemas` is None without a schema registry."""

    raw: AnyTable
    offsets: OffsetStore
    schemas: SchemaStore | None


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
        committer = Committer(
            reader=MessageReader(spark, client, options),
            watcher=watcher,
            offsets=tables.offsets,
            landed=landed,
            schemas=tables.schemas,
            rejected=RejectedPartitions(progress),
            progress=progress,
            shutdown=shutdown,
        )
        planner = CommitPlanner(options.max_commit_bytes)
        return cls(client, watcher, planner, committer, options, progress, shutdown)

    def run(self) -> None:
        """Land until nothing is new. A continuous landing runs until it is stopped.

        Raises:
            LandingError: No topic matches, the cluster cannot be reached, or offsets are lost and
                landing is to stop then.
        """
        self._refresh()
        if not self.watcher.topics:
            globs = ", ".join(self.options.topics)
            raise LandingError(f"no topic of {self.client.servers} matches {globs}; check --topics")
        refreshed = time.monotonic()
        while True:
            ranges = self._plan()
            if not ranges and not self.options.is_continuous:
                with contextlib.suppress(Exception):  # everything has landed
                    self.watcher.log_open_transactions()
                return
            is_due = time.monotonic() - refreshed >= self.options.interval_seconds
            if self.options.is_continuous and (not ranges or is_due):
                self._set_phase("landing" if ranges else "waiting")
                next_refresh = refreshed + self.options.interval_seconds
                self.shutdown.pause(max(0.0, next_refresh - time.monotonic()))
                refreshed = time.monotonic()
                self._refresh()
                continue
            self._set_phase("landing")
            try:
                self._commit(ranges)
                self.planner.grow()
            except TopicsChanged:
                self.planner.shrink()
                self._refresh()

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

    def _plan(self) -> OffsetRanges:
        """Return the offset ranges of the next commit."""
        committer = self.committer
        return self.planner.plan(self.watcher.ends, committer.offsets.read, committer.rejected.keys)

    def _refresh(self) -> None:
        """Refresh the topics.

        Repeats it after conflicts with other landings and changes of topics.
        """

        def refresh() -> None:
            if self.watcher.refresh():
                self.committer.landed.invalidate()

        while True:
            try:
                if self._attempt(refresh):
                    return
            except TopicsChanged:
                self.shutdown.pause(TOPICS_CHANGED_PAUSE_SECONDS)

    def _commit(self, ranges: OffsetRanges) -> None:
        """Commit the ranges.

        If that fails for a while, it returns. A part of the ranges may have landed then, so that
        the next commit must be planned again.

        Raises:
            TopicsChanged: The topics changed while they were read.
        """
        self._attempt(lambda: self.committer.commit_readable(ranges))

    def _attempt(self, work: Callable[[], None]) -> bool:
        """Do `work`.

        After a failure it waits, and what raw contains is looked up again before the next commit.
        Without that, a repetition would land a second time what `work` had landed before it failed.

        Returns:
            Whether it succeeded. If not, another landing was faster, and its offsets have been
            read. Or a continuous landing could not reach the cluster.
        """
        self.shutdown.check()
        try:
            work()
        except TopicsChanged:
            raise
        except Exception as error:
            self.committer.landed.invalidate()
            if is_conflict(error):
                self.shutdown.pause(random.uniform(0.1, MAX_CONFLICT_PAUSE_SECONDS))
                self.committer.offsets.load()
            elif self.client.is_transient(error):
                self._wait_for_cluster(error)
            else:
                raise
            return False
        return True

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

"""Offsets that Kafka deleted before landing read them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from kafka_cdc import log_events
from kafka_cdc.errors import LandingError
from kafka_cdc.kafka.landed import LandedOffsets
from kafka_cdc.kafka.offsets import LOST, OffsetRow, OffsetStore
from kafka_cdc.kafka.progress import KafkaProgress

NOTE = '"Kafka deleted them before they were read; raw.kafka_messages_offsets keeps the range"'


class Loss(NamedTuple):
    """Offsets that are lost: from the next offset of a partition's row to before `until`.

    If the topic does not exist any more, `is_removed` is true, and its next offset stays. A broker
    that has just started may not know a topic yet. Landing then reads on when the topic is listed.
    """

    row: OffsetRow
    until: int
    is_removed: bool = False


@dataclass(frozen=True)
class LossRecorder:
    """Logs and records lost offsets."""

    offsets: OffsetStore
    landed: LandedOffsets
    progress: KafkaProgress
    stop_on_data_loss: bool

    def record(self, losses: Iterable[Loss]) -> None:
        """Log and record lost offsets, so that landing continues after them if the topic exists.

        Raises:
            LandingError: Landing is to stop when offsets are lost.
        """
        losses = list(losses)
        next_offsets = {loss.row.key: loss.row.next_offset for loss in losses}
        # The check of self.landed must not change: it is valid for all partitions.
        landed = (
            self.landed.find_extremes(next_offsets, self.landed.table.snapshot()) if losses else {}
        )
        rows: list[OffsetRow] = []
        texts: list[str] = []
        for row, until, is_removed in losses:
            for first, after in get_gaps(row.next_offset, until, landed.get(row.key)):
                texts.append(
                    f"topic {row.topic}, partition {row.partition}: offsets {first} to {after - 1}"
                )
                if not self.stop_on_data_loss:
                    self._log(row, first, after)
                rows.append(OffsetRow(*row.key, LOST, first, after, row.topic_id))
            if not is_removed:
                rows.append(replace(row, next_offset=until))
        if texts and self.stop_on_data_loss:
            raise LandingError(
                f"Kafka deleted messages before they were read, of {'; '.join(texts)}."
                " Hint: --on-data-loss continue lands the messages after them"
            )
        self.offsets.record(rows)

    def _log(self, row: OffsetRow, first: int, after: int) -> None:
        """Log one range of lost offsets."""
        self.progress.log(
            log_events.LOST,
            topic=row.topic,
            topic_incarnation=row.topic_incarnation,
            partition=row.partition,
            first_offset=first,
            last_offset=after - 1,
            offsets=after - first,
            note=NOTE,
        )


def get_gaps(first: int, until: int, landed: tuple[int, int] | None) -> list[tuple[int, int]]:
    """Return the ranges of lost offsets, each with the offset after its last.

    A landing that did not record its progress, or a file, may have landed a part. What is missing
    inside that part is not counted: it may be a transaction's marker, or a compacted topic.

    Args:
        first: The first offset that was to be read.
        until: The first offset that Kafka still has.
        landed: The first and last landed offset from `first` on, if there is any.
    """
    if not landed:
        return [(first, until)]
    gaps = (first, min(until, landed[0])), (landed[1] + 1, until)
    return [gap for gap in gaps if gap[0] < gap[1]]

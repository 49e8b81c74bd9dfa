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
    """Offsets that are lost: from the next offset of a partition's row to before `until`."""

    row: OffsetRow
    until: int


@dataclass(frozen=True)
class LossRecorder:
    """Logs and records lost offsets."""

    offsets: OffsetStore
    landed: LandedOffsets
    progress: KafkaProgress
    stop_on_data_loss: bool

    def record(self, losses: Iterable[Loss]) -> None:
        """Log and record lost offsets, so that landing continues after them.

        Raises:
            LandingError: Landing is to stop when offsets are lost.
        """
        losses = list(losses)
        next_offsets = {loss.row.key: loss.row.next_offset for loss in losses}
        # The check of self.landed must not change: it is valid for all partitions.
        last_landed = (
            self.landed.find_last_offsets(next_offsets, self.landed.table.snapshot())
            if losses
            else {}
        )
        rows: list[OffsetRow] = []
        texts: list[str] = []
        for loss in losses:
            row, until = loss
            if row.key in last_landed:  # a landing did not record these
                row = replace(row, next_offset=min(until, last_landed[row.key] + 1))
                rows.append(row)
            if row.next_offset == until:
                continue
            first, last = row.next_offset, until - 1
            texts.append(f"topic {row.topic}, partition {row.partition}: offsets {first} to {last}")
            if not self.stop_on_data_loss:
                self._log(row, until)
            rows.append(OffsetRow(*row.key, LOST, first, until, row.topic_id))
            rows.append(replace(row, next_offset=until))
        if texts and self.stop_on_data_loss:
            raise LandingError(
                f"Kafka deleted messages before they were read, of {'; '.join(texts)};"
                " --on-data-loss continue continues after them"
            )
        self.offsets.record(rows)

    def _log(self, row: OffsetRow, until: int) -> None:
        """Log one range of lost offsets."""
        self.progress.log(
            log_events.LOST,
            topic=row.topic,
            topic_incarnation=row.topic_incarnation,
            partition=row.partition,
            first_offset=row.next_offset,
            last_offset=until - 1,
            offsets=until - row.next_offset,
            note=NOTE,
        )

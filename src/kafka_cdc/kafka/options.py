"""What a landing from Kafka reads, and how."""

from collections.abc import Callable
from dataclasses import dataclass

from kafka_cdc.kafka.client import TopicPartition
from kafka_cdc.kafka.offsets import PartitionKey


@dataclass(frozen=True)
class KafkaOptions:
    """What to land.

    Attributes:
        topics: Globs for the names of topics in the cluster.
        is_binary: Whether a topic, by its name in raw, lands base64-encoded.
        topic_prefix: Is put before the names of topics in raw.
        starting_offsets: Where unknown topics start: earliest, latest or a time in Unix
            milliseconds.
        stop_on_data_loss: Whether to stop if Kafka has deleted unread offsets.
        is_continuous: Whether to continue with new messages until the command is stopped.
        is_repeated: Whether a loop lands again later over the same connection.
        interval_seconds: How often a continuous landing looks for new messages.
        max_commit_bytes: About how many bytes of payload a commit has at most.
    """

    topics: list[str]
    is_binary: Callable[[str], bool]
    topic_prefix: str = ""
    starting_offsets: str | int = "earliest"
    stop_on_data_loss: bool = False
    is_continuous: bool = False
    is_repeated: bool = False
    interval_seconds: float = 10
    max_commit_bytes: int = 256_000_000

    def get_source(self, key: PartitionKey) -> TopicPartition:
        """Return a partition of raw by its name and number in the cluster."""
        return key.topic.removeprefix(self.topic_prefix), key.partition

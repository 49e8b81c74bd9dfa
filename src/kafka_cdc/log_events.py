"""The events that `kafka-cdc land kafka` logs on stderr, and what each one means.

A line of the log is a time in UTC, the event, and its facts as name=value.
"""

LANDED = "landed"
LOST = "lost"
TOPIC_RECREATED = "topic_recreated"
OFFSET_OUT_OF_RANGE = "offset_out_of_range"
OPEN_TRANSACTION = "open_transaction"
REJECTED = "rejected"
WAITING = "waiting"
SCHEMA_UNKNOWN = "schema_unknown"
SCHEMA_REJECTED = "schema_rejected"
REGISTRY_UNREACHABLE = "registry_unreachable"

MEANINGS: dict[str, str] = {
    LANDED: "A commit added messages to raw. Terminals show a progress line instead.",
    LOST: (
        "Kafka deleted these offsets before landing read them."
        " raw.kafka_messages_offsets keeps the range with the outcome lost."
    ),
    TOPIC_RECREATED: (
        "The topic was deleted and created again. Its messages land under the next"
        " topic_incarnation. Unread messages of the old topic are lost."
    ),
    OFFSET_OUT_OF_RANGE: (
        "The partition ends before the next offset to read. Landing waits, or the broker has lost"
        " messages."
    ),
    OPEN_TRANSACTION: (
        "Messages follow a transaction that is still open. They land after the transaction ends."
    ),
    REJECTED: "Landing stopped reading a partition. The note contains the reason.",
    WAITING: "The cluster cannot be reached. --continuous tries again after its interval.",
    SCHEMA_UNKNOWN: (
        "The schema registry does not have a schema that messages name. The messages stay in"
        " quarantine."
    ),
    SCHEMA_REJECTED: (
        "The schema registry does not return a schema. The messages stay in quarantine. Landing"
        " asks again after 60 seconds, and `kafka-cdc land schemas` asks later."
    ),
    REGISTRY_UNREACHABLE: (
        "The schema registry does not answer. Messages land and stay in quarantine. Landing asks"
        " again after 60 seconds, and `kafka-cdc land schemas` asks later."
    ),
}

"""The events that `kafka-cdc land kafka` and `kafka-cdc run` log on stderr, with their meanings.

A line of the log is a time in UTC, the event, and its facts as name=value.
"""

LANDED = "landed"
LOST = "lost"
TOPIC_RECREATED = "topic_recreated"
TOPIC_UNMATCHED = "topic_unmatched"
OFFSET_OUT_OF_RANGE = "offset_out_of_range"
OPEN_TRANSACTION = "open_transaction"
REJECTED = "rejected"
REPEATED = "repeated"
WAITING = "waiting"
SCHEMA_UNKNOWN = "schema_unknown"
SCHEMA_REJECTED = "schema_rejected"
REGISTRY_UNREACHABLE = "registry_unreachable"
CYCLE = "cycle"
FINDING = "finding"
LANDING_FAILED = "landing_failed"
BUILD_FAILED = "build_failed"
ALERT_FAILED = "alert_failed"
REPORT_FAILED = "report_failed"
LINEAGE_FAILED = "lineage_failed"

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
    TOPIC_UNMATCHED: (
        "No topic matches a name or glob of --topics. It may be misspelled, or its topic may not"
        " exist yet. `kafka-cdc run` and `kafka-cdc land kafka --continuous` log it once."
        " `kafka-cdc land kafka` prints it at its end."
    ),
    OFFSET_OUT_OF_RANGE: (
        "The partition ends before the next offset to read. Landing waits, or the broker has lost"
        " messages."
    ),
    OPEN_TRANSACTION: (
        "Messages follow a transaction that was open during the whole landing. They land after the"
        " transaction ends."
    ),
    REJECTED: (
        "Landing stopped reading a partition, or `kafka-cdc run` rejected a file. The note contains"
        " the reason. `kafka-cdc run` logs it once, and counts it in each cycle."
    ),
    REPEATED: (
        "An attempt to land failed, because another program wrote the same tables or the topics"
        " changed. Nothing is lost, and landing repeats it. The command ends with an error after 20"
        " attempts in a row without progress."
    ),
    WAITING: (
        "The Kafka cluster cannot be reached, or a partition has no leader. --continuous tries"
        " again after its interval."
    ),
    SCHEMA_UNKNOWN: (
        "The schema registry does not have a schema that messages name. The messages stay in"
        " quarantine."
    ),
    SCHEMA_REJECTED: (
        "The schema registry does not return a schema, or Spark lacked the memory or a jar to parse"
        " it. The messages stay in quarantine. Landing asks again after 60 seconds, and"
        " `kafka-cdc land schemas` asks later."
    ),
    REGISTRY_UNREACHABLE: (
        "The schema registry does not answer, or requests of a commit failed for more than 20"
        " seconds. Messages land and stay in quarantine. Landing asks again after 60 seconds, and"
        " `kafka-cdc land schemas` asks later."
    ),
    CYCLE: (
        "A cycle of `kafka-cdc run` ended. Its facts are durations and counts: messages that"
        " landed, models, tests, whether new table versions were published, and whether the"
        " build included the monitoring models. `backlog=yes` means that more messages wait in"
        " Kafka. The next cycle then follows without a pause, unless this one failed. The build is"
        " `skipped` if nothing has changed since the last successful one."
    ),
    FINDING: "A test or a macro of the build reports something that the last build did not.",
    LANDING_FAILED: (
        "The landing of a cycle failed. If topics fail, files land nevertheless. The cycle still"
        " builds what has landed. The next cycle tries again, after a pause that doubles with"
        " each failure up to 5 minutes."
    ),
    BUILD_FAILED: (
        "A node of the build failed. The note contains the reason. The next cycle builds again,"
        " after a pause that doubles with each failure up to 5 minutes."
    ),
    ALERT_FAILED: (
        "An alert of `kafka-cdc run` was not sent. The note contains the reason. A cycle after 60"
        " seconds sends it again. Landing and builds continue."
    ),
    REPORT_FAILED: (
        "The file of `kafka-cdc run --report` was not written. The note contains the reason. The"
        " next build writes it again."
    ),
    LINEAGE_FAILED: (
        "OpenLineage events were not sent. The note contains the reason. Landing and builds"
        " continue."
    ),
}

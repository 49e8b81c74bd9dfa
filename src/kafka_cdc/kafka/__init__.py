"""Landing from a Kafka cluster."""
